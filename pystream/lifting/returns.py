"""Returns: where the code of a function returns, yields or collects its results."""

from __future__ import annotations

import ast
from collections.abc import Callable

__all__ = [
    "NotColumnsError",
    "Returns",
    "all_of",
    "branches",
    "collections_in",
    "replace_results",
    "results_at",
    "returns_in",
]


class NotColumnsError(Exception):
    """A result is not known to be made of columns."""


class Returns(ast.NodeVisitor):
    """Finds where a function returns or yields, not where functions within it do.

    Attributes:
        found: its return statements.
        yields: its yield expressions.
        delegates: whether it yields from another iterable.
    """

    def __init__(self) -> None:
        self.found: list[ast.Return] = []
        self.yields: list[ast.expr] = []
        self.delegates: bool = False

    def visit_Return(self, node: ast.Return) -> None:
        self.found.append(node)
        self.generic_visit(node)

    def visit_Yield(self, node: ast.Yield) -> None:
        self.yields.append(node)
        self.generic_visit(node)

    def visit_YieldFrom(self, node: ast.YieldFrom) -> None:
        self.delegates = True

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """Pass over it."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Pass over it."""

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        """Pass over it."""


def returns_in(body: list[ast.stmt]) -> Returns:
    found = Returns()
    for statement in body:
        found.visit(statement)
    return found


def collections_in(returns: list[ast.Return]) -> list[ast.expr]:
    """Return the collections that a function returns; ``None`` is none.

    Raises:
        NotColumnsError: one is not written in place.
    """
    values = [value for one in returns if one.value is not None for value in branches(one.value)]
    found = [value for value in values if not (isinstance(value, ast.Constant) and value.value is None)]
    if not all(isinstance(value, (ast.List, ast.Tuple, ast.ListComp, ast.GeneratorExp)) for value in found):
        raise NotColumnsError
    return found


def results_at(place: ast.expr) -> list[ast.expr]:
    """Return the results of a yield expression or of a collection."""
    match place:
        case ast.Yield(value=value):
            return branches(value or ast.Constant(None))
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return [value for part in all_of(parts, len(parts)) for value in branches(part)]
        case ast.ListComp(elt=part) | ast.GeneratorExp(elt=part):
            return branches(part)
    raise NotColumnsError


def replace_results(place: ast.expr, replacement: Callable[[ast.expr], ast.expr]) -> None:
    match place:
        case ast.Yield(value=ast.expr() as value):
            place.value = replacement(value)
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            place.elts = list(map(replacement, parts))
        case ast.ListComp(elt=part) | ast.GeneratorExp(elt=part):
            place.elt = replacement(part)


def branches(value: ast.expr) -> list[ast.expr]:
    if isinstance(value, ast.IfExp):
        return [*branches(value.body), *branches(value.orelse)]
    return [value]


def all_of(parts: list[ast.expr], count: int) -> list[ast.expr]:
    if len(parts) != count or any(isinstance(part, ast.Starred) for part in parts):
        raise NotColumnsError
    return parts
