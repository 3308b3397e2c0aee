"""The first rows of groups of windows, which are emitted when the window ends."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import Any

from pystream.datastream.functions import AggregateFunction, ProcessWindowFunction
from pystream.datastream.window import TimeWindow
from pystream.table.algebra.ranks import RankRange, WindowRank
from pystream.table.streaming.local_time import LocalTime
from pystream.table.streaming.local_windows import AttachedWindows, LocalTimeWindow
from pystream.table.streaming.operators import keyed, results, results_type
from pystream.table.streaming.row_order import RowOrder
from pystream.table.table import Table
from typeinfo.row import Row, make_row
from typeinfo.types import Types

__all__ = ["ranked_in_windows"]

_Rows = list[tuple[Any, ...]]


def ranked_in_windows(node: WindowRank, rows: Table) -> Table:
    """Return the rows of some ranks in each group of rows of a window."""
    windows = node.rows.windows
    assert windows is not None
    assigner = AttachedWindows(windows.start, windows.end, LocalTime(windows.zone))
    stream = (
        keyed(rows, node.keys)
        .window(assigner)
        .aggregate(
            _FirstRows(RowOrder(node.order), node.ranks.last, keeps_last=node.keeps_last),
            _Ranked(node.ranks),
            Types.PICKLED_BYTE_ARRAY(),
            results_type(node),
        )
    )
    name = f"WindowTopN({node.ranks.first}-{node.ranks.last})"
    return results(node, rows, stream.name(name))


class _FirstRows(AggregateFunction[Row[Any], _Rows, _Rows]):
    """The first rows in an order.

    Args:
        order: the order.
        count: the number of rows.
        keeps_last: whether of those that are equal in the order, the last one that came is the first.
    """

    def __init__(self, order: RowOrder, count: int, *, keeps_last: bool) -> None:
        self._order = order
        self._count = count
        self._place = bisect_left if keeps_last else bisect_right

    def create_accumulator(self) -> _Rows:
        return []

    def add(self, value: Row[Any], accumulator: _Rows) -> _Rows:
        row = tuple(value)
        place = self._place(accumulator, self._order.key(row), key=self._order.key)
        accumulator.insert(place, row)
        del accumulator[self._count :]
        return accumulator

    def get_result(self, accumulator: _Rows) -> _Rows:
        return accumulator

    def merge(self, acc_a: _Rows, acc_b: _Rows) -> _Rows:
        return sorted([*acc_a, *acc_b], key=self._order.key)[: self._count]


class _Ranked(ProcessWindowFunction[_Rows, Row[Any], Any, TimeWindow | LocalTimeWindow]):
    """Emit the rows of the ranks, with their ranks in the last field if asked for."""

    def __init__(self, ranks: RankRange) -> None:
        self._ranks = ranks

    def process(
        self,
        key: Any,
        context: ProcessWindowFunction.Context[TimeWindow | LocalTimeWindow],
        elements: Iterable[_Rows],
    ) -> Iterator[Row[Any]]:
        first, _, has_number = self._ranks
        for rows in elements:
            for number, row in enumerate(rows[first - 1 :], first):
                yield make_row((*row, number) if has_number else row, None)
