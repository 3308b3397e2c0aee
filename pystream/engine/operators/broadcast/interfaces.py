"""Broadcast state as user functions see it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, TypeVar

from pystream.engine.state.interfaces import ReadableMap, State, WritableMap

if TYPE_CHECKING:
    from pystream.engine.state.descriptors import MapStateDescriptor

__all__ = ["BroadcastState", "OperatorStateStore", "ReadOnlyBroadcastState"]

K = TypeVar("K")
V = TypeVar("V")


class OperatorStateStore(ABC):
    """Give access to the states of an operator that belong to no key.

    Mirrors ``org.apache.flink.api.common.state.OperatorStateStore``.
    """

    __slots__ = ()

    @abstractmethod
    def get_broadcast_state(self, state_descriptor: MapStateDescriptor[K, V]) -> BroadcastState[K, V]:
        """Return a broadcast state to read and write.

        Raises:
            StateAccessError: the stream was not broadcast with such a descriptor.
        """


class ReadOnlyBroadcastState(ReadableMap[K, V]):
    """A broadcast state as the function of the other stream's elements sees it.

    A value must not be changed either: another subtask would not see that. Mirrors
    ``org.apache.flink.api.common.state.ReadOnlyBroadcastState``.
    """


class BroadcastState(ReadOnlyBroadcastState[K, V], WritableMap[K, V], State):
    """A mapping that belongs to no key, changed by the elements of a broadcast stream alone.

    Every subtask gets all of these elements and holds a copy of its own; so what they do to the state must
    not depend on the subtask, nor on their order where they come from several subtasks. Mirrors
    ``org.apache.flink.api.common.state.BroadcastState``.
    """

    @abstractmethod
    def clear(self) -> None:
        """Remove all entries."""
