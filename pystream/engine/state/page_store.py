"""PageStore: the snapshots of one subtask, in pages."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

__all__ = ["CountedPageStore", "MemoryPageStore", "PageStore"]


class PageStore(Protocol):
    """The snapshots of one subtask at the end of the last epoch, and the changes of the current one.

    Pages are numbered by their owner, such as the uid of an operator.
    """

    def get(self, owner: str, page: int) -> bytes | None:
        """Return the content of a page, ``None`` if there is none."""
        ...

    def get_all(self, owner: str) -> Mapping[int, bytes]:
        """Return all pages of an owner by number: faster than one at a time, unless few are needed."""
        ...

    def put(self, owner: str, page: int, content: bytes) -> None:
        """Store a page."""
        ...

    def remove(self, owner: str, page: int) -> None:
        """Remove a page, if it exists."""
        ...


class MemoryPageStore:
    """Pages in memory.

    Args:
        pages: the pages at the start, by owner and number; they are copied.
    """

    def __init__(self, pages: Mapping[tuple[str, int], bytes] = MappingProxyType({})) -> None:
        self.pages: dict[tuple[str, int], bytes] = dict(pages)

    def get(self, owner: str, page: int) -> bytes | None:
        """Return the content of a page, ``None`` if there is none."""
        return self.pages.get((owner, page))

    def get_all(self, owner: str) -> Mapping[int, bytes]:
        """Return all pages of an owner by number."""
        return {page: content for (of, page), content in self.pages.items() if of == owner}

    def put(self, owner: str, page: int, content: bytes) -> None:
        """Store a page."""
        self.pages[owner, page] = content

    def remove(self, owner: str, page: int) -> None:
        """Remove a page, if it exists."""
        self.pages.pop((owner, page), None)


class CountedPageStore:
    """Count the bytes that are written to another store.

    Args:
        store: the other store.

    Attributes:
        written: the size of all pages stored.
    """

    def __init__(self, store: PageStore) -> None:
        self._store = store
        self.written: int = 0

    def get(self, owner: str, page: int) -> bytes | None:
        """Return the content of a page, ``None`` if there is none."""
        return self._store.get(owner, page)

    def get_all(self, owner: str) -> Mapping[int, bytes]:
        """Return all pages of an owner by number."""
        return self._store.get_all(owner)

    def put(self, owner: str, page: int, content: bytes) -> None:
        """Store a page."""
        self.written += len(content)
        self._store.put(owner, page, content)

    def remove(self, owner: str, page: int) -> None:
        """Remove a page, if it exists."""
        self._store.remove(owner, page)
