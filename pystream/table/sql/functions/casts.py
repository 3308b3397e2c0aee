"""Conversions of types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlglot import exp

from pystream.table.sql.expression_types import type_of
from pystream.table.sql.functions.building import as_type, call, number, text

__all__ = ["CASTS"]

_DType = exp.DType
_TEXTS = (_DType.TEXT, _DType.VARCHAR, _DType.CHAR)
_DEFAULT_DIGITS = 6


def _cast(node: exp.Cast) -> exp.Expr:
    target = node.to
    if target.this in _TEXTS:
        return _with_length(_text(node), target)
    if target.this in (_DType.TIMESTAMPNTZ, _DType.TIMESTAMPLTZ) and _digits(target) == 0:
        return as_type(call("DATE_TRUNC", text("SECOND"), node), target.this)
    return node


def _digits(kind: exp.DataType) -> int:
    """Return the digits after the second of a type of times."""
    default = 0 if kind.this == _DType.TIME else _DEFAULT_DIGITS
    return int(kind.expressions[0].name) if kind.expressions else default


def _text(node: exp.Cast) -> exp.Expr:
    """Return a value as text, as Flink writes it."""
    value = node.this
    match type_of(value):
        case _DType.BOOLEAN:
            return exp.Upper(this=node.copy())
        case _DType.TIMESTAMPNTZ | _DType.TIMESTAMPLTZ:
            digits = _digits(value.type)
            fraction = f".{'S' * digits}" if digits else ""
            return call("DATE_FORMAT", value, text(f"yyyy-MM-dd HH:mm:ss{fraction}"))
    return node


def _with_length(value: exp.Expr, target: exp.DataType) -> exp.Expr:
    """Cut text to the length of its type, and pad it if the type is CHAR."""
    if not target.expressions:
        return value
    length = number(int(target.expressions[0].name))
    if target.this == _DType.CHAR:
        return call("RPAD", value, length, text(" "))
    return call("LEFT", value, length)


CASTS: Mapping[type[exp.Expr], Callable[[Any], exp.Expr]] = {exp.Cast: _cast, exp.TryCast: _cast}
"""The rules for what the parser knows."""
