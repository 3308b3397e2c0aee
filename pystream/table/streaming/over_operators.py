"""The operators of streams that compute functions of OVER."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

from pystream.datastream.functions import ProcessWindowFunction, RuntimeContext
from pystream.datastream.window import TimeWindow
from pystream.engine.lifecycle import close_all
from pystream.engine.operators.column_collect import COLUMN_COLLECT
from pystream.table.algebra.over import FinalOverAggregate, OverAggregate, UpdatingOverAggregate
from pystream.table.streaming.columns_of_rows import RowColumns
from pystream.table.streaming.expiry import state_ttl
from pystream.table.streaming.final_aggregation import WholeInput
from pystream.table.streaming.final_over import OverColumns, is_computed_by_columns
from pystream.table.streaming.operators import collected, keyed, results, results_type, runs_in_process
from pystream.table.streaming.over_aggregation import (
    OverAllRows,
    OverFunctions,
    OverRecentRows,
    OverRecentTime,
)
from pystream.table.streaming.partitions import OverFunction, Partition
from pystream.table.streaming.updating_over import UpdatingOver
from pystream.table.table import Table
from typeinfo.row import Row, make_row

__all__ = ["computed_over", "computed_over_at_end", "computed_over_updates"]


def computed_over(node: OverAggregate, rows: Table) -> Table:
    """Return rows, each followed by the results of functions of the rows before it."""
    stream = keyed(rows, node.keys).process(_function(node, rows), results_type(node))
    stream.name(f"OverAggregate({', '.join([*map(str, node.aggregates), *('LAG' for _ in node.lags)])})")
    return results(node, rows, stream)


def _function(node: OverAggregate, rows: Table) -> OverAllRows | OverRecentRows | OverRecentTime:
    functions, frame, ttl = OverFunctions(node.aggregates, node.lags), node.frame, state_ttl(rows)
    match frame.start:
        case None:
            return OverAllRows(functions, frame.is_of_rows, ttl)
        case timedelta() as span:
            return OverRecentTime(functions, -span // timedelta(milliseconds=1), ttl)
        case count:
            return OverRecentRows(functions, -int(count), ttl)


def computed_over_at_end(node: FinalOverAggregate, rows: Table) -> Table:
    """Return rows, each followed by the results of functions of the rows around it."""
    if runs_in_process(rows) and is_computed_by_columns(node):
        result = results_type(node)
        stream = collected(COLUMN_COLLECT, OverColumns(RowColumns(rows), node, result), [rows], result)
        return results(node, rows, stream.name("OverAggregate"))
    groups = keyed(rows, node.keys).window(WholeInput())
    stream = groups.process(_FinalOver(node), results_type(node)).name("OverAggregate")
    return results(node, rows, stream)


def computed_over_updates(node: UpdatingOverAggregate, rows: Table) -> Table:
    """Return rows, each followed by the results of functions, which are updated as others come and go."""
    function = UpdatingOver(node.order, node.calls, state_ttl(rows))
    stream = keyed(rows, node.keys).process(function, results_type(node)).name("OverAggregate")
    return results(node, rows, stream)


class _FinalOver(ProcessWindowFunction[Row[Any], Row[Any], Any, TimeWindow]):
    """Emit the rows of a group in their order, each followed by the results of functions."""

    def __init__(self, node: FinalOverAggregate) -> None:
        self._order = node.order
        self._functions = [OverFunction(call) for call in node.calls]

    def open(self, runtime_context: RuntimeContext) -> None:
        for function in self._functions:
            function.open(runtime_context)

    def close(self) -> None:
        close_all(function.close for function in self._functions)

    def process(
        self, key: Any, context: ProcessWindowFunction.Context[TimeWindow], elements: Iterable[Row[Any]]
    ) -> Iterator[Row[Any]]:
        partition = Partition([tuple(row) for row in elements], self._order)
        values = [function.values(partition) for function in self._functions]
        for row, *found in zip(partition.rows, *values, strict=True):
            yield make_row((*row, *found), None)
