"""MapState: state that holds a map per key; and the interfaces of readable and writable maps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

from pystream.engine.state.checks import check_of
from pystream.engine.state.slots import Check, Expiry, SlotScope, Stamped, Table
from pystream.engine.state.state import SlotState, State, StateDescriptor
from pystream.errors import ArgumentTypeError
from typeinfo.arguments import checks_arguments
from typeinfo.collection import MapTypeInfo
from typeinfo.errors import TypeCheckError, short_repr
from typeinfo.info import TypeInformation

__all__ = ["EntriesOf", "MapState", "MapStateDescriptor", "ReadableMap", "WritableMap", "entries_of"]

K = TypeVar("K")
V = TypeVar("V")

_NO_ENTRIES: dict[Any, Any] = {}


class ReadableMap(ABC, Generic[K, V]):
    """A map that can be read."""

    @abstractmethod
    def get(self, key: K) -> V | None:
        """Return the value of an entry, ``None`` if there is none."""

    @abstractmethod
    def contains(self, key: K) -> bool:
        """Return whether there is an entry."""

    @abstractmethod
    def items(self) -> Iterable[tuple[K, V]]:
        """Return the entries in the order they were first set; the map may change during iteration."""

    @abstractmethod
    def keys(self) -> Iterable[K]:
        """Return the keys of the entries."""

    @abstractmethod
    def values(self) -> Iterable[V]:
        """Return the values of the entries."""

    @abstractmethod
    def is_empty(self) -> bool:
        """Return whether the map is empty."""

    def __getitem__(self, key: K) -> V | None:
        return self.get(key)

    def __contains__(self, key: K) -> bool:
        return self.contains(key)

    def __iter__(self) -> Iterator[K]:
        return iter(self.keys())


class WritableMap(ReadableMap[K, V]):
    """A map that can be read and written."""

    @abstractmethod
    def put(self, key: K, value: V) -> None:
        """Set an entry.

        Raises:
            TypeCheckError: the key or the value does not fit the descriptor's type.
        """

    @abstractmethod
    def put_all(self, dict_value: Mapping[K, V] | Iterable[tuple[K, V]]) -> None:
        """Set all entries of a dict, or of pairs of key and value.

        Raises:
            TypeCheckError: it is neither, or a key or value does not fit the descriptor's type.
        """

    @abstractmethod
    def remove(self, key: K) -> None:
        """Remove an entry, if it exists."""

    def __setitem__(self, key: K, value: V) -> None:
        self.put(key, value)

    def __delitem__(self, key: K) -> None:
        self.remove(key)


def entries_of(entries: Mapping[K, V] | Iterable[tuple[K, V]]) -> Iterable[tuple[K, V]]:
    """Return the pairs of key and value that ``put_all`` sets.

    Raises:
        TypeCheckError: these are neither a mapping nor pairs.
    """
    try:
        return dict(entries).items()
    except (TypeError, ValueError) as error:
        raise TypeCheckError(
            f"put_all takes a dict or pairs of key and value, not {short_repr(entries)}: {error}"
        ) from None


class MapState(WritableMap[K, V], State):
    """State that holds a map per key. Mirrors ``org.apache.flink.api.common.state.MapState``."""

    @abstractmethod
    def put(self, key: K, value: V | None) -> None:
        """Set an entry; ``None`` is an ordinary value.

        Raises:
            TypeCheckError: the key or the value does not fit the descriptor's type.
        """


@checks_arguments(ArgumentTypeError, methods=False)
class MapStateDescriptor(StateDescriptor[Any, MapState[K, V]], Generic[K, V]):
    """Descriptor of a MapState. Mirrors ``…api.common.state.MapStateDescriptor``."""

    KIND: ClassVar[str] = "MapState"

    def __init__(
        self, name: str, key_type_info: TypeInformation[K], value_type_info: TypeInformation[V]
    ) -> None:
        super().__init__(name, MapTypeInfo(key_type_info, value_type_info))
        self.key_type_info = key_type_info
        self.value_type_info = value_type_info

    def state(self, table: Table, scope: SlotScope, expiry: Expiry | None) -> MapState[K, V]:
        checks = check_of(self.key_type_info), _check_nullable(self.value_type_info)
        if expiry is None:
            return HeapMapState(table, scope, *checks)
        return ExpiringMapState(table, scope, *checks, expiry)

    def drop_expired(self, table: Table, expiry: Expiry) -> None:
        """Remove expired entries from all mappings."""
        for slot, stored in list(table.items()):
            for key in [key for key, entry in stored.items() if expiry.is_over(entry)]:
                del stored[key]
            if not stored:
                del table[slot]


def _check_nullable(type_info: TypeInformation[Any]) -> Check:
    """Return a function that validates the values of a map, which may also be ``None``."""
    return partial(_conformed_or_none, check_of(type_info))


def _conformed_or_none(check: Check, value: Any) -> Any:
    return None if value is None else check(value)


class EntriesOf(ReadableMap[Any, Any]):
    """Implement the reading methods of a map over a dict."""

    __slots__ = ()

    @abstractmethod
    def _entries(self) -> dict[Any, Any]:
        """Return the current dict."""

    def get(self, key: Any) -> Any:
        return self._entries().get(key)

    def contains(self, key: Any) -> bool:
        return key in self._entries()

    def items(self) -> Iterable[tuple[Any, Any]]:
        return list(self._entries().items())

    def keys(self) -> Iterable[Any]:
        return list(self._entries())

    def values(self) -> Iterable[Any]:
        return list(self._entries().values())

    def is_empty(self) -> bool:
        return not self._entries()


class HeapMapState(SlotState, EntriesOf, MapState[Any, Any]):
    """One dict per slot; the table holds no empty dicts."""

    __slots__ = ("_check_key",)

    def __init__(self, table: Table, scope: SlotScope, check_key: Check, check_value: Check) -> None:
        super().__init__(table, scope, check_value)
        self._check_key = check_key

    def _entries(self) -> dict[Any, Any]:
        entries: dict[Any, Any] = self._table.get(self._scope.slot, _NO_ENTRIES)
        return entries

    def put(self, key: Any, value: Any) -> None:
        key, value = self._check_key(key), self._check(value)
        self._table.setdefault(self._scope.slot, {})[key] = value

    def put_all(self, dict_value: Mapping[Any, Any] | Iterable[tuple[Any, Any]]) -> None:
        for key, value in entries_of(dict_value):
            self.put(key, value)

    def remove(self, key: Any) -> None:
        entries = self._table.get(self._scope.slot, _NO_ENTRIES)
        if key in entries:
            del entries[key]
            if not entries:
                self.clear()


class ExpiringMapState(HeapMapState):
    """One dict per slot, whose entries expire individually."""

    __slots__ = ("_expiry",)

    def __init__(
        self, table: Table, scope: SlotScope, check_key: Check, check_value: Check, expiry: Expiry
    ) -> None:
        super().__init__(table, scope, check_key, expiry.stamping(check_value))
        self._expiry = expiry

    def get(self, key: Any) -> Any:
        return self._read([key]).get(key)

    def contains(self, key: Any) -> bool:
        return bool(self._read([key]))

    def _entries(self) -> dict[Any, Any]:
        return self._read(list(self._table.get(self._scope.slot, ())))

    def _read(self, keys: list[Any]) -> dict[Any, Any]:
        """Return the visible entries for some keys; renew entries that are read, and remove expired ones."""
        entries: dict[Any, Stamped] = self._table.get(self._scope.slot, {})
        visible: dict[Any, Any] = {}
        for key in keys:
            stored = entries.get(key)
            if stored is None:
                continue
            shown, kept = self._expiry.read(stored)
            if kept is None:
                self.remove(key)
            else:
                entries[key] = kept
            if shown:
                visible[key] = stored[0]
        return visible
