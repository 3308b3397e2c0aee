"""Parse dates, times, instants and durations to the microsecond, in the forms of a style."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal, TypeVar

from pystream.durations import iso_nanos
from pystream.engine.formats.errors import FieldError
from typeinfo.instant import Instant

__all__ = ["TimeParser", "TimeStyle", "parse_duration", "time_parser", "without_trailing_zeros"]

T = TypeVar("T")

TimeStyle = Literal["RFC-3339", "SQL", "ISO-8601", "CSV", "JDBC"]
"""Styles of times in text.

===========  ==================  =========================  ==============================  =================
style        used by             TIME                       TIMESTAMP                       instant
===========  ==================  =========================  ==============================  =================
`RFC-3339`   JSON messages       ``12:34:56.5Z``            ``2020-01-31T12:34:56.5Z``      ``…T12:34:56.5Z``
`SQL`        JSON in tables      ``12:34:56.5``             ``2020-01-31 12:34:56.5``       ``… 12:34:56.5Z``
`ISO-8601`   JSON in tables      ``12:34:56.5``             ``2020-01-31T12:34:56.5``       ``…T12:34:56.5Z``
`CSV`        CSV tables, files   ``12:34:56.5``             ``2020-01-31 12:34:56.5``       ``… 12:34:56.5Z``
`JDBC`       CSV messages        ``12:34:56.5``             ``2020-01-31 12:34:56.5``       ``… 12:34:56.5Z``
===========  ==================  =========================  ==============================  =================

Instants of `RFC-3339` may have an offset such as ``+01:00``. Seconds may be missing in times of `CSV`, and in
timestamps and instants of `ISO-8601`. Leading zeros may be missing in dates of `CSV`, and in all numbers of
`JDBC`. Each style refuses the forms of the others, as Flink does.
"""

_DATE = r"(\d{4})-(\d\d)-(\d\d)"
_SHORT_DATE = r"(\d{4})-(\d{1,2})-(\d{1,2})"
_FRACTION = r"(?:\.(\d{0,9}))?"
_TIME = rf"(\d\d):(\d\d):(\d\d){_FRACTION}"
_MINUTES = rf"(\d\d):(\d\d)(?::(\d\d){_FRACTION})?"
_SHORT_TIME = rf"(\d{{1,2}}):(\d{{1,2}}):(\d{{1,2}}){_FRACTION}"
_OFFSET = r"(Z|[+-]\d{2}(?::?\d{2})?)"
_DATE_SEPARATORS = "--"
_LONGEST = len("2020-01-31T12:34:56.123456")


class TimeParser:
    """Parse the dates and times of one style.

    Args:
        date: the pattern of dates.
        time: the pattern of times.
        timestamp: the pattern of timestamps.
        instant: the pattern of instants, whose last group may be the offset.
        examples: a time, a timestamp and an instant.
    """

    def __init__(
        self, date: str, time: str, timestamp: str, instant: str, examples: tuple[str, str, str]
    ) -> None:
        self._date = re.compile(date, re.ASCII)
        self._time = re.compile(time, re.ASCII)
        self._timestamp = re.compile(timestamp, re.ASCII)
        self._instant = re.compile(instant, re.ASCII)
        self._examples = examples
        # Every third character from the fifth to the twentieth, as in 2020-01-31T12:34:56.5
        start = f"--{examples[1][10]}::"
        self._separators = frozenset({start, f"{start}."})
        self._is_zoned = examples[1].endswith("Z")
        self._without = "" if self._is_zoned else " without a zone"

    def read_date(self, text: str) -> date:
        """Parse a date.

        Raises:
            FieldError: the text is not a date of the style.
        """
        if text[4:8:3] == _DATE_SEPARATORS and len(text) == len("2020-01-31"):
            with suppress(ValueError):
                return date.fromisoformat(text)
        match = _match(self._date, text, "date", "2020-01-31")
        return _make(date, text, *_numbers(match, 3))

    def read_time(self, text: str) -> time:
        """Parse a time.

        Raises:
            FieldError: the text is not a time of the style, or finer than a microsecond.
        """
        match = _match(self._time, text, "time", self._examples[0])
        return _make(time, text, *_numbers(match, 3), _micros(match[4], text))

    def read_timestamp(self, text: str) -> datetime:
        """Parse a date and time without a zone.

        Raises:
            FieldError: the text is not a timestamp of the style, or finer than a microsecond.
        """
        if not self._is_zoned or text[-1:] == "Z":
            found = self._plain(text[:-1] if self._is_zoned else text)
            if found is not None:
                return found
        match = _match(self._timestamp, text, f"date and time{self._without}", self._examples[1])
        return _make(datetime, text, *_numbers(match, 6), _micros(match[7], text))

    def read_instant(self, text: str) -> Instant:
        """Parse a date and time with a zone.

        Raises:
            FieldError: the text is not an instant of the style, or finer than a microsecond.
        """
        if text[-1:] == "Z":
            found = self._plain(text[:-1])
            if found is not None:
                return Instant.of_datetime(found.replace(tzinfo=UTC))
        match = _match(self._instant, text, "date and time with a zone", self._examples[2])
        local = _make(datetime, text, *_numbers(match, 6), _micros(match[7], text))
        zone = _make(time.fromisoformat, text, f"00:00{match[8]}").tzinfo
        return Instant.of_datetime(local.replace(tzinfo=zone))

    def _plain(self, text: str) -> datetime | None:
        """Return the time in a text of the usual form; ``None`` for any other.

        It is several times faster than a pattern.
        """
        if text[4:20:3] not in self._separators or len(text) > _LONGEST or text[11:13] == "24":
            return None
        try:
            found = datetime.fromisoformat(text)
        except ValueError:
            return None
        return found if found.tzinfo is None else None


def _parser(
    separator: str,
    date: str = _DATE,
    time: str = _TIME,
    in_timestamp: str = _TIME,
    around: str = "",
    zone: str = "",
    offset: str = "(Z)",
) -> TimeParser:
    """Return the parser of a style.

    Args:
        separator: what is between date and time.
        date: the pattern of dates.
        time: the pattern of times.
        in_timestamp: the pattern of times after a date.
        around: the pattern of what may precede and follow timestamps and instants.
        zone: what follows times without a zone.
        offset: the pattern of the zones of instants.
    """
    full = f"{_SHORT_DATE if in_timestamp is _SHORT_TIME else _DATE}{separator}{in_timestamp}"
    example = f"2020-01-31{separator}12:34:56"
    return TimeParser(
        date,
        f"{time}{zone}",
        f"{around}{full}{zone}{around}",
        f"{around}{full}{offset}{around}",
        (f"12:34:56{zone}", f"{example}{zone}", f"{example}Z"),
    )


_PARSERS: dict[TimeStyle, TimeParser] = {
    "RFC-3339": _parser("T", zone="Z", offset=_OFFSET),
    "SQL": _parser(" "),
    "ISO-8601": _parser("T", in_timestamp=_MINUTES),
    "CSV": _parser(" ", date=_SHORT_DATE, time=_MINUTES, around=r"\s*"),
    "JDBC": _parser(" ", date=_SHORT_DATE, time=_SHORT_TIME, in_timestamp=_SHORT_TIME, around=r"\s*"),
}


def time_parser(style: TimeStyle) -> TimeParser:
    """Return the parser of a style."""
    return _PARSERS[style]


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


def _match(pattern: re.Pattern[str], text: str, wanted: str, example: str) -> re.Match[str]:
    match = pattern.fullmatch(text)
    if match is None:
        raise FieldError(f"{text!r} is not a {wanted} such as {example}")
    return match


def _numbers(match: re.Match[str], count: int) -> list[int]:
    return [int(group or 0) for group in match.groups()[:count]]


def _micros(digits: str | None, text: str) -> int:
    if not digits:
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
