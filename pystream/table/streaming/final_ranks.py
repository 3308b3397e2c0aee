"""The rows of some ranks in each group of bounded rows, which are emitted when these end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pystream.datastream.functions import ProcessWindowFunction, RuntimeContext
from pystream.datastream.window import TimeWindow
from pystream.table.algebra.ranks import FinalRank
from pystream.table.streaming.columns_at_end import ColumnsAtEnd
from pystream.table.streaming.columns_of_rows import RowColumns
from pystream.table.streaming.row_order import RowOrder
from typeinfo.info import TypeInformation
from typeinfo.row import Row, make_row

if TYPE_CHECKING:
    from pystream.table.streaming.column_top_n import FirstOfGroups

__all__ = ["FirstRows", "RankedColumns"]


class FirstRows(ProcessWindowFunction[Row[Any], Row[Any], Any, TimeWindow]):
    """Emit the rows of some ranks of a group, in order.

    Args:
        node: the order and the ranks.
    """

    def __init__(self, node: FinalRank) -> None:
        self._order = RowOrder(node.order)
        self._ranks = node.ranks
        self._latest_first = node.latest_first

    def process(
        self, key: Any, context: ProcessWindowFunction.Context[TimeWindow], elements: Iterable[Row[Any]]
    ) -> Iterator[Row[Any]]:
        """Yield the rows."""
        first, last, has_number = self._ranks
        rows = list(map(tuple, elements))
        if self._latest_first:
            rows.reverse()
        rows.sort(key=self._order.key)
        for number, row in enumerate(rows[first - 1 : last], first):
            yield make_row((*row, number) if has_number else row, None)


class RankedColumns(ColumnsAtEnd["FirstOfGroups"]):
    """Emit the rows of some ranks of each group, in order, when the input ends, as columns.

    State: the columns of the rows, of each group some times as many as have these ranks.

    Args:
        rows: makes the columns of the rows, whose types are plain.
        node: the groups, the order and the ranks.
        result: the type of the results.
    """

    def __init__(self, rows: RowColumns, node: FinalRank, result: TypeInformation[Any]) -> None:
        super().__init__(result)
        self._rows = rows
        self._arguments = node.keys, node.order, node.ranks
        self._latest_first = node.latest_first
        self._collected: FirstOfGroups

    def open(self, runtime_context: RuntimeContext) -> None:
        """Prepare the columns."""
        from pystream.table.streaming.column_top_n import FirstOfGroups  # needs pyarrow

        self._rows.open()
        self._collected = FirstOfGroups(*self._arguments, latest_first=self._latest_first)

    def collect(self, values: Sequence[Any], side: int) -> None:
        """Keep rows until the end."""
        self._collected.add(self._rows.of(values), len(values))
