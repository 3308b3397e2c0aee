"""ColumnsOver: the results of functions of OVER of bounded rows, as columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute

from pystream.engine.vectorised.columns import Column, ColumnValues, Layout
from pystream.table.algebra.aggregates import AggregateCall
from pystream.table.algebra.over import Frame, Lag, Offset, OverCall, RankCall
from pystream.table.algebra.sorts import SortField
from pystream.table.streaming.column_aggregators import added_numbers, averages, wrapped
from pystream.table.streaming.column_parts import joined_arrays, taken_rows
from pystream.table.streaming.column_ranks import ranks_of
from pystream.table.streaming.group_codes import Codes
from pystream.table.streaming.ordered_groups import OrderedGroups

__all__ = ["ColumnsOver"]


pc: Any = pyarrow.compute


class _Rows(NamedTuple):
    """Rows in the order of their groups.

    Attributes:
        columns: their columns.
        groups: their groups.
        peers: where those that are equal in the order start, and where they end, for each row.
    """

    columns: Sequence[pa.Array]
    groups: OrderedGroups
    peers: tuple[Codes, Codes]

    def bounds(self, frame: Frame) -> tuple[Codes, Codes]:
        """Return the first position of the frame of each row, and the one after its last."""
        starts, ends = self.groups.starts, self.groups.ends
        numbers = np.arange(len(starts))
        if frame.start is not None:
            first = numbers + _count(frame.start) if frame.is_of_rows else self.peers[0]
            starts = np.clip(first, starts, ends)
        if frame.end is not None:
            after = numbers + _count(frame.end) + 1 if frame.is_of_rows else self.peers[1]
            ends = np.clip(after, self.groups.starts, ends)
        return starts, np.maximum(starts, ends)


def _count(offset: Offset) -> int:
    assert isinstance(offset, int)
    return offset


class ColumnsOver:
    """Rows in an order, each followed by the results of functions of the rows around it.

    Args:
        keys: the numbers of the columns that the rows around a row have in common with it.
        order: the order of these rows.
        calls: the functions, which `is_computed_by_columns` knows.

    Attributes:
        state: the columns of the rows, in parts.
    """

    def __init__(self, keys: Sequence[int], order: Sequence[SortField], calls: Sequence[OverCall]) -> None:
        self._keys = tuple(keys)
        self._order = tuple(order)
        self._calls = tuple(calls)
        self.state: list[list[pa.Array]] = []

    def add(self, columns: Sequence[Column]) -> None:
        """Add rows, as columns."""
        self.state.append([column.array for column in columns])

    def results(self, layout: Layout) -> Iterator[ColumnValues]:
        """Yield the rows with the results."""
        if not self.state:
            return
        arrays = list(map(joined_arrays, zip(*self.state, strict=True)))
        self.state = []
        groups = OrderedGroups(arrays, self._keys, self._order)
        positions = pa.array(groups.positions)
        columns = [array.take(positions) for array in arrays]
        rows = _Rows(columns, groups, _peers(columns, groups, self._order))
        found = [_values(call, rows) for call in self._calls]
        yield from taken_rows(layout, columns, np.arange(len(positions)), found)


def _peers(
    columns: Sequence[pa.Array], groups: OrderedGroups, order: Sequence[SortField]
) -> tuple[Codes, Codes]:
    """Return where the rows that are equal to each row in the order start, and where they end."""
    count = len(groups.positions)
    is_first = groups.numbers == 0
    for field in order:
        array = columns[field.position]
        ranks = ranks_of(array)
        if array.null_count:
            is_null = np.asarray(array.is_null())
            ranks = np.where(is_null, 0, ranks)
            is_first[1:] |= is_null[1:] != is_null[:-1]
        is_first[1:] |= ranks[1:] != ranks[:-1]
    firsts = np.flatnonzero(is_first)
    numbers = np.cumsum(is_first) - 1
    return firsts[numbers], np.append(firsts, count)[1:][numbers]


def _values(call: OverCall, rows: _Rows) -> Any:
    """Return the results of a function for rows."""
    match call.function:
        case RankCall(buckets=0, function=name):
            return pa.array(_RANKS[name](rows))
        case RankCall(buckets=buckets):
            return pa.array(_ntile(rows, buckets))
        case Lag() as lag:
            return _neighbours(rows, lag)
        case aggregate:
            return _aggregated(aggregate, call.frame, rows)


def _dense_ranks(rows: _Rows) -> Any:
    is_first = rows.peers[0] == np.arange(len(rows.peers[0]))
    numbers = np.cumsum(is_first)
    return numbers - numbers[rows.groups.starts] + 1


def _percent_ranks(rows: _Rows) -> Any:
    starts = rows.groups.starts
    return (rows.peers[0] - starts) / np.maximum(rows.groups.ends - starts - 1, 1)


def _distributions(rows: _Rows) -> Any:
    starts = rows.groups.starts
    return (rows.peers[1] - starts) / (rows.groups.ends - starts)


_RANKS: Mapping[str, Callable[[_Rows], npt.NDArray[Any]]] = {
    "CUME_DIST": _distributions,
    "DENSE_RANK": _dense_ranks,
    "PERCENT_RANK": _percent_ranks,
    "RANK": lambda rows: rows.peers[0] - rows.groups.starts + 1,
    "ROW_NUMBER": lambda rows: rows.groups.numbers + 1,
}


def _ntile(rows: _Rows, buckets: int) -> Any:
    sizes, larger = np.divmod(rows.groups.ends - rows.groups.starts, buckets)
    numbers = rows.groups.numbers
    further = numbers - larger * (sizes + 1)
    return np.where(further < 0, numbers // (sizes + 1), larger + further // np.maximum(sizes, 1)) + 1


def _neighbours(rows: _Rows, lag: Lag) -> Any:
    numbers = np.arange(len(rows.groups.starts))
    places = numbers - lag.offset
    is_there = (places >= rows.groups.starts) & (places < rows.groups.ends)
    column = rows.columns[lag.argument]
    found = column.take(pa.array(np.where(is_there, places, 0), mask=~is_there))
    if lag.default is None:
        return found
    return pc.if_else(pa.array(is_there), found, rows.columns[lag.default])


def _aggregated(call: AggregateCall, frame: Frame, rows: _Rows) -> pa.Array:
    """Return the results of an aggregate function of the values in frames."""
    starts, ends = rows.bounds(frame)
    is_value = np.ones(len(starts), bool)
    column = rows.columns[call.arguments[0]] if call.arguments else None
    if column is not None and column.null_count:
        is_value &= np.asarray(column.is_valid())
    if call.condition is not None:
        is_value &= rows.columns[call.condition].fill_null(False).to_numpy(zero_copy_only=False)
    counts = _differences(is_value.astype(np.int64), starts, ends)
    if column is None or call.function == "COUNT":
        return pa.array(counts)
    if call.function in ("SUM", "AVG"):
        return pa.array(_numbers(call, column, is_value, (starts, ends, counts), rows), mask=counts == 0)
    places = _PLACES[call.function](column, is_value, starts, ends, rows)
    return column.take(pa.array(np.where(counts == 0, 0, places), mask=counts == 0))


def _differences(values: npt.NDArray[np.int64], starts: Codes, ends: Codes) -> Any:
    """Return the sums of integers from a row to another one; they wrap at 64 bits."""
    totals = np.concatenate([[0], np.cumsum(values)])
    return totals[ends] - totals[starts]


def _numbers(
    call: AggregateCall,
    column: pa.Array,
    is_value: npt.NDArray[np.bool_],
    bounds: tuple[Codes, Codes, npt.NDArray[np.int64]],
    rows: _Rows,
) -> Any:
    """Return sums or averages; those of floats are of frames that start with their group."""
    starts, ends, counts = bounds
    dtype, beyond = added_numbers(call.function, call.result)
    given = column.fill_null(0).to_numpy(zero_copy_only=False).astype(dtype)
    if dtype is np.int64:
        totals = _differences(np.where(is_value, given, 0), starts, ends)
    else:
        added = np.where(is_value, given, dtype(-0.0))
        with np.errstate(all="ignore"):
            for start, end in rows.groups.bounds:
                np.add.accumulate(added[start:end], out=added[start:end])
        totals = added[np.maximum(ends - 1, 0)]
    if call.function == "SUM":
        return wrapped(totals, beyond)
    return averages(totals + dtype(0), counts)


def _first(
    column: pa.Array, is_value: npt.NDArray[np.bool_], starts: Codes, ends: Codes, rows: _Rows
) -> Codes:
    """Return where the first value of each frame is."""
    count = len(starts)
    places = np.append(np.where(is_value, np.arange(count), count), count)
    found: Codes = np.minimum.accumulate(places[::-1])[::-1][starts]
    return found


def _last(
    column: pa.Array, is_value: npt.NDArray[np.bool_], starts: Codes, ends: Codes, rows: _Rows
) -> Codes:
    """Return where the last value of each frame is."""
    places = np.where(is_value, np.arange(len(starts)), -1)
    found: Codes = np.maximum.accumulate(places)[np.maximum(ends - 1, 0)]
    return found


def _greatest(
    column: pa.Array, is_value: npt.NDArray[np.bool_], starts: Codes, ends: Codes, rows: _Rows
) -> Codes:
    """Return where the greatest value is in each frame, which starts with its group."""
    return _extreme(column, is_value, ends, rows, is_greatest=True)


def _least(
    column: pa.Array, is_value: npt.NDArray[np.bool_], starts: Codes, ends: Codes, rows: _Rows
) -> Codes:
    """Return where the least value is in each frame, which starts with its group."""
    return _extreme(column, is_value, ends, rows, is_greatest=False)


def _extreme(
    column: pa.Array, is_value: npt.NDArray[np.bool_], ends: Codes, rows: _Rows, *, is_greatest: bool
) -> Codes:
    ranks = ranks_of(column)
    values = np.flatnonzero(is_value)
    given = ranks[values] if is_greatest else ~ranks[values]
    _, firsts, places = np.unique(given, return_index=True, return_inverse=True)
    # Those of later groups are greater, so that the greatest one so far is one of the own group.
    keys = rows.groups.groups * (len(firsts) + 1)
    keys[values] += places + 1
    found = np.maximum.accumulate(keys)[np.maximum(ends - 1, 0)] % (len(firsts) + 1)
    chosen: Codes = np.append(values[firsts], 0)[found - 1]
    return chosen


_PLACES: Mapping[str, Callable[..., Codes]] = {
    "FIRST_VALUE": _first,
    "LAST_VALUE": _last,
    "MAX": _greatest,
    "MIN": _least,
}
