"""Convert values to other types."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, TypeVar

from pystream.table.functions.errors import ConversionError, SqlArithmeticError
from pystream.table.functions.values.arithmetic import as_float, in_range
from pystream.table.functions.values.decimals import Digits, fitted
from pystream.table.functions.values.writing import double_text
from typeinfo.instant import Instant
from typeinfo.row import Row, make_row

__all__ = [
    "boolean_as_decimal",
    "boolean_as_integer",
    "converted_entries",
    "converted_fields",
    "converted_items",
    "converted_twice",
    "cut",
    "cut_and_filled",
    "cut_and_padded",
    "date_of_timestamp",
    "decimal_as_float",
    "decimal_as_integer",
    "double_as_decimal",
    "double_as_integer",
    "encoded",
    "integer_as_float",
    "integer_as_integer",
    "or_null",
    "same",
    "time_of_timestamp",
    "timestamp_of_date",
    "truncated",
    "truncated_instant",
]

T = TypeVar("T", str, bytes)
M = TypeVar("M", datetime, time)

_EXACT_INTEGERS = 1 << 53
_FLOAT_BITS = 26  # two more than a float has, to round it once


def or_null(convert: Callable[[Any], Any], value: Any) -> Any:
    """Return a value in another type; null if there is none."""
    try:
        return convert(value)
    except (ConversionError, SqlArithmeticError):
        return None


def same(value: Any) -> Any:
    """Return a value as it is."""
    return value


def boolean_as_integer(value: bool) -> int:
    """Return 1 or 0."""
    return int(value)


def integer_as_integer(beyond: int, number: int) -> int:
    """Return an integer of another type.

    Raises:
        SqlArithmeticError: it is out of the range of the type.
    """
    return in_range(number, beyond, str(number))


def integer_as_float(number: int) -> float:
    """Return an integer rounded to 32 bits."""
    if -_EXACT_INTEGERS <= number <= _EXACT_INTEGERS:
        return as_float(number)
    shift = number.bit_length() - _FLOAT_BITS
    kept, rest = abs(number) >> shift, abs(number) & ((1 << shift) - 1)
    rounded = as_float(math.ldexp(kept | (rest != 0), shift))
    return rounded if number > 0 else -rounded


def decimal_as_integer(beyond: int, number: Decimal) -> int:
    """Return a decimal without its fraction.

    Raises:
        SqlArithmeticError: it is out of the range of the type.
    """
    return in_range(int(number), beyond, f"{number:f}")


def decimal_as_float(number: Decimal) -> float:
    """Return a decimal rounded to 32 bits."""
    return as_float(float(number))


def double_as_integer(beyond: int, number: float) -> int:
    """Return a float without its fraction.

    Raises:
        SqlArithmeticError: it is not finite, or out of the range of the type.
    """
    if not math.isfinite(number):
        raise SqlArithmeticError(f"{double_text(number)} is not an integer")
    return in_range(int(number), beyond, double_text(number))


def double_as_decimal(digits: Digits, number: float) -> Decimal:
    """Return a float, as it is written, rounded to a decimal.

    Raises:
        SqlArithmeticError: it is not finite, or out of the range of the type.
    """
    if not math.isfinite(number):
        raise SqlArithmeticError(f"{double_text(number)} is not a decimal")
    written = Decimal(repr(number))
    if written.adjusted() > digits.beyond.adjusted():
        raise SqlArithmeticError(f"{double_text(number)} is out of the range of {digits.name}")
    return fitted(digits, written if written.adjusted() > -100 else Decimal(0))


def boolean_as_decimal(digits: Digits, value: bool) -> Decimal:
    """Return 1 or 0 as a decimal."""
    return fitted(digits, int(value))


def cut(length: int, value: T) -> T:
    """Return the first characters of a text, or the first bytes."""
    return value[:length]


def cut_and_padded(length: int, text: str) -> str:
    """Return the first characters of a text, filled up with spaces."""
    return text[:length].ljust(length)


def cut_and_filled(length: int, value: bytes) -> bytes:
    """Return the first bytes, filled up with zeros."""
    return value[:length].ljust(length, b"\0")


def converted_twice(first: Callable[[Any], Any], second: Callable[[Any], Any], value: Any) -> Any:
    """Return a value in one type, and then in another."""
    return second(first(value))


def encoded(text: str) -> bytes:
    """Return the UTF-8 bytes of a text."""
    return text.encode()


def timestamp_of_date(value: date) -> datetime:
    """Return the start of a day."""
    return datetime(value.year, value.month, value.day)


def date_of_timestamp(value: datetime) -> date:
    """Return the day of a timestamp."""
    return value.date()


def truncated(step: int, value: M) -> M:
    """Return a timestamp or time of day whose microseconds are cut to a multiple."""
    rest = value.microsecond % step
    return value.replace(microsecond=value.microsecond - rest) if rest else value


def truncated_instant(step: int, value: Instant) -> Instant:
    """Return an instant whose microseconds are cut to a multiple."""
    rest = value.nanos % (step * 1000)
    return Instant(value.seconds, value.nanos - rest) if rest else value


def time_of_timestamp(step: int, value: datetime) -> time:
    """Return the time of day of a timestamp, whose microseconds are cut to a multiple."""
    return truncated(step, value.time())


def converted_items(convert: Callable[[Any], Any], values: list[Any]) -> list[Any]:
    """Return the elements of an array in another type."""
    return [None if value is None else convert(value) for value in values]


def converted_entries(
    convert_key: Callable[[Any], Any], convert: Callable[[Any], Any], entries: dict[Any, Any]
) -> dict[Any, Any]:
    """Return the keys and values of a map in other types."""
    return {convert_key(key): None if value is None else convert(value) for key, value in entries.items()}


def converted_fields(
    names: tuple[str, ...], converts: Sequence[Callable[[Any], Any]], row: Row[Any]
) -> Row[Any]:
    """Return a row of other names with the fields in other types."""
    pairs = zip(converts, row, strict=True)
    return make_row([None if value is None else convert(value) for convert, value in pairs], names)
