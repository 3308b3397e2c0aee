"""OverAggregate: functions of the rows before each row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from pystream.table.algebra.aggregates import AggregateCall, result_columns
from pystream.table.algebra.node import SingleRel
from pystream.table.columns import TableColumn

__all__ = ["Frame", "Lag", "OverAggregate"]


class Frame(NamedTuple):
    """The rows that functions of OVER are of; the last one is the current row.

    Attributes:
        is_of_rows: whether rows are counted, as in ``ROWS``; in ``RANGE``, rows of equal times are together.
        preceding: how many rows, or milliseconds, before the current one; ``None`` for all.
    """

    is_of_rows: bool
    preceding: int | None

    def __str__(self) -> str:
        first = "UNBOUNDED" if self.preceding is None else str(self.preceding)
        return f"{'ROWS' if self.is_of_rows else 'RANGE'} BETWEEN {first} PRECEDING AND CURRENT ROW"


class Lag(NamedTuple):
    """A call of ``LAG``.

    Attributes:
        argument: position of the argument among the fields of a row.
        offset: how many rows it looks back.
        default: position of the value where there are not as many rows; ``None`` for null.
    """

    argument: int
    offset: int
    default: int | None


@dataclass(frozen=True, eq=False)
class OverAggregate(SingleRel):
    """Rows, each followed by the results of functions of the rows before it in event time.

    Mirrors ``…table.planner.plan.nodes.physical.stream.StreamPhysicalOverAggregate``.

    Attributes:
        rows: the rows, which are not updated.
        keys: the columns that the rows before a row have in common with it.
        order: the column of event time.
        frame: which rows before it there are.
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
            column = self.rows.columns[lag.argument]
            data_type, name = column.data_type.nullable(), f"LAG({column.name}, {lag.offset})"
            columns.append(replace(column, name=name, data_type=data_type, position=len(columns)))
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
