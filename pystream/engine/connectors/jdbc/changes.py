"""Changes of the rows of a table that has a primary key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from pystream.engine.connectors.jdbc.batches import Batch, BoundStatement
from pystream.engine.connectors.jdbc.sink import Buffer, JdbcOutput
from typeinfo.row import Row, RowKind

__all__ = ["ChangesOutput"]

_REMOVES = (RowKind.DELETE, RowKind.UPDATE_BEFORE)


@dataclass(frozen=True, slots=True)
class ChangesOutput(JdbcOutput):
    """A sink for the changes of a table: the last one of each key is what is executed.

    Attributes:
        upsert: inserts a row, or replaces that with the same key.
        delete: deletes the row with the same key.
        key: the fields of the key.
    """

    upsert: BoundStatement
    delete: BoundStatement
    key: tuple[int, ...]

    def buffer(self) -> Buffer:
        """Return the last changes by key."""
        return _Changes(self)


class _Changes(Buffer):
    """The last change of each key.

    The row before an update is deleted only if no row after it follows, as where the update changes the
    key; so it waits for the end of the epoch.
    """

    def __init__(self, output: ChangesOutput) -> None:
        self._output = output
        self._ready: dict[tuple[Any, ...], Row[Any]] = {}
        self._waiting: dict[tuple[Any, ...], Row[Any]] = {}

    def add(self, elements: Sequence[Row[Any]]) -> None:
        for row in elements:
            key = tuple(row[position] for position in self._output.key)
            if row.get_row_kind() is RowKind.UPDATE_BEFORE:
                self._ready.pop(key, None)
                self._waiting[key] = row
            else:
                self._waiting.pop(key, None)
                self._ready[key] = row

    def __len__(self) -> int:
        return len(self._ready) + len(self._waiting)

    def take(self, limit: int, *, at_end: bool) -> list[Batch]:
        if at_end:
            self._ready.update(self._waiting)
            self._waiting.clear()
        keys = list(islice(self._ready, limit))
        rows = [self._ready.pop(key) for key in keys]
        return [
            Batch(self._output.delete, [tuple(row) for row in rows if row.get_row_kind() in _REMOVES]),
            Batch(self._output.upsert, [tuple(row) for row in rows if row.get_row_kind() not in _REMOVES]),
        ]
