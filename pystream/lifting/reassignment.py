"""Reassignment: variables and attributes that the functions of a file set while a program runs."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from types import FunctionType
from typing import NamedTuple

__all__ = ["is_set_elsewhere"]

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


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
