"""The operators of streams that join the rows of unbounded tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pystream.common.time import Time
from pystream.datastream.functions import KeySelector, NullByteKeySelector
from pystream.datastream.streams.data_stream import DataStream
from pystream.datastream.streams.keyed_stream import KeyedStream
from pystream.table.columns import TableColumn, row_type
from pystream.table.evaluation import Evaluation
from pystream.table.streaming.common_types import CommonType, Conversion, converted
from pystream.table.streaming.delayed_watermarks import with_delayed_watermarks
from pystream.table.streaming.expiry import state_ttl
from pystream.table.streaming.interval_joins import JoinedRows, OuterIntervalJoin
from pystream.table.streaming.joins import JoinSide, RegularJoin
from pystream.table.table import Table
from pystream.table.time_attribute import TimeAttribute
from typeinfo.row import Row
from typeinfo.types import Types

__all__ = ["Join", "JoinKey", "interval_joined", "joined"]


@dataclass(frozen=True, slots=True)
class JoinKey:
    """A pair of columns that are equal in the rows of a join.

    Attributes:
        left: the number of the column of the left side.
        right: that of the right side.
        common: the type that they have in common.
        admits_null: whether null equals null.
    """

    left: int
    right: int
    common: CommonType
    admits_null: bool = False


@dataclass(frozen=True, slots=True)
class Join:
    """How the rows of two tables are joined.

    Attributes:
        keys: the columns that are equal; if there are none, one subtask joins all rows.
        is_left_outer: whether left rows without a partner are results.
        is_right_outer: whether right rows without a partner are.
        condition: a further condition on the columns of both sides; ``None`` if there is none.
    """

    keys: Sequence[JoinKey]
    is_left_outer: bool = False
    is_right_outer: bool = False
    condition: Evaluation | None = None

    @property
    def kind(self) -> str:
        """The name of the join."""
        names = {(False, False): "", (True, False): "Left", (False, True): "Right", (True, True): "Full"}
        return names[self.is_left_outer, self.is_right_outer]

    def sides(self, left: Table, right: Table) -> tuple[JoinSide, JoinSide]:
        """Return both sides."""
        keys = [key for key in self.keys if not key.admits_null]
        return (
            JoinSide(len(left._columns), tuple(key.left for key in keys), self.is_left_outer),
            JoinSide(len(right._columns), tuple(key.right for key in keys), self.is_right_outer),
        )

    def streams(
        self, left: Table, right: Table
    ) -> tuple[KeyedStream[Row[Any], Any], KeyedStream[Row[Any], Any]]:
        """Return the rows of both sides by their keys."""
        ones = [(key.left, key.common.conversions[0]) for key in self.keys]
        others = [(key.right, key.common.conversions[1]) for key in self.keys]
        return self._keyed(left, ones), self._keyed(right, others)

    def _keyed(
        self, table: Table, parts: Sequence[tuple[int, Conversion | None]]
    ) -> KeyedStream[Row[Any], Any]:
        rows = _rows(table)
        if not parts:
            return rows.key_by(NullByteKeySelector(), Types.INT())
        return rows.key_by(_Key(parts), Types.ROW([key.common.type_info for key in self.keys]))


def joined(left: Table, right: Table, join: Join) -> Table:
    """Return the pairs of rows of two tables, whose results may be updated later if rows of theirs are.

    Args:
        left: the rows of one side.
        right: those of the other side.
        join: how they are joined; the results of an outer join are updated later, too.
    """
    columns = _columns_of_both(left, right, join)
    function = RegularJoin(*join.sides(left, right), join.condition, state_ttl(left))
    one, other = join.streams(left, right)
    stream = one.connect(other).process(function, row_type(columns)).name(f"{join.kind}Join")
    is_updating = left._is_updating or right._is_updating or join.is_left_outer or join.is_right_outer
    return Table(left._environment, stream, columns, is_updating=is_updating)


def interval_joined(
    left: Table, right: Table, join: Join, interval: tuple[int, int], time: int | None
) -> Table:
    """Return the pairs of rows of two tables whose times lie close together; they are never updated.

    Args:
        left: the rows of one side, which have event time.
        right: those of the other side.
        join: how they are joined.
        interval: the least and the greatest time of a right row minus that of a left one, in milliseconds.
        time: the number of the column of the results that is their event time, which is never null; ``None``
            if they need none.
    """
    columns = _columns_of_both(left, right, join)
    lower, upper = interval
    one, other = join.streams(left, right)
    sides = join.sides(left, right)
    if join.kind:
        function = OuterIntervalJoin(*sides, interval, join.condition)
        stream: DataStream[Any] = one.connect(other).process(function, row_type(columns))
    else:
        pairs = one.interval_join(other).between(Time.milliseconds(lower), Time.milliseconds(upper))
        stream = pairs.process(JoinedRows(*sides, join.condition), row_type(columns))
    stream = stream.name(f"{join.kind}IntervalJoin")
    if time is None:
        return Table(left._environment, stream, columns)
    stream = with_delayed_watermarks(stream, columns, columns[time], max(upper, -lower, 0))
    return Table(left._environment, stream, columns, time=TimeAttribute(time))


class _Key(KeySelector[Row[Any], Row[Any]]):
    """Take the key from some fields of a row, converted to common types."""

    def __init__(self, parts: Sequence[tuple[int, Conversion | None]]) -> None:
        self._parts = tuple(parts)

    def get_key(self, value: Row[Any]) -> Row[Any]:
        return Row(*(converted(value[position], convert) for position, convert in self._parts))


def _rows(table: Table) -> DataStream[Row[Any]]:
    """Return the rows of a table, with the fields that its columns are."""
    columns = [replace(column, name=f"f{number}") for number, column in enumerate(table._columns)]
    return Table(table._environment, table._stream, columns)._rows()


def _numbered(columns: Sequence[TableColumn]) -> list[TableColumn]:
    return [
        replace(column, name=f"f{position}", position=position) for position, column in enumerate(columns)
    ]


def _columns_of_both(left: Table, right: Table, join: Join) -> list[TableColumn]:
    """Return the columns of the results; those of a side are nullable if the other one is outer."""
    ones = [_nullable(column) if join.is_right_outer else column for column in left._columns]
    others = [_nullable(column) if join.is_left_outer else column for column in right._columns]
    return _numbered([*ones, *others])


def _nullable(column: TableColumn) -> TableColumn:
    return replace(column, data_type=column.data_type.nullable())
