"""Rows of tasks as the Arrow batches in which Spark carries them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from pystream.engine.exchange.rows import Item, OutputRow

__all__ = ["ROW_SCHEMA", "as_batches", "batch_of"]

_ARROW_TYPES = (pa.int32(), pa.int32(), pa.int32(), pa.int32(), pa.int64(), pa.binary())

ROW_SCHEMA = pa.schema(list(zip(OutputRow._fields, _ARROW_TYPES, strict=True)))
"""The columns of the rows that tasks exchange, one for each field of ``OutputRow``."""

_ROWS_PER_BATCH = 64
_BYTES_PER_BATCH = 4 << 20


def as_batches(items: Iterator[Item]) -> Iterator[pa.RecordBatch]:
    """Yield the output of a task as batches of bounded size."""
    rows: list[OutputRow] = []
    size = 0
    for item in items:
        if isinstance(item, pa.RecordBatch):
            yield item
            continue
        rows.append(item)
        size += len(item.payload)
        if len(rows) >= _ROWS_PER_BATCH or size >= _BYTES_PER_BATCH:
            yield batch_of(rows, ROW_SCHEMA)
            rows, size = [], 0
    if rows:
        yield batch_of(rows, ROW_SCHEMA)


def batch_of(rows: Sequence[tuple[Any, ...]], schema: pa.Schema) -> pa.RecordBatch:
    """Return rows, at least one, as a batch of a schema."""
    columns = zip(*rows, strict=True)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)
