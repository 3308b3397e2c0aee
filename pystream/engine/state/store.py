"""KeyedStateStore: access to keyed state by descriptor."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, TypeVar

from pystream.engine.state.errors import StateAccessError
from typeinfo.errors import short_repr

if TYPE_CHECKING:
    from pystream.engine.state.aggregating_state import AggregatingState, AggregatingStateDescriptor
    from pystream.engine.state.list_state import ListState, ListStateDescriptor
    from pystream.engine.state.map_state import MapState, MapStateDescriptor
    from pystream.engine.state.reducing_state import ReducingState, ReducingStateDescriptor
    from pystream.engine.state.state import StateDescriptor
    from pystream.engine.state.value_state import ValueState, ValueStateDescriptor

__all__ = ["KeyedStateStore"]

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")
S = TypeVar("S")
D = TypeVar("D")
IN = TypeVar("IN")
OUT = TypeVar("OUT")
# With Any, mistakes in a descriptor created in the call would go unnoticed.
ACC = TypeVar("ACC")


class KeyedStateStore(ABC):
    """Access to keyed state by descriptor. Mirrors ``…api.common.state.KeyedStateStore``.

    Every method raises a ``StateAccessError`` if the stream has no keys or the descriptor is of another
    kind.
    """

    def get_state(self, state_descriptor: ValueStateDescriptor[T]) -> ValueState[T]:
        """Return a value state."""
        return self._state(_of_kind(state_descriptor, "ValueState", "get_state"))

    def get_list_state(self, state_descriptor: ListStateDescriptor[T]) -> ListState[T]:
        """Return a list state."""
        return self._state(_of_kind(state_descriptor, "ListState", "get_list_state"))

    def get_map_state(self, state_descriptor: MapStateDescriptor[K, V]) -> MapState[K, V]:
        """Return a map state."""
        return self._state(_of_kind(state_descriptor, "MapState", "get_map_state"))

    def get_reducing_state(self, state_descriptor: ReducingStateDescriptor[T]) -> ReducingState[T]:
        """Return a reducing state."""
        return self._state(_of_kind(state_descriptor, "ReducingState", "get_reducing_state"))

    def get_aggregating_state(
        self,
        state_descriptor: AggregatingStateDescriptor[IN, ACC, OUT],  # pyright: ignore[reportInvalidTypeVarUse]
    ) -> AggregatingState[IN, OUT]:
        """Return an aggregating state."""
        return self._state(_of_kind(state_descriptor, "AggregatingState", "get_aggregating_state"))

    @abstractmethod
    def _state(self, descriptor: StateDescriptor[Any, S]) -> S:
        """Return the state of a descriptor."""


def _of_kind(descriptor: D, kind: str, method: str) -> D:
    if getattr(descriptor, "KIND", None) != kind:
        raise StateAccessError(f"{method} takes a {kind}Descriptor, not {short_repr(descriptor)}")
    return descriptor
