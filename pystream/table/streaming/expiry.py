"""The time to live of the state of queries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from pystream.common.time import Time
from pystream.datastream.state import StateDescriptor, StateTtlConfig
from pystream.settings.options import STATE_TTL
from pystream.table.table import Table

if TYPE_CHECKING:
    from pystream.table.table_environment import TableEnvironment

__all__ = ["expiring", "has_state_ttl", "state_ttl"]

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
    millis = _ttl_millis(table._environment)
    return Time.milliseconds(millis) if millis else None


def has_state_ttl(environment: TableEnvironment) -> bool:
    """Return whether the state of queries expires."""
    return _ttl_millis(environment) > 0


def _ttl_millis(environment: TableEnvironment) -> int:
    return environment.get_config().get_configuration().get(STATE_TTL).to_millis()
