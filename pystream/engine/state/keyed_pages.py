"""KeyedPages: the keyed state of one operator in pages; only those in use are in memory."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Set
from heapq import merge
from itertools import chain, groupby, pairwise
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from pystream.engine.keys import KeyPositions
from pystream.engine.state.keyed_content import KeyedContent, KeyedContents, earliest
from pystream.engine.state.page_store import PageStore
from pystream.engine.state.state_format import StateFormat

__all__ = ["OWN_PAGE", "RECENT_PAGE", "Directory", "KeyedPages", "PageEntry"]

OWN_PAGE = -1
"""The number of the page of an operator that holds no keys."""

RECENT_PAGE = -2
"""The number of the page of the keys that were used last."""

MAX_RECENT = 4_000
"""The highest number of keys in the page of recent keys."""

MAX_RECENT_BYTES = 512 << 10

MAX_ENTRIES = 1_000
MAX_BYTES = 128 << 10
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


Directory: TypeAlias = "tuple[list[Any], ...]"
"""The pages of ranges: their first positions, and a list for each field of ``PageEntry``.

A page ends where the next one starts, and the first starts at 0.
"""


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
        stored: how pages are stored.
    """

    def __init__(self, contents: KeyedContents, groups: int, stored: StateFormat) -> None:
        self._contents = contents
        self._format = stored
        self._positions = KeyPositions(groups)
        self._end = self._positions.end
        self._swept = -1

    def begin(self, store: PageStore, owner: str, directory: Directory) -> None:
        """Begin an epoch with the pages of a store; the directory of an empty one is empty, too."""
        self._contents.unload()
        self._store, self._owner = store, owner
        self._stored_recent = store.get(owner, RECENT_PAGE)
        self._superseded: dict[Hashable, None] = {}
        recent = KeyedContent.empty()
        if self._stored_recent is not None:
            stored, self._superseded = self._format.load(self._stored_recent)
            recent = self._migrated(stored)
            self._contents.add(recent)
        firsts, *entries = directory or ([], [])
        self._begin(dict(zip(firsts, map(PageEntry, *entries), strict=True)), recent)

    def _begin(self, directory: dict[int, PageEntry], recent: KeyedContent) -> None:
        """Begin with no page in memory but that of the recent keys."""
        self._directory = directory or {0: PageEntry()}
        self._firsts = sorted(self._directory)
        self._recent = self._slots_in(recent)
        self._used: set[Hashable] = set()
        self._loaded_singly: set[Hashable] = set()
        self._read: dict[int, tuple[bytes, KeyedContent]] = {}
        self._loaded: dict[int, bytes | None] = {}
        self._page_of: dict[Hashable, int] = {}
        self._entries = 0
        self._room = self._recent_that_fit()
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
        # difference() looks up in one set or plain dict; a second one, or a subclass, it passes over.
        unknown = new.difference(self._page_of).difference(self._recent).difference(self._superseded)
        if not unknown:
            return
        pages = {slot: self._range_of(slot) for slot in unknown}
        if self._uses_many:
            self._load(pages.values())
            self._page_of.update(pages)
            return
        self._loaded_singly |= unknown
        by_page: defaultdict[int, set[Hashable]] = defaultdict(set)
        for slot, page in pages.items():
            by_page[page].add(slot)
        partly = by_page.keys() - self._loaded.keys()
        self._read_pages(partly)
        for page in partly:
            self._load_keys(page, by_page[page])

    def load_due(self, watermark: int) -> None:
        """Load the pages in which something is due in event time."""
        if self._first_event is not None and self._first_event <= watermark:
            self._load(
                page
                for page, entry in self._directory.items()
                if entry.event_time is not None and entry.event_time <= watermark
            )

    def load_due_in_processing_time(self, now: int) -> None:
        """Load the pages in which something is due in processing time."""
        if self._first_processing is not None and self._first_processing <= now:
            self._load(
                page
                for page, entry in self._directory.items()
                if entry.processing_time is not None and entry.processing_time <= now
            )

    def each(self) -> Iterator[None]:
        """Load all pages in turn, a bounded number at a time; yield after each step."""
        self._fold(0)
        self.write_back()
        for page in list(self._firsts):
            self._load([page])
            yield
            self.write_back()

    def sweep(self) -> None:
        """Load the next page in turn, so that expired values are removed even from keys that are not used."""
        firsts = self._firsts
        self._swept = firsts[bisect_right(firsts, self._swept) % len(firsts)]
        self._load([self._swept])

    @property
    def first_processing_time(self) -> int | None:
        """The processing time from which something is due in a page that is not loaded."""
        return self._first_processing

    def count_unloaded(self) -> int:
        """Count the entries that are not loaded."""
        return sum(entry.entries for page, entry in self._directory.items() if page not in self._loaded)

    def count_bytes(self) -> int:
        """Return the size of all pages, as they were last written."""
        return len(self._stored_recent or b"") + sum(entry.size for entry in self._directory.values())

    def write_back(self) -> Directory:
        """Write the pages that have changed, unload all but the recent keys, and return the directory."""
        contents, directory = self._contents, self._directory
        self._versions = contents.versions()
        self._fold(0 if self._uses_many else self._room)
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
            if part is None or not self._write(page, ends[page], part, stored):
                del directory[page]
                if stored is not None:
                    self._store.remove(self._owner, page)
        if self._loaded:
            contents.unload()
            contents.add(recent)
        self._begin(directory, recent)
        return list(self._directory), *map(list, zip(*self._directory.values(), strict=True))

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

    def _load(self, pages: Iterable[int]) -> None:
        """Load pages, all of whose keys may change."""
        missing = set(pages).difference(self._loaded)
        self._read_pages(missing)
        for page in sorted(missing):
            self._loaded[page], content = self._read.pop(page, (None, KeyedContent.empty()))
            self._page_of.update(dict.fromkeys(self._slots_in(content), page))
            self._contents.add(content)
        self._note_due()

    def _load_keys(self, page: int, slots: set[Hashable]) -> None:
        """Load those of some keys that are in a page, if it was stored and read."""
        if page not in self._read:
            return
        stored, content = self._read[page]
        parts = self._contents.split(content, slots.__contains__)
        rest = parts.get(False, KeyedContent.empty())
        self._read[page] = stored, rest
        if True in parts:
            self._directory[page] = self._entry(rest, self._directory[page].size)
            self._superseded.update(dict.fromkeys(self._slots_in(parts[True])))
            self._contents.add(parts[True])

    def _read_pages(self, pages: Set[int]) -> None:
        """Read those of some pages that are stored, and have not been read yet."""
        unread = pages - self._read.keys()
        if len(unread) > 1 and len(unread) >= len(self._firsts) // 2:
            stored: Mapping[int, bytes | None] = self._store.get_all(self._owner)
        else:
            stored = {page: self._store.get(self._owner, page) for page in unread}
        for page in unread:
            found = stored.get(page)
            if found is not None:
                content = self._content(found)
                self._read[page] = found, content
                self._entries += self._contents.count_in(content)

    def _content(self, stored: bytes) -> KeyedContent:
        """Return the content of the page of a range without that of recent keys."""
        content = self._migrated(self._format.load(stored))
        superseded = self._superseded
        if not superseded or superseded.keys().isdisjoint(self._slots_in(content)):
            return content
        return self._contents.split(content, superseded.__contains__).get(False, KeyedContent.empty())

    @property
    def _uses_many(self) -> bool:
        """Whether the epoch has used more keys than the page of recent keys can hold."""
        return len(self._used) > self._room

    def _recent_that_fit(self) -> int:
        """Return the number of recent keys whose state probably fits into their page."""
        entries = sum(entry.entries for entry in self._directory.values())
        size = sum(entry.size for entry in self._directory.values())
        return min(MAX_RECENT, MAX_RECENT_BYTES * max(1, entries) // max(1, size))

    def _fold(self, most: int) -> None:
        """Halve a number of recent keys that is too high: move some to the pages of their ranges."""
        recent = self._without_range()
        left = len(recent)
        if left <= most:
            return
        folded = []
        for page, count in Counter(map(self._range_of, recent)).most_common():
            if left <= most // 2:
                break
            folded.append(page)
            left -= count
        self._load(folded)

    def _parts(self) -> dict[int, KeyedContent]:
        """Divide what is loaded among the pages."""
        content = self._contents.content()
        if not self._loaded:
            return {RECENT_PAGE: content}
        for slot in self._without_range():
            page = self._range_of(slot)
            if page in self._loaded:
                self._page_of[slot] = page
                self._superseded.pop(slot, None)
        return self._contents.split(content, _Pages(self._page_of).__getitem__)

    def _without_range(self) -> set[Hashable]:
        """Return the keys that are to be recent ones, unless the pages of their ranges are loaded."""
        return self._recent.union(self._loaded_singly, self._superseded).difference(self._page_of)

    def _range_of(self, slot: Hashable) -> int:
        return self._firsts[bisect_right(self._firsts, self._positions[slot], 1) - 1]

    def _dumped_recent(self, content: KeyedContent) -> bytes:
        """Return the page of recent keys, empty if there are none."""
        if not self._superseded and not any(content):
            return b""
        return self._format.dump(((*content, self._versions), self._superseded), content.tables)

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
        data = self._format.dump((*content, self._versions), content.tables)
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
        pages = [entry for page, entry in self._directory.items() if page not in self._loaded]
        self._first_event = earliest(*(entry.event_time for entry in pages))
        self._first_processing = earliest(*(entry.processing_time for entry in pages))

    def _stored_parts(self) -> Iterator[tuple[int, KeyedContent]]:
        """Yield the contents of the pages of ranges by key group, in order."""
        for page in self._firsts:
            stored = self._store.get(self._owner, page)
            if stored is not None:
                parts = self._contents.split(self._content(stored), self._positions.group_of)
                for group in sorted(parts):
                    yield group, parts[group]

    def _migrated(self, stored: tuple[Any, ...]) -> KeyedContent:
        *parts, versions = stored
        content = KeyedContent(*parts)
        if versions != self._contents.versions():
            self._contents.migrate(content, versions)
        return content

    def _slots_in(self, content: KeyedContent) -> set[Hashable]:
        return set(chain.from_iterable(self._contents.slots_in(content)))


class _Pages(dict[Hashable, int]):
    """The page of each key; the recent keys are missing."""

    def __missing__(self, slot: Hashable) -> int:
        return RECENT_PAGE
