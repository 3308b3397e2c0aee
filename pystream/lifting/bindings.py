"""Names that code binds, uses and calls, and those that functions of a file set while a program runs."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from types import FunctionType
from typing import NamedTuple

from pystream.lifting.kinds import NotExact

__all__ = ["bound_in", "bound_in_scope", "check_is_not_seen", "is_set_elsewhere", "names_in"]

_INTROSPECTION = frozenset({"_getframe", "currentframe", "dir", "eval", "exec", "locals", "super", "vars"})
"""Names of functions that see the variables of their caller."""

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_SCOPES = (*_FUNCTIONS, ast.ClassDef, ast.comprehension)


def check_is_not_seen(body: list[ast.stmt]) -> None:
    """Refuse code that may see variables other than by their names."""
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.ClassDef):
                raise NotExact("defines a class")
            called = _called_by_name(node)
            if called in _INTROSPECTION:
                raise NotExact(f"calls {called}(), which may see its element")


def _called_by_name(node: ast.AST) -> str | None:
    """Return the name of a function that is used, or called as an attribute of a module."""
    match node:
        case ast.Name(id=name) | ast.Call(func=ast.Attribute(attr=name)):
            return name
    return None


def bound_in(body: Iterable[ast.stmt]) -> set[str]:
    """Return the names that statements bind, also in functions within."""
    return {name for statement in body for node in ast.walk(statement) for name in bound_by(node) if name}


def bound_in_scope(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node may bind in the scope it stands in, not in those within."""
    yield from filter(None, bound_by(node))
    if not isinstance(node, _SCOPES):
        for child in ast.iter_child_nodes(node):
            yield from bound_in_scope(child)


def bound_by(node: ast.AST) -> tuple[str | None, ...]:
    """Return the names that a node binds by itself, without its parts."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return (name,)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return (name,)
        case ast.arg(arg=name):
            return (name,)
        case ast.ExceptHandler(name=name) | ast.MatchAs(name=name) | ast.MatchStar(name=name):
            return (name,)
        case ast.MatchMapping(rest=name):
            return (name,)
        case ast.alias(name=name, asname=other):
            return ((other or name).partition(".")[0],)
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            return tuple(names)
    return ()


def names_in(nodes: Iterable[ast.AST]) -> set[str]:
    """Return all names that occur in code."""
    every = [node for root in nodes for node in ast.walk(root)]
    used = {node.id for node in every if isinstance(node, ast.Name)}
    return used | {name for node in every for name in bound_by(node) if name}


def is_set_elsewhere(path: Sequence[str], function: FunctionType) -> bool:
    """Return whether functions of the same file set what a function calls.

    Args:
        path: an outer variable of the function, and the attributes after it.
        function: the function.
    """
    name, *attributes = path
    lines = linecache.getlines(function.__code__.co_filename, function.__globals__)
    found = _set_by_functions("".join(lines))
    return name in found.variables or not found.attributes.isdisjoint(attributes)


class _SetByFunctions(NamedTuple):
    """The names that the functions of a file set outside of themselves."""

    variables: frozenset[str]
    attributes: frozenset[str]


@lru_cache(maxsize=32)
def _set_by_functions(source: str) -> _SetByFunctions:
    variables: set[str] = set()
    attributes: set[str] = set()
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError):
        nodes = []
    for node in chain.from_iterable(ast.walk(one) for one in nodes if isinstance(one, _FUNCTIONS)):
        match node:
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                variables.update(names)
            case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()):
                attributes.add(name)
            case ast.Call(
                func=ast.Name(id="setattr" | "delattr"), args=[_, ast.Constant(value=str(name)), *_]
            ):
                attributes.add(name)
    return _SetByFunctions(frozenset(variables), frozenset(attributes))
