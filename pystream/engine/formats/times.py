"""Parse and format dates, times, instants and durations, to the microsecond."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal, TypeVar

from pystream.durations import iso_nanos
from pystream.engine.formats.errors import FieldError
from typeinfo.instant import Instant

__all__ = [
    "TimeStyle",
    "parse_date",
    "parse_duration",
    "parse_instant",
    "parse_time",
    "parse_timestamp",
    "without_trailing_zeros",
]

T = TypeVar("T")

TimeStyle = Literal["RFC-3339", "SQL", "ISO-8601"]
"""How times are written: those of the style RFC-3339 all end with ``Z``, those of the others, which are the
standards of Flink's tables, only if they are instants; SQL has a blank between date and time."""

_DATE = r"(\d{4})-(\d{1,2})-(\d{1,2})"
_TIME = r"(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?"
_DATE_ONLY = re.compile(_DATE, re.ASCII)
_TIME_ONLY = re.compile(_TIME + "Z?", re.ASCII)
_TIMESTAMP = re.compile(f"{_DATE}[T ]{_TIME}Z?", re.ASCII)
_INSTANT = re.compile(rf"{_DATE}[T ]{_TIME}(Z|[+-]\d{{2}}(?::?\d{{2}})?)", re.ASCII)
_SEPARATORS = frozenset({"--T::", "--T::.", "-- ::", "-- ::."})
"""Every third character of 2020-01-31T12:34:56.5 from the fifth to the twentieth, and of its variants."""
_DATE_SEPARATORS = "--"
_LONGEST = len("2020-01-31T12:34:56.123456")


def parse_date(text: str) -> date:
    """Parse a date such as ``2020-01-31``.

    Raises:
        FieldError: the text is not a date.
    """
    if text[4:8:3] == _DATE_SEPARATORS and len(text) == len("2020-01-31"):
        with suppress(ValueError):
            return date.fromisoformat(text)
    match = _match(_DATE_ONLY, text, "date such as 2020-01-31")
    return _make(date, text, *_numbers(match, 3))


def parse_time(text: str) -> time:
    """Parse a time such as ``12:34:56.5``; seconds, fraction and a final ``Z`` are optional.

    Raises:
        FieldError: the text is not a time, or finer than a microsecond.
    """
    match = _match(_TIME_ONLY, text, "time such as 12:34:56")
    return _make(time, text, *_numbers(match, 3), _micros(match[4], text))


def parse_timestamp(text: str) -> datetime:
    """Parse a timestamp such as ``2020-01-31T12:34:56``, with ``T`` or a blank, and an optional final ``Z``.

    Raises:
        FieldError: the text is not a date and time, names another zone, or is finer than a microsecond.
    """
    # fromisoformat is several times faster than a pattern, but takes more forms.
    local = text[:-1] if text[-1:] == "Z" else text
    if local[4:20:3] in _SEPARATORS and len(local) <= _LONGEST and local[11:13] != "24":
        try:
            found = datetime.fromisoformat(local)
        except ValueError:
            found = None
        if found is not None and found.tzinfo is None:
            return found
    match = _match(_TIMESTAMP, text, "date and time without a zone such as 2020-01-31T12:34:56")
    return _make(datetime, text, *_numbers(match, 6), _micros(match[7], text))


def parse_instant(text: str) -> Instant:
    """Parse an instant such as ``2020-01-31T12:34:56+01:00``; a zone, or ``Z``, is required.

    Raises:
        FieldError: the text is not a date and time with a zone, or finer than a microsecond.
    """
    if text[-1:] == "Z":
        with suppress(FieldError):
            return Instant.of_datetime(parse_timestamp(text).replace(tzinfo=UTC))
    match = _match(_INSTANT, text, "date and time with a zone such as 2020-01-31T12:34:56Z")
    local = _make(datetime, text, *_numbers(match, 6), _micros(match[7], text))
    zone = _make(time.fromisoformat, text, f"00:00{match[8]}").tzinfo
    return Instant.of_datetime(local.replace(tzinfo=zone))


def parse_duration(text: str) -> timedelta:
    """Parse a duration such as ``P1DT2H3M4.5S``, any of whose parts may be missing.

    Raises:
        FieldError: the text is not a duration, or finer than a microsecond.
    """
    nanos = iso_nanos(text.strip())
    if nanos is None:
        raise FieldError(f"{text!r} is not a duration such as PT1.5S")
    micros, finer = divmod(nanos, 1000)
    if finer:
        raise _too_fine(text)
    return _make(timedelta, text, 0, 0, micros)


def _match(pattern: re.Pattern[str], text: str, wanted: str) -> re.Match[str]:
    match = pattern.fullmatch(text.strip())
    if match is None:
        raise FieldError(f"{text!r} is not a {wanted}")
    return match


def _numbers(match: re.Match[str], count: int) -> list[int]:
    return [int(group or 0) for group in match.groups()[:count]]


def _micros(digits: str | None, text: str) -> int:
    if digits is None:
        return 0
    if digits[6:].strip("0"):
        raise _too_fine(text)
    return int(digits[:6].ljust(6, "0"))


def _too_fine(text: str) -> FieldError:
    return FieldError(f"{text!r} is finer than a microsecond; declare the field STRING to keep all digits")


def _make(cls: Callable[..., T], text: str, *parts: object) -> T:
    try:
        return cls(*parts)
    except (ValueError, OverflowError) as error:
        raise FieldError(f"{text!r}: {error}") from None


def without_trailing_zeros(text: str) -> str:
    """Remove the trailing zeros of the fraction of a second, if there is a fraction."""
    return text.rstrip("0") if "." in text else text
