"""CASE, and arrays of values of different types."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlglot import exp

from pystream.sql_types.data_types import ArrayType, DataType
from pystream.table.sql.expression_types import known_type, results_of
from pystream.table.sql.functions.casts import in_type

__all__ = ["CHOICES"]


def _case(node: exp.Case) -> exp.Expr:
    target = known_type(node)
    if target is not None:
        _convert(results_of(node), target)
    return node


def _array(node: exp.Array) -> exp.Expr:
    array = known_type(node)
    if isinstance(array, ArrayType):
        _convert(node.expressions, array.element_type)
    return node


def _convert(parts: Sequence[exp.Expr], target: DataType) -> None:
    """Convert parts of an expression to the type that they have in common, where it has other values."""
    for part in parts:
        own = known_type(part)
        if own is not None:
            part.replace(in_type(part, own, target))


CHOICES: Mapping[type[exp.Expr], Callable[[Any], exp.Expr]] = {exp.Array: _array, exp.Case: _case}
"""The rules for what the parser knows."""
