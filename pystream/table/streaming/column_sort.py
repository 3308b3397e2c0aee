"""SortedColumns: the columns of bounded rows in an order, all of them or those of some ranks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pystream.engine.vectorised.columns import Column, ColumnValues, Layout
from pystream.table.algebra.ranks import SortField
from pystream.table.streaming.column_ranks import has_ranks, ranks_of
from pystream.table.streaming.group_codes import Codes
from pystream.table.streaming.ordered_groups import sort_keys, sorted_positions

__all__ = ["SortedColumns", "joined_arrays", "taken_rows"]

_ROWS = 1 << 17
"""The number of rows that are emitted at once, and the least that are left out at once."""


class SortedColumns:
    """Rows in an order as `RowOrder`; those that are equal in it stay as they came.

    Of a number of first rows, no more than some times as many are kept.

    Args:
        order: the order; none for that in which rows came.
        first: the number of the first row of the results, from 0 on.
        last: the number after that of the last one; ``None`` for all.

    """

    def __init__(self, order: Sequence[SortField], first: int, last: int | None) -> None:
        self._order = tuple(order)
        self._first = first
        self._last = last
        self._parts: list[list[pa.Array]] = []
        self._count = 0

    @property
    def state(self) -> list[list[pa.Array]]:
        """The columns of the rows, in parts."""
        return self._parts

    @state.setter
    def state(self, state: list[list[pa.Array]]) -> None:
        self._parts = state
        self._count = sum(len(columns[0]) for columns in state)

    def add(self, columns: Sequence[Column], count: int) -> None:
        """Add rows.

        Args:
            columns: the columns of the rows.
            count: the number of rows.
        """
        self._parts.append([column.array for column in columns])
        self._count += count
        if self._last is not None and self._count > max(_ROWS, 4 * self._last):
            arrays, indices = self._sorted()
            kept = pa.array(indices[: self._last])
            self.state = [[array.take(kept) for array in arrays]]

    def _sorted(self) -> tuple[list[pa.Array], npt.NDArray[np.int64]]:
        """Return the columns of all rows, and the positions of the rows in order."""
        arrays = list(map(joined_arrays, zip(*self._parts, strict=True)))
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


def taken_rows(
    layout: Layout, arrays: Sequence[pa.Array], positions: Codes, further: Sequence[pa.Array] = ()
) -> Iterator[ColumnValues]:
    """Yield the rows at some positions of columns, in parts.

    Args:
        layout: the columns of the results.
        arrays: the columns.
        positions: the positions.
        further: the columns that follow, of the rows at these positions.
    """
    for start in range(0, len(positions), _ROWS):
        taken = pa.array(positions[start : start + _ROWS])
        own = [array.take(taken) for array in arrays]
        parts = [*own, *(array[start : start + _ROWS] for array in further)]
        columns = [
            Column(codec, part.cast(codec.arrow)) for codec, part in zip(layout.codecs, parts, strict=True)
        ]
        yield ColumnValues.of_columns(layout, columns, len(taken))


def joined_arrays(arrays: Sequence[pa.Array]) -> pa.Array:
    """Concatenate the parts of a column; text that is too large for 32-bit offsets gets 64-bit ones."""
    if len(arrays) == 1:
        return arrays[0]
    if pa.types.is_string(arrays[0].type) and sum(array.nbytes for array in arrays) >= 1 << 31:
        arrays = [array.cast(pa.large_string()) for array in arrays]
    return pa.concat_arrays(arrays)
