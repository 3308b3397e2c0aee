"""ColumnParts: the columns of bounded rows that an operator keeps until their end, in parts as they came."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

import pyarrow as pa

from pystream.engine.vectorised.columns import Column, ColumnValues, Layout
from pystream.table.streaming.group_codes import Codes

__all__ = ["ROWS", "ColumnParts", "joined_arrays", "taken_rows"]

ROWS = 1 << 17
"""The number of rows that are emitted at once, and the least that are left out at once."""


class ColumnParts(ABC):
    """The columns of rows, without those that are certainly no results."""

    def __init__(self) -> None:
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
        self._reduce()

    @abstractmethod
    def _reduce(self) -> None:
        """Leave out rows that are no results, if there are enough of them."""

    def _keep(self, arrays: Sequence[pa.Array], positions: Codes) -> None:
        """Keep the rows at some positions only.

        Args:
            arrays: the columns of all rows.
            positions: the positions.
        """
        kept = pa.array(positions)
        self.state = [[array.take(kept) for array in arrays]]

    def _joined(self) -> list[pa.Array]:
        """Return the columns of all rows."""
        return list(map(joined_arrays, zip(*self._parts, strict=True)))


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
    for start in range(0, len(positions), ROWS):
        taken = pa.array(positions[start : start + ROWS])
        own = [array.take(taken) for array in arrays]
        parts = [*own, *(array[start : start + ROWS] for array in further)]
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
