"""KeyedPages: the keyed state of one operator in pages, of which only those in use are in memory."""

from __future__ import annotations

import pickle
from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from heapq import merge
from itertools import chain, groupby, pairwise
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from pystream.engine.keys import KeyPositions
from pystream.engine.state.keyed_content import KeyedContent, KeyedContents, earliest
from pystream.engine.state.page_store import PageStore
from typeinfo.pickling import dump_state

__all__ = ["OWN_PAGE", "RECENT_PAGE", "Directory", "KeyedPages", "PageEntry"]

OWN_PAGE = -1
"""The number of the page of an operator that holds no keys."""

RECENT_PAGE = -2
"""The number of the page of the keys that were used last."""

MAX_RECENT = 4_000
"""The highest number of keys in the page of recent keys."""

MAX_RECENT_BYTES = 512 << 10

MAX_ENTRIES = 250
MAX_BYTES = 64 << 10
MAX_LOADED = 1_000_000
"""The number of entries in memory from which pages are written back before further ones are loaded."""


class PageEntry(NamedTuple):
    """A page in the directory; of its keys, those among the recent ones do not count.

    Attributes:
        event_time: the event time from which something in it is due, ``None`` for never.
        processing_time: the processing time from which something in it is due.
        entries: the number of its entries of state.
        size: in bytes, those of all keys.
    """

    event_time: int | None = None
    processing_time: int | None = None
    entries: int = 0
    size: int = 0


Directory: TypeAlias = "dict[int, PageEntry]"
"""The pages of ranges by first position; a page ends where the next one begins, and the first begins at 0."""


class KeyedPages:
    """The pages of one operator: each holds the state and timers of the keys in a range of positions.

    Pages are loaded when their keys are used or their timers due. The keys that were used last have a page of
    their own, which is always in memory: what an epoch writes depends on the keys that it uses, not on those
    that are stored. When there are too many recent keys, those of the ranges with most of them move to the
    pages of their ranges. A page of a range that has grown too large is split in the middle of its range; an
    empty one is removed.

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
        self._stored_recent = store.get(owner, RECENT_PAGE)
        self._superseded: dict[Hashable, None] = {}
        recent = KeyedContent.empty()
        if self._stored_recent is not None:
            stored, self._superseded = pickle.loads(self._stored_recent)
            recent = self._content_of(stored)
            self._contents.add(recent)
        self._begin(directory, recent)

    def _begin(self, directory: Directory, recent: KeyedContent) -> None:
        """Begin with no page in memory but that of the recent keys."""
        self._directory = directory or {0: PageEntry()}
        self._firsts = sorted(self._directory)
        self._recent = self._slots_in(recent)
        self._used: set[Hashable] = set()
        self._loaded: dict[int, bytes | None] = {}
        self._rewritten: set[int] = set()
        self._page_of: dict[Hashable, int] = {}
        self._entries = 0
        self._note_due()

    def touch(self, slots: Iterable[Hashable]) -> None:
        """Load the pages of keys."""
        slots = set(slots)
        new = slots.difference(self._used)
        if not new:
            return
        if self._entries >= MAX_LOADED:
            self.write_back()
            new = slots
        self._used |= new
        self._entries += len(new)
        unknown = new.difference(self._recent, self._superseded)
        pages = {slot: self._range_of(slot) for slot in unknown.difference(self._page_of)}
        for page in set(pages.values()).difference(self._loaded):
            self._load(page)
        self._superseded.update(dict.fromkeys(unknown.intersection(self._page_of)))
        self._page_of.update(pages)

    def load_due(self, watermark: int) -> None:
        """Load the pages in which something is due in event time."""
        if self._first_event is not None and self._first_event <= watermark:
            self._rewrite(
                page
                for page, entry in self._directory.items()
                if entry.event_time is not None and entry.event_time <= watermark
            )

    def load_due_in_processing_time(self, now: int) -> None:
        """Load the pages in which something is due in processing time."""
        if self._first_processing is not None and self._first_processing <= now:
            self._rewrite(
                page
                for page, entry in self._directory.items()
                if entry.processing_time is not None and entry.processing_time <= now
            )

    def each(self) -> Iterator[None]:
        """Load all pages in turn, a bounded number at a time; yield after each step."""
        self._fold(0)
        self.write_back()
        for page in list(self._firsts):
            self._rewrite([page])
            yield
            self.write_back()

    def sweep(self) -> None:
        """Load the next page in turn, so that expired values are removed even from keys that are not used."""
        firsts = self._firsts
        self._swept = firsts[bisect_right(firsts, self._swept) % len(firsts)]
        self._rewrite([self._swept])

    @property
    def first_processing_time(self) -> int | None:
        """The processing time from which something is due in a page that is not loaded."""
        return self._first_processing

    def count_unloaded(self) -> int:
        """Count the entries in pages that are not loaded."""
        return sum(entry.entries for page, entry in self._directory.items() if page not in self._loaded)

    def count_bytes(self) -> int:
        """Return the size of all pages, as they were last written."""
        return len(self._stored_recent or b"") + sum(entry.size for entry in self._directory.values())

    def write_back(self) -> Directory:
        """Write the pages that have changed, unload all but the recent keys, and return the directory."""
        contents, directory = self._contents, self._directory
        self._versions = contents.versions()
        self._fold(self._room())
        parts = self._parts()
        recent = parts.pop(RECENT_PAGE, KeyedContent.empty())
        data = self._dumped_recent(recent)
        if len(data) > MAX_RECENT_BYTES:
            self._fold(0)
            parts = self._parts()
            recent = KeyedContent.empty()
            data = self._dumped_recent(recent)
        if data != (self._stored_recent or b""):
            self._put_recent(data)
        ends = dict(zip(self._firsts, [*self._firsts[1:], self._end], strict=True))
        for page, stored in self._loaded.items():
            part = parts.get(page)
            if page not in self._rewritten:
                part = part or KeyedContent.empty()
                directory[page] = self._entry(part, directory[page].size)
            elif part is None or not self._write(page, ends[page], part, stored):
                del directory[page]
                if stored is not None:
                    self._store.remove(self._owner, page)
        if self._loaded:
            contents.unload()
            contents.add(recent)
        self._begin(directory, recent)
        return directory

    def by_group(self) -> Iterator[tuple[int, list[KeyedContent]]]:
        """Yield the contents of each key group, in order; no page but that of recent keys may be loaded."""
        recent = self._contents.split(self._contents.content(), self._positions.group_of)
        parts = merge(self._stored_parts(), sorted(recent.items()), key=itemgetter(0))
        for group, found in groupby(parts, key=itemgetter(0)):
            yield group, [content for _, content in found]

    def add(self, content: KeyedContent) -> None:
        """Add the state and timers of further keys."""
        self.touch(self._slots_in(content))
        self._contents.add(content)

    def _rewrite(self, pages: Iterable[int]) -> None:
        """Load pages, all of whose keys may change."""
        pages = sorted(set(pages).difference(self._rewritten))
        self._rewritten.update(pages)
        for page in pages:
            if page not in self._loaded:
                self._load(page)
        self._note_due()

    def _load(self, page: int) -> None:
        stored = self._loaded[page] = self._store.get(self._owner, page)
        if stored is None:
            return
        content = self._current(self._content_of(pickle.loads(stored)))
        before = len(self._page_of)
        for slots in self._contents.slots_in(content):
            self._page_of.update(dict.fromkeys(slots, page))
        self._entries += len(self._page_of) - before
        self._contents.add(content)

    def _current(self, content: KeyedContent) -> KeyedContent:
        """Return a content of the page of a range without that of recent keys."""
        superseded = self._superseded
        if superseded.keys().isdisjoint(self._slots_in(content)):
            return content
        return self._contents.split(content, superseded.__contains__).get(False, KeyedContent.empty())

    def _room(self) -> int:
        """Return the number of recent keys whose state probably fits into a page."""
        entries = sum(entry.entries for entry in self._directory.values())
        size = sum(entry.size for entry in self._directory.values())
        return min(MAX_RECENT, MAX_RECENT_BYTES * max(1, entries) // max(1, size))

    def _fold(self, most: int) -> None:
        """Move recent keys to the pages of their ranges until at most so many are left."""
        recent = self._recent.union(self._used, self._superseded)
        left = len(recent)
        if left <= most:
            return
        folded = []
        for page, count in Counter(map(self._page, recent)).most_common():
            if left <= most // 2:
                break
            folded.append(page)
            left -= count
        self._rewrite(folded)

    def _parts(self) -> dict[int, KeyedContent]:
        """Divide what is loaded among the pages."""
        rewritten, recent = self._rewritten, self._recent | self._used
        if rewritten:
            self._superseded = {slot: None for slot in self._superseded if self._page(slot) not in rewritten}
        content = self._contents.content()
        if not self._loaded:
            return {RECENT_PAGE: content}

        def place(slot: Hashable) -> int:
            page = self._page(slot)
            return RECENT_PAGE if slot in recent and page not in rewritten else page

        return self._contents.split(content, place)

    def _page(self, slot: Hashable) -> int:
        """Return the page of the range of a key."""
        page = self._page_of.get(slot)
        return self._range_of(slot) if page is None else page

    def _range_of(self, slot: Hashable) -> int:
        return self._firsts[bisect_right(self._firsts, self._positions[slot], 1) - 1]

    def _dumped_recent(self, content: KeyedContent) -> bytes:
        """Return the page of recent keys, empty if there are none."""
        if not self._superseded and not any(content):
            return b""
        return dump_state(((*content, self._versions), self._superseded))

    def _put_recent(self, data: bytes) -> None:
        if data:
            self._store.put(self._owner, RECENT_PAGE, data)
        else:
            self._store.remove(self._owner, RECENT_PAGE)
        self._stored_recent = data or None

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
        self._directory[first] = self._entry(content, len(data))
        return True

    def _entry(self, content: KeyedContent, size: int) -> PageEntry:
        return PageEntry(*self._contents.due_in(content), self._contents.count_in(content), size)

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
        pages = [entry for page, entry in self._directory.items() if page not in self._rewritten]
        self._first_event = earliest(*(entry.event_time for entry in pages))
        self._first_processing = earliest(*(entry.processing_time for entry in pages))

    def _stored_parts(self) -> Iterator[tuple[int, KeyedContent]]:
        """Yield the contents of the pages of ranges by key group, in order."""
        for page in self._firsts:
            stored = self._store.get(self._owner, page)
            if stored is not None:
                content = self._current(self._content_of(pickle.loads(stored)))
                parts = self._contents.split(content, self._positions.group_of)
                for group in sorted(parts):
                    yield group, parts[group]

    def _content_of(self, stored: tuple[Any, ...]) -> KeyedContent:
        *parts, versions = stored
        content = KeyedContent(*parts)
        if versions != self._contents.versions():
            self._contents.migrate(content, versions)
        return content

    def _slots_in(self, content: KeyedContent) -> set[Hashable]:
        return set(chain.from_iterable(self._contents.slots_in(content)))
