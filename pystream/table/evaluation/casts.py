"""CAST and TRY_CAST."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from typing import Any

from sqlglot import exp

from pystream.errors import ConfigurationError
from pystream.sql_types.data_types import ArrayType, DataType, DataTypes, MapType
from pystream.table.evaluation.common_types import retyped
from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.functions import conversions, parsing, writing
from pystream.table.evaluation.functions.arithmetic import as_float
from pystream.table.evaluation.functions.decimals import Digits, fitted
from pystream.table.evaluation.functions.moments import instant_at
from pystream.table.evaluation.kinds import BEYOND, Kind, digits_of, fraction_digits, kind_of, length_of
from pystream.table.evaluation.operands import local, zone_of
from pystream.table.evaluation.values import Rule, Scope, Value, constant, strict
from pystream.table.sql.column_types import data_type_of_sql

__all__ = ["CASTS", "conversion"]

Convert = Callable[[Any], Any]

_MAX_DIGITS = 6


def _cast(scope: Scope, node: exp.Cast) -> Value:
    value = scope.value(node.this)
    try:
        target = data_type_of_sql(node.to).nullable()
    except ConfigurationError as error:
        raise NotEvaluatedError(node, str(error)) from None
    if value.kind == Kind.NULL:
        return constant(None, target)
    if Kind.TIMESTAMP_LTZ in (value.kind, kind_of(target)):
        return _cast_of_instant(scope, node, value, target)
    if type(node) is exp.Cast and value.kind == Kind.TEXT and value.is_constant:
        target = _of_literal(node, target, value.constant)
    convert = _of_constant_time(value, target) or conversion(value.data_type, target)
    if convert is None:
        raise _refusal(node, value, target)
    if convert is conversions.same:
        return retyped(value, target)
    return _converted(node, convert, target, value)


def _converted(node: exp.Cast, convert: Convert, target: DataType, value: Value) -> Value:
    """Return values in another type; null for those without a counterpart, if the conversion is lenient."""
    if not node.args.get("safe"):
        return strict(convert, target, value)
    return strict(partial(conversions.or_null, convert), target, value, may_be_null=True)


def _cast_of_instant(scope: Scope, node: exp.Cast, value: Value, target: DataType) -> Value:
    """Return a conversion from or to TIMESTAMP_LTZ, by way of the local time."""
    to_local = target
    if kind_of(target) != Kind.TIMESTAMP_LTZ:
        value = local(scope, node, value)
    else:
        digits = fraction_digits(target)
        if value.kind == Kind.TIMESTAMP_LTZ and digits >= fraction_digits(value.data_type):
            return retyped(value, target)
        value, to_local = local(scope, node, value), DataTypes.TIMESTAMP(digits)
    convert = conversion(value.data_type, to_local)
    if convert is None:
        raise _refusal(node, value, target)
    converted = _converted(node, convert, to_local, value)
    if to_local is target:
        return converted
    return strict(partial(instant_at, zone_of(scope, node)), target, converted)


def _refusal(node: exp.Expr, value: Value, target: DataType) -> NotEvaluatedError:
    return NotEvaluatedError(node, f"a CAST of {value.data_type.nullable()} to {target} is not supported")


def _of_literal(node: exp.Cast, target: DataType, text: str) -> DataType:
    """Return the type of a literal such as ``TIMESTAMP '…'``, which has as many digits as are written."""
    if kind_of(target) == Kind.TIMESTAMP and not node.to.expressions:
        return DataTypes.TIMESTAMP(min(len(text.partition(".")[2]), _MAX_DIGITS))
    return target


def _of_constant_time(value: Value, target: DataType) -> Convert | None:
    """Return the conversion to TIME of a text that is known, ``None`` for any other."""
    is_time = value.kind == Kind.TEXT and kind_of(target) == Kind.TIME and value.is_constant
    return parsing.time_of if is_time and parsing.is_time(value.constant) else None


def conversion(source: DataType, target: DataType) -> Convert | None:
    """Return a function that converts values to another type, ``None`` if that is not supported."""
    match kind_of(source), kind_of(target):
        case _, Kind.TEXT:
            return _to_text(source, target)
        case Kind.ARRAY, Kind.ARRAY:
            assert isinstance(source, ArrayType)
            assert isinstance(target, ArrayType)
            element = conversion(source.element_type, target.element_type)
            return None if element is None else partial(conversions.converted_items, element)
        case Kind.MAP, Kind.MAP:
            assert isinstance(source, MapType)
            assert isinstance(target, MapType)
            key = conversion(source.key_type, target.key_type)
            value = conversion(source.value_type, target.value_type)
            return (
                None if key is None or value is None else partial(conversions.converted_entries, key, value)
            )
        case Kind.ROW, Kind.ROW:
            return conversions.same if source == target else None
        case Kind() as one, Kind() as other:
            return _of_scalars(one, other, target)
    return None


def _to_text(source: DataType, target: DataType) -> Convert | None:
    convert = _writer(source)
    length, is_fixed = length_of(target)
    if convert is None or length is None:
        return convert
    fit = partial(conversions.cut_and_padded if is_fixed else conversions.cut, length)
    return partial(conversions.converted_text, convert, fit)


def _writer(source: DataType) -> Convert | None:
    match kind_of(source):
        case Kind.DECIMAL:
            return partial(writing.decimal_text, Decimal(1).scaleb(-digits_of(source)[1]))
        case Kind.TIMESTAMP:
            return partial(writing.timestamp_text, min(fraction_digits(source), _MAX_DIGITS))
        case Kind.TIME if fraction_digits(source):
            return None
        case Kind() as kind:
            return _WRITERS.get(kind)
    return None


_WRITERS: Mapping[Kind, Convert] = {
    **dict.fromkeys((Kind.TINYINT, Kind.SMALLINT, Kind.INT, Kind.BIGINT, Kind.DATE, Kind.TIME), str),
    Kind.BOOLEAN: writing.boolean_text,
    Kind.BYTES: writing.bytes_text,
    Kind.DOUBLE: writing.double_text,
    Kind.FLOAT: writing.float_text,
    Kind.TEXT: conversions.same,
}


def _of_scalars(source: Kind, kind: Kind, target: DataType) -> Convert | None:
    if kind.is_integer:
        convert = _TO_INTEGERS.get(source)
        return (
            conversions.boolean_as_integer
            if source == Kind.BOOLEAN
            else convert and partial(convert, BEYOND[kind])
        )
    match kind:
        case Kind.DECIMAL:
            to_decimal = _TO_DECIMALS.get(source)
            return to_decimal and partial(to_decimal, Digits.of(*digits_of(target)))
        case Kind.TIMESTAMP | Kind.TIME:
            return _to_moment(source, kind, fraction_digits(target))
    return _SIMPLE.get(kind, {}).get(source)


def _to_moment(source: Kind, kind: Kind, digits: int) -> Convert | None:
    step = 10 ** (_MAX_DIGITS - min(digits, _MAX_DIGITS))
    match source, kind:
        case Kind.DATE, Kind.TIMESTAMP:
            return conversions.timestamp_of_date
        case Kind.TIMESTAMP, Kind.TIMESTAMP:
            return partial(conversions.truncated_timestamp, step)
        case Kind.TIMESTAMP, Kind.TIME:
            return partial(conversions.time_of_timestamp, step)
        case Kind.TEXT, Kind.TIMESTAMP:
            return partial(parsing.timestamp_of, digits)
        case Kind.TIME, Kind.TIME if digits >= _MAX_DIGITS:
            return conversions.same
    return None


_INTEGERS = (Kind.TINYINT, Kind.SMALLINT, Kind.INT, Kind.BIGINT)
_TO_INTEGERS: Mapping[Kind, Callable[..., int]] = {
    **dict.fromkeys(_INTEGERS, conversions.integer_as_integer),
    **dict.fromkeys((Kind.FLOAT, Kind.DOUBLE), conversions.double_as_integer),
    Kind.DECIMAL: conversions.decimal_as_integer,
    Kind.TEXT: parsing.integer_of,
}
_TO_DECIMALS: Mapping[Kind, Callable[..., Decimal]] = {
    **dict.fromkeys((*_INTEGERS, Kind.DECIMAL), fitted),
    **dict.fromkeys((Kind.FLOAT, Kind.DOUBLE), conversions.double_as_decimal),
    Kind.BOOLEAN: conversions.boolean_as_decimal,
    Kind.TEXT: parsing.decimal_of,
}
_SIMPLE: Mapping[Kind, Mapping[Kind, Convert]] = {
    Kind.BOOLEAN: {
        **dict.fromkeys((*_INTEGERS, Kind.DECIMAL, Kind.FLOAT, Kind.DOUBLE), bool),
        Kind.BOOLEAN: conversions.same,
        Kind.TEXT: parsing.boolean_of,
    },
    Kind.BYTES: {Kind.BYTES: conversions.same, Kind.TEXT: conversions.encoded},
    Kind.DATE: {
        Kind.DATE: conversions.same,
        Kind.TEXT: parsing.date_of,
        Kind.TIMESTAMP: conversions.date_of_timestamp,
    },
    Kind.DOUBLE: {
        **dict.fromkeys((*_INTEGERS, Kind.DECIMAL, Kind.BOOLEAN), float),
        **dict.fromkeys((Kind.FLOAT, Kind.DOUBLE), conversions.same),
        Kind.TEXT: parsing.double_of,
    },
    Kind.FLOAT: {
        **dict.fromkeys(_INTEGERS, conversions.integer_as_float),
        Kind.BOOLEAN: float,
        Kind.DECIMAL: conversions.decimal_as_float,
        Kind.DOUBLE: as_float,
        Kind.FLOAT: conversions.same,
        Kind.TEXT: parsing.float_of,
    },
}

CASTS: Mapping[type[exp.Expr], Rule] = {exp.Cast: _cast, exp.TryCast: _cast}
"""The rules for what the parser knows."""
