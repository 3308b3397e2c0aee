"""The time to live of the state of queries."""

from __future__ import annotations

from typing import Any, TypeVar

from pystream.common.time import Time
from pystream.datastream.state import StateDescriptor, StateTtlConfig

__all__ = ["expiring"]

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
