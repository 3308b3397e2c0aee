"""Functions of OVER: of the rows around each row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from typing import NamedTuple, TypeAlias

from pystream.sql_types.data_types import DataTypes
from pystream.table.algebra.aggregates import AggregateCall, result_columns
from pystream.table.algebra.node import ALL, INSERT_ONLY, SingleRel
from pystream.table.algebra.sorts import SortField, order_text
from pystream.table.changelog_mode import ChangelogMode
from pystream.table.columns import TableColumn

__all__ = [
    "FinalOverAggregate",
    "Frame",
    "Lag",
    "Offset",
    "OverAggregate",
    "OverCall",
    "RankCall",
    "UpdatingOverAggregate",
]

Offset: TypeAlias = "int | Decimal | timedelta | None"
"""How far a bound of a frame is from the current row, less than 0 before it; ``None`` without bound."""

_NO_TIME = timedelta()


class Frame(NamedTuple):
    """The rows that functions of OVER are of.

    Attributes:
        is_of_rows: whether rows are counted, as in ``ROWS``; in ``RANGE``, offsets are added to the value by
            which rows are ordered, and rows of equal values are together.
        start: where the frame starts.
        end: where it ends.
    """

    is_of_rows: bool
    start: Offset
    end: Offset = 0

    def __str__(self) -> str:
        bounds = f"{_bound(self.start, 'PRECEDING')} AND {_bound(self.end, 'FOLLOWING')}"
        return f"{'ROWS' if self.is_of_rows else 'RANGE'} BETWEEN {bounds}"


def _bound(offset: Offset, unbounded: str) -> str:
    if offset is None:
        return f"UNBOUNDED {unbounded}"
    if offset in (0, _NO_TIME):
        return "CURRENT ROW"
    is_before = offset < _NO_TIME if isinstance(offset, timedelta) else offset < 0
    length = abs(offset)
    number = length // timedelta(milliseconds=1) if isinstance(length, timedelta) else length
    return f"{number} {'PRECEDING' if is_before else 'FOLLOWING'}"


class Lag(NamedTuple):
    """A call of ``LAG``, or of ``LEAD``.

    Attributes:
        argument: position of the argument among the fields of a row.
        offset: how many rows it looks back; less than 0 to look ahead.
        default: position of the value where there are not as many rows; ``None`` for null.
    """

    argument: int
    offset: int
    default: int | None


class RankCall(NamedTuple):
    """A call of a function of the place of a row in the order.

    Attributes:
        function: its name: ``ROW_NUMBER``, ``RANK``, ``DENSE_RANK``, ``PERCENT_RANK``, ``CUME_DIST`` or
            ``NTILE``.
        buckets: the number of buckets of ``NTILE``; 0 for the other functions.
    """

    function: str
    buckets: int = 0

    def __str__(self) -> str:
        return f"{self.function}({self.buckets or ''})"


class OverCall(NamedTuple):
    """A function of OVER, and the rows that it is of.

    Attributes:
        function: the function.
        frame: the rows; those of all other functions than aggregates are the same for any frame.
    """

    function: AggregateCall | Lag | RankCall
    frame: Frame


@dataclass(frozen=True, eq=False)
class OverAggregate(SingleRel):
    """Rows, each followed by the results of functions of the rows before it in event time.

    Mirrors ``…table.planner.plan.nodes.physical.stream.StreamPhysicalOverAggregate``.

    Attributes:
        rows: the rows, which are not updated.
        keys: the columns that the rows before a row have in common with it.
        order: the column of event time.
        frame: which rows before it there are; the last one is the current row.
        aggregates: the aggregates of these rows.
        lags: the calls of ``LAG``, whose results are the last columns.
    """

    keys: tuple[int, ...]
    order: int
    frame: Frame
    aggregates: tuple[AggregateCall, ...]
    lags: tuple[Lag, ...]

    def _columns(self) -> tuple[TableColumn, ...]:
        columns = [*result_columns(self.rows, len(self.rows.columns), self.aggregates)]
        for lag in self.lags:
            columns.append(_lag_column(self.rows.columns, lag, len(columns)))
        return tuple(columns)

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        partition = [("partitionBy", self.rows.names_of(self.keys))] if self.keys else []
        names = self.rows.columns
        select = ["*", *(column.name for column in self.columns[len(names) :])]
        order = f"{names[self.order].name} ASC"
        return [*partition, ("orderBy", order), ("window", str(self.frame)), ("select", ", ".join(select))]

    @property
    def time(self) -> int | None:
        return self.order


@dataclass(frozen=True, eq=False)
class FinalOverAggregate(SingleRel):
    """Bounded rows in an order, each followed by the results of functions of the rows around it.

    Mirrors ``…table.planner.plan.nodes.physical.batch.BatchPhysicalOverAggregate``.

    Attributes:
        rows: the rows, which are not updated.
        keys: the columns that the rows around a row have in common with it.
        order: the order of these rows; none for the order of arrival.
        calls: the functions.
    """

    keys: tuple[int, ...]
    order: tuple[SortField, ...]
    calls: tuple[OverCall, ...]

    def _columns(self) -> tuple[TableColumn, ...]:
        columns = [*self.rows.columns]
        for call, _ in self.calls:
            position = len(columns)
            match call:
                case AggregateCall():
                    column = result_columns(self.rows, 0, [call])[0]
                    columns.append(replace(column, position=position))
                case Lag():
                    columns.append(_lag_column(self.rows.columns, call, position))
                case RankCall():
                    is_share = call.function in ("PERCENT_RANK", "CUME_DIST")
                    data_type = (DataTypes.DOUBLE() if is_share else DataTypes.BIGINT()).not_null()
                    columns.append(TableColumn(str(call), data_type, data_type.type_info, position))
        return tuple(columns)

    @property
    def name(self) -> str:
        return "OverAggregate"

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        partition = [("partitionBy", self.rows.names_of(self.keys))] if self.keys else []
        order = [("orderBy", order_text(self.rows, self.order))] if self.order else []
        results = self.columns[len(self.rows.columns) :]
        calls = [f"{column.name} {call.frame}" for column, call in zip(results, self.calls, strict=True)]
        return [*partition, *order, ("select", ", ".join(["*", *calls]))]

    @property
    def changelog(self) -> ChangelogMode:
        return INSERT_ONLY


@dataclass(frozen=True, eq=False)
class UpdatingOverAggregate(FinalOverAggregate):
    """Rows in an order other than that of event time, with results that are updated as rows come and go.

    Mirrors ``…table.planner.plan.nodes.physical.stream.StreamPhysicalOverAggregate``.

    Attributes:
        rows: the rows, which may be updated.
        keys: as the base class.
        order: as the base class.
        calls: as the base class.
    """

    @property
    def changelog(self) -> ChangelogMode:
        return ALL


def _lag_column(columns: Sequence[TableColumn], lag: Lag, position: int) -> TableColumn:
    column = columns[lag.argument]
    name = f"{'LAG' if lag.offset >= 0 else 'LEAD'}({column.name}, {abs(lag.offset)})"
    return replace(column, name=name, data_type=column.data_type.nullable(), position=position)
