"""Calc: the conditions and expressions of a SELECT on single rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter

from pystream.table.algebra.node import RelNode, SingleRel
from pystream.table.algebra.scalar import Field, Scalar
from pystream.table.columns import TableColumn
from pystream.table.evaluation import Evaluation
from pystream.table.upsert_key import UpsertKey
from pystream.table.window_columns import WindowColumns

__all__ = ["Calc", "EventTime", "project", "reference"]


@dataclass(frozen=True, eq=False)
class Calc(SingleRel):
    """The values of expressions of the rows for which conditions are true.

    Mirrors ``…table.planner.plan.nodes.physical.stream.StreamPhysicalCalc``.

    Attributes:
        fields: the expressions.
        conditions: the conditions.
    """

    fields: tuple[Field, ...]
    conditions: tuple[Scalar, ...] = ()

    def _columns(self) -> tuple[TableColumn, ...]:
        return tuple(self._column(number, field) for number, field in enumerate(self.fields))

    def _column(self, number: int, field: Field) -> TableColumn:
        if field.value.column is not None:
            return replace(self.rows.columns[field.value.column], name=field.name, position=number)
        data_type = field.value.evaluation.data_type
        return TableColumn(field.name, data_type, data_type.type_info, number)

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        select = ("select", ", ".join(map(str, self.fields)))
        return (select, ("where", " AND ".join(map(str, self.conditions)))) if self.conditions else (select,)

    @property
    def is_projection(self) -> bool:
        """Whether it is a mere projection: columns of all rows, and nothing computed."""
        return not self.conditions and -1 not in self.numbers_read

    @cached_property
    def numbers_read(self) -> list[int]:
        """The numbers of the columns that the results are; -1 for results that are computed."""
        return [-1 if (number := field.value.column) is None else number for field in self.fields]

    @property
    def is_deterministic(self) -> bool:
        """Whether equal rows always have equal results."""
        scalars = *self.conditions, *(field.value for field in self.fields)
        return all(scalar.evaluation.is_deterministic for scalar in scalars)

    @property
    def time(self) -> int | None:
        return self._passed_on(self.rows.time)

    @property
    def proctimes(self) -> frozenset[int]:
        known = self.rows.proctimes
        return frozenset(
            number
            for number, field in enumerate(self.fields)
            if field.value.is_proctime or field.value.column in known
        )

    @property
    def version_time(self) -> int | None:
        return None if self.conditions else self._passed_on(self.rows.version_time)

    def _passed_on(self, number: int | None) -> int | None:
        """Return the first column that is one of the rows, ``None`` if there is none."""
        numbers = self.numbers_read
        return None if number is None or number not in numbers else numbers.index(number)

    @property
    def upsert_key(self) -> UpsertKey | None:
        # A row that no longer fulfils a condition is taken back, and nothing replaces it.
        key = None if self.conditions else self.rows.upsert_key
        return key and key.chosen(self.numbers_read)

    @property
    def windows(self) -> WindowColumns | None:
        windows = self.rows.windows
        return windows and windows.chosen(self.numbers_read)


def project(rows: RelNode, columns: Sequence[int], names: Sequence[str] | None = None) -> RelNode:
    """Return some columns of rows.

    Args:
        rows: the rows.
        columns: the numbers of the columns.
        names: their names in the results; those that they have unless given.
    """
    own = [rows.columns[number] for number in columns]
    named = [column.name for column in own] if names is None else list(names)
    if isinstance(rows, Calc) and rows.is_projection:
        return project(rows.rows, [rows.numbers_read[number] for number in columns], named)
    if [*columns] == [*range(len(rows.columns))] and named == [column.name for column in own]:
        return rows
    return Calc(
        rows, tuple(reference(rows, number, name) for number, name in zip(columns, named, strict=True))
    )


def reference(rows: RelNode, number: int, name: str) -> Field:
    """Return a column of rows, under a name, as a column of results."""
    column = rows.columns[number]
    return Field(name, Scalar(Evaluation(itemgetter(number), column.data_type), column.name, number))


@dataclass(frozen=True, eq=False)
class EventTime(SingleRel):
    """Bounded rows with the times of a column as their event time.

    Mirrors ``…table.planner.plan.nodes.physical.stream.StreamPhysicalWatermarkAssigner``.

    Attributes:
        column: the number of the column, which has no nulls.
    """

    column: int

    @property
    def name(self) -> str:
        return "WatermarkAssigner"

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        return (("rowtime", self.columns[self.column].name),)

    @property
    def time(self) -> int | None:
        return self.column

    @property
    def windows(self) -> WindowColumns | None:
        return self.rows.windows
