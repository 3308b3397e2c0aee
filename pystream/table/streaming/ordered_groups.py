"""OrderedGroups: the rows of each group in an order, as positions in columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute

from pystream.table.algebra.sorts import SortField
from pystream.table.streaming.column_ranks import ranks_of
from pystream.table.streaming.group_codes import Codes, GroupCodes

__all__ = ["OrderedGroups", "sort_keys", "sorted_positions"]

_compute: Any = pyarrow.compute


class OrderedGroups:
    """The rows of each group in an order; the groups are in the order in which they first appear.

    Args:
        columns: the columns of the rows.
        keys: the numbers of those that the rows of a group have in common; none for one group.
        order: the order of the rows of a group.
        latest_first: whether of rows that are equal in the order, the one that came last is the first.

    Attributes:
        positions: the position of each row in the columns.
        groups: the number of its group.
        starts: where its group starts among the positions.
    """

    def __init__(
        self,
        columns: Sequence[pa.Array],
        keys: Sequence[int],
        order: Sequence[SortField],
        *,
        latest_first: bool = False,
    ) -> None:
        count = len(columns[0])
        codes = GroupCodes(len(keys)).codes([columns[key] for key in keys], count)
        fields: list[tuple[pa.Array, bool]] = [(pa.array(codes), False)] if keys else []
        for field in order:
            fields.extend(sort_keys(columns[field.position], field))
        if latest_first:
            fields.append((pa.array(np.arange(count)), True))
        self.positions: Codes = sorted_positions(fields, count)
        self.groups: Codes = codes[self.positions]
        self._firsts = np.flatnonzero(np.diff(self.groups, prepend=-1))
        self._ends = np.append(self._firsts, count)[1:]
        self.starts: Codes = self._firsts[self.groups]

    @property
    def numbers(self) -> Codes:
        """The number of each row in its group, from 0 on."""
        return np.arange(len(self.positions)) - self.starts

    @property
    def ends(self) -> Codes:
        """Where the group of each row ends among the positions."""
        return self._ends[self.groups]

    @property
    def bounds(self) -> Sequence[tuple[int, int]]:
        """Where each group starts and ends among the positions."""
        return list(zip(self._firsts.tolist(), self._ends.tolist(), strict=True))


def sort_keys(array: pa.Array, field: SortField) -> Iterator[tuple[pa.Array, bool]]:
    """Yield columns that are sorted without nulls, and whether in descending order, for a field."""
    if array.null_count:
        yield array.is_null(), field.nulls_first
    if pa.types.is_floating(array.type):
        yield pa.array(ranks_of(array)), field.is_descending
    else:
        yield array, field.is_descending


def sorted_positions(fields: Sequence[tuple[pa.Array, bool]], count: int) -> Codes:
    """Return the positions of rows in an order; those that are equal in it stay as they came.

    Args:
        fields: the columns of the order, and whether it is descending.
        count: the number of rows.
    """
    if not fields:
        return np.arange(count)
    table = pa.table({str(number): array for number, (array, _) in enumerate(fields)})
    keys = [
        (str(number), "descending" if is_descending else "ascending")
        for number, (_, is_descending) in enumerate(fields)
    ]
    found: Codes = _compute.sort_indices(table, sort_keys=keys).to_numpy().astype(np.int64)
    return found
