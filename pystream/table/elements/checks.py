"""Checks of values of the program against data types, as PyFlink makes them."""

from __future__ import annotations

import datetime
from array import array
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from functools import partial
from types import MappingProxyType
from typing import Any, TypeAlias

from pystream.errors import PlanError, PlanTypeError, UnsupportedTypeError
from pystream.sql_types.atomic_types import (
    BigIntType,
    BinaryType,
    BooleanType,
    CharType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntType,
    LocalZonedTimestampType,
    NullType,
    SmallIntType,
    TimestampType,
    TimeType,
    TinyIntType,
    VarBinaryType,
    VarCharType,
)
from pystream.sql_types.data_types import ArrayType, DataType, MapType, RowType
from pystream.sql_types.user_defined_type import UserDefinedType
from pystream.table.elements.rows import field_values
from typeinfo.errors import short_repr
from typeinfo.instant import Instant

__all__ = ["INTEGER_BITS", "Check", "accepted_classes", "type_check"]

Check: TypeAlias = Callable[[Any], None]

INTEGER_BITS: Mapping[type[DataType], int] = MappingProxyType(
    {TinyIntType: 8, SmallIntType: 16, IntType: 32, BigIntType: 64}
)
"""The sizes of integers."""

_CLASSES: Mapping[type[DataType], tuple[type[Any], ...]] = MappingProxyType(
    {
        NullType: (type(None),),
        BooleanType: (bool,),
        **dict.fromkeys(INTEGER_BITS, (int,)),
        FloatType: (float,),
        DoubleType: (float,),
        DecimalType: (Decimal,),
        CharType: (str,),
        VarCharType: (str,),
        BinaryType: (bytearray, bytes),
        VarBinaryType: (bytearray, bytes),
        DateType: (datetime.date, datetime.datetime),
        TimeType: (datetime.time,),
        TimestampType: (datetime.datetime,),
        LocalZonedTimestampType: (datetime.datetime, Instant),
        ArrayType: (list, tuple, array),
        MapType: (dict,),
    }
)
"""The classes of the values of a type; subclasses are others."""


def accepted_classes(data_type: DataType) -> tuple[type[Any], ...]:
    """Return the classes of values of a data type.

    Raises:
        UnsupportedTypeError: there are none.
    """
    classes = _CLASSES.get(type(data_type))
    if classes is None:
        raise UnsupportedTypeError(f"the program cannot give values of {data_type}")
    return classes


def type_check(data_type: DataType, place: str = "the value") -> Check:
    """Return a function that checks whether a value is one of a data type.

    It raises a PlanError for nulls where there are none, and for values that are out of range, too long, or
    of a wrong length, and a PlanTypeError for those of another class.

    Args:
        data_type: the type.
        place: the field, for messages.

    Raises:
        UnsupportedTypeError: there are no values of the type.
    """
    match data_type:
        case RowType():
            check = _row_check(data_type, place)
        case UserDefinedType():
            check = _object_check(data_type, place)
        case _:
            check = _plain_check(data_type, place)

    def check_null(value: Any) -> None:
        if value is not None:
            check(value)
        elif not data_type.is_nullable:
            raise PlanError(f"{place} is None, but {data_type} has no nulls")

    return check_null


def _plain_check(data_type: DataType, place: str) -> Check:
    classes = accepted_classes(data_type)
    more = _further_check(data_type, place)

    def check(value: Any) -> None:
        if type(value) not in classes:
            wanted = " or ".join(cls.__name__ for cls in classes)
            raise PlanTypeError(
                f"{place} is {short_repr(value)} ({type(value).__name__}), but {data_type} takes {wanted}"
            )
        if more is not None:
            more(value)

    return check


def _further_check(data_type: DataType, place: str) -> Check | None:
    """Return the check of values of the right class, if there is more to check."""
    match data_type:
        case CharType(length=length) | BinaryType(length=length):
            return _length_check(data_type, place, lambda value: len(value) == length, f"exactly {length}")
        case VarCharType(length=length) | VarBinaryType(length=length):
            return _length_check(data_type, place, lambda value: len(value) <= length, f"at most {length}")
        case ArrayType(element_type):
            return _items_check(type_check(element_type, f"an element of {place}"))
        case MapType(key_type, value_type):
            keys = _items_check(type_check(key_type, f"a key of {place}"))
            values = _items_check(type_check(value_type, f"a value of {place}"))
            return partial(_check_entries, keys, values)
    bits = INTEGER_BITS.get(type(data_type))
    return None if bits is None else _range_check(data_type, place, 1 << (bits - 1))


def _object_check(data_type: UserDefinedType, place: str) -> Check:
    stored = type_check(data_type.sql_type(), place)

    def check(value: Any) -> None:
        if getattr(value, "__UDT__", None) != data_type.nullable():
            raise PlanTypeError(
                f"{place} is {short_repr(value)}, whose class has not {type(data_type).__name__}() as __UDT__"
            )
        stored(data_type.serialize(value))

    return check


def _items_check(check: Check) -> Check:
    def check_items(items: Iterable[Any]) -> None:
        for item in items:
            check(item)

    return check_items


def _check_entries(keys: Check, values: Check, entries: dict[Any, Any]) -> None:
    keys(entries)
    values(entries.values())


def _length_check(data_type: DataType, place: str, fits: Callable[[Any], bool], wanted: str) -> Check:
    def check(value: Any) -> None:
        if not fits(value):
            raise PlanError(
                f"{place} is {short_repr(value)} of length {len(value)}, but {data_type} takes {wanted}"
            )

    return check


def _range_check(data_type: DataType, place: str, limit: int) -> Check:
    def check(value: int) -> None:
        if not -limit <= value < limit:
            raise PlanError(f"{place} is {value}, which is out of the range of {data_type}")

    return check


def _row_check(data_type: RowType, place: str) -> Check:
    within = "" if place == "the value" else f" of {place}"
    checks = [type_check(field.data_type, f"field {field.name!r}{within}") for field in data_type.fields]
    names = data_type.names

    def check(value: Any) -> None:
        for check_field, part in zip(checks, field_values(value, names, place), strict=True):
            check_field(part)

    return check
