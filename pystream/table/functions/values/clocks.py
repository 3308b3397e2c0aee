"""The time of the clock, to the millisecond."""

from __future__ import annotations

import datetime
import time

from typeinfo.instant import Instant

__all__ = ["local_date", "local_time", "local_timestamp", "no_watermark", "now"]


def now() -> Instant:
    """Return the time."""
    return Instant.of_epoch_milli(time.time_ns() // 1_000_000)


def local_timestamp(zone: datetime.tzinfo | None) -> datetime.datetime:
    """Return the time in a time zone; that of the machine unless given."""
    return now().to_datetime().astimezone(zone).replace(tzinfo=None)


def local_date(zone: datetime.tzinfo | None) -> datetime.date:
    """Return the date in a time zone."""
    return local_timestamp(zone).date()


def local_time(zone: datetime.tzinfo | None) -> datetime.time:
    """Return the time of day in a time zone, to the second."""
    return local_timestamp(zone).time().replace(microsecond=0)


def no_watermark(time: object) -> None:
    """Return the watermark of bounded tables, which is null."""
