"""Read numbers, truth values and times from text."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from pystream.table.functions.errors import ConversionError
from pystream.table.functions.values.arithmetic import as_float, in_range
from pystream.table.functions.values.decimals import Digits, fitted

__all__ = [
    "boolean_of",
    "date_of",
    "decimal_of",
    "double_of",
    "float_of",
    "integer_of",
    "time_of",
    "timestamp_of",
]

_INTEGER = re.compile(r"([+-]?)(\d*)(?:\.\d*)?")
_FLOAT = re.compile(r"[+-]?(?:NaN|Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[fFdD]?", re.ASCII)
_DECIMAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,5})?", re.ASCII)
_TIMESTAMP = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})(?: (\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d{0,9}))?)?", re.ASCII
)
_TIME = re.compile(r"\s*(\d+)\s*(?::\s*(\d+)\s*(?::\s*(\d+)(?:\.(\d*))?)?)?\s*", re.ASCII)
_TRUE, _FALSE = ("true", "t", "yes", "y", "1"), ("false", "f", "no", "n", "0")
_BLANKS = "".join(map(chr, range(33)))


def integer_of(beyond: int, text: str) -> int:
    """Return the integer that a text is, whose fraction is cut.

    Args:
        beyond: the least positive integer that is out of the range of the type.
        text: the text.

    Raises:
        ConversionError: it is not a number.
        SqlArithmeticError: it is out of range.
    """
    trimmed = text.strip(" ")
    found = _INTEGER.fullmatch(trimmed)
    if found is None or not trimmed.isascii() or trimmed in ("", "+", "-"):
        raise ConversionError(f"{text!r} is not an integer")
    return in_range(int(found[1] + (found[2] or "0")), beyond, repr(text))


def double_of(text: str) -> float:
    """Return the float that a text is.

    Raises:
        ConversionError: it is not a number.
    """
    trimmed = text.strip(_BLANKS)
    if _FLOAT.fullmatch(trimmed) is None:
        raise ConversionError(f"{text!r} is not a number")
    suffixed = trimmed[-1] in "fFdD"
    return float(trimmed[:-1] if suffixed else trimmed)


def float_of(text: str) -> float:
    """Return the float of 32 bits that a text is, with the error of `double_of`."""
    return as_float(double_of(text))


def decimal_of(digits: Digits, text: str) -> Decimal:
    """Return the decimal that a text is, rounded.

    Raises:
        ConversionError: it is not a number.
        SqlArithmeticError: it is out of the range of the type.
    """
    trimmed = text.strip(" ")
    if _DECIMAL.fullmatch(trimmed) is None:
        raise ConversionError(f"{text!r} is not a number")
    number = Decimal(trimmed)
    if number and number.adjusted() < -100:
        number = Decimal(0)
    return fitted(digits, number if number.adjusted() < 100 else Decimal("1e100"))


def boolean_of(text: str) -> bool:
    """Return the truth value that a text is.

    Raises:
        ConversionError: it is none.
    """
    lower = text.lower()
    if lower in _TRUE:
        return True
    if lower in _FALSE:
        return False
    raise ConversionError(f"{text!r} is not a BOOLEAN such as TRUE or FALSE")


def date_of(text: str) -> date:
    """Return the date that a text is or starts with; missing months and days are the first ones.

    Raises:
        ConversionError: it is not a date.
    """
    blank = text.find(" ")
    parts = (text[:blank] if blank > 0 else text).split("-", 2)
    try:
        numbers = [_number(part) for part in parts]
        return date(*numbers, *[1] * (3 - len(numbers)))
    except ValueError:
        raise ConversionError(f"{text!r} is not a DATE such as 2020-12-31") from None


def _number(text: str) -> int:
    trimmed = text.strip(_BLANKS)
    if not (trimmed.isascii() and trimmed.isdecimal()):
        raise ValueError(text)
    return int(trimmed)


def timestamp_of(digits: int, text: str) -> datetime:
    """Return the timestamp that a text is, whose fraction of a second is cut to some digits.

    The last day of a month stands for days up to 31 that it does not have; 24:00:00 for the next midnight.

    Raises:
        ConversionError: it is not a timestamp.
    """
    found = _TIMESTAMP.fullmatch(text)
    complaint = f"{text!r} is not a TIMESTAMP such as 2020-12-31 23:59:59.123"
    if found is None:
        raise ConversionError(complaint)
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
    fraction = (found[7] or "")[: min(digits, 6)].ljust(6, "0")
    try:
        if day > monthrange(year, month)[1] and day <= 31:
            day = monthrange(year, month)[1]
        if (hour, minute, second) == (24, 0, 0) and not int(found[7] or 0):
            return datetime(year, month, day) + timedelta(days=1)
        return datetime(year, month, day, hour, minute, second, int(fraction))
    except (ValueError, OverflowError):
        raise ConversionError(complaint) from None


def time_of(digits: int, text: str) -> time:
    """Return the time of day that a text is, rounded to milliseconds and cut to some digits.

    Raises:
        ConversionError: it is not a time of day, also once it is rounded.
    """
    found = _TIME.fullmatch(text)
    try:
        if found is None:
            raise ValueError(text)
        hour, minute, second = (int(part or 0) for part in found.groups()[:3])
        tenths = int((found[4] or "")[:4].ljust(4, "0"))  # of milliseconds
        start = datetime.combine(date.max, time(hour, minute, second))
        moment = (start + timedelta(milliseconds=(tenths + 5) // 10)).time()
    except (ValueError, OverflowError):
        raise ConversionError(f"{text!r} is not a TIME such as 12:30:45") from None
    return moment.replace(microsecond=int(f"{moment.microsecond:06}"[:digits].ljust(6, "0")))
