"""Values of the program as those that a stream holds for columns of a data type."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from pystream.errors import PlanError
from pystream.sql_types.atomic_types import (
    BinaryType,
    CharType,
    DateType,
    LocalZonedTimestampType,
    TimestampType,
    VarBinaryType,
    VarCharType,
)
from pystream.sql_types.data_types import ArrayType, DataType, MapType, RowType
from pystream.sql_types.user_defined_type import UserDefinedType
from pystream.table.elements.checks import INTEGER_BITS, accepted_classes
from pystream.table.elements.rows import field_values
from typeinfo.errors import short_repr
from typeinfo.instant import Instant
from typeinfo.row import make_row

__all__ = ["ValueConverter", "value_converter"]

ValueConverter: TypeAlias = Callable[[Any], Any]


def value_converter(data_type: DataType, place: str = "the value", *, is_lenient: bool) -> ValueConverter:
    """Return the function that converts values to those of a stream; nulls stay.

    Args:
        data_type: the type of the values.
        place: the field, for messages.
        is_lenient: whether values may be of other classes: all have a text, integers that are too large lose
            their upper bits, and others become null, as in PyFlink.
    """
    convert = _converter(data_type, place, is_lenient)
    if is_lenient and not isinstance(data_type, (RowType, UserDefinedType)):
        convert = partial(_converted_or_null, data_type, accepted_classes(data_type), convert)

    def convert_null(value: Any) -> Any:
        converted = None if value is None else convert(value)
        if converted is None and not data_type.is_nullable:
            raise PlanError(f"{place} is {short_repr(value)}, but {data_type} has neither it nor nulls")
        return converted

    return convert_null


def _converter(data_type: DataType, place: str, is_lenient: bool) -> ValueConverter:
    match data_type:
        case RowType():
            return _row_converter(data_type, place, is_lenient)
        case UserDefinedType():
            stored = value_converter(data_type.sql_type(), place, is_lenient=is_lenient)
            return lambda value: stored(data_type.serialize(value))
        case ArrayType(element_type):
            item = value_converter(element_type, f"an element of {place}", is_lenient=is_lenient)
            return lambda value: [item(one) for one in value]
        case MapType(key_type, value_type):
            key = value_converter(key_type, f"a key of {place}", is_lenient=is_lenient)
            entry = value_converter(value_type, f"a value of {place}", is_lenient=is_lenient)
            return lambda value: {key(k): entry(v) for k, v in value.items()}
        case BinaryType() | VarBinaryType():
            return bytes
        case DateType():
            return lambda value: value.date() if isinstance(value, datetime.datetime) else value
        case TimestampType():
            return _local
        case LocalZonedTimestampType():
            return _instant
    return lambda value: value


def _row_converter(data_type: RowType, place: str, is_lenient: bool) -> ValueConverter:
    names = data_type.names
    within = "" if place == "the value" else f" of {place}"
    parts = [
        value_converter(field.data_type, f"field {field.name!r}{within}", is_lenient=is_lenient)
        for field in data_type.fields
    ]

    def convert(value: Any) -> Any:
        fields = field_values(value, names, place)
        return make_row([part(one) for part, one in zip(parts, fields, strict=True)], names)

    return convert


def _local(value: datetime.datetime) -> datetime.datetime:
    """Return a time without a zone; one with a zone is that in the zone of the machine."""
    return value if value.tzinfo is None else value.astimezone().replace(tzinfo=None)


def _instant(value: datetime.datetime | Instant) -> Instant:
    """Return a point in time; a time without a zone is one in the zone of the machine."""
    return value if isinstance(value, Instant) else Instant.of_datetime(value.astimezone())


def _converted_or_null(
    data_type: DataType, classes: tuple[type[Any], ...], convert: ValueConverter, value: Any
) -> Any:
    if isinstance(data_type, (CharType, VarCharType)):
        return str(value)
    if type(value) not in classes:
        return None
    bits = INTEGER_BITS.get(type(data_type))
    if bits is None:
        return convert(value)
    if value.bit_length() >= max(INTEGER_BITS.values()):
        return None
    half = 1 << (bits - 1)
    return (value + half) % (2 * half) - half
