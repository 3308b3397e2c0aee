"""SortedColumns: the columns of bounded rows in an order, all of them or those of some ranks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pystream.engine.vectorised.columns import ColumnValues, Layout
from pystream.table.algebra.sorts import SortField
from pystream.table.streaming.column_parts import ROWS, ColumnParts, taken_rows
from pystream.table.streaming.column_ranks import has_ranks, ranks_of
from pystream.table.streaming.ordered_groups import sort_keys, sorted_positions

__all__ = ["SortedColumns"]


class SortedColumns(ColumnParts):
    """Rows in an order as `RowOrder`; those that are equal in it stay as they came.

    Of a number of first rows, no more than some times as many are kept.

    Args:
        order: the order; none for that in which rows came.
        first: the number of the first row of the results, from 0 on.
        last: the number after that of the last one; ``None`` for all.
    """

    def __init__(self, order: Sequence[SortField], first: int, last: int | None) -> None:
        super().__init__()
        self._order = tuple(order)
        self._first = first
        self._last = last

    def _reduce(self) -> None:
        if self._last is not None and self._count > max(ROWS, 4 * self._last):
            arrays, indices = self._sorted()
            self._keep(arrays, indices[: self._last])

    def _sorted(self) -> tuple[list[pa.Array], npt.NDArray[np.int64]]:
        """Return the columns of all rows, and the positions of the rows in order."""
        arrays = self._joined()
        if not self._order:
            return arrays, np.arange(len(arrays[0]))
        candidates = self._candidates(arrays)
        fields: list[tuple[pa.Array, bool]] = []
        for field in self._order:
            array = arrays[field.position]
            given = array if candidates is None else array.take(pa.array(candidates))
            fields.extend(sort_keys(given, field))
        indices = sorted_positions(fields, len(fields[0][0]))
        return arrays, indices if candidates is None else candidates[indices]

    def _candidates(self, arrays: Sequence[pa.Array]) -> npt.NDArray[np.int64] | None:
        """Return the positions of rows among which the first ones are, ``None`` for all.

        Others come after as many rows by the first field of the order already.
        """
        field = self._order[0]
        array = arrays[field.position]
        if not self._last or self._last >= len(array) or not has_ranks(array.type):
            return None
        ranks = ranks_of(array)
        if field.is_descending:
            ranks = ~ranks
        if array.null_count:
            bounds = np.iinfo(np.int64)
            ranks = np.where(array.is_null(), bounds.min if field.nulls_first else bounds.max, ranks)
        return np.flatnonzero(ranks <= np.partition(ranks, self._last - 1)[self._last - 1])

    def results(self, layout: Layout) -> Iterator[ColumnValues]:
        """Yield the rows of the results."""
        if not self._parts:
            return
        arrays, indices = self._sorted()
        self.state = []
        yield from taken_rows(layout, arrays, indices[self._first : self._last])
