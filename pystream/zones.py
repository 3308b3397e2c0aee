"""Time zones by their names, and the name of that of the machine."""

from __future__ import annotations

import os
import re
from datetime import UTC, timedelta, timezone, tzinfo
from functools import lru_cache
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

__all__ = ["time_zone", "zone_of_machine"]

_FIXED_OFFSET = re.compile(r"(?:UTC|GMT|UT)?([+-])(\d{1,2})(?::?(\d{2}))?")


@lru_cache(maxsize=16)
def time_zone(zone_id: str) -> tzinfo:
    """Return the time zone of a region such as ``Europe/Rome`` or an offset such as ``GMT-08:00`` or ``+1``.

    Raises:
        ValueError: no such zone is known.
    """
    if zone_id == "Z":
        return UTC
    if offset := _FIXED_OFFSET.fullmatch(zone_id):
        sign, hours, minutes = offset.groups()
        span = timedelta(hours=int(hours), minutes=int(minutes or 0))
        return timezone(-span if sign == "-" else span)
    try:
        return ZoneInfo(zone_id)
    except (ZoneInfoNotFoundError, OSError, ValueError):
        raise ValueError(
            f"there is no time zone {zone_id!r}; Europe/Rome and GMT-08:00 are examples"
        ) from None


def zone_of_machine() -> str:
    """Return the name of the time zone of this machine; ``Z`` if it has none."""
    if zone := os.environ.get("TZ"):
        return zone.removeprefix(":")
    _, _, name = str(Path("/etc/localtime").resolve()).partition("/zoneinfo/")
    return name or "Z"
