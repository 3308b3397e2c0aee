"""The time to live of the state of queries."""

from __future__ import annotations

from typing import Any, TypeVar

from pystream.common.time import Time
from pystream.datastream.state import StateDescriptor, StateTtlConfig
from pystream.settings.options import STATE_TTL
from pystream.table.table import Table

__all__ = ["expiring", "state_ttl"]

D = TypeVar("D", bound=StateDescriptor[Any, Any])


def expiring(descriptor: D, ttl: Time | None) -> D:
    """Return a descriptor, modified: with a time to live that is renewed by writing, as Flink's queries have.

    Args:
        descriptor: the descriptor.
        ttl: the time to live; ``None`` for state that never expires.

    Raises:
        TimeToLiveError: the time to live is not positive.
    """
    if ttl is not None:
        descriptor.enable_time_to_live(StateTtlConfig.new_builder(ttl).build())
    return descriptor


def state_ttl(table: Table) -> Time | None:
    """Return the time to live of the state of queries, ``None`` if it never expires."""
    configuration = table._environment.get_config().get_configuration()
    ttl = configuration.get(STATE_TTL)
    return Time.milliseconds(ttl.to_millis()) if ttl.to_millis() else None
