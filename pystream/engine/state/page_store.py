"""PageStore: the snapshots of one subtask, in pages that are read and written one at a time."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

__all__ = ["MemoryPageStore", "PageStore"]


class PageStore(Protocol):
    """The snapshots of one subtask at the end of the last epoch, and the changes of the current one.

    Pages are numbered by their owner, such as the uid of an operator.
    """

    def get(self, owner: str, page: int) -> bytes | None:
        """Return the content of a page, ``None`` if there is none."""
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

    def put(self, owner: str, page: int, content: bytes) -> None:
        """Store a page."""
        self.pages[owner, page] = content

    def remove(self, owner: str, page: int) -> None:
        """Remove a page, if it exists."""
        self.pages.pop((owner, page), None)
