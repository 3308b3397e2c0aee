"""Broadcast state: maps that every subtask holds a copy of, in memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, TypeVar

from pystream.engine.state.checks import check_of
from pystream.engine.state.errors import StateAccessError
from pystream.engine.state.map_state import EntriesOf, MapStateDescriptor, ReadableMap, WritableMap
from pystream.engine.state.state import State

__all__ = ["BroadcastState", "BroadcastStates", "OperatorStateStore", "ReadOnlyBroadcastState"]

K = TypeVar("K")
V = TypeVar("V")

_Entries = dict[Any, Any]


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

    def put_all(self, dict_value: dict[Any, Any]) -> None:
        """Set all entries of a dict, or none of them if one does not fit."""
        self._held.update(
            [(self._check_key(key), self._check_value(value)) for key, value in dict_value.items()]
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

    def snapshot(self) -> dict[str, _Entries]:
        """Return all entries by state; the dicts are live and must be pickled before they change."""
        return self._entries

    def restore(self, entries: dict[str, _Entries]) -> None:
        """Restore the entries of a snapshot; those of states that no longer exist are dropped."""
        for name, own in self._entries.items():
            own.clear()
            own.update(entries.get(name, {}))
