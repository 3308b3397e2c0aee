"""Time zones by their names, and the name of that of the machine."""

from __future__ import annotations

import os
import re
from datetime import UTC, timedelta, timezone, tzinfo
from functools import lru_cache
from pathlib import Path
from zoneinfo import TZPATH, ZoneInfo, ZoneInfoNotFoundError, available_timezones

from pystream.errors import ConfigurationError

__all__ = ["time_zone", "zone_of_machine"]

_LOCAL_TIME = Path("/etc/localtime")
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
    """Return the name of the time zone of this machine; ``Z`` if it has none.

    Raises:
        ConfigurationError: it is of no name that Python knows.
    """
    if zone := os.environ.get("TZ"):
        return zone.removeprefix(":")
    _, _, name = str(_LOCAL_TIME.resolve()).partition("/zoneinfo/")
    if name:
        return name
    return _zone_of_rules(_LOCAL_TIME.read_bytes()) if _LOCAL_TIME.is_file() else "Z"


@lru_cache(maxsize=1)
def _zone_of_rules(rules: bytes) -> str:
    """Return the first name, by the alphabet, of the time zone whose file has some contents."""
    names = available_timezones() - {"localtime"}  # which some machines have as another name of the file
    for name, file in ((name, Path(root, name)) for name in sorted(names) for root in TZPATH):
        if file.is_file() and file.read_bytes() == rules:
            return name
    raise ConfigurationError(
        f"the time zone of this machine is not known: {_LOCAL_TIME} is the file of none that Python knows; "
        "set table.local-time-zone, or the variable TZ, such as to Europe/Rome"
    )
