"""ColumnAggregation: the aggregates of the groups of bounded rows, accumulated column by column."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from pystream.engine.vectorised.columns import Column, ColumnValues, Layout
from pystream.table.algebra.aggregates import AggregateCall
from pystream.table.streaming.aggregate_arguments import accumulated_values
from pystream.table.streaming.aggregators import Aggregator
from pystream.table.streaming.column_aggregators import ColumnAggregator
from pystream.table.streaming.column_calc import SelectedRows
from pystream.table.streaming.column_types import is_plain
from pystream.table.streaming.group_codes import Codes, GroupCodes, first_positions
from typeinfo.serde.codec import Codec

__all__ = ["Accumulated", "ByColumn", "ByValue", "ColumnGroups", "rows_of"]

_FEWEST = 1 << 17
"""The number of rows that are aggregated at once; there are more if there are more groups or values."""


class Accumulated(ABC):
    """What an aggregate has accumulated of the rows of all groups.

    Attributes:
        held: that, which can be pickled.
    """

    held: Any

    @property
    def size(self) -> int:
        """The number of entries, beside one for each group, with all of which further rows are compared."""
        return 0

    @abstractmethod
    def add(self, codes: Codes, rows: SelectedRows, groups: int) -> None:
        """Accumulate further rows.

        Args:
            codes: the number of the group of each row.
            rows: the rows.
            groups: the number of groups.
        """

    @abstractmethod
    def results(self, groups: int, codec: Codec) -> Column:
        """Return the results of the groups."""


class ByColumn(Accumulated):
    """What an aggregate accumulates of columns.

    Args:
        call: the aggregate, of at most one argument.
        aggregator: accumulates its values.
    """

    def __init__(self, call: AggregateCall, aggregator: ColumnAggregator) -> None:
        self._argument = call.arguments[0] if call.arguments else None
        self._condition = call.condition
        self.held: ColumnAggregator = aggregator

    @property
    def size(self) -> int:
        return self.held.size

    def add(self, codes: Codes, rows: SelectedRows, groups: int) -> None:
        values = None if self._argument is None else rows.column(self._argument).array
        kept = None
        if self._condition is not None:
            kept = _is_true(rows.column(self._condition).array)
        if values is not None and values.null_count:
            is_valid = np.asarray(values.is_valid())
            kept = is_valid if kept is None else kept & is_valid
        if kept is not None:
            positions = np.flatnonzero(kept)
            codes = codes[positions]
            values = None if values is None else values.take(pa.array(positions))
        self.held.add(codes, values, groups)

    def results(self, groups: int, codec: Codec) -> Column:
        results = self.held.results(groups)
        return Column(codec, results if results.type == codec.arrow else results.cast(codec.arrow))


def _is_true(conditions: pa.Array) -> Any:
    return conditions.fill_null(False).to_numpy(zero_copy_only=False)


class ByValue(Accumulated):
    """What an aggregate accumulates of values, one after another.

    Args:
        call: the aggregate.
        aggregator: accumulates its values.
    """

    def __init__(self, call: AggregateCall, aggregator: Aggregator) -> None:
        condition = () if call.condition is None else (call.condition,)
        self._numbers = (*call.arguments, *condition)
        self._value_of: Any = accumulated_values(call)
        self._aggregator = aggregator
        self.held: list[Any] = []

    def add(self, codes: Codes, rows: SelectedRows, groups: int) -> None:
        self._grow(groups)
        accumulated, value_of, add = self.held, self._value_of, self._aggregator.add
        for code, row in zip(codes.tolist(), rows.values(self._numbers), strict=True):
            value = value_of(row)
            if value is not None:
                accumulated[code] = add(accumulated[code], value)

    def _grow(self, groups: int) -> None:
        self.held += [self._aggregator.empty() for _ in range(groups - len(self.held))]

    def results(self, groups: int, codec: Codec) -> Column:
        self._grow(groups)
        return Column(codec, values=codec.conform(list(map(self._aggregator.result, self.held))))


class ColumnGroups:
    """The groups of rows, and what is accumulated of them.

    Rows are aggregated in large parts, so that the work on all groups that each part takes is less than that
    on its rows.

    Args:
        keys: the number of columns, from the first one on, that are the key.
        aggregates: what the aggregates accumulate.
    """

    def __init__(self, keys: int, aggregates: Sequence[Accumulated]) -> None:
        self._keys = keys
        self._groups = GroupCodes(keys)
        self._firsts: list[list[pa.Array]] = [[] for _ in range(keys)]
        self._aggregates = list(aggregates)
        self._waiting: list[tuple[list[Column], int]] = []
        self._count = 0

    def add(self, columns: list[Column], count: int) -> None:
        """Add rows.

        Args:
            columns: the columns of the rows.
            count: the number of rows.
        """
        self._waiting.append((columns, count))
        self._count += count
        sizes = (aggregate.size for aggregate in self._aggregates)
        if self._count >= max(_FEWEST, self._groups.count, *sizes):
            self._aggregate()

    def _aggregate(self) -> None:
        waiting, count = self._waiting, self._count
        self._waiting, self._count = [], 0
        if not count:
            return
        parts = [columns for columns, _ in waiting]
        columns = parts[0] if len(parts) == 1 else list(map(Column.joined, zip(*parts, strict=True)))
        keys = [column.array for column in columns[: self._keys]]
        before = self._groups.count
        codes = self._groups.codes(keys, count)
        groups = self._groups.count
        if keys:
            firsts = pa.array(first_positions(codes, before, groups))
            for held, key in zip(self._firsts, keys, strict=True):
                held.append(key.take(firsts))
        rows = SelectedRows(columns, count)
        for aggregate in self._aggregates:
            aggregate.add(codes, rows, groups)

    @property
    def state(self) -> Any:
        """What is accumulated, which can be pickled."""
        self._aggregate()
        return self._groups, self._firsts, [aggregate.held for aggregate in self._aggregates]

    @state.setter
    def state(self, state: Any) -> None:
        self._groups, self._firsts, held = state
        for aggregate, own in zip(self._aggregates, held, strict=True):
            aggregate.held = own

    def results(self, layout: Layout) -> Iterator[Sequence[Any]]:
        """Yield the results of all groups, in the order in which these came."""
        self._aggregate()
        groups = self._groups.count
        if not groups:
            return
        keys = [
            Column(codec, key) for codec, key in zip(layout.codecs[: self._keys], self.keys(), strict=True)
        ]
        yield rows_of(layout, [*keys, *self.aggregates(layout.codecs[self._keys :])], groups)

    def keys(self) -> list[pa.Array]:
        """Return the keys of all groups."""
        self._aggregate()
        return list(map(pa.concat_arrays, self._firsts)) if self._groups.count else []

    def aggregates(self, codecs: Sequence[Codec]) -> list[Column]:
        """Return the results of the aggregates of all groups."""
        groups = self._groups.count
        return [one.results(groups, codec) for one, codec in zip(self._aggregates, codecs, strict=True)]


def rows_of(layout: Layout, columns: list[Column], count: int) -> Sequence[Any]:
    """Return rows of columns, which stay columns if all are plain."""
    if all(is_plain(codec.type) for codec in layout.codecs):
        return ColumnValues.of_columns(layout, columns, count)
    return layout.built([column.values for column in columns], count)
