"""KeyedPages: the keyed state of one operator in pages, of which only those in use are in memory."""

from __future__ import annotations

import pickle
from bisect import bisect_right
from collections.abc import Hashable, Iterable, Iterator
from itertools import chain, pairwise
from typing import NamedTuple, TypeAlias

from pystream.engine.keys import KeyPositions
from pystream.engine.state.keyed_content import KeyedContent, KeyedContents, earliest
from pystream.engine.state.page_store import PageStore
from typeinfo.pickling import dump_state

__all__ = ["OWN_PAGE", "Directory", "KeyedPages", "PageEntry"]

OWN_PAGE = -1
"""The number of the page of an operator that holds no keys."""

MAX_ENTRIES = 250
MAX_BYTES = 64 << 10
MAX_LOADED = 1_000_000
"""The number of entries in memory from which pages are written back before further ones are loaded."""


class PageEntry(NamedTuple):
    """A page in the directory.

    Attributes:
        event_time: the event time from which something in it is due, ``None`` for never.
        processing_time: the processing time from which something in it is due.
        entries: the number of its entries of state.
        size: in bytes.
    """

    event_time: int | None = None
    processing_time: int | None = None
    entries: int = 0
    size: int = 0


Directory: TypeAlias = "dict[int, PageEntry]"
"""The pages by their first position; a page ends where the next one starts, and the first starts at 0."""


class KeyedPages:
    """The pages of one operator: each holds the state and timers of the keys in a range of positions.

    Pages are loaded when their keys are used or their timers due, and written back at the end of the epoch.
    A page that has grown too large is split in the middle of its range; an empty one is removed.

    Args:
        contents: the operator, which holds what is loaded.
        groups: the number of key groups.
    """

    def __init__(self, contents: KeyedContents, groups: int) -> None:
        self._contents = contents
        self._positions = KeyPositions(groups)
        self._end = self._positions.end
        self._swept = -1

    def begin(self, store: PageStore, owner: str, directory: Directory) -> None:
        """Begin an epoch with the pages of a store."""
        self._contents.unload()
        self._store, self._owner = store, owner
        self._directory = directory or {0: PageEntry()}
        self._firsts = sorted(self._directory)
        self._loaded: dict[int, bytes | None] = {}
        self._page_of: dict[Hashable, int] = {}
        self._entries = 0
        self._note_due()

    def touch(self, slots: Iterable[Hashable]) -> None:
        """Load the pages of keys."""
        slots = set(slots)
        new = slots.difference(self._page_of)
        if not new:
            return
        if self._entries >= MAX_LOADED:
            self.write_back()
            new = slots
        self._entries += len(new)
        firsts, positions = self._firsts, self._positions
        pages = {slot: firsts[bisect_right(firsts, positions[slot], 1) - 1] for slot in new}
        self._page_of.update(pages)
        for page in set(pages.values()).difference(self._loaded):
            self._load(page)

    def load_due(self, watermark: int) -> None:
        """Load the pages in which something is due in event time."""
        if self._first_event is not None and self._first_event <= watermark:
            self._load_all(
                page
                for page, entry in self._directory.items()
                if entry.event_time is not None and entry.event_time <= watermark
            )

    def load_due_in_processing_time(self, now: int) -> None:
        """Load the pages in which something is due in processing time."""
        if self._first_processing is not None and self._first_processing <= now:
            self._load_all(
                page
                for page, entry in self._directory.items()
                if entry.processing_time is not None and entry.processing_time <= now
            )

    def each(self) -> Iterator[None]:
        """Load all pages in turn, a bounded number at a time; yield after each step."""
        loaded = sorted(self._loaded)
        if loaded:
            yield
        seen = set(loaded)
        for page in list(self._firsts):
            if page not in seen:
                self.write_back()
                self._load(page)
                yield

    def sweep(self) -> None:
        """Load the next page in turn, so that expired values are removed even from keys that are not used."""
        firsts = self._firsts
        self._swept = firsts[bisect_right(firsts, self._swept) % len(firsts)]
        if self._swept not in self._loaded:
            self._load(self._swept)

    @property
    def first_processing_time(self) -> int | None:
        """The processing time from which something is due in a page that is not loaded."""
        return self._first_processing

    def count_unloaded(self) -> int:
        """Count the entries in pages that are not loaded."""
        return sum(entry.entries for page, entry in self._directory.items() if page not in self._loaded)

    def count_bytes(self) -> int:
        """Return the size of all pages, as they were last written."""
        return sum(entry.size for entry in self._directory.values())

    def write_back(self) -> Directory:
        """Write the loaded pages that have changed, unload all, and return the directory."""
        contents, directory = self._contents, self._directory
        self._versions = contents.versions()
        parts = contents.split(contents.content(), self._page_of.__getitem__)
        ends = dict(zip(self._firsts, [*self._firsts[1:], self._end], strict=True))
        for page, stored in self._loaded.items():
            part = parts.get(page)
            if part is None or not self._write(page, ends[page], part, stored):
                del directory[page]
                if stored is not None:
                    self._store.remove(self._owner, page)
        contents.unload()
        kept = directory
        self.begin(self._store, self._owner, directory)
        return kept

    def by_group(self) -> Iterator[tuple[int, list[KeyedContent]]]:
        """Yield the contents of each key group, in order; no page must be loaded."""
        group_of = self._positions.group_of
        group = 0
        found: list[KeyedContent] = []
        for page in self._firsts:
            stored = self._store.get(self._owner, page)
            parts = {} if stored is None else self._contents.split(self._read(stored), group_of)
            for number in sorted(parts):
                if number != group and found:
                    yield group, found
                    found = []
                group = number
                found.append(parts[number])
        if found:
            yield group, found

    def add(self, content: KeyedContent) -> None:
        """Add the state and timers of further keys."""
        self.touch(chain.from_iterable(self._contents.slots_in(content)))
        self._contents.add(content)

    def _load_all(self, pages: Iterable[int]) -> None:
        for page in sorted(set(pages).difference(self._loaded)):
            self._load(page)
        self._note_due()

    def _load(self, page: int) -> None:
        stored = self._loaded[page] = self._store.get(self._owner, page)
        if stored is None:
            return
        content = self._read(stored)
        before = len(self._page_of)
        for slots in self._contents.slots_in(content):
            self._page_of.update(dict.fromkeys(slots, page))
        self._entries += len(self._page_of) - before
        self._contents.add(content)

    def _write(self, first: int, end: int, content: KeyedContent, stored: bytes | None) -> bool:
        """Write a content as a page, or as several if it is too large; return whether the first exists."""
        entries = self._contents.count_in(content)
        size = entries + content.timer_count
        if size > MAX_ENTRIES and end - first > 1:
            return self._write_split(first, end, content, stored, -(-size // MAX_ENTRIES))
        data = dump_state((*content, self._versions))
        if len(data) > MAX_BYTES and end - first > 1 and entries > 1:
            return self._write_split(first, end, content, stored, -(-len(data) // MAX_BYTES))
        if data != stored:
            self._store.put(self._owner, first, data)
        self._directory[first] = PageEntry(*self._contents.due_in(content), entries, len(data))
        return True

    def _write_split(
        self, first: int, end: int, content: KeyedContent, stored: bytes | None, pieces: int
    ) -> bool:
        """Halve the range of a page until there are enough pieces."""
        bounds = [first, end]
        while len(bounds) <= pieces and any(b - a > 1 for a, b in pairwise(bounds)):
            bounds = sorted({*bounds, *((a + b) // 2 for a, b in pairwise(bounds))})
        positions = self._positions
        parts = self._contents.split(content, lambda slot: bisect_right(bounds, positions[slot], 1) - 1)
        has_first = False
        for number, part in parts.items():
            exists = self._write(bounds[number], bounds[number + 1], part, None if number else stored)
            has_first = has_first or (number == 0 and exists)
        return has_first

    def _note_due(self) -> None:
        unloaded = [entry for page, entry in self._directory.items() if page not in self._loaded]
        self._first_event = earliest(*(entry.event_time for entry in unloaded))
        self._first_processing = earliest(*(entry.processing_time for entry in unloaded))

    def _read(self, stored: bytes) -> KeyedContent:
        *parts, versions = pickle.loads(stored)
        content = KeyedContent(*parts)
        if versions != self._contents.versions():
            self._contents.migrate(content, versions)
        return content
