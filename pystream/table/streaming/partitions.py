"""Partitions: the rows of a group in an order, and functions of the rows around each one."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import groupby
from typing import Any

from pystream.common.time import Instant
from pystream.datastream.functions import RuntimeContext
from pystream.table.algebra.aggregates import AggregateCall
from pystream.table.algebra.over import Frame, Lag, Offset, OverCall, RankCall
from pystream.table.algebra.sorts import SortField
from pystream.table.streaming.aggregates import RowAggregation
from pystream.table.streaming.row_order import RowOrder

__all__ = ["OverFunction", "Partition"]


class Partition:
    """The rows of a group in an order; those that are equal in it stay as they came.

    Attributes:
        rows: the rows.
        starts: for each row, the number of the first one that is equal to it in the order.
        ends: the number after that of the last one.

    Args:
        rows: the rows, in the order of arrival.
        order: the order; none if all rows are equal in it.
    """

    def __init__(self, rows: Sequence[tuple[Any, ...]], order: Sequence[SortField]) -> None:
        self._order = RowOrder(order)
        self._descends = bool(order) and order[0].is_descending
        self._position = order[0].position if order else 0
        self.rows: list[tuple[Any, ...]] = sorted(rows, key=self._order.key)
        self._keys = [self._order.key(row) for row in self.rows]
        self.starts: list[int] = []
        self.ends: list[int] = []
        for _, peers in groupby(self._keys):
            start, count = len(self.starts), len([*peers])
            self.starts += [start] * count
            self.ends += [start + count] * count

    def frames(self, frame: Frame) -> Iterator[tuple[int, int]]:
        """Yield, for each row, the numbers of the first row of a frame and of the one after the last."""
        count = len(self.rows)
        for number in range(count):
            if frame.is_of_rows:
                start = 0 if frame.start is None else max(number + _count(frame.start), 0)
                end = count if frame.end is None else min(number + _count(frame.end) + 1, count)
            else:
                start = 0 if frame.start is None else self._bound(number, frame.start, bisect_left)
                end = count if frame.end is None else self._bound(number, frame.end, bisect_right)
            yield start, max(start, end)

    def _bound(self, number: int, offset: Any, bisect: Callable[..., int]) -> int:
        """Return the number of the first row beyond an offset from the value of another row."""
        value = self.rows[number][self._position] if offset else None
        if value is None:
            return (self.starts if bisect is bisect_left else self.ends)[number]
        return bisect(
            self._keys, self._order.key_of_value(_plus(value, -offset if self._descends else offset))
        )


def _count(offset: Offset) -> int:
    assert isinstance(offset, int)
    return offset


def _plus(value: Any, offset: Any) -> Any:
    if isinstance(value, Instant):
        return Instant.of_epoch_milli(value.to_epoch_milli() + offset // timedelta(milliseconds=1))
    return float(value) + float(offset) if isinstance(value, float) else value + offset


class OverFunction:
    """A function of OVER.

    Args:
        call: the function, and the rows that it is of.
    """

    def __init__(self, call: OverCall) -> None:
        self._call = call
        is_aggregate = isinstance(call.function, AggregateCall)
        self._aggregation = RowAggregation([call.function] if is_aggregate else [])  # type: ignore[list-item]

    def open(self, context: RuntimeContext) -> None:
        """Open the function, if it is one of the program."""
        self._aggregation.open(context)

    def close(self) -> None:
        """Close the function."""
        self._aggregation.close()

    def values(self, partition: Partition) -> list[Any]:
        """Return the values for the rows of a partition."""
        match self._call.function:
            case RankCall(function=name, buckets=buckets):
                return _ntile(partition, buckets) if buckets else _RANKS[name](partition)
            case Lag() as lag:
                return _neighbours(partition.rows, lag)
        return self._aggregated(partition)

    def _aggregated(self, partition: Partition) -> list[Any]:
        aggregation, first, after = self._aggregation, 0, 0
        accumulator = aggregation.create_accumulator()
        results: list[Any] = []
        for start, end in partition.frames(self._call.frame):
            is_known = results and (start, end) == (first, after)
            if start != first or end < after:
                accumulator, after = aggregation.create_accumulator(), start
            for row in partition.rows[after:end]:
                accumulator = aggregation.add(row, accumulator)  # type: ignore[arg-type]
            first, after = start, end
            results.append(results[-1] if is_known else aggregation.get_result(accumulator)[0])
        return results


def _neighbours(rows: Sequence[tuple[Any, ...]], lag: Lag) -> list[Any]:
    results = []
    for number, row in enumerate(rows):
        other = number - lag.offset
        if 0 <= other < len(rows):
            results.append(rows[other][lag.argument])
        else:
            results.append(None if lag.default is None else row[lag.default])
    return results


def _row_numbers(partition: Partition) -> list[Any]:
    return [number + 1 for number in range(len(partition.rows))]


def _ranks(partition: Partition) -> list[Any]:
    return [start + 1 for start in partition.starts]


def _dense_ranks(partition: Partition) -> list[Any]:
    numbers = {start: number for number, start in enumerate(dict.fromkeys(partition.starts), 1)}
    return [numbers[start] for start in partition.starts]


def _percent_ranks(partition: Partition) -> list[Any]:
    others = len(partition.rows) - 1
    return [start / others if others else 0.0 for start in partition.starts]


def _distributions(partition: Partition) -> list[Any]:
    return [end / len(partition.rows) for end in partition.ends]


def _ntile(partition: Partition, buckets: int) -> list[Any]:
    size, larger = divmod(len(partition.rows), buckets)
    counts = [size + (bucket < larger) for bucket in range(buckets)]
    return [bucket for bucket, count in enumerate(counts, 1) for _ in range(count)]


_RANKS: Mapping[str, Callable[[Partition], list[Any]]] = {
    "ROW_NUMBER": _row_numbers,
    "RANK": _ranks,
    "DENSE_RANK": _dense_ranks,
    "PERCENT_RANK": _percent_ranks,
    "CUME_DIST": _distributions,
}
