"""Instant: a point in time, as in Flink."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from typeinfo.errors import OutOfRangeError, TypeCheckError, short_repr

__all__ = ["Instant"]

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_NANOS_PER_SECOND = 1_000_000_000


@dataclass(frozen=True, slots=True, order=True)
class Instant:
    """A point in time: whole seconds since 1970-01-01T00:00Z and nanoseconds within the second.

    Args:
        seconds: seconds since the Unix epoch, negative before it.
        nanos: 0 to 999,999,999, always counted forward from ``seconds``.

    Raises:
        TypeCheckError: one of them is not an int.
        ValueError: ``nanos`` is out of range.

    Mirrors ``pyflink.common.Instant`` and ``java.time.Instant``.
    """

    seconds: int
    nanos: int = 0

    def __post_init__(self) -> None:
        if not _is_whole(self.seconds) or not _is_whole(self.nanos):
            raise TypeCheckError(f"an Instant takes whole numbers, not {self.seconds!r} and {self.nanos!r}")
        if not 0 <= self.nanos < _NANOS_PER_SECOND:
            raise OutOfRangeError(f"nanos must be in 0..999999999, got {short_repr(self.nanos)}")

    @staticmethod
    def of_epoch_milli(epoch_milli: int) -> Instant:
        """Return the instant at a number of milliseconds since the Unix epoch."""
        if not _is_whole(epoch_milli):
            raise _misfit("of_epoch_milli takes an int", epoch_milli)
        seconds, millis = divmod(epoch_milli, 1000)
        return Instant(seconds, millis * 1_000_000)

    @staticmethod
    def of_epoch_micro(epoch_micro: int) -> Instant:
        """Return the instant at a number of microseconds since the Unix epoch."""
        if not _is_whole(epoch_micro):
            raise _misfit("of_epoch_micro takes an int", epoch_micro)
        seconds, micros = divmod(epoch_micro, 1_000_000)
        return Instant(seconds, micros * 1000)

    @staticmethod
    def of_datetime(value: datetime.datetime) -> Instant:
        """Return the instant of an aware datetime.

        Raises:
            OutOfRangeError: ``value`` has no time zone.
        """
        if not isinstance(value, datetime.datetime):
            raise _misfit("of_datetime takes a datetime", value)
        if value.utcoffset() is None:
            raise OutOfRangeError(f"{short_repr(value)} has no time zone with an offset")
        return Instant.of_epoch_micro((value - _EPOCH) // datetime.timedelta(microseconds=1))

    def to_epoch_milli(self) -> int:
        """Return milliseconds since the Unix epoch, rounded down."""
        return self.seconds * 1000 + self.nanos // 1_000_000

    def to_epoch_micro(self) -> int:
        """Return microseconds since the Unix epoch, rounded down."""
        return self.seconds * 1_000_000 + self.nanos // 1000

    def to_datetime(self) -> datetime.datetime:
        """Return the aware UTC datetime, rounded down to a microsecond.

        Raises:
            OverflowError: outside the years 1 to 9999 that Python knows.
        """
        return _EPOCH + datetime.timedelta(microseconds=self.to_epoch_micro())

    def __repr__(self) -> str:
        return f"Instant<{self.seconds}, {self.nanos}>"


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _misfit(call: str, value: object) -> TypeCheckError:
    return TypeCheckError(f"Instant.{call}, not {short_repr(value)} ({type(value).__qualname__})")
