"""The time to live of the state of queries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from pystream.common.time import Time
from pystream.datastream.state import StateDescriptor, StateTtlConfig
from pystream.settings.options import STATE_TTL

if TYPE_CHECKING:
    from pystream.table.table import Table
    from pystream.table.table_environment import TableEnvironment

__all__ = ["expiring", "state_ttl", "time_to_live", "ttl_millis"]

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
    return time_to_live(ttl_millis(table._environment))


def time_to_live(millis: int) -> Time | None:
    """Return the time to live of a number of milliseconds, ``None`` for 0, which is for ever."""
    return Time.milliseconds(millis) if millis else None


def ttl_millis(environment: TableEnvironment) -> int:
    """Return the time to live of the state of queries in milliseconds, 0 if it never expires."""
    return environment.get_config().get_configuration().get(STATE_TTL).to_millis()
