"""The operators of streams that rank and sort the rows of unbounded tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pystream.datastream.functions import KeyedProcessFunction
from pystream.sql_types.data_types import DataTypes
from pystream.table.columns import TableColumn, row_type
from pystream.table.streaming.deduplication import FirstRow, LastRow
from pystream.table.streaming.expiry import state_ttl
from pystream.table.streaming.operators import keyed
from pystream.table.streaming.row_order import RowOrder, SortField
from pystream.table.streaming.temporal_sort import TemporalSort
from pystream.table.streaming.top_n import AppendOnlyTopN, RankRange, RetractableTopN, UpdatableTopN
from pystream.table.table import Table
from pystream.table.time_attribute import TimeAttribute
from typeinfo.row import Row

__all__ = ["first_rows", "last_rows", "ranked", "sorted_by_time"]


def ranked(table: Table, keys: Sequence[int], order: Sequence[SortField], ranks: RankRange) -> Table:
    """Return the rows of some ranks in each group of rows, and their ranks in the last column if asked for.

    Args:
        table: the rows.
        keys: the columns, by number, that the rows of a group have in common; none for one group.
        order: the order of the rows of a group, by numbers of columns; none for the order of arrival.
        ranks: the ranks.
    """
    identity = _identity(table, keys, order)
    arguments = RowOrder(order), ranks
    ttl = state_ttl(table)
    function: KeyedProcessFunction[object, Row, Row]
    if not table._is_updating:
        function = AppendOnlyTopN(*arguments, ttl)
    elif identity is not None:
        function = UpdatableTopN(*arguments, identity, ttl)
    else:
        function = RetractableTopN(*arguments, ttl)
    is_updating = table._is_updating or bool(order)
    result = _processed(table, keys, function, f"TopN({ranks.first}-{ranks.last})", ranks.has_number)
    time = None if is_updating else _time_of(table)
    return Table(table._environment, result._stream, result._columns, time=time, is_updating=is_updating)


def first_rows(table: Table, keys: Sequence[int], *, has_number: bool) -> Table:
    """Return the first row of each group by event time.

    Args:
        table: the rows, which are not updated.
        keys: the columns, by number, that the rows of a group have in common; none for one group.
        has_number: whether the last column is the number of the row, which is 1.
    """
    function = FirstRow(has_number=has_number, ttl=state_ttl(table))
    result = _processed(table, keys, function, "Deduplicate", has_number)
    return Table(table._environment, result._stream, result._columns, time=_time_of(table))


def last_rows(table: Table, keys: Sequence[int], *, has_number: bool, is_by_arrival: bool) -> Table:
    """Return the last row of each group, which later rows replace.

    Args:
        table: the rows, which are not updated.
        keys: the columns, by number, that the rows of a group have in common; none for one group.
        has_number: whether the last column is the number of the row, which is 1.
        is_by_arrival: whether the last row is the one that came last; else it is that by event time.
    """
    function = LastRow(has_number=has_number, is_by_arrival=is_by_arrival, ttl=state_ttl(table))
    result = _processed(table, keys, function, "Deduplicate", has_number)
    return Table(table._environment, result._stream, result._columns, is_updating=True)


def sorted_by_time(table: Table, order: Sequence[SortField]) -> Table:
    """Return rows in the order of their event time.

    Args:
        table: the rows, which are not updated.
        order: the order of rows of the same time, by numbers of columns.
    """
    result = _processed(table, [], TemporalSort(RowOrder(order)), "TemporalSort", has_number=False)
    return Table(table._environment, result._stream, result._columns, time=_time_of(table))


def _processed(
    table: Table,
    keys: Sequence[int],
    function: KeyedProcessFunction[object, Row, Row],
    name: str,
    has_number: bool,
) -> Table:
    columns = [
        replace(column, name=f"f{position}", position=position)
        for position, column in enumerate(table._columns)
    ]
    if has_number:
        number = DataTypes.BIGINT().not_null()
        columns.append(TableColumn(f"f{len(columns)}", number, number.type_info, len(columns)))
    stream = keyed(table, keys).process(function, row_type(columns))
    return Table(table._environment, stream.name(name), columns)


def _time_of(table: Table) -> TimeAttribute | None:
    """Return the event time of the rows of a table, once an operator has passed them on."""
    positions = [column.position for column in table._columns]
    if table._time is None or table._time.position not in positions:
        return None
    return TimeAttribute(positions.index(table._time.position))


def _identity(table: Table, keys: Sequence[int], order: Sequence[SortField]) -> list[int] | None:
    """Return the columns that tell rows apart, if no update moves a row backwards or to another group."""
    key, positions = table._upsert_key, [column.position for column in table._columns]
    if key is None or key.has_deletes or not order or not set(key.positions) <= {*positions}:
        return None
    if not {positions[number] for number in keys} <= {*key.positions}:
        return None
    for field in order:
        position = positions[field.position]
        moves_forwards = position in (key.growing if field.is_descending else key.falling)
        if position not in key.positions and (not moves_forwards or field.nulls_first == field.is_descending):
            return None
    return [positions.index(position) for position in key.positions]
