"""Read times by patterns of Java, and write those that are read."""

from __future__ import annotations

import re
import time
from calendar import monthrange
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta, tzinfo
from decimal import Decimal

from pystream.table.functions.errors import ConversionError, SqlArithmeticError
from pystream.table.functions.values.formatting import (
    UnknownPatternError,
    Write,
    formatted,
    pattern_parts,
    writer_of,
)
from pystream.table.functions.values.moments import instant_at, instant_moved, local_time
from pystream.table.functions.values.parsing import date_of, timestamp_of
from typeinfo.instant import Instant

__all__ = [
    "NO_SECONDS",
    "date_of_text",
    "in_other_zone",
    "instant_of",
    "instant_of_text",
    "parsed_date",
    "reader_of",
    "reader_or_digits",
    "seconds_of_text",
    "text_of_seconds",
    "timestamp_of_text",
    "timestamp_or_null",
    "written",
]

_PLAIN = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})(?: (\d{1,9}):(\d{1,9}):(\d{1,9})(?:\.(\d{1,9}))?)?", re.ASCII
)
_BLANKS = "".join(map(chr, range(33)))
_READABLE = {"yyyy": "year", "MM": "month", "dd": "day", "HH": "hour", "mm": "minute", "ss": "second"}


def reader_of(pattern: str) -> re.Pattern[str]:
    """Return the regular expression of texts that have a pattern with a whole date.

    Raises:
        UnknownPatternError: a part is not supported, or the date is not whole.
    """
    text = "".join(
        _readable(letters) if letters else re.escape(literal) for letters, literal in pattern_parts(pattern)
    )
    try:
        reader = re.compile(text, re.ASCII)
    except re.error:
        raise UnknownPatternError(f"{pattern!r} has a part twice") from None
    if not {"year", "month", "day"} <= reader.groupindex.keys():
        raise UnknownPatternError(f"{pattern!r} has not all parts of a date")
    return reader


def _readable(letters: str) -> str:
    if letters in _READABLE:
        return rf"(?P<{_READABLE[letters]}>\d{{{len(letters)}}})"
    if set(letters) == {"S"}:
        return rf"(?P<fraction>\d{{{len(letters)}}})"
    raise UnknownPatternError(f"{letters} is not supported in patterns of text that is read")


def parsed(reader: re.Pattern[str], text: str) -> datetime | None:
    """Parse a timestamp, to the millisecond; return null for any other text.

    The last day of a month stands for days up to 31 that it does not have; 24:00:00 for the next midnight.
    As in Flink, a text that does not have the pattern may be one such as 2020-1-31 or 2020-1-31 9:05:00.
    """
    found = reader.fullmatch(text)
    timestamp = None if found is None else _timestamp(found.groupdict())
    return timestamp or _plain_timestamp(text.strip(_BLANKS))


def parsed_date(reader: re.Pattern[str], text: str) -> date | None:
    """Parse a date; return null for any other text."""
    found = reader.fullmatch(text)
    timestamp = None if found is None else _timestamp(found.groupdict())
    is_same_day = timestamp is not None and found is not None and timestamp.day == int(found["day"])
    return timestamp.date() if timestamp is not None and is_same_day else None


def _timestamp(parts: Mapping[str, str | None]) -> datetime | None:
    year, month, day = (int(parts[name] or 0) for name in ("year", "month", "day"))
    hour, minute, second = (int(parts.get(name) or 0) for name in ("hour", "minute", "second"))
    millisecond = int((parts.get("fraction") or "").ljust(3, "0")[:3])
    if not (1 <= month <= 12 and 1 <= day <= 31 and year):
        return None
    day = min(day, monthrange(year, month)[1])
    if (hour, minute, second, millisecond) == (24, 0, 0, 0):
        return _later(datetime(year, month, day), 86_400)
    try:
        return datetime(year, month, day, hour, minute, second, millisecond * 1000)
    except ValueError:
        return None


def _plain_timestamp(text: str) -> datetime | None:
    """Return the timestamp of a text whose days, hours, minutes and seconds may be too many."""
    found = _PLAIN.fullmatch(text)
    if found is None:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
    if not (year and 1 <= month <= 12 and 1 <= day <= 31):
        return None
    millisecond = int((found[7] or "").ljust(3, "0")[:3])
    start = datetime(year, month, 1, microsecond=millisecond * 1000)
    return _later(start, ((day - 1) * 24 + hour) * 3600 + minute * 60 + second)


def _later(value: datetime, seconds: int) -> datetime | None:
    try:
        return value + timedelta(seconds=seconds)
    except OverflowError:
        return None


def instant_of(number: float | Decimal, digits: int = 3) -> Instant | None:
    """Return the instant some parts of a second, which have digits, after the start of 1970.

    It is null for numbers that are not finite, or out of the range of the years 1 to 9999.
    """
    try:
        return instant_moved(Instant(0), int(number * 10 ** (3 - digits)) * 1000)
    except (ValueError, OverflowError, SqlArithmeticError):
        return None


def date_or_null(text: str) -> date | None:
    """Return the date that a text is or starts with; null if it is none."""
    try:
        return date_of(text)
    except ConversionError:
        return None


def timestamp_or_null(text: str) -> datetime | None:
    """Return the timestamp that a text is, to the millisecond; null if it is none."""
    try:
        return timestamp_of(3, text)
    except ConversionError:
        return None


def written(value: datetime | str, writers: Sequence[Write]) -> str | None:
    """Return a timestamp, or the one that a text is, as text of a pattern; null for any other text."""
    timestamp = timestamp_or_null(value) if isinstance(value, str) else value
    return None if timestamp is None else formatted(writers, timestamp)


def date_of_text(text: str, reader: re.Pattern[str] | None = None) -> date | None:
    """Return the date of a text, of a pattern if there is one; null if it is none."""
    return date_or_null(text) if reader is None else parsed_date(reader, text)


def timestamp_of_text(text: str, reader: re.Pattern[str] | None = None) -> datetime | None:
    """Return the timestamp of a text, of a pattern if there is one; null if it is none."""
    return timestamp_or_null(text) if reader is None else parsed(reader, text)


def reader_or_digits(given: str | int) -> re.Pattern[str] | int:
    """Return the regular expression of texts of a pattern, and a number as it is."""
    return reader_of(given) if isinstance(given, str) else given


def instant_of_text(text: str, reader: re.Pattern[str] | None = None, zone: tzinfo = UTC) -> Instant | None:
    """Return the instant of a text, of a pattern if there is one, in a time zone; null if it is none."""
    local = timestamp_of_text(text, reader)
    return None if local is None else instant_at(zone, local)


def in_other_zone(text: str, zone: tzinfo, other: tzinfo) -> str | None:
    """Return the text of a local time in one time zone as that in another; null if it is none."""
    instant = instant_of_text(text, zone=zone) if ":" in text else None
    return None if instant is None else formatted(_PLAIN_WRITERS, local_time(other, instant))


def text_of_seconds(zone: tzinfo, seconds: int, writers: Sequence[Write] | None = None) -> str:
    """Return the local time some seconds after the start of 1970 as text."""
    return formatted(
        writers or _PLAIN_WRITERS, local_time(zone, instant_moved(Instant(0), seconds * 1_000_000))
    )


def seconds_of_text(zone: tzinfo, text: str | None = None, reader: re.Pattern[str] | None = None) -> int:
    """Return the seconds from the start of 1970 to the local time of a text, or to now without one."""
    if text is None:
        return time.time_ns() // 1_000_000_000
    instant = instant_of_text(text, reader, zone)
    return NO_SECONDS if instant is None else instant.to_epoch_micro() // 1_000_000


_PLAIN_WRITERS = writer_of("yyyy-MM-dd HH:mm:ss")
NO_SECONDS = -(1 << 63)
"""The seconds of a text that is no time, as in Flink."""
