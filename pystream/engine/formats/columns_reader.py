"""The interface of formats that read many messages at once into columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pystream.engine.vectorised.columns import ColumnValues

__all__ = ["FEWEST_AT_ONCE", "ColumnsReader", "UnreadError", "read_at_once"]

FEWEST_AT_ONCE = 512
"""The fewest messages to read at once: the fixed cost of columns is that of some hundred read one by one."""


class UnreadError(Exception):
    """Messages are to be read one by one."""


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


def read_at_once(reader: ColumnsReader | None, messages: Sequence[bytes]) -> ColumnValues | None:
    """Return the elements in messages as columns, ``None`` if they are to be read one by one.

    Args:
        reader: reads many messages at once, ``None`` if nothing does.
        messages: the messages.
    """
    return None if reader is None or len(messages) < FEWEST_AT_ONCE else reader.of_messages(messages)
