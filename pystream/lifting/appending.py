"""Functions that add to a list of their own and return it, as generators that yield instead."""

from __future__ import annotations

import ast

__all__ = ["as_generator"]


def as_generator(body: list[ast.stmt]) -> list[ast.stmt] | None:
    """Return the body of a generator that yields the elements of the list that a function returns.

    Args:
        body: the statements of a function that yields nothing: one of them sets a name to an empty list,
            which is only appended to and extended after that, and returned.

    Returns:
        The statements, ``None`` if the function does something else.
    """
    match body[-1]:
        case ast.Return(value=ast.Name(id=name)):
            return _yielding(body, name)
    return None


def _yielding(body: list[ast.stmt], name: str) -> list[ast.stmt] | None:
    begun = next((i for i, statement in enumerate(body) if _begins(statement, name)), None)
    if begun is None:
        return None
    rewriting = _Rewriting(name)
    before = [rewriting.visit(statement) for statement in body[:begun]]
    rewriting.has_begun = True
    after = [rewriting.visit(statement) for statement in body[begun + 1 :]]
    used = [
        node
        for statement in (*before, *after)
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and node.id == name
    ]
    return None if used or rewriting.returns_else else [*before, *after]


def _begins(statement: ast.stmt, name: str) -> bool:
    match statement:
        case (
            ast.Assign(targets=[ast.Name(id=own)], value=value)
            | ast.AnnAssign(target=ast.Name(id=own), value=value)
        ) if own == name:
            return isinstance(value, ast.List) and not value.elts
    return False


class _Rewriting(ast.NodeTransformer):
    """Replaces operations on the list by ``yield``; leaves the original statements unchanged.

    Attributes:
        has_begun: whether the list has been made.
        returns_else: whether something else than the list is returned once it was made, or something at all
            before.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self.has_begun = False
        self.returns_else = False

    def generic_visit(self, node: ast.AST) -> ast.AST:
        copied = type(node)(**dict(ast.iter_fields(node)))
        ast.copy_location(copied, node)
        for field, value in ast.iter_fields(node):
            if isinstance(value, list):
                setattr(copied, field, [self.visit(v) if isinstance(v, ast.AST) else v for v in value])
            elif isinstance(value, ast.AST):
                setattr(copied, field, self.visit(value))
        return copied

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        match node.value:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="append" | "extend" as method),
                args=[value],
                keywords=[],
            ) if name == self._name and not isinstance(value, ast.Starred):
                return _yields(node, value, each=method == "extend")
        return self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        match node:
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add()) if name == self._name:
                return _yields(node, node.value, each=True)
        return self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> ast.AST:
        match node.value:
            case ast.Name(id=name) if name == self._name and self.has_begun:
                pass
            case ast.List(elts=[]) if not self.has_begun:
                pass
            case _:
                self.returns_else = True
        return ast.copy_location(ast.Return(None), node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node


def _yields(at: ast.stmt, value: ast.expr, *, each: bool) -> ast.Expr:
    given = ast.YieldFrom(value) if each else ast.Yield(value)
    return ast.copy_location(ast.Expr(ast.copy_location(given, at)), at)
