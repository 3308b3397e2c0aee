"""Conversions of types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlglot import exp

from pystream.table.sql.expression_types import type_of
from pystream.table.sql.functions.building import NotTranslatedError, as_type, call, number, text

__all__ = ["CASTS"]

_DType = exp.DType
_TEXTS = (_DType.TEXT, _DType.VARCHAR, _DType.CHAR)
_BYTES = (_DType.BINARY, _DType.VARBINARY)
_WITHOUT_LENGTH = {
    _DType.CHAR: _DType.TEXT,
    _DType.VARCHAR: _DType.TEXT,
    _DType.BINARY: _DType.VARBINARY,
    _DType.VARBINARY: _DType.VARBINARY,
}
"""The types of parts of other types, whose lengths Spark's casts ignore."""
_MAX_DIGITS = 6
_UNITS = {0: "SECOND", 3: "MILLISECOND"}
_FORMAT = "yyyy-MM-dd HH:mm:ss"


def _cast(node: exp.Cast) -> exp.Expr:
    target = node.to
    if target.this in _TEXTS:
        return _with_length(_text(node), target, text(" "))
    if target.this in _BYTES:
        zero = exp.Anonymous(this="UNHEX", expressions=[text("00")])
        return _with_length(as_type(node.this, _DType.VARBINARY), target, zero)
    if target.this in (_DType.TIME, _DType.TIMESTAMPNTZ, _DType.TIMESTAMPLTZ):
        return _with_digits(node, target)
    for part in target.find_all(exp.DataType):
        if part.this in _WITHOUT_LENGTH:
            part.set("this", _WITHOUT_LENGTH[part.this])
            part.set("expressions", None)
    return node


def _with_digits(node: exp.Cast, target: exp.DataType) -> exp.Expr:
    """Cut the fraction of a second to the digits of a type."""
    digits = _digits(target)
    if digits >= min(_digits(node.this.type), _MAX_DIGITS):
        return node
    if target.this == _DType.TIME:
        node.set("to", exp.DataType(this=_DType.TIME, expressions=[exp.DataTypeParam(this=number(digits))]))
        return as_type(node, _DType.TIME)
    if digits in _UNITS:
        return as_type(call("DATE_TRUNC", text(_UNITS[digits]), node), target.this)
    written = call("DATE_FORMAT", node, text(f"{_FORMAT}.{'S' * digits}"))
    return as_type(written, target.this)


def _digits(kind: exp.DataType | None) -> int:
    """Return the digits after the second of a type."""
    match kind:
        case exp.DataType(this=_DType.DATE):
            return 0
        case exp.DataType(this=_DType.TIME | _DType.TIMESTAMPNTZ | _DType.TIMESTAMPLTZ):
            default = 0 if kind.this == _DType.TIME else _MAX_DIGITS
            return int(kind.expressions[0].name) if kind.expressions else default
    return _MAX_DIGITS


def _text(node: exp.Cast) -> exp.Expr:
    """Return a value as text, as Flink writes it."""
    value = node.this
    match type_of(value):
        case _DType.BOOLEAN:
            return exp.Upper(this=node.copy())
        case _DType.TIMESTAMPNTZ | _DType.TIMESTAMPLTZ:
            digits = _digits(value.type)
            fraction = f".{'S' * digits}" if digits else ""
            return call("DATE_FORMAT", value, text(f"{_FORMAT}{fraction}"))
        case _DType.MAP | _DType.STRUCT:
            raise NotTranslatedError(value, "a map or row cannot be cast to text; cast its parts")
    return node


def _with_length(value: exp.Expr, target: exp.DataType, filling: exp.Expr) -> exp.Expr:
    """Cut text or bytes to the length of their type, and fill them up if it is fixed."""
    if not target.expressions:
        return value
    length = number(int(target.expressions[0].name))
    if target.this in (_DType.CHAR, _DType.BINARY):
        return call("RPAD", value, length, filling)
    return call("LEFT", value, length)


CASTS: Mapping[type[exp.Expr], Callable[[Any], exp.Expr]] = {exp.Cast: _cast, exp.TryCast: _cast}
"""The rules for what the parser knows."""
