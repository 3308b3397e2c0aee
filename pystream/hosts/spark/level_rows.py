"""Rows between the levels of an unbounded job: those of tasks, with the label of the next level."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa

from pystream.engine.exchange.rows import OutputRow
from pystream.hosts.spark.levels import Routes
from pystream.hosts.spark.rows import ROW_SCHEMA, batch_of

__all__ = ["LABELLED_SCHEMA", "labelled", "labelled_batches"]

LABELLED_SCHEMA = pa.schema([pa.field("label", pa.int32()), *ROW_SCHEMA])
"""The columns of the rows between levels."""

_BYTES_PER_BATCH = 4 << 20


def labelled(row: OutputRow, routes: Routes | None) -> tuple[Any, ...]:
    """Return a row with the label that it has at the next level, 0 without a next level."""
    label = 0 if routes is None else routes.label(row.edge, row.target, row.channel)
    return (label, *row)


def labelled_batches(rows: Iterable[OutputRow], routes: Routes | None) -> Iterator[pa.RecordBatch]:
    """Yield rows with labels in batches of bounded size."""
    pending: list[tuple[Any, ...]] = []
    size = 0
    for row in rows:
        pending.append(labelled(row, routes))
        size += len(row.payload)
        if size >= _BYTES_PER_BATCH:
            yield batch_of(pending, LABELLED_SCHEMA)
            pending, size = [], 0
    if pending:
        yield batch_of(pending, LABELLED_SCHEMA)
