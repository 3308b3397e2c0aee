"""Conversions of types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlglot import exp

from pystream.sql_types.data_types import DataType
from pystream.table.functions.conversion import conversion
from pystream.table.functions.errors import ConversionError
from pystream.table.functions.kinds import Kind, kind_of
from pystream.table.functions.values.conversions import same
from pystream.table.functions.values.parsing import time_of
from pystream.table.sql.expression_types import type_of
from pystream.table.sql.functions.building import NotTranslatedError, as_type, call, number, text, when
from pystream.table.sql.type_trees import sql_of_data_type

__all__ = ["CASTS", "in_type"]

_DType = exp.DType
_TEXTS = (_DType.TEXT, _DType.VARCHAR, _DType.CHAR)
_BYTES = (_DType.BINARY, _DType.VARBINARY)
_UNLIMITED: Mapping[Any, exp.DataType] = {
    **dict.fromkeys((_DType.CHAR, _DType.VARCHAR), exp.DataType(this=_DType.TEXT)),
    **dict.fromkeys((_DType.BINARY, _DType.VARBINARY), exp.DataType(this=_DType.VARBINARY)),
    _DType.TIME: exp.DataType(this=_DType.TIME, expressions=[exp.DataTypeParam(this=number(6))]),
    _DType.TIMESTAMPNTZ: exp.DataType(this=_DType.TIMESTAMPNTZ),
    _DType.TIMESTAMPLTZ: exp.DataType(this=_DType.TIMESTAMPLTZ),
}
"""The types of the parts that Spark's casts have, whatever their lengths and digits are."""
_NESTED = (_DType.ARRAY, _DType.MAP, _DType.STRUCT)
_UNKNOWN = (_DType.UNKNOWN, _DType.NULL)
_MAX_DIGITS = 6
_TIME_DIGITS_OF_PROGRAM = 3  # which columns of TIME(0) hold, as in Flink
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
    return _of_parts(node) if target.this in _NESTED else node


def in_type(value: exp.Expr, source: DataType, target: DataType | None) -> exp.Expr:
    """Return a value in a type to which Flink converts it, where Spark has to be told so.

    Args:
        value: the value.
        source: its type.
        target: the type; ``None`` for its own.
    """
    if target is None or kind_of(source) == Kind.NULL:
        return value
    if conversion(source.nullable(), target.nullable()) is same:
        return value
    cast = exp.Cast(this=value.copy(), to=sql_of_data_type(target.nullable()))
    cast.type = cast.to.copy()
    return _cast(cast)


def _of_parts(node: exp.Cast) -> exp.Expr:
    """Cast the parts of an array, map or row, where Spark's casts of these do not have Flink's results."""
    value, target = node.this, node.to.copy()
    source = value.type
    if _parts_are_same(source, target):
        return node
    if node.args.get("safe") or not _is_alike(source, target):
        for part in node.to.find_all(exp.DataType):
            if part.this in _UNLIMITED:
                part.replace(_UNLIMITED[part.this].copy())
        value, source = node, node.to
    pairs = list(zip(_part_types(source), _part_types(target), strict=True))
    name = exp.to_identifier(f"part{sum(1 for _ in target.find_all(exp.DataType))}")
    match target.this:
        case _DType.ARRAY:
            return call("TRANSFORM", value, _each([name], name, *pairs[0]))
        case _DType.MAP:
            key, entry = exp.to_identifier(f"{name.name}k"), exp.to_identifier(f"{name.name}v")
            keys = call("TRANSFORM_KEYS", value, _each([key, entry], key, *pairs[0]))
            return call("TRANSFORM_VALUES", keys, _each([key, entry], entry, *pairs[1]))
    fields: list[exp.Expr] = []
    for own, wanted, pair in zip(source.expressions, target.expressions, pairs, strict=True):
        field = exp.Dot(this=name.copy(), expression=exp.to_identifier(own.name, quoted=True))
        fields += [text(wanted.name), _part(field, *pair)]
    is_null = exp.Is(this=name.copy(), expression=exp.null())
    made = exp.Lambda(this=when(is_null, exp.null(), call("NAMED_STRUCT", *fields)), expressions=[name])
    return call("GET", call("TRANSFORM", call("ARRAY", value), made), number(0))


def _each(
    names: list[exp.Identifier], part: exp.Identifier, source: exp.DataType, target: exp.DataType
) -> exp.Lambda:
    """Return the function that casts a part of each element or entry."""
    return exp.Lambda(this=_part(part, source, target), expressions=[name.copy() for name in names])


def _part(value: exp.Expr, source: exp.DataType, target: exp.DataType) -> exp.Expr:
    """Return the cast of a part."""
    part = value.copy()
    part.type = source
    return _cast(exp.Cast(this=part, to=target.copy()))


def _part_types(kind: exp.DataType) -> list[exp.DataType]:
    return [part.args["kind"] if isinstance(part, exp.ColumnDef) else part for part in kind.expressions]


def _is_alike(source: exp.DataType | None, target: exp.DataType) -> bool:
    """Return whether a type has as many parts as another, with parts alike."""
    if source is None or source.this != target.this:
        return source is not None and target.this not in _NESTED and source.this not in _UNKNOWN
    if target.this not in _NESTED:
        return True
    own, wanted = _part_types(source), _part_types(target)
    return len(own) == len(wanted) and all(map(_is_alike, own, wanted))


def _parts_are_same(source: exp.DataType | None, target: exp.DataType) -> bool:
    """Return whether Spark casts the parts of a value as Flink does, or not at all."""
    if target.this in _NESTED:
        own = _part_types(source) if source is not None and source.this == target.this else []
        wanted = _part_types(target)
        pairs = zip(own, wanted, strict=True) if len(own) == len(wanted) else ((None, one) for one in wanted)
        return all(_parts_are_same(one, other) for one, other in pairs)
    if target.this in (*_TEXTS, *_BYTES):
        has_text = source is not None and (source.this == _DType.BOOLEAN or bool(source.expressions))
        return not target.expressions and not has_text
    return (
        target.this not in (_DType.TIME, _DType.TIMESTAMPNTZ, _DType.TIMESTAMPLTZ) or not target.expressions
    )


def _with_digits(node: exp.Cast, target: exp.DataType) -> exp.Expr:
    """Cut the fraction of a second to the digits of a type."""
    digits = _digits(target)
    source = node.this.type
    if target.this == _DType.TIME:
        if source is None or source.this in _UNKNOWN:  # a function of the program
            digits = max(digits, _TIME_DIGITS_OF_PROGRAM)
        elif isinstance(node.this, exp.Literal):
            return _time_literal(node.this, digits)
        elif source.this == _DType.TIME and digits >= _digits(source):
            return as_type(node.this, _DType.TIME)
        node.set("to", _time_of_digits(digits))
        return as_type(node, _DType.TIME)
    if digits >= min(_digits(source), _MAX_DIGITS):
        return node
    if digits in _UNITS:
        return as_type(call("DATE_TRUNC", text(_UNITS[digits]), node), target.this)
    written = call("DATE_FORMAT", node, text(f"{_FORMAT}.{'S' * digits}"))
    return as_type(written, target.this)


def _time_literal(literal: exp.Literal, digits: int) -> exp.Expr:
    """Return the time of day that a text is; null for one that is none, which only TRY_CAST takes."""
    try:
        moment = time_of(min(digits, _MAX_DIGITS), literal.name)
    except ConversionError:
        return as_type(exp.null(), _DType.TIME)
    return as_type(text(moment.isoformat()), _DType.TIME)


def _time_of_digits(digits: int) -> exp.DataType:
    return exp.DataType(this=_DType.TIME, expressions=[exp.DataTypeParam(this=number(digits))])


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
        case _DType.TIME if not _digits(value.type):
            return as_type(as_type(value, _time_of_digits(0)), _DType.TEXT)
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
