"""Duration and Time: lengths of time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from pystream.errors import ArgumentTypeError, ConfigurationError
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr

__all__ = ["Duration", "Time", "iso_nanos"]

_NANOS_PER_MILLI = 1_000_000
_NANOS_PER_SECOND = 1_000_000_000
_ISO = re.compile(
    r"([+-]?)P(?:([+-]?\d+)D)?(?:T(?=[+-]?\d)(?:([+-]?\d+)H)?(?:([+-]?\d+)M)?(?:([+-]?)(\d+)(?:\.(\d{1,9}))?S)?)?",
    re.ASCII | re.IGNORECASE,
)


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True, order=True)
class Duration:
    """A length of time, exact to the nanosecond; may be negative.

    Equal lengths are equal, in whichever unit they were created. Mirrors ``java.time.Duration``.

    Args:
        nanos: the length in nanoseconds; programs use the ``of_…`` methods instead.

    Examples:
        >>> from pystream.common import Duration
        >>> Duration.of_minutes(2).to_millis()
        120000
    """

    _example: ClassVar[str] = "Duration.of_seconds(1)"

    nanos: int

    @staticmethod
    def of_days(days: int) -> Duration:
        """Return a duration of days of 24 hours."""
        return _of(days, 24 * 3600 * _NANOS_PER_SECOND, "days")

    @staticmethod
    def of_hours(hours: int) -> Duration:
        """Return a duration of hours."""
        return _of(hours, 3600 * _NANOS_PER_SECOND, "hours")

    @staticmethod
    def of_minutes(minutes: int) -> Duration:
        """Return a duration of minutes."""
        return _of(minutes, 60 * _NANOS_PER_SECOND, "minutes")

    @staticmethod
    def of_seconds(seconds: int) -> Duration:
        """Return a duration of seconds."""
        return _of(seconds, _NANOS_PER_SECOND, "seconds")

    @staticmethod
    def of_millis(millis: int) -> Duration:
        """Return a duration of milliseconds."""
        return _of(millis, _NANOS_PER_MILLI, "millis")

    @staticmethod
    def of_nanos(nanos: int) -> Duration:
        """Return a duration of nanoseconds."""
        return Duration(nanos)

    def to_millis(self) -> int:
        """Return the duration in whole milliseconds, rounded down."""
        return self.nanos // _NANOS_PER_MILLI

    def __str__(self) -> str:
        """Return the ISO 8601 form, such as ``PT1H30M`` or ``PT-1.5S``; days count as 24 hours."""
        if not self.nanos:
            return "PT0S"
        sign = "-" if self.nanos < 0 else ""
        seconds, nanos = divmod(abs(self.nanos), _NANOS_PER_SECOND)
        minutes, seconds = divmod(seconds, 60)
        hours, minutes = divmod(minutes, 60)
        fraction = f".{nanos:09}".rstrip("0") if nanos else ""
        text = "PT"
        if hours:
            text += f"{sign}{hours}H"
        if minutes:
            text += f"{sign}{minutes}M"
        if seconds or fraction:
            text += f"{sign}{seconds}{fraction}S"
        return text


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True, init=False)
class Time:
    """A length of time in milliseconds, for windows and state time-to-live.

    Mirrors ``org.apache.flink.api.common.time.Time``.

    Args:
        milliseconds: a whole number of them.

    Raises:
        ConfigurationError: the length is not a whole number of milliseconds.

    Examples:
        >>> from pystream.common import Time
        >>> Time.minutes(2).to_milliseconds()
        120000
    """

    _example: ClassVar[str] = "Time.seconds(1)"

    _milliseconds: int

    def __init__(self, milliseconds: float) -> None:
        if not isinstance(milliseconds, int | float) or milliseconds != milliseconds // 1:
            raise ConfigurationError(
                f"Time: {short_repr(milliseconds)} ms is not allowed; it takes a whole number of milliseconds"
            )
        object.__setattr__(self, "_milliseconds", int(milliseconds))

    @staticmethod
    def milliseconds(milliseconds: float) -> Time:
        """Return a length of milliseconds."""
        return Time(milliseconds)

    @staticmethod
    def seconds(seconds: float) -> Time:
        """Return a length of seconds."""
        return Time(1000 * seconds)

    @staticmethod
    def minutes(minutes: float) -> Time:
        """Return a length of minutes."""
        return Time.seconds(60 * minutes)

    @staticmethod
    def hours(hours: float) -> Time:
        """Return a length of hours."""
        return Time.minutes(60 * hours)

    @staticmethod
    def days(days: float) -> Time:
        """Return a length of days of 24 hours."""
        return Time.hours(24 * days)

    def to_milliseconds(self) -> int:
        """Return the length in milliseconds."""
        return self._milliseconds

    def __str__(self) -> str:
        return f"{self._milliseconds} ms"


def iso_nanos(text: str) -> int | None:
    """Parse an ISO 8601 duration such as ``P1DT2H3M4.5S`` to nanoseconds; ``None`` for other text.

    Any part may be missing or negative; a sign before the ``P`` applies to the whole.
    """
    match = _ISO.fullmatch(text)
    if match is None or not any(match.groups()[1:]):
        return None
    sign, days, hours, minutes, seconds_sign, seconds, fraction = match.groups()
    nanos = int(seconds or 0) * _NANOS_PER_SECOND + int((fraction or "").ljust(9, "0"))
    if seconds_sign == "-":
        nanos = -nanos
    nanos += 60 * (60 * (24 * int(days or 0) + int(hours or 0)) + int(minutes or 0)) * _NANOS_PER_SECOND
    return -nanos if sign == "-" else nanos


def _of(amount: int, nanos: int, unit: str) -> Duration:
    most = (2**63 - 1) // nanos
    if abs(amount) > most:
        raise ConfigurationError(f"Duration.of_{unit}: {unit} must be from -{most} to {most}, not {amount}")
    return Duration(amount * nanos)
