"""Aggregations of groups of rows: of all rows, or of those of each window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pystream.sql_types.data_types import DataType
from pystream.table.algebra.node import ALL, INSERT_ONLY, UPDATES, RelNode, SingleRel
from pystream.table.algebra.state_ttl import ttl_details
from pystream.table.algebra.windows import window_columns
from pystream.table.changelog_mode import ChangelogMode
from pystream.table.columns import TableColumn
from pystream.table.function_definition import AggregateFunctionDefinition
from pystream.table.functions.aggregates import NOT_NULL
from pystream.table.upsert_key import UpsertKey
from pystream.table.window_call import WindowCall
from pystream.table.window_columns import WindowColumns

__all__ = [
    "AggregateCall",
    "FinalAggregate",
    "FinalWindowAggregate",
    "GroupAggregate",
    "WindowAggregate",
    "result_columns",
]

_TYPED_AS_ARGUMENT = frozenset({"MIN", "MAX", "FIRST_VALUE", "LAST_VALUE", "SINGLE_VALUE"})
"""The functions whose results are values of the argument."""


class AggregateCall(NamedTuple):
    """A call of an aggregate function on the columns of rows.

    Attributes:
        function: its name, in capitals.
        arguments: positions of the arguments among the fields of a row; none for ``COUNT(*)``.
        is_distinct: whether equal values are aggregated once.
        result: the SQL type of the result, as Flink derives it: for ``SUM`` of a ``DECIMAL(p, s)`` it is
            ``DECIMAL(38, s)``, for ``AVG`` ``DECIMAL(38, max(6, s))``.
        condition: position of a condition, which is true of the rows that are aggregated; ``None`` for all.
        definition: the function, if it is one of the program.
        types: the SQL types of the arguments of a function of the program.
        skips_nulls: whether rows with a null among the arguments are skipped, where nulls may be values.
    """

    function: str
    arguments: tuple[int, ...]
    is_distinct: bool
    result: DataType
    condition: int | None = None
    definition: AggregateFunctionDefinition | None = None
    types: tuple[DataType, ...] = ()
    skips_nulls: bool = True

    @property
    def built_in(self) -> str | None:
        """The name of the function, if it is one of SQL itself."""
        return self.function if self.definition is None else None

    def __str__(self) -> str:
        return self.text([])

    def text(self, columns: Sequence[TableColumn]) -> str:
        """Return the call with the names of columns, for plans."""
        names = [column.name for column in columns]
        given = ", ".join(names[position] if names else f"f{position}" for position in self.arguments)
        text = f"{self.function}({'DISTINCT ' if self.is_distinct else ''}{given or '*'})"
        if self.condition is None:
            return text
        return f"{text} FILTER {names[self.condition] if names else f'f{self.condition}'}"


def result_columns(rows: RelNode, keys: int, aggregates: Sequence[AggregateCall]) -> tuple[TableColumn, ...]:
    """Return the columns of keys, and of the results of aggregates.

    Args:
        rows: the rows that are aggregated.
        keys: the number of their columns, from the first one on, that are the keys.
        aggregates: the aggregates.
    """
    results = (_result_column(rows, call, keys + number) for number, call in enumerate(aggregates))
    return *rows.columns[:keys], *results


def _result_column(rows: RelNode, call: AggregateCall, position: int) -> TableColumn:
    name = call.text(rows.columns)
    if call.definition is not None:
        return TableColumn(name, call.result, call.definition.column_type, position)
    data_type = call.result.not_null() if call.function in NOT_NULL else call.result.nullable()
    type_info = call.result.type_info
    if call.function in _TYPED_AS_ARGUMENT:
        type_info = rows.columns[call.arguments[0]].type_info
    return TableColumn(name, data_type, type_info, position)


@dataclass(frozen=True, eq=False)
class _Aggregate(SingleRel):
    keys: int
    aggregates: tuple[AggregateCall, ...]

    def _columns(self) -> tuple[TableColumn, ...]:
        return result_columns(self.rows, self.keys, self.aggregates)

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        names = self.rows.names_of(range(self.keys))
        group_by = [("groupBy", names)] if names else []
        calls = (call.text(self.rows.columns) for call in self.aggregates)
        return *group_by, ("select", ", ".join([*([names] if names else []), *calls]))


@dataclass(frozen=True, eq=False)
class GroupAggregate(_Aggregate):
    """The aggregates of each group of rows, which are updated with each row; without any, the distinct keys.

    Mirrors ``…table.planner.plan.nodes.physical.stream.StreamPhysicalGroupAggregate``.

    Attributes:
        keys: the number of its columns, from the first one on, that are the key.
        aggregates: the aggregates.
        ttl: the milliseconds after which a group without new rows is forgotten, so that its result may come
            again; 0 for never.
    """

    ttl: int

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        return *super().details, *ttl_details(self.ttl)

    @property
    def changelog(self) -> ChangelogMode:
        if self.rows.is_updating:
            return ALL
        return UPDATES if self.aggregates or self.ttl else INSERT_ONLY

    @property
    def upsert_key(self) -> UpsertKey | None:
        positions = tuple(range(self.keys))
        if not positions:
            return None
        if self.rows.is_updating:
            return UpsertKey(positions, frozenset(), frozenset(), has_deletes=True)
        growing, falling = set(), set()
        for position, call in enumerate(self.aggregates, self.keys):
            if call.built_in in ("COUNT", "MAX"):
                growing.add(position)
            elif call.built_in == "MIN" and self._has_minimum(call):
                falling.add(position)
        return UpsertKey(positions, frozenset(growing), frozenset(falling))

    def _has_minimum(self, call: AggregateCall) -> bool:
        """Return whether each row of a group has a value, of which the minimum is never null."""
        return call.condition is None and not self.rows.columns[call.arguments[0]].data_type.is_nullable

    @property
    def monotonic(self) -> list[int]:
        """The positions of aggregates whose results cannot go back, however rows are updated."""
        key = self.rows.upsert_key
        if key is None or not {*range(self.keys)} <= {*key.positions}:
            return []
        forwards: Mapping[str, frozenset[int]] = {"MAX": key.growing, "MIN": key.falling}
        return [
            position
            for position, call in enumerate(self.aggregates)
            if call.condition is None and {*call.arguments} & forwards.get(call.built_in or "", frozenset())
        ]


@dataclass(frozen=True, eq=False)
class FinalAggregate(_Aggregate):
    """The aggregates of each group of rows of a bounded input, at its end; without any, the distinct keys.

    Without keys, the result is one row, even of no rows.

    Mirrors ``…table.planner.plan.nodes.physical.batch.BatchPhysicalHashAggregate``.

    Attributes:
        rows: the rows; those with keys are not updated.
        keys: the number of its columns, from the first one on, that are the key.
        aggregates: the aggregates.
    """

    @property
    def name(self) -> str:
        return "HashAggregate"

    @property
    def changelog(self) -> ChangelogMode:
        return INSERT_ONLY


@dataclass(frozen=True, eq=False)
class WindowAggregate(_Aggregate):
    """The aggregates of each group of rows in each window, and then the bounds and the time of the window.

    Mirrors ``…table.planner.plan.nodes.physical.stream.StreamPhysicalWindowAggregate``.

    Attributes:
        rows: the rows, which have event time.
        keys: the number of its columns, from the first one on, that are the key.
        aggregates: the aggregates.
        call: the window function that assigns windows; ``None`` if rows have the bounds of theirs.
        zone: the time zone of the bounds; ``None`` if the times have none.
    """

    call: WindowCall | None
    zone: str | None

    def _columns(self) -> tuple[TableColumn, ...]:
        results = super()._columns()
        return *results, *window_columns(len(results), self.zone)

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        window = "attached" if self.call is None else str(self.call)
        return *super().details, ("window", window)

    @property
    def time(self) -> int | None:
        return len(self.columns) - 1

    @property
    def changelog(self) -> ChangelogMode:
        return INSERT_ONLY

    @property
    def windows(self) -> WindowColumns | None:
        first = self.keys + len(self.aggregates)
        attached = self.rows.windows if self.call is None else None
        is_session = self.call.function == "SESSION" if self.call else bool(attached and attached.keys)
        keys = frozenset(range(self.keys)) if is_session else None
        return WindowColumns(first, first + 1, first + 2, self.zone, keys)


@dataclass(frozen=True, eq=False)
class FinalWindowAggregate(WindowAggregate):
    """The aggregates of each group of rows of a bounded input in each window, at its end.

    The bounds of its windows are columns like others, as no watermark passes them.

    Mirrors ``…table.planner.plan.nodes.physical.batch.BatchPhysicalHashWindowAggregate``.
    """

    call: WindowCall

    @property
    def name(self) -> str:
        return "HashWindowAggregate"

    @property
    def windows(self) -> None:
        return None
