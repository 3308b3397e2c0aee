"""Broadcast state: maps that every subtask holds a copy of, in memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from pystream.engine.state.checks import check_of
from pystream.engine.state.errors import StateAccessError
from pystream.engine.state.evolution import StateType, StateTypes
from pystream.engine.state.map_state import (
    EntriesOf,
    MapStateDescriptor,
    ReadableMap,
    WritableMap,
    entries_of,
)
from pystream.engine.state.state import State
from typeinfo.info import TypeInformation

__all__ = [
    "BROADCAST_STATE",
    "BroadcastSnapshot",
    "BroadcastState",
    "BroadcastStates",
    "OperatorStateStore",
    "ReadOnlyBroadcastState",
    "declared_types",
]

BROADCAST_STATE = "broadcast:"
"""Prefix of the names of broadcast states, where they are listed with the keyed states of an operator."""

K = TypeVar("K")
V = TypeVar("V")

_Entries = dict[Any, Any]

BroadcastSnapshot: TypeAlias = "tuple[dict[str, _Entries], Mapping[str, Sequence[StateType]]]"
"""The entries and the types of broadcast states, by name."""


class OperatorStateStore(ABC):
    """Access to the operator state of a function, which is independent of keys.

    Mirrors ``org.apache.flink.api.common.state.OperatorStateStore``.
    """

    __slots__ = ()

    @abstractmethod
    def get_broadcast_state(self, state_descriptor: MapStateDescriptor[K, V]) -> BroadcastState[K, V]:
        """Return a writable broadcast state.

        Raises:
            StateAccessError: the stream was not broadcast with such a descriptor.
        """


class ReadOnlyBroadcastState(ReadableMap[K, V]):
    """A broadcast state, read-only for the elements of the other stream.

    A value must not be changed either: another subtask would not see that. Mirrors
    ``org.apache.flink.api.common.state.ReadOnlyBroadcastState``.
    """


class BroadcastState(ReadOnlyBroadcastState[K, V], WritableMap[K, V], State):
    """A map independent of keys, changed only by the elements of a broadcast stream.

    Every subtask gets all of these elements and holds a copy of its own; so their changes to the state must
    not depend on the subtask, nor on their order if they come from several subtasks. Mirrors
    ``org.apache.flink.api.common.state.BroadcastState``.
    """

    @abstractmethod
    def clear(self) -> None:
        """Remove all entries."""


class _ReadOnlyView(EntriesOf, ReadOnlyBroadcastState[Any, Any]):
    __slots__ = ("_held",)

    def __init__(self, entries: _Entries) -> None:
        self._held = entries

    def _entries(self) -> _Entries:
        return self._held


class _HeapBroadcastState(_ReadOnlyView, BroadcastState[Any, Any]):
    __slots__ = ("_check_key", "_check_value")

    def __init__(self, entries: _Entries, descriptor: MapStateDescriptor[Any, Any]) -> None:
        super().__init__(entries)
        self._check_key = check_of(descriptor.key_type_info)
        self._check_value = check_of(descriptor.value_type_info)

    def put(self, key: Any, value: Any) -> None:
        key, value = self._check_key(key), self._check_value(value)
        self._held[key] = value

    def put_all(self, dict_value: Mapping[Any, Any] | Iterable[tuple[Any, Any]]) -> None:
        """Set all entries of a dict, or of pairs of key and value; none of them if one does not fit."""
        self._held.update(
            [(self._check_key(key), self._check_value(value)) for key, value in entries_of(dict_value)]
        )

    def remove(self, key: Any) -> None:
        self._held.pop(key, None)

    def clear(self) -> None:
        self._held.clear()


class BroadcastStates:
    """The broadcast states of one operator in one subtask.

    Args:
        descriptors: those the stream was broadcast with.
    """

    def __init__(self, descriptors: Sequence[MapStateDescriptor[Any, Any]]) -> None:
        self._types = {descriptor.name: descriptor.type_info for descriptor in descriptors}
        self._history = StateTypes({name: [known] for name, known in declared_types(descriptors).items()})
        entries: dict[str, _Entries] = {name: {} for name in self._types}
        self._entries = entries
        self._states = {d.name: _HeapBroadcastState(entries[d.name], d) for d in descriptors}
        self._views = {name: _ReadOnlyView(entries[name]) for name in entries}

    def state(self, descriptor: MapStateDescriptor[K, V]) -> BroadcastState[K, V]:
        """Return a writable state.

        Raises:
            StateAccessError: the stream was not broadcast with such a descriptor.
        """
        return self._states[self._name(descriptor)]

    def view(self, descriptor: MapStateDescriptor[K, V]) -> ReadOnlyBroadcastState[K, V]:
        """Return a read-only state.

        Raises:
            StateAccessError: the stream was not broadcast with such a descriptor.
        """
        return self._views[self._name(descriptor)]

    def _name(self, descriptor: MapStateDescriptor[Any, Any]) -> str:
        found = self._types.get(descriptor.name)
        if found is None:
            known = ", ".join(map(repr, self._types))
            raise StateAccessError(
                f"there is no broadcast state {descriptor.name!r}; the stream was broadcast with {known}: "
                f"give broadcast() this descriptor too, or correct its name"
            )
        if found != descriptor.type_info:
            raise StateAccessError(
                f"broadcast state {descriptor.name!r} is a {found}, not a {descriptor.type_info}: use the "
                f"descriptor that broadcast() was given"
            )
        return descriptor.name

    @property
    def types(self) -> list[TypeInformation[Any]]:
        """The types of all states."""
        return [*self._types.values()]

    def history(self) -> dict[str, list[StateType]]:
        """Return the types that each state has had."""
        return self._history.history

    def snapshot(self) -> BroadcastSnapshot:
        """Return all entries by state, and the types; the dicts are live and must be pickled at once."""
        return self._entries, self._history.history

    def restore(self, snapshot: BroadcastSnapshot | None) -> None:
        """Restore the entries of a snapshot; those of states that no longer exist are dropped.

        Raises:
            StateMigrationError: the stored entries of a state cannot become those of its type.
        """
        entries, history = ({}, {}) if snapshot is None else snapshot
        self._history = StateTypes({name: types for name, types in history.items() if name in self._types})
        for name, own in self._entries.items():
            migration = self._history.register(name, _declared(self._types[name]))
            stored = entries.get(name, {})
            own.clear()
            own.update(stored if migration is None else migration(stored))


def declared_types(descriptors: Iterable[MapStateDescriptor[Any, Any]]) -> dict[str, StateType]:
    """Return the stored form of broadcast states by name."""
    return {descriptor.name: _declared(descriptor.type_info) for descriptor in descriptors}


def _declared(type_info: TypeInformation[Any]) -> StateType:
    return StateType("BroadcastState", type_info, expires=False)
