"""FirstOfGroups: the columns of the rows of some ranks in each group of bounded rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from pystream.engine.vectorised.columns import Column, ColumnValues, Layout
from pystream.table.algebra.ranks import RankRange, SortField
from pystream.table.streaming.column_sort import joined_arrays, taken_rows
from pystream.table.streaming.ordered_groups import OrderedGroups

__all__ = ["FirstOfGroups"]

_ROWS = 1 << 17
"""The least number of rows of which those beyond the last rank are left out at once."""


class FirstOfGroups:
    """Rows of some ranks in each group.

    Args:
        keys: the numbers of the columns that the rows of a group have in common; none for one group.
        order: the order of the rows of a group.
        ranks: the ranks.
        latest_first: whether of rows that are equal in the order, the one that came last is the first.
    """

    def __init__(
        self, keys: Sequence[int], order: Sequence[SortField], ranks: RankRange, *, latest_first: bool
    ) -> None:
        self._keys = tuple(keys)
        self._order = tuple(order)
        self._ranks = ranks
        self._latest_first = latest_first
        self._parts: list[list[pa.Array]] = []
        self._count = 0
        self._most = _ROWS

    @property
    def state(self) -> Any:
        """The columns of the rows, in parts."""
        return self._parts

    @state.setter
    def state(self, state: Any) -> None:
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
        if self._count > self._most:
            arrays, groups = self._ordered()
            kept = pa.array(np.sort(groups.positions[groups.numbers < self._ranks.last]))
            self.state = [[array.take(kept) for array in arrays]]
            self._most = max(_ROWS, 4 * self._count)

    def _ordered(self) -> tuple[list[pa.Array], OrderedGroups]:
        arrays = list(map(joined_arrays, zip(*self._parts, strict=True)))
        return arrays, OrderedGroups(arrays, self._keys, self._order, latest_first=self._latest_first)

    def results(self, layout: Layout) -> Iterator[ColumnValues]:
        """Yield the rows of the results."""
        if not self._parts:
            return
        arrays, groups = self._ordered()
        self.state = []
        numbers = groups.numbers + 1
        kept = np.flatnonzero((numbers >= self._ranks.first) & (numbers <= self._ranks.last))
        ranks = [pa.array(numbers[kept])] if self._ranks.has_number else []
        yield from taken_rows(layout, arrays, groups.positions[kept], ranks)
