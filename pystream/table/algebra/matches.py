"""Match: the matches of a pattern in the order of rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from pystream.table.algebra.aggregates import AggregateCall
from pystream.table.algebra.node import INSERT_ONLY, SingleRel
from pystream.table.algebra.patterns import PatternVariable, SkipStrategy, pattern_text
from pystream.table.algebra.scalar import Scalar
from pystream.table.algebra.sorts import SortField, order_text
from pystream.table.changelog_mode import ChangelogMode
from pystream.table.columns import TableColumn
from pystream.table.window_call import shown_duration

__all__ = ["Match", "MatchAggregate", "MatchExpression", "MatchPart", "MatchTime", "Measure", "RowValue"]


class RowValue(NamedTuple):
    """A value of one of the rows that are mapped to a variable, as ``FIRST`` and ``LAST`` choose it.

    Attributes:
        variable: the number of the variable; ``None`` for the rows of all.
        offset: how many rows are before it; if it is negative, -1 is the last row.
        value: the value; its columns are null if there is no such row.
    """

    variable: int | None
    offset: int
    value: Scalar


class MatchAggregate(NamedTuple):
    """An aggregate of the rows that are mapped to a variable.

    Attributes:
        variable: the number of the variable; ``None`` for the rows of all.
        arguments: the values that are aggregated.
        call: the aggregate of rows of the values.
    """

    variable: int | None
    arguments: tuple[Scalar, ...]
    call: AggregateCall


class MatchTime(NamedTuple):
    """The time at which a match is known, ``MATCH_ROWTIME()``.

    Attributes:
        is_instant: whether it has a time zone.
    """

    is_instant: bool


MatchPart: TypeAlias = RowValue | MatchAggregate | MatchTime


@dataclass(frozen=True, slots=True)
class MatchExpression:
    """An expression of rows that are mapped to variables.

    Attributes:
        parts: what it has of the rows.
        value: its value for a row of the values of the parts.
        text: its text in plans.
    """

    parts: tuple[MatchPart, ...]
    value: Scalar
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Measure:
    """A column of matches.

    Attributes:
        name: its name.
        expression: its value.
    """

    name: str
    expression: MatchExpression

    @property
    def is_time(self) -> bool:
        """Whether it is ``MATCH_ROWTIME()``."""
        match self.expression.parts:
            case [MatchTime()]:
                return self.expression.value.column == 0
        return False

    def __str__(self) -> str:
        return f"FINAL({self.expression}) AS {self.name}"


@dataclass(frozen=True, eq=False)
class Match(SingleRel):
    """The matches of a pattern in the rows of each partition: the keys of the partition, and the measures.

    Mirrors ``…table.planner.plan.nodes.physical.stream.StreamPhysicalMatch``.

    Attributes:
        rows: the rows, which are not updated and have event time.
        keys: the columns that the rows of a partition have in common.
        order: the order of rows of the same time.
        measures: the columns of a match.
        skip: where the next match may begin.
        pattern: the variables that rows are mapped to.
        defined: the conditions of variables, by their numbers; the others take all rows.
        within: the time after the first row by which a match must end, exclusive, in milliseconds; ``None``
            for any time.
    """

    keys: tuple[int, ...]
    order: tuple[SortField, ...]
    measures: tuple[Measure, ...]
    skip: SkipStrategy
    pattern: tuple[PatternVariable, ...]
    defined: Mapping[int, MatchExpression]
    within: int | None = None

    def _columns(self) -> tuple[TableColumn, ...]:
        keys = [replace(self.rows.columns[key], position=number) for number, key in enumerate(self.keys)]
        measures = []
        for number, measure in enumerate(self.measures, len(keys)):
            data_type = measure.expression.value.evaluation.data_type
            measures.append(TableColumn(measure.name, data_type, data_type.type_info, number))
        return (*keys, *measures)

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        names = [variable.name for variable in self.pattern]
        kind, variable = self.skip
        partition = [("partitionBy", self.rows.names_of(self.keys))] if self.keys else []
        assert self.rows.time is not None
        time = SortField(self.rows.time, False, False)
        defined = ", ".join(f"{names[number]}={one}" for number, one in self.defined.items())
        within = [] if self.within is None else [("within", shown_duration(self.within))]
        return [
            *partition,
            ("orderBy", order_text(self.rows, (time, *self.order))),
            ("measures", ", ".join(map(str, self.measures))),
            ("rowsPerMatch", "ONE ROW PER MATCH"),
            ("after", f"SKIP {kind}{'' if variable is None else f' {names[variable]}'}"),
            ("pattern", pattern_text(self.pattern)),
            *within,
            ("define", f"{{{defined}}}"),
        ]

    @property
    def time(self) -> int | None:
        times = (number for number, one in enumerate(self.measures, len(self.keys)) if one.is_time)
        return next(times, None)

    @property
    def proctimes(self) -> frozenset[int]:
        numbered = enumerate(self.measures, len(self.keys))
        return frozenset(number for number, one in numbered if one.expression.value.is_proctime)

    @property
    def changelog(self) -> ChangelogMode:
        return INSERT_ONLY
