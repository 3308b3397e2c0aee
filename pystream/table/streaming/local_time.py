"""LocalTime: the times of a time zone, in which windows of TIMESTAMP_LTZ have their bounds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from functools import cached_property

from pystream.zones import time_zone

__all__ = ["LocalTime"]

_EPOCH = datetime(1970, 1, 1)
_MILLISECOND = timedelta(milliseconds=1)
_HOUR = 3_600_000


class LocalTime:
    """The local times of a time zone, as milliseconds that the clock there has passed since 1970.

    Where clocks change, not every local time has an instant of its own. Mirrors
    ``…table.runtime.util.TimeWindowUtil``.

    Args:
        zone: the time zone, such as ``Europe/Rome``; that of TIMESTAMP, which is UTC, unless given.

    Raises:
        ValueError: there is no such zone.
    """

    def __init__(self, zone: str | None = None) -> None:
        self._name = zone or "Z"
        time_zone(self._name)

    @cached_property
    def _zone(self) -> tzinfo:
        return time_zone(self._name)

    def __getstate__(self) -> dict[str, str]:
        return {"_name": self._name}

    @property
    def fixed_offset(self) -> int | None:
        """By how many ms the local time is ahead of UTC; ``None`` if this changes."""
        offset = self._zone.utcoffset(None)
        return None if offset is None else offset // _MILLISECOND

    def at(self, instant: int) -> int:
        """Return the local time at an instant, in ms since the Unix epoch."""
        utc = datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=instant)
        return (utc.astimezone(self._zone).replace(tzinfo=None) - _EPOCH) // _MILLISECOND

    def instant(self, local: int) -> int:
        """Return the first instant at which it is a local time; later by the change if it is skipped."""
        offset = self.to_datetime(local).replace(tzinfo=self._zone).utcoffset()
        assert offset is not None
        return local - offset // _MILLISECOND

    def last_instant(self, local: int) -> int:
        """Return the instant from which on a local time has passed for good.

        It is the second of the two that a repeated local time has, and the change of the clock for one that
        is skipped.
        """
        first, next_hour = self.instant(local), self.instant(local + _HOUR)
        if next_hour - first > _HOUR:
            return first + _HOUR
        return first - first % _HOUR if next_hour == first else first

    def to_datetime(self, local: int) -> datetime:
        """Return a local time as a naive datetime."""
        return _EPOCH + timedelta(milliseconds=local)

    def of_datetime(self, local: datetime) -> int:
        """Return the local time of a naive datetime."""
        return (local - _EPOCH) // _MILLISECOND
