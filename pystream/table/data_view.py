"""Lists and maps in the accumulators of aggregate functions, under their module name in PyFlink."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, Sequence, ValuesView
from typing import Generic, TypeVar

__all__ = ["DataView", "ListView", "MapView"]

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")


class DataView(ABC):
    """Base class of data views. Mirrors ``org.apache.flink.table.api.dataview.DataView``."""

    @abstractmethod
    def clear(self) -> None:
        """Remove all that the view has."""


class ListView(DataView, Generic[T]):
    """A list in an accumulator, which is stored with it.

    Mirrors ``org.apache.flink.table.api.dataview.ListView``.
    """

    def __init__(self) -> None:
        self._list: list[T] = []

    def get(self) -> Sequence[T]:
        """Return the values, in the order in which they were added."""
        return self._list

    def add(self, value: T) -> None:
        """Add a value at the end."""
        self._list.append(value)

    def add_all(self, values: Iterable[T]) -> None:
        """Add values at the end."""
        self._list.extend(values)

    def clear(self) -> None:
        """Remove all values."""
        self._list.clear()

    def __iter__(self) -> Iterator[T]:
        return iter(self._list)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ListView) and self._list == other._list

    def __repr__(self) -> str:
        return f"ListView({self._list})"


class MapView(DataView, Generic[K, V]):
    """A map in an accumulator, which is stored with it.

    Mirrors ``org.apache.flink.table.api.dataview.MapView``.
    """

    def __init__(self) -> None:
        self._dict: dict[K, V] = {}

    def get(self, key: K) -> V | None:
        """Return the value of a key, ``None`` if it has none."""
        return self._dict.get(key)

    def put(self, key: K, value: V) -> None:
        """Set the value of a key."""
        self._dict[key] = value

    def put_all(self, dict_value: Mapping[K, V]) -> None:
        """Set the values of some keys."""
        self._dict.update(dict_value)

    def remove(self, key: K) -> None:
        """Remove a key, if the map has it."""
        self._dict.pop(key, None)

    def contains(self, key: K) -> bool:
        """Return whether a key has a value."""
        return key in self._dict

    def items(self) -> ItemsView[K, V]:
        """Return the keys with their values."""
        return self._dict.items()

    def keys(self) -> KeysView[K]:
        """Return the keys."""
        return self._dict.keys()

    def values(self) -> ValuesView[V]:
        """Return the values."""
        return self._dict.values()

    def is_empty(self) -> bool:
        """Return whether no key has a value."""
        return not self._dict

    def clear(self) -> None:
        """Remove all keys."""
        self._dict.clear()

    def __getitem__(self, key: K) -> V | None:
        return self.get(key)

    def __setitem__(self, key: K, value: V) -> None:
        self.put(key, value)

    def __delitem__(self, key: K) -> None:
        self.remove(key)

    def __contains__(self, key: object) -> bool:
        return key in self._dict

    def __iter__(self) -> Iterator[K]:
        return iter(self._dict)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MapView) and self._dict == other._dict

    def __repr__(self) -> str:
        return f"MapView({self._dict})"
