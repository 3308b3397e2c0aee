"""State in memory: one table a descriptor, an entry a slot."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable
from typing import Any

from pystream.engine.functions import AggregateFunction
from pystream.engine.state.errors import StateAccessError
from pystream.engine.state.interfaces import (
    AggregatingState,
    ListState,
    MapState,
    ReadableMap,
    ReducingState,
    State,
    ValueState,
)

__all__ = [
    "Check",
    "EntriesOf",
    "HeapAggregatingState",
    "HeapListState",
    "HeapMapState",
    "HeapReducingState",
    "HeapValueState",
    "Scope",
    "SlotState",
    "Table",
]

Table = dict[Hashable, Any]
Check = Callable[[Any], Any]
"""Returns a value as its type holds it, or raises a TypeCheckError."""


class _NoSlot:
    def __hash__(self) -> int:
        raise StateAccessError(
            "there is no current key: state can be used while an element or a timer of a key is worked on, "
            "not in open() or close()"
        )


class Scope:
    """The current slot: a key, or a key and a window."""

    __slots__ = ("slot",)

    def __init__(self) -> None:
        self.leave()

    slot: Hashable

    def leave(self) -> None:
        """Be in no slot, so that using state is an error."""
        self.slot = _NoSlot()


class SlotState(State):
    """State of the current slot, kept in a table.

    Args:
        table: the values of all slots.
        scope: the current slot.
        check: applied to values before they are stored.
    """

    __slots__ = ("_check", "_scope", "_table")

    def __init__(self, table: Table, scope: Scope, check: Check) -> None:
        self._table = table
        self._scope = scope
        self._check = check

    def clear(self) -> None:
        """Remove the state of the slot; unlike ``dict.pop`` this needs a slot even if the table is empty."""
        if self._scope.slot in self._table:
            del self._table[self._scope.slot]


class HeapValueState(SlotState, ValueState[Any]):
    """A value a slot."""

    __slots__ = ()

    def value(self) -> Any:
        """Return the value, ``None`` if there is none."""
        return self._table.get(self._scope.slot)

    def update(self, value: Any) -> None:
        """Replace the value; ``None`` removes it."""
        if value is None:
            self.clear()
        else:
            self._table[self._scope.slot] = self._check(value)


class HeapListState(SlotState, ListState[Any]):
    """A list a slot; the table keeps no empty ones."""

    __slots__ = ()

    def get(self) -> Iterable[Any]:
        """Return a copy of the list, so that it may be changed while it is read."""
        return list(self._table.get(self._scope.slot, ()))

    def add(self, value: Any) -> None:
        """Add an element."""
        value = self._check(value)
        self._table.setdefault(self._scope.slot, []).append(value)

    def add_all(self, values: list[Any]) -> None:
        """Add elements in their order."""
        checked = [self._check(value) for value in values]
        if checked:
            self._table.setdefault(self._scope.slot, []).extend(checked)

    def update(self, values: list[Any]) -> None:
        """Replace the list."""
        checked = [self._check(value) for value in values]
        self.clear()
        self.add_all(checked)


class EntriesOf(ReadableMap[Any, Any]):
    """The reading half of a mapping kept in a dict."""

    __slots__ = ()

    @abstractmethod
    def _entries(self) -> dict[Any, Any]:
        """Return the dict as it is now."""

    def get(self, key: Any) -> Any:
        """Return the value of an entry, ``None`` if there is none."""
        return self._entries().get(key)

    def contains(self, key: Any) -> bool:
        """Tell whether there is an entry."""
        return key in self._entries()

    def items(self) -> Iterable[tuple[Any, Any]]:
        """Return the entries, which may change while they are read."""
        return list(self._entries().items())

    def keys(self) -> Iterable[Any]:
        """Return the keys, which may change while they are read."""
        return list(self._entries())

    def values(self) -> Iterable[Any]:
        """Return the values, which may change while they are read."""
        return list(self._entries().values())

    def is_empty(self) -> bool:
        """Tell whether there are no entries."""
        return not self._entries()


class HeapMapState(SlotState, EntriesOf, MapState[Any, Any]):
    """A dict a slot; the table keeps no empty ones."""

    __slots__ = ("_check_key",)

    def __init__(self, table: Table, scope: Scope, check_key: Check, check_value: Check) -> None:
        super().__init__(table, scope, check_value)
        self._check_key = check_key

    def _entries(self) -> dict[Any, Any]:
        entries: dict[Any, Any] = self._table.get(self._scope.slot, _NO_ENTRIES)
        return entries

    def put(self, key: Any, value: Any) -> None:
        """Set an entry."""
        key, value = self._check_key(key), self._check(value)
        self._table.setdefault(self._scope.slot, {})[key] = value

    def put_all(self, dict_value: dict[Any, Any]) -> None:
        """Set all entries of a dict."""
        for key, value in dict_value.items():
            self.put(key, value)

    def remove(self, key: Any) -> None:
        """Remove an entry; nothing happens if there is none."""
        entries = self._entries()
        if key in entries:
            del entries[key]
            if not entries:
                self.clear()


class HeapReducingState(ReducingState[Any]):
    """A fold a slot, kept in a value state."""

    __slots__ = ("_fold", "_folded")

    def __init__(self, folded: ValueState[Any], fold: Callable[[Any, Any], Any]) -> None:
        self._folded = folded
        self._fold = fold

    def get(self) -> Any:
        """Return the fold, ``None`` if nothing was added."""
        return self._folded.value()

    def add(self, value: Any) -> None:
        """Fold a value in."""
        folded = self._folded.value()
        self._folded.update(value if folded is None else self._fold(folded, value))

    def clear(self) -> None:
        """Remove the fold."""
        self._folded.clear()


class HeapAggregatingState(AggregatingState[Any, Any]):
    """An accumulator a slot, kept in a value state."""

    __slots__ = ("_accumulated", "_aggregator")

    def __init__(self, accumulated: ValueState[Any], aggregator: AggregateFunction[Any, Any, Any]) -> None:
        self._accumulated = accumulated
        self._aggregator = aggregator

    def get(self) -> Any:
        """Return the result, ``None`` if nothing was added."""
        accumulator = self._accumulated.value()
        return None if accumulator is None else self._aggregator.get_result(accumulator)

    def add(self, value: Any) -> None:
        """Add a value."""
        accumulator = self._accumulated.value()
        if accumulator is None:
            accumulator = self._aggregator.create_accumulator()
        self._accumulated.update(self._aggregator.add(value, accumulator))

    def clear(self) -> None:
        """Remove the accumulator."""
        self._accumulated.clear()


_NO_ENTRIES: dict[Any, Any] = {}
