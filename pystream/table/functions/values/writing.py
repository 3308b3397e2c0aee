"""Write numbers and times as text, as Java does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from ctypes import c_float
from datetime import datetime, time
from decimal import Decimal
from typing import Any, TypeAlias

from pystream.table.functions.values.decimals import rounded

__all__ = [
    "array_text",
    "boolean_text",
    "bytes_text",
    "decimal_text",
    "double_text",
    "float_text",
    "map_text",
    "row_text",
    "time_text",
    "timestamp_text",
]

Write: TypeAlias = Callable[[Any], str]
"""Writes a value that is not null."""

_DIGITS_OF_FLOATS = range(2, 10)  # Java chooses among texts of two digits, too, where one is enough
_LEAST_PLAIN, _MOST_PLAIN = 1e-3, 1e7


def boolean_text(value: bool) -> str:
    """Return TRUE or FALSE."""
    return "TRUE" if value else "FALSE"


def decimal_text(step: Decimal, number: Decimal | int) -> str:
    """Return a decimal with the digits of its scale."""
    return f"{rounded(Decimal(number), step):f}"


def double_text(number: float) -> str:
    """Return the shortest text that stands for a float of 64 bits."""
    two_digits = f"{number:.1e}"
    return _java_text(number, two_digits if float(two_digits) == number else repr(number))


def float_text(number: float) -> str:
    """Return the shortest text that stands for a float of 32 bits."""
    texts = (f"{number:.{digits - 1}e}" for digits in _DIGITS_OF_FLOATS)
    return _java_text(number, next((text for text in texts if c_float(float(text)).value == number), ""))


def _java_text(number: float, shortest: str) -> str:
    if number != number:
        return "NaN"
    if number in (float("inf"), float("-inf")):
        return "Infinity" if number > 0 else "-Infinity"
    sign, digits, exponent = Decimal(shortest).as_tuple()
    assert isinstance(exponent, int)
    text = "".join(map(str, digits)).rstrip("0") or "0"
    point = len(digits) + exponent  # the number is 0.digits times 10 to this power
    minus = "-" if sign else ""
    if not number:
        return f"{minus}0.0"
    if _LEAST_PLAIN <= abs(number) < _MOST_PLAIN:
        if point <= 0:
            return f"{minus}0.{'0' * -point}{text}"
        return f"{minus}{text[:point].ljust(point, '0')}.{text[point:] or '0'}"
    return f"{minus}{text[0]}.{text[1:] or '0'}E{point - 1}"


def time_text(value: time) -> str:
    """Return a time of day without digits after the second."""
    return value.isoformat("seconds")


def timestamp_text(digits: int, value: datetime) -> str:
    """Return a timestamp with some digits after the second."""
    text = value.isoformat(" ", "microseconds")
    return text[: -6 + digits] if 0 < digits < 6 else (text if digits else text[:-7])


def bytes_text(value: bytes) -> str:
    """Return the text of UTF-8 bytes."""
    return value.decode("utf-8", "replace")


def array_text(writes: Sequence[Write], values: Iterable[Any]) -> str:
    """Return the elements of an array in brackets."""
    return f"[{', '.join(_part(writes[0], value) for value in values)}]"


def map_text(writes: Sequence[Write], entries: dict[Any, Any]) -> str:
    """Return the entries of a map in braces."""
    write_key, write_value = writes
    pairs = (f"{_part(write_key, key)}={_part(write_value, value)}" for key, value in entries.items())
    return f"{{{', '.join(pairs)}}}"


def row_text(writes: Sequence[Write], row: Iterable[Any]) -> str:
    """Return the fields of a row in parentheses."""
    return f"({', '.join(map(_part, writes, row))})"


def _part(write: Write, value: Any) -> str:
    return "NULL" if value is None else write(value)
