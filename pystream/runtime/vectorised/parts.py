"""Batches of columns in parts that become Python values in the processor's cache, and put together again."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from pystream.runtime.events import Elements
from pystream.runtime.vectorised.columns import ColumnValues

__all__ = ["in_cache", "joined", "slices"]

_BYTES = 256 << 10  # of columns; the values made of them take some five times as much
_FEWEST = 256  # with fewer elements a part, what each column costs a part would tell


def slices(batch: pa.RecordBatch) -> Iterator[slice]:
    """Yield the parts of a batch, in order, that are each to become Python values at once.

    A function called for each element of rows of 30 fields is half as fast again where the values of one part
    are made, used and written before those of the next.
    """
    count = batch.num_rows
    length = max(_FEWEST, count * _BYTES // max(1, batch.nbytes))
    return (slice(start, min(start + length, count)) for start in range(0, count, length))


def in_cache(elements: Elements) -> Iterator[Elements]:
    """Yield elements in parts that are each to become Python values at once, if they are columns."""
    values, timestamps = elements.values, elements.timestamps
    if not isinstance(values, ColumnValues):
        yield elements
        return
    for part in slices(values.batch):
        times = None if timestamps is None else timestamps[part]
        yield elements._replace(values=values[part], timestamps=times)


def joined(batches: list[pa.RecordBatch]) -> list[pa.RecordBatch]:
    """Return batches of one schema as one, or as few as Arrow can hold."""
    if len(batches) < 2:
        return batches
    return pa.Table.from_batches(batches).combine_chunks().to_batches()
