"""The interface of formats that read many messages at once into columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pystream.engine.vectorised.columns import ColumnValues

__all__ = ["ColumnsReader"]


class ColumnsReader(Protocol):
    """Reads messages at once, if the elements are certainly those that they have one by one; picklable."""

    def of_messages(self, messages: Sequence[bytes]) -> ColumnValues | None:
        """Return the elements in messages as columns, ``None`` if they are to be read one by one."""
        ...

    def of_lines(self, lines: bytes) -> ColumnValues | None:
        """Return the elements in lines, a message each, as columns, or ``None`` as `of_messages` does.

        Args:
            lines: not empty; each line, save perhaps the last one, ends with a line feed.
        """
        ...
