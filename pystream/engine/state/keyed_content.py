"""KeyedContent: the state and timers of some keys of an operator, which can be divided among pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, Protocol, TypeAlias

from pystream.engine.state.slots import Table
from pystream.engine.time.timers import Timers

__all__ = ["KeySlot", "KeyedContent", "KeyedContents", "Place", "divided", "divided_timers", "earliest"]

KeySlot: TypeAlias = "Callable[[Any], Hashable] | None"
"""Returns the slot of the key that a slot belongs to; ``None`` if that is the slot itself."""

Place: TypeAlias = Callable[[Hashable], Any]
"""Returns the part that the slot of a key belongs to, such as its page or its key group."""


class KeyedContent(NamedTuple):
    """The state and timers of some keys.

    Attributes:
        tables: the values of each state, by slot.
        event_timers: the timers in event time.
        processing_timers: the timers in processing time.
        keys: the keys whose slot is not the key itself, by slot, where the operator needs them.
    """

    tables: dict[str, Table]
    event_timers: Timers
    processing_timers: Timers
    keys: dict[Hashable, Any]

    @staticmethod
    def empty() -> KeyedContent:
        """Return the content of no keys."""
        return KeyedContent({}, {}, {}, {})

    @property
    def timer_count(self) -> int:
        """The number of timers."""
        return sum(map(len, self.event_timers.values())) + sum(map(len, self.processing_timers.values()))


class KeyedContents(Protocol):
    """Interface of operators whose state and timers can be loaded and unloaded by key."""

    def content(self) -> KeyedContent:
        """Return the loaded state and timers, without expired values; they are live."""
        ...

    def add(self, content: KeyedContent) -> None:
        """Load the state and timers of further keys."""
        ...

    def unload(self) -> None:
        """Remove all loaded state and timers."""
        ...

    def split(self, content: KeyedContent, place: Place) -> dict[Any, KeyedContent]:
        """Divide a content into parts by the slots of keys."""
        ...

    def slots_in(self, content: KeyedContent) -> Iterator[Iterable[Hashable]]:
        """Yield the slots of the keys in a content, some of them repeatedly."""
        ...

    def versions(self) -> dict[str, int]:
        """Return the number of the current type of each state whose type has changed."""
        ...

    def migrate(self, content: KeyedContent, versions: Mapping[str, int]) -> None:
        """Migrate the values in a content that were stored with earlier types."""
        ...

    def count_in(self, content: KeyedContent) -> int:
        """Return the number of entries of state in a content."""
        ...

    def due_in(self, content: KeyedContent) -> tuple[int | None, int | None]:
        """Return the earliest event time and processing time at which something in a content is due."""
        ...


def divided(table: Table, key_slot: KeySlot, place: Place) -> dict[Any, Table]:
    """Divide a table by the slots of keys."""
    parts: defaultdict[Any, Table] = defaultdict(dict)
    if key_slot is None:
        for slot, value in table.items():
            parts[place(slot)][slot] = value
    else:
        for slot, value in table.items():
            parts[place(key_slot(slot))][slot] = value
    return parts


def divided_timers(timers: Timers, key_slot: KeySlot, place: Place) -> dict[Any, Timers]:
    """Divide timers by the slots of keys."""
    parts: defaultdict[Any, Timers] = defaultdict(dict)
    for time, slots in timers.items():
        for slot, payload in slots.items():
            part = parts[place(slot if key_slot is None else key_slot(slot))]
            part.setdefault(time, {})[slot] = payload
    return parts


def earliest(*times: int | None) -> int | None:
    """Return the earliest of some times, ``None`` if there is none."""
    return min((time for time in times if time is not None), default=None)
