"""FirstOfGroups: the columns of the rows of some ranks in each group of bounded rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa

from pystream.engine.vectorised.columns import ColumnValues, Layout
from pystream.table.algebra.ranks import RankRange
from pystream.table.algebra.sorts import SortField
from pystream.table.streaming.column_parts import ROWS, ColumnParts, taken_rows
from pystream.table.streaming.ordered_groups import OrderedGroups

__all__ = ["FirstOfGroups"]


class FirstOfGroups(ColumnParts):
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
        super().__init__()
        self._keys = tuple(keys)
        self._order = tuple(order)
        self._ranks = ranks
        self._latest_first = latest_first
        self._most = ROWS

    def _reduce(self) -> None:
        if self._count > self._most:
            arrays, groups = self._ordered()
            self._keep(arrays, np.sort(groups.positions[groups.numbers < self._ranks.last]))
            self._most = max(ROWS, 4 * self._count)

    def _ordered(self) -> tuple[list[pa.Array], OrderedGroups]:
        arrays = self._joined()
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
