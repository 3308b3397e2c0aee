"""Slots of state: the current key (and window), and the expiry of values."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from pystream.engine.state.errors import StateAccessError
from pystream.engine.state.ttl import StateTtlConfig
from pystream.engine.time.clock import Clock

__all__ = ["Check", "Expiry", "SlotScope", "Stamped", "Table"]

Table = dict[Hashable, Any]
Check = Callable[[Any], Any]
"""Returns a value normalised to its type, or raises a TypeCheckError."""
Stamped = tuple[Any, int]
"""A value and the time it was last renewed."""


class _NoSlot:
    def __hash__(self) -> int:
        raise StateAccessError(
            "there is no current key: state can be used while an element or a timer of a key is processed, "
            "not in open() or close()"
        )


class SlotScope:
    """The current slot: a key, or a key and a window."""

    __slots__ = ("slot",)

    def __init__(self) -> None:
        self.leave()

    slot: Hashable

    def leave(self) -> None:
        """Unset the current slot, so that access to state is an error."""
        self.slot = _NoSlot()


class Expiry:
    """The expiry of values, which are stored with a timestamp."""

    __slots__ = ("_clock", "_renewed_by_reading", "_shown", "_ttl")

    def __init__(self, config: StateTtlConfig, clock: Clock) -> None:
        self._clock = clock
        self._ttl = config.get_ttl().to_milliseconds()
        self._shown = (
            config.get_state_visibility() is StateTtlConfig.StateVisibility.ReturnExpiredIfNotCleanedUp
        )
        self._renewed_by_reading = config.get_update_type() is StateTtlConfig.UpdateType.OnReadAndWrite

    def stamping(self, check: Check) -> Check:
        """Return a function that validates a value and adds the current time, as values are stored."""
        return lambda value: (check(value), self._clock.now())

    def is_over(self, stored: Stamped) -> bool:
        """Return whether a value has expired."""
        return stored[1] + self._ttl <= self._clock.now()

    def read(self, stored: Stamped) -> tuple[bool, Stamped | None]:
        """Return whether a value is visible, and the value to store after reading, ``None`` to remove it."""
        if self.is_over(stored):
            return self._shown, None
        return True, (stored[0], self._clock.now()) if self._renewed_by_reading else stored
