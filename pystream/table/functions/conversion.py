"""Conversions of values from one data type to another, as CAST and INSERT make them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import tzinfo
from decimal import Decimal
from functools import partial
from typing import Any

from pystream.sql_types.data_types import (
    ArrayType,
    AtomicType,
    DataType,
    DataTypes,
    DecimalType,
    MapType,
    RowField,
    RowType,
)
from pystream.table.functions.kinds import BEYOND, Kind, digits_of, fraction_digits, kind_of, length_of
from pystream.table.functions.values import conversions, parsing, writing
from pystream.table.functions.values.arithmetic import as_float
from pystream.table.functions.values.decimals import Digits, fitted
from pystream.table.functions.values.moments import instant_at, local_time
from typeinfo.types import Types

__all__ = ["ANY_DECIMAL", "TIME_OF_PROGRAM", "Convert", "conversion", "type_of_program"]

Convert = Callable[[Any], Any]
"""Converts a value that is not null."""

_MAX_DIGITS = 6
_KEPT_DIGITS = 3  # of times of the program

ANY_DECIMAL = AtomicType("DECIMAL", Types.BIG_DEC)
"""The type of decimals of any digits."""

TIME_OF_PROGRAM = DataTypes.TIME(9)
"""The type of times that the program gives: a column of TIME(0) holds their milliseconds, as in Flink."""


def type_of_program(data_type: DataType) -> DataType:
    """Return the type of values that a function of the program returns, before they become those of a column.

    Args:
        data_type: the type that its results have in columns.
    """
    return TIME_OF_PROGRAM if kind_of(data_type) is Kind.TIME else _of_any_digits(data_type)


def _of_any_digits(data_type: DataType) -> DataType:
    """Return a type whose decimals, also those in arrays, maps and rows, have any digits."""
    nullable = data_type.is_nullable
    match data_type:
        case DecimalType():
            return ANY_DECIMAL
        case ArrayType(element_type):
            return ArrayType(_of_any_digits(element_type), nullable)
        case MapType(key_type, value_type):
            return MapType(_of_any_digits(key_type), _of_any_digits(value_type), nullable)
        case RowType(fields=fields):
            parts = [RowField(field.name, _of_any_digits(field.data_type)) for field in fields]
            return RowType(parts, nullable)
    return data_type


def conversion(source: DataType, target: DataType, zone: tzinfo | None = None) -> Convert | None:
    """Return a function that converts values to another type, ``None`` if that is not supported.

    It is `conversions.same` if values of the first type are values of the other.

    Args:
        source: the type of the values.
        target: the type of the results.
        zone: the time zone of TIMESTAMP_LTZ; only needed for conversions from and to other types.
    """
    if source.nullable() == target.nullable():
        return conversions.same
    match kind_of(source), kind_of(target):
        case Kind.TIMESTAMP_LTZ, Kind.TIMESTAMP_LTZ:
            return _shortened(source, target, conversions.truncated_instant)
        case Kind.TIMESTAMP_LTZ, _:
            return None if zone is None else _by_way_of(partial(local_time, zone), source, target)
        case _, Kind.TIMESTAMP_LTZ:
            local = conversion(source, DataTypes.TIMESTAMP(fraction_digits(target)))
            return None if zone is None or local is None else _in_turn(local, partial(instant_at, zone))
        case _, Kind.TEXT:
            return _to_text(source, target, zone)
        case _, Kind.BYTES:
            return _to_bytes(source, target)
        case Kind.ARRAY, Kind.ARRAY:
            assert isinstance(source, ArrayType)
            assert isinstance(target, ArrayType)
            element = conversion(source.element_type, target.element_type, zone)
            return None if element is None else partial(conversions.converted_items, element)
        case Kind.MAP, Kind.MAP:
            assert isinstance(source, MapType)
            assert isinstance(target, MapType)
            key = conversion(source.key_type, target.key_type, zone)
            value = conversion(source.value_type, target.value_type, zone)
            if key is None or value is None:
                return None
            return partial(conversions.converted_entries, key, value)
        case Kind.ROW, Kind.ROW:
            assert isinstance(source, RowType)
            assert isinstance(target, RowType)
            return _of_rows(source, target, zone)
        case Kind() as one, Kind() as other if other not in (Kind.ARRAY, Kind.MAP, Kind.ROW):
            return _of_scalars(one, other, source, target)
    return None


def _of_rows(source: RowType, target: RowType, zone: tzinfo | None) -> Convert | None:
    if len(source.fields) != len(target.fields):
        return None
    pairs = zip(source.fields, target.fields, strict=True)
    found = [conversion(one.data_type, other.data_type, zone) for one, other in pairs]
    parts = [part for part in found if part is not None]
    if len(parts) < len(found):
        return None
    return partial(conversions.converted_fields, tuple(field.name for field in target.fields), parts)


def _by_way_of(local: Convert, source: DataType, target: DataType) -> Convert | None:
    convert = conversion(DataTypes.TIMESTAMP(fraction_digits(source)), target)
    return None if convert is None else _in_turn(local, convert)


def _in_turn(first: Convert, second: Convert) -> Convert:
    if first is conversions.same:
        return second
    return first if second is conversions.same else partial(conversions.converted_twice, first, second)


def _shortened(source: DataType, target: DataType, cut: Callable[[int, Any], Any]) -> Convert:
    """Return a conversion of times to fewer digits of a second."""
    digits = fraction_digits(target)
    if digits >= min(fraction_digits(source), _MAX_DIGITS):
        return conversions.same
    return partial(cut, 10 ** (_MAX_DIGITS - digits))


def _to_text(source: DataType, target: DataType, zone: tzinfo | None) -> Convert | None:
    convert = _writer(source, zone)
    if convert is None:
        return None
    length, is_fixed = length_of(target)
    if length is None:
        return convert
    if kind_of(source) == Kind.TEXT and not is_fixed and (length_of(source)[0] or length + 1) <= length:
        return conversions.same
    return _in_turn(convert, partial(conversions.cut_and_padded if is_fixed else conversions.cut, length))


def _to_bytes(source: DataType, target: DataType) -> Convert | None:
    convert = _TO_BYTES.get(kind_of(source))
    length, is_fixed = length_of(target)
    if convert is None or length is None:
        return convert
    if kind_of(source) == Kind.BYTES and not is_fixed and (length_of(source)[0] or length + 1) <= length:
        return conversions.same
    return _in_turn(convert, partial(conversions.cut_and_filled if is_fixed else conversions.cut, length))


def _writer(source: DataType, zone: tzinfo | None) -> Convert | None:
    match source:
        case ArrayType(element_type=element_type):
            return _writer_of_parts(writing.array_text, [element_type], zone)
        case MapType(key_type=key_type, value_type=value_type):
            return _writer_of_parts(writing.map_text, [key_type, value_type], zone)
        case RowType(fields=fields):
            return _writer_of_parts(writing.row_text, [field.data_type for field in fields], zone)
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


def _writer_of_parts(
    write: Callable[..., str], types: Sequence[DataType], zone: tzinfo | None
) -> Convert | None:
    """Return a function that writes values with parts of some types, given the functions that write these."""
    parts = [conversion(one, DataTypes.STRING(), zone) for one in types]
    known = tuple(part for part in parts if part is not None)
    return partial(write, known) if len(known) == len(parts) else None


_TO_BYTES: Mapping[Kind | None, Convert] = {Kind.BYTES: conversions.same, Kind.TEXT: conversions.encoded}
_WRITERS: Mapping[Kind, Convert] = {
    **dict.fromkeys((Kind.TINYINT, Kind.SMALLINT, Kind.INT, Kind.BIGINT, Kind.DATE), str),
    Kind.BOOLEAN: writing.boolean_text,
    Kind.BYTES: writing.bytes_text,
    Kind.DOUBLE: writing.double_text,
    Kind.FLOAT: writing.float_text,
    Kind.TEXT: conversions.same,
    Kind.TIME: writing.time_text,
}


def _of_scalars(source: Kind, kind: Kind, source_type: DataType, target: DataType) -> Convert | None:
    if kind.is_integer:
        if source == Kind.BOOLEAN:
            return conversions.boolean_as_integer
        convert = _TO_INTEGERS.get(source)
        is_wider = source.is_integer and BEYOND[source] <= BEYOND[kind]
        return conversions.same if is_wider else convert and partial(convert, BEYOND[kind])
    match kind:
        case Kind.DECIMAL:
            to_decimal = _TO_DECIMALS.get(source)
            return to_decimal and partial(to_decimal, Digits.of(*digits_of(target)))
        case Kind.TIMESTAMP | Kind.TIME:
            return _to_moment(source, kind, source_type, target)
    return _SIMPLE.get(kind, {}).get(source)


def _to_moment(source: Kind, kind: Kind, source_type: DataType, target: DataType) -> Convert | None:
    digits = min(fraction_digits(target), _MAX_DIGITS)
    match source, kind:
        case Kind.DATE, Kind.TIMESTAMP:
            return conversions.timestamp_of_date
        case Kind.TIME, Kind.TIME if source_type.nullable() == TIME_OF_PROGRAM and digits < _KEPT_DIGITS:
            return _shortened(source_type, DataTypes.TIME(_KEPT_DIGITS), conversions.truncated)
        case (Kind.TIMESTAMP, Kind.TIMESTAMP) | (Kind.TIME, Kind.TIME):
            return _shortened(source_type, target, conversions.truncated)
        case Kind.TIMESTAMP, Kind.TIME:
            return partial(conversions.time_of_timestamp, 10 ** (_MAX_DIGITS - digits))
        case Kind.TEXT, Kind.TIMESTAMP:
            return partial(parsing.timestamp_of, digits)
        case Kind.TEXT, Kind.TIME:
            return partial(parsing.time_of, digits)
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
