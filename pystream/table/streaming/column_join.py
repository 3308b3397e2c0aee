"""JoinedColumns: the pairs of rows of two bounded tables with equal keys, as columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pystream.engine.vectorised.columns import Column, ColumnValues, Layout, taken_array
from pystream.table.evaluation import Evaluation
from pystream.table.streaming.column_calc import ColumnConditions, SelectedRows
from pystream.table.streaming.column_parts import joined_arrays
from pystream.table.streaming.group_codes import Codes, GroupCodes

__all__ = ["JoinedColumns", "KeyColumn"]

_PAIRS = 1 << 17
"""The number of pairs that are made at once; there are more if one row has more partners than that."""

_NONE = -1
"""The number of the group of a row that has no partners."""


class KeyColumn:
    """A pair of columns that are equal in the rows of a join.

    Args:
        left: the number of the column of the left side.
        right: that of the right side.
        arrow: the type in which they are compared.
        admits_null: whether null equals null.
    """

    def __init__(self, left: int, right: int, arrow: pa.DataType, *, admits_null: bool) -> None:
        self.numbers: tuple[int, int] = (left, right)
        self.arrow: pa.DataType = arrow
        self.admits_null: bool = admits_null


class _Partners:
    """The rows of a side by the groups of their keys.

    Args:
        codes: the number of the group of each row, -1 for those without partners.
        groups: the number of groups.
    """

    def __init__(self, codes: Codes, groups: int) -> None:
        with_partners = np.flatnonzero(codes >= 0)
        self._rows = with_partners[np.argsort(codes[with_partners], kind="stable")]
        self._counts = np.bincount(codes[with_partners], minlength=groups)
        self._starts = np.cumsum(self._counts) - self._counts

    def pairs(self, codes: Codes) -> Iterator[tuple[slice, Codes, Codes]]:
        """Yield the pairs of the rows of the other side, in parts.

        Args:
            codes: the number of the group of each of these rows, -1 for those without partners.

        Yields:
            Some of these rows, and for each of their pairs the position of both rows.
        """
        has_group = codes >= 0
        counts = np.zeros(len(codes), np.int64)
        counts[has_group] = self._counts[codes[has_group]]
        ends = np.cumsum(counts)
        start = 0
        while start < len(codes):
            made = ends[start] - counts[start]
            end = max(start + 1, int(np.searchsorted(ends, made + _PAIRS, side="right")))
            end = min(end, start + _PAIRS, len(codes))
            own = counts[start:end]
            rows = np.repeat(np.arange(start, end), own)
            places = np.arange(len(rows)) - np.repeat(np.cumsum(own) - own, own)
            yield slice(start, end), rows, self._rows[self._starts[codes[rows]] + places]
            start = end


class JoinedColumns:
    """The pairs of rows of two sides, and the rows of outer sides without partners, with nulls.

    Args:
        keys: the columns that are equal.
        outer: whether rows without partners are results, of the left and of the right side.
        condition: a further condition on the columns of both sides; ``None`` if there is none.
        left_width: the number of columns of the left side.

    Attributes:
        state: the columns of the rows of both sides, in parts.
    """

    def __init__(
        self,
        keys: Sequence[KeyColumn],
        outer: tuple[bool, bool],
        condition: Evaluation | None,
        left_width: int,
    ) -> None:
        self._keys = list(keys)
        self._outer = outer
        self._left_width = left_width
        self._conditions = ColumnConditions(() if condition is None else (condition,))
        self.state: tuple[list[list[pa.Array]], list[list[pa.Array]]] = ([], [])

    def add(self, columns: Sequence[Column], side: int) -> None:
        """Add rows of a side, as columns."""
        self.state[side].append([column.array for column in columns])

    def results(self, layout: Layout) -> Iterator[ColumnValues]:
        """Yield the results.

        Args:
            layout: their columns: those of the left side, then those of the right side.
        """
        types = [codec.arrow for codec in layout.codecs]
        parts, self.state = self.state, ([], [])
        sides = [_whole(parts[0], types[: self._left_width]), _whole(parts[1], types[self._left_width :])]
        counts = [len(side[0]) for side in sides]
        held = 0 if counts[0] < counts[1] else 1  # the smaller side
        groups = GroupCodes(len(self._keys))
        codes = self._codes(groups, held, sides[held])
        partners = _Partners(codes, groups.count)
        others = self._codes(groups, 1 - held, sides[1 - held], known=groups.count)
        is_paired = np.zeros(counts[held], bool)
        for part, rows, own in partners.pairs(others):
            pairs = (own, rows) if held == 0 else (rows, own)
            kept, values = self._pairs(layout, sides, pairs)
            rows, own = (rows, own) if kept is None else (rows[kept], own[kept])
            is_paired[own] = True
            if len(values):
                yield values
            if self._outer[1 - held]:
                is_alone = np.ones(part.stop - part.start, bool)
                is_alone[rows - part.start] = False
                yield from self._alone(layout, sides, 1 - held, np.flatnonzero(is_alone) + part.start)
        if self._outer[held]:
            yield from self._alone(layout, sides, held, np.flatnonzero(~is_paired))

    def _codes(
        self, groups: GroupCodes, side: int, columns: Sequence[pa.Array], known: int | None = None
    ) -> Codes:
        """Return the number of the group of each row; only known groups, if their number is given."""
        arrays = [_comparable(columns[key.numbers[side]], key.arrow) for key in self._keys]
        codes = groups.codes(arrays, len(columns[0]))
        if known is not None:
            codes[codes >= known] = _NONE
        for key, array in zip(self._keys, arrays, strict=True):
            if array.null_count and not key.admits_null:
                codes[np.asarray(array.is_null())] = _NONE
        return codes

    def _pairs(
        self, layout: Layout, sides: Sequence[Sequence[pa.Array]], positions: tuple[Codes, Codes]
    ) -> tuple[Codes | None, ColumnValues]:
        """Return the pairs that fulfil the condition, and which they are, ``None`` for all."""
        arrays = [
            taken_array(array, own) for side, own in zip(sides, positions, strict=True) for array in side
        ]
        columns = [Column(codec, array) for codec, array in zip(layout.codecs, arrays, strict=True)]
        rows = self._conditions.selected(SelectedRows(columns, len(positions[0])))
        return rows.positions, _values(
            layout, [rows.column(n).array for n in range(len(columns))], rows.count
        )

    @staticmethod
    def _alone(
        layout: Layout, sides: Sequence[Sequence[pa.Array]], side: int, positions: npt.NDArray[np.int64]
    ) -> Iterator[ColumnValues]:
        """Yield the rows of a side at some positions, with nulls for the other side."""
        for start in range(0, len(positions), _PAIRS):
            taken = positions[start : start + _PAIRS]
            columns = [
                taken_array(array, taken) if number == side else pa.nulls(len(taken), array.type)
                for number, own in enumerate(sides)
                for array in own
            ]
            yield _values(layout, columns, len(taken))


def _comparable(array: pa.Array, arrow: pa.DataType) -> pa.Array:
    """Return a column in the type in which it is compared; text may keep 64-bit offsets."""
    return array if pa.types.is_large_string(array.type) else array.cast(arrow)


def _whole(parts: Sequence[Sequence[pa.Array]], types: Sequence[pa.DataType]) -> list[pa.Array]:
    """Return the columns of all rows of a side."""
    if not parts:
        return [pa.nulls(0, dt) for dt in types]
    return list(map(joined_arrays, zip(*parts, strict=True)))


def _values(layout: Layout, arrays: Sequence[pa.Array], count: int) -> ColumnValues:
    columns: list[Any] = [
        Column(codec, array if array.type == codec.arrow else array.cast(codec.arrow))
        for codec, array in zip(layout.codecs, arrays, strict=True)
    ]
    return ColumnValues.of_columns(layout, columns, count)
