"""The kinds of keyed state, as user functions see them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from pystream.engine.state.descriptors import (
        AggregatingStateDescriptor,
        ListStateDescriptor,
        MapStateDescriptor,
        ReducingStateDescriptor,
        ValueStateDescriptor,
    )

__all__ = [
    "AggregatingState",
    "AppendingState",
    "KeyedStateStore",
    "ListState",
    "MapState",
    "MergingState",
    "ReadableMap",
    "ReducingState",
    "State",
    "ValueState",
    "WritableMap",
]

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")
IN = TypeVar("IN")
OUT = TypeVar("OUT")
# Any would be what a descriptor made in the call is solved by, so that its own mistakes are not seen.
ACC = TypeVar("ACC")


class State(ABC):
    """State of the current key; another key sees another one.

    Mirrors ``org.apache.flink.api.common.state.State``.
    """

    @abstractmethod
    def clear(self) -> None:
        """Remove the value of the current key."""


class ValueState(State, Generic[T]):
    """One value a key. Mirrors ``org.apache.flink.api.common.state.ValueState``."""

    @abstractmethod
    def value(self) -> T | None:
        """Return the value, ``None`` if there is none."""

    @abstractmethod
    def update(self, value: T | None) -> None:
        """Replace the value; ``None`` removes it.

        Raises:
            TypeCheckError: it does not fit the descriptor's type.
        """


class AppendingState(State, Generic[IN, OUT]):
    """State that values are added to. Mirrors ``org.apache.flink.api.common.state.AppendingState``."""

    @abstractmethod
    def get(self) -> OUT:
        """Return the result of the values added."""

    @abstractmethod
    def add(self, value: IN) -> None:
        """Add a value.

        Raises:
            TypeCheckError: it does not fit the descriptor's type.
        """


class MergingState(AppendingState[IN, OUT]):
    """State that can be merged, as session windows do. Mirrors ``…common.state.MergingState``."""


class ListState(MergingState[T, Iterable[T]]):
    """A list a key. Mirrors ``org.apache.flink.api.common.state.ListState``."""

    @abstractmethod
    def get(self) -> Iterable[T]:
        """Return the elements in the order they were added; empty if there are none."""

    @abstractmethod
    def add_all(self, values: list[T]) -> None:
        """Add all values in their order."""

    @abstractmethod
    def update(self, values: list[T]) -> None:
        """Replace the list."""

    def __iter__(self) -> Iterator[T]:
        return iter(self.get())


class ReadableMap(ABC, Generic[K, V]):
    """The reading half of a mapping."""

    @abstractmethod
    def get(self, key: K) -> V | None:
        """Return the value of an entry, ``None`` if there is none."""

    @abstractmethod
    def contains(self, key: K) -> bool:
        """Tell whether there is an entry."""

    @abstractmethod
    def items(self) -> Iterable[tuple[K, V]]:
        """Return the entries in the order they were first set; they may be changed meanwhile."""

    @abstractmethod
    def keys(self) -> Iterable[K]:
        """Return the keys of the entries."""

    @abstractmethod
    def values(self) -> Iterable[V]:
        """Return the values of the entries."""

    @abstractmethod
    def is_empty(self) -> bool:
        """Tell whether there are no entries."""

    def __getitem__(self, key: K) -> V | None:
        return self.get(key)

    def __contains__(self, key: K) -> bool:
        return self.contains(key)

    def __iter__(self) -> Iterator[K]:
        return iter(self.keys())


class WritableMap(ReadableMap[K, V]):
    """A mapping to read and write."""

    @abstractmethod
    def put(self, key: K, value: V) -> None:
        """Set an entry.

        Raises:
            TypeCheckError: the key or the value does not fit the descriptor's type.
        """

    @abstractmethod
    def put_all(self, dict_value: dict[K, V]) -> None:
        """Set all entries of a dict."""

    @abstractmethod
    def remove(self, key: K) -> None:
        """Remove an entry; nothing happens if there is none."""

    def __setitem__(self, key: K, value: V) -> None:
        self.put(key, value)

    def __delitem__(self, key: K) -> None:
        self.remove(key)


class MapState(WritableMap[K, V], State):
    """A mapping a key. Mirrors ``org.apache.flink.api.common.state.MapState``."""

    @abstractmethod
    def put(self, key: K, value: V | None) -> None:
        """Set an entry; ``None`` is a value as any other.

        Raises:
            TypeCheckError: the key or the value does not fit the descriptor's type.
        """


class ReducingState(MergingState[T, "T | None"]):
    """Values folded by a reduce function. Mirrors ``org.apache.flink.api.common.state.ReducingState``."""


class AggregatingState(MergingState[IN, "OUT | None"], Generic[IN, OUT]):
    """Values folded by an aggregate function; ``get`` returns its result.

    Mirrors ``org.apache.flink.api.common.state.AggregatingState``.
    """


class KeyedStateStore(ABC):
    """Give the states that descriptors name. Mirrors ``…api.common.state.KeyedStateStore``.

    Every method raises a ``StateAccessError`` where the stream has no keys.
    """

    @abstractmethod
    def get_state(self, state_descriptor: ValueStateDescriptor[T]) -> ValueState[T]:
        """Return a state of one value a key."""

    @abstractmethod
    def get_list_state(self, state_descriptor: ListStateDescriptor[T]) -> ListState[T]:
        """Return a state of a list a key."""

    @abstractmethod
    def get_map_state(self, state_descriptor: MapStateDescriptor[K, V]) -> MapState[K, V]:
        """Return a state of a mapping a key."""

    @abstractmethod
    def get_reducing_state(self, state_descriptor: ReducingStateDescriptor[T]) -> ReducingState[T]:
        """Return a state that folds values with a reduce function."""

    @abstractmethod
    def get_aggregating_state(
        self,
        state_descriptor: AggregatingStateDescriptor[IN, ACC, OUT],  # pyright: ignore[reportInvalidTypeVarUse]
    ) -> AggregatingState[IN, OUT]:
        """Return a state that folds values with an aggregate function."""
