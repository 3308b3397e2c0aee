"""The time zone of the session, which ``table.local-time-zone`` sets."""

from __future__ import annotations

from datetime import tzinfo

from pystream.errors import ConfigurationError
from pystream.settings.configuration import Configuration
from pystream.settings.options import LOCAL_TIME_ZONE
from pystream.zones import time_zone, zone_of_machine

__all__ = ["local_zone", "session_zone"]


def local_zone(configuration: Configuration) -> tzinfo | None:
    """Return the time zone of ``TIMESTAMP_LTZ``, ``None`` for that of the machine.

    Raises:
        ConfigurationError: there is no such zone.
    """
    zone_id = configuration.get(LOCAL_TIME_ZONE)
    if zone_id == LOCAL_TIME_ZONE.default:
        return None
    try:
        return time_zone(zone_id)
    except ValueError as error:
        raise ConfigurationError(f"{LOCAL_TIME_ZONE.key}: {error}") from None


def session_zone(configuration: Configuration) -> tzinfo:
    """Return the time zone of TIMESTAMP_LTZ, that of the machine unless ``table.local-time-zone`` is set."""
    return local_zone(configuration) or time_zone(zone_of_machine())
