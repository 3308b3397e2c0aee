"""The operators of streams that combine the rows of unbounded tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pystream.datastream.functions import KeyedProcessFunction, NullByteKeySelector
from pystream.datastream.streams.keyed_stream import KeyedStream
from pystream.table.columns import TableColumn, row_type
from pystream.table.row_key import keyed_rows
from pystream.table.streaming.aggregates import TYPED_AS_ARGUMENT, AggregateCall, RowAggregation
from pystream.table.streaming.constants import one_row
from pystream.table.streaming.expiry import state_ttl
from pystream.table.streaming.group_aggregation import GroupAggregation
from pystream.table.streaming.retracting_aggregates import RetractingRowAggregation
from pystream.table.streaming.retracting_aggregation import RetractingGroupAggregation
from pystream.table.streaming.total_aggregation import TotalAggregation
from pystream.table.table import Table
from pystream.table.upsert_key import UpsertKey
from typeinfo.row import Row
from typeinfo.types import Types

__all__ = ["grouped", "keyed", "result_columns", "totals"]


def grouped(table: Table, keys: int, aggregates: Sequence[AggregateCall]) -> Table:
    """Return the aggregates of each group of rows, which are updated with each row.

    Args:
        table: the rows, which may be updated.
        keys: the number of its columns, from the first one on, that are the key.
        aggregates: the aggregates; none for the distinct keys.
    """
    columns = result_columns(table, keys, aggregates)
    ttl = state_ttl(table)
    function: KeyedProcessFunction[Any, Row[Any], Row[Any]]
    if table._is_updating:
        monotonic = _monotonic(table, keys, aggregates)
        function = RetractingGroupAggregation(range(keys), aggregates, ttl, monotonic)
    else:
        function = GroupAggregation(range(keys), aggregates, ttl)
    stream = keyed(table, range(keys)).process(function, row_type(columns))
    stream.name(f"GroupAggregate({', '.join(map(str, aggregates))})" if aggregates else "Distinct")
    is_updating = table._is_updating or bool(aggregates) or ttl is not None
    key = _upsert_key(table, keys, aggregates) if keys else None
    return Table(table._environment, stream, columns, is_updating=is_updating, upsert_key=key)


def totals(table: Table, aggregates: Sequence[AggregateCall]) -> Table:
    """Return the aggregates of all rows of a bounded table, which is one row.

    Args:
        table: the rows, which may be updated.
        aggregates: the aggregates.
    """
    columns = result_columns(table, 0, aggregates)
    aggregation = (RetractingRowAggregation if table._is_updating else RowAggregation)(aggregates)
    end = keyed(one_row(table._environment), ())
    stream = keyed(table, ()).connect(end).process(TotalAggregation(aggregation), row_type(columns))
    stream.name(f"Aggregate({', '.join(map(str, aggregates))})")
    return Table(table._environment, stream, columns)


def _monotonic(table: Table, keys: int, aggregates: Sequence[AggregateCall]) -> list[int]:
    """Return the positions of aggregates whose results cannot go back, however rows are updated."""
    key, positions = table._upsert_key, [column.position for column in table._columns]
    if key is None or not {*positions[:keys]} <= {*key.positions}:
        return []
    forwards = {"MAX": key.growing, "MIN": key.falling}
    return [
        position
        for position, call in enumerate(aggregates)
        if call.argument is not None and positions[call.argument] in forwards.get(call.function, ())
    ]


def _upsert_key(table: Table, keys: int, aggregates: Sequence[AggregateCall]) -> UpsertKey:
    """Return the key of the results of groups."""
    if table._is_updating:
        return UpsertKey(tuple(range(keys)), frozenset(), frozenset(), has_deletes=True)
    growing, falling = set(), set()
    for position, call in enumerate(aggregates, keys):
        if call.function in ("COUNT", "MAX"):
            growing.add(position)
        elif call.function == "MIN" and not table._columns[call.argument or 0].data_type.is_nullable:
            falling.add(position)
    return UpsertKey(tuple(range(keys)), frozenset(growing), frozenset(falling))


def keyed(table: Table, keys: Sequence[int]) -> KeyedStream[Any, Any]:
    """Return the rows of a table by the values of some columns; all have the same key if there are none."""
    columns = [replace(column, name=f"f{n}") for n, column in enumerate(table._columns)]
    rows = Table(table._environment, table._stream, columns)._rows()
    if not keys:
        return rows.key_by(NullByteKeySelector(), Types.INT())
    return keyed_rows(rows, columns, keys)


def result_columns(table: Table, keys: int, aggregates: Sequence[AggregateCall]) -> list[TableColumn]:
    key_columns = [
        replace(column, name=f"f{position}", position=position)
        for position, column in enumerate(table._columns[:keys])
    ]
    return [*key_columns, *(_result_column(table, each, keys + n) for n, each in enumerate(aggregates))]


def _result_column(table: Table, call: AggregateCall, position: int) -> TableColumn:
    data_type = call.result.not_null() if call.function == "COUNT" else call.result.nullable()
    type_info = call.result.type_info
    if call.function in TYPED_AS_ARGUMENT:
        assert call.argument is not None
        type_info = table._columns[call.argument].type_info
    return TableColumn(f"f{position}", data_type, type_info, position)
