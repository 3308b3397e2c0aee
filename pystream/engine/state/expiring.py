"""State whose values expire: each is stored with the time it was last renewed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pystream.engine.state.heap import Check, Scope, SlotState, Table
from pystream.engine.state.interfaces import ListState, MapState, ValueState
from pystream.engine.state.ttl import StateTtlConfig
from pystream.engine.time.clock import Clock

__all__ = ["Expiry", "ExpiringListState", "ExpiringMapState", "ExpiringValueState", "drop_expired"]

_Stamped = tuple[Any, int]


class Expiry:
    """Tells which stamped values have expired, and renews them."""

    __slots__ = ("_clock", "_renewed_by_reading", "_shown", "_ttl")

    def __init__(self, config: StateTtlConfig, clock: Clock) -> None:
        self._clock = clock
        self._ttl = config.get_ttl().to_milliseconds()
        self._shown = (
            config.get_state_visibility() is StateTtlConfig.StateVisibility.ReturnExpiredIfNotCleanedUp
        )
        self._renewed_by_reading = config.get_update_type() is StateTtlConfig.UpdateType.OnReadAndWrite

    def stamped(self, value: Any) -> _Stamped:
        """Return a value as it is stored."""
        return value, self._clock.now()

    def is_over(self, stored: _Stamped) -> bool:
        """Tell whether a value has expired."""
        return stored[1] + self._ttl <= self._clock.now()

    def read(self, stored: _Stamped) -> tuple[bool, _Stamped | None]:
        """Return whether a value is visible, and the value to store after reading, ``None`` to remove it."""
        if self.is_over(stored):
            return self._shown, None
        return True, self.stamped(stored[0]) if self._renewed_by_reading else stored


def drop_expired(table: Table, kind: type[Any], expiry: Expiry) -> None:
    """Remove expired values from the table of a state of some kind, even if they are still visible."""
    for slot, stored in list(table.items()):
        if issubclass(kind, ListState):
            stored[:] = [entry for entry in stored if not expiry.is_over(entry)]
            is_gone = not stored
        elif issubclass(kind, MapState):
            for key in [key for key, entry in stored.items() if expiry.is_over(entry)]:
                del stored[key]
            is_gone = not stored
        else:
            is_gone = expiry.is_over(stored)
        if is_gone:
            del table[slot]


class _ExpiringState(SlotState):
    __slots__ = ("_expiry",)

    def __init__(self, table: Table, scope: Scope, check: Check, expiry: Expiry) -> None:
        super().__init__(table, scope, check)
        self._expiry = expiry


class ExpiringValueState(_ExpiringState, ValueState[Any]):
    """A value a slot."""

    __slots__ = ()

    def value(self) -> Any:
        """Return the value, ``None`` if there is none that may be seen."""
        stored = self._table.get(self._scope.slot)
        if stored is None:
            return None
        shown, kept = self._expiry.read(stored)
        if kept is None:
            self.clear()
        else:
            self._table[self._scope.slot] = kept
        return stored[0] if shown else None

    def update(self, value: Any) -> None:
        """Replace the value and renew it; ``None`` removes it."""
        if value is None:
            self.clear()
        else:
            self._table[self._scope.slot] = self._expiry.stamped(self._check(value))


class ExpiringListState(_ExpiringState, ListState[Any]):
    """A list a slot, each element expiring by itself."""

    __slots__ = ()

    def get(self) -> Iterable[Any]:
        """Return the elements that may be seen, in the order they were added."""
        read = [(entry[0], *self._expiry.read(entry)) for entry in self._table.get(self._scope.slot, ())]
        self._store([kept for _, _, kept in read if kept is not None])
        return [value for value, shown, _ in read if shown]

    def add(self, value: Any) -> None:
        """Add an element."""
        self.add_all([value])

    def add_all(self, values: list[Any]) -> None:
        """Add elements in their order."""
        stamped = [self._expiry.stamped(self._check(value)) for value in values]
        if stamped:
            self._table.setdefault(self._scope.slot, []).extend(stamped)

    def update(self, values: list[Any]) -> None:
        """Replace the list."""
        self._store([self._expiry.stamped(self._check(value)) for value in values])

    def _store(self, entries: list[_Stamped]) -> None:
        if entries:
            self._table[self._scope.slot] = entries
        else:
            self.clear()


class ExpiringMapState(_ExpiringState, MapState[Any, Any]):
    """A dict a slot, each entry expiring by itself."""

    __slots__ = ("_check_key",)

    def __init__(
        self, table: Table, scope: Scope, check_key: Check, check_value: Check, expiry: Expiry
    ) -> None:
        super().__init__(table, scope, check_value, expiry)
        self._check_key = check_key

    def get(self, key: Any) -> Any:
        """Return the value of an entry, ``None`` if there is none that may be seen."""
        return next((value for _, value in self._read([key])), None)

    def put(self, key: Any, value: Any) -> None:
        """Set an entry and renew it."""
        key, stamped = self._check_key(key), self._expiry.stamped(self._check(value))
        self._table.setdefault(self._scope.slot, {})[key] = stamped

    def put_all(self, dict_value: dict[Any, Any]) -> None:
        """Set all entries of a dict."""
        for key, value in dict_value.items():
            self.put(key, value)

    def remove(self, key: Any) -> None:
        """Remove an entry; nothing happens if there is none."""
        entries = self._table.get(self._scope.slot, {})
        if key in entries:
            del entries[key]
            if not entries:
                self.clear()

    def contains(self, key: Any) -> bool:
        """Tell whether there is an entry that may be seen."""
        return bool(self._read([key]))

    def items(self) -> Iterable[tuple[Any, Any]]:
        """Return the entries that may be seen."""
        return self._read(list(self._table.get(self._scope.slot, ())))

    def keys(self) -> Iterable[Any]:
        """Return the keys of the entries that may be seen."""
        return [key for key, _ in self.items()]

    def values(self) -> Iterable[Any]:
        """Return the values of the entries that may be seen."""
        return [value for _, value in self.items()]

    def is_empty(self) -> bool:
        """Tell whether there are no entries that may be seen."""
        return not self.items()

    def _read(self, keys: list[Any]) -> list[tuple[Any, Any]]:
        entries: dict[Any, _Stamped] = self._table.get(self._scope.slot, {})
        seen: list[tuple[Any, Any]] = []
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
                seen.append((key, stored[0]))
        return seen
