"""The operators of streams that group the rows of tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pystream.datastream.functions import KeyedProcessFunction, NullByteKeySelector
from pystream.datastream.streams.data_stream import DataStream
from pystream.datastream.streams.keyed_stream import KeyedStream
from pystream.engine.operators.column_collect import COLUMN_COLLECT, ColumnCollectFunction
from pystream.kinds import OperatorKind
from pystream.plan.function import UserFunction
from pystream.settings.modes import Runner
from pystream.table.algebra.aggregates import AggregateCall, FinalAggregate, GroupAggregate
from pystream.table.algebra.node import RelNode
from pystream.table.columns import TableColumn, row_type
from pystream.table.row_key import keyed_rows
from pystream.table.streaming.aggregates import RowAggregation
from pystream.table.streaming.column_types import are_plain
from pystream.table.streaming.columns_of_rows import RowColumns
from pystream.table.streaming.expiry import time_to_live
from pystream.table.streaming.final_aggregation import FinalColumns, FinalResults, WholeInput
from pystream.table.streaming.group_aggregation import GroupAggregation
from pystream.table.streaming.retracting_aggregates import RetractingRowAggregation
from pystream.table.streaming.retracting_aggregation import RetractingGroupAggregation
from pystream.table.streaming.total_aggregation import TotalAggregation
from pystream.table.table import Table
from pystream.table.time_attribute import TimeAttribute
from typeinfo.composite import RowTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.row import Row
from typeinfo.types import Types

__all__ = [
    "aggregated_at_end",
    "collected",
    "grouped",
    "keyed",
    "positional_columns",
    "positional_rows",
    "results",
    "results_type",
    "runs_in_process",
    "with_times",
]


def grouped(node: GroupAggregate, rows: Table) -> Table:
    """Return the aggregates of each group of rows."""
    keys, aggregates, ttl = range(node.keys), node.aggregates, time_to_live(node.ttl)
    function: KeyedProcessFunction[Any, Row[Any], Row[Any]]
    if node.rows.is_updating:
        function = RetractingGroupAggregation(keys, aggregates, ttl, node.monotonic)
    else:
        function = GroupAggregation(keys, aggregates, ttl)
    stream = keyed(rows, keys).process(function, results_type(node))
    stream.name(f"GroupAggregate({', '.join(map(str, aggregates))})" if aggregates else "Distinct")
    return results(node, rows, stream)


def aggregated_at_end(node: FinalAggregate, rows: Table) -> Table:
    """Return the aggregates of each group of rows, at their end."""
    if runs_in_process(rows) and are_plain(rows._columns[: node.keys]) and not node.rows.is_updating:
        return _aggregated_by_columns(node, rows)
    if not node.keys:
        return _total(node, rows)
    # Of equal values of the key, such as 0.0 and -0.0, results have the first.
    first = [
        AggregateCall("FIRST_VALUE", (number,), False, column.data_type)
        for number, column in enumerate(node.rows.columns[: node.keys])
    ]
    groups = keyed(rows, range(node.keys)).window(WholeInput())
    aggregation = RowAggregation([*first, *node.aggregates])
    pickled, row = Types.PICKLED_BYTE_ARRAY(), results_type(node)
    stream = groups.aggregate(aggregation, FinalResults(), pickled, row)
    return results(node, rows, stream.name(_name(node)))


def _aggregated_by_columns(node: FinalAggregate, rows: Table) -> Table:
    result = results_type(node)
    function = FinalColumns(RowColumns(rows), rows._columns, node.keys, node.aggregates, result)
    stream = collected(COLUMN_COLLECT, function, [rows], result)
    return results(node, rows, stream.name(_name(node)))


def runs_in_process(rows: Table) -> bool:
    """Return whether the program runs in this process, where one subtask may as well have all rows."""
    return rows._environment._streams._host().runner is Runner.LOCAL


def collected(
    kind: OperatorKind, function: ColumnCollectFunction, tables: Sequence[Table], result: TypeInformation[Any]
) -> DataStream[Any]:
    """Return the stream of the results that one subtask makes of all rows of tables."""
    inputs = tuple(table._stream._node_id for table in tables)
    pickled = UserFunction.of(function, "sql_query", is_object=True, described=None)
    streams = tables[0]._environment._streams
    return streams._operator(kind, inputs, pickled, (result, "sql_query")).set_parallelism(1)


def _total(node: FinalAggregate, rows: Table) -> Table:
    """Return the aggregates of all rows, which is one row even of none."""
    one = rows._environment._streams.from_collection([Row(0)], Types.ROW([Types.INT()]))
    end = one.key_by(NullByteKeySelector(), Types.INT())
    aggregation = (RetractingRowAggregation if node.rows.is_updating else RowAggregation)(node.aggregates)
    stream = keyed(rows, ()).connect(end).process(TotalAggregation(aggregation), results_type(node))
    return results(node, rows, stream.name(_name(node)))


def _name(node: FinalAggregate) -> str:
    return f"Aggregate({', '.join(map(str, node.aggregates))})" if node.aggregates else "Distinct"


def with_times(rows: Table) -> Table:
    """Return rows without those of a bounded table that have no time, which are in no window and interval."""
    from pystream.table.spark_tables import is_unbounded

    time = rows._time
    if time is None or is_unbounded([rows]):
        return rows
    position = time.position
    stream = rows._stream.filter(lambda row: row[position] is not None)
    stream.set_parallelism(rows._stream.get_parallelism())  # rows keep their order
    return Table(rows._environment, stream, rows._columns, time=time)


def keyed(table: Table, keys: Sequence[int]) -> KeyedStream[Any, Any]:
    """Return the rows of a table by the values of some columns; all have the same key if there are none."""
    rows = positional_rows(table)
    if not keys:
        return rows.key_by(NullByteKeySelector(), Types.INT())
    return keyed_rows(rows, table._columns, keys)


def positional_rows(table: Table) -> DataStream[Row[Any]]:
    """Return the rows of a table, whose fields are the columns in order."""
    columns = [replace(column, name=f"f{number}") for number, column in enumerate(table._columns)]
    return Table(table._environment, table._stream, columns)._rows()


def results_type(node: RelNode) -> RowTypeInfo[Any]:
    """Return the type of the rows of an operator, whose fields are named by their positions."""
    return row_type(positional_columns(node))


def positional_columns(node: RelNode) -> list[TableColumn]:
    """Return the columns of an operator, named by their positions."""
    return [replace(column, name=f"f{column.position}") for column in node.columns]


def results(node: RelNode, rows: Table, stream: DataStream[Any]) -> Table:
    """Return the table of the rows of an operator.

    Args:
        node: the operator.
        rows: the rows of an input of it.
        stream: its rows.
    """
    time = None if node.time is None else TimeAttribute(node.time)
    return Table(rows._environment, stream, node.columns, time=time)
