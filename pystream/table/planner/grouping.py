"""Groupings: the keys, the window and the aggregates of a query that groups rows of an unbounded table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from sqlglot import exp

from pystream.table.algebra.expand import EXPAND_ID
from pystream.table.function_definition import AggregateFunctionDefinition
from pystream.table.planner.grouping_sets import (
    GroupingSet,
    grouping_number,
    grouping_sets,
    is_grouping_function,
)
from pystream.table.sql.built_in_syntax import built_in_call
from pystream.table.sql.dialect import ProgramAggregate
from pystream.table.sql.functions.aggregates import called_aggregate, is_aggregate
from pystream.table.sql.syntax import error_at
from pystream.table.sql.windows import WINDOW_COLUMNS

__all__ = ["GROUPS", "AggregateExpression", "Grouping", "Windows", "aggregate_of", "grouping_of"]

GROUPS = "$groups"
"""The name of the table of groups, which no table of a program has."""

_WITH_NULLS = ("ARRAY_AGG", "JSON_OBJECTAGG")
"""The functions that take nulls as values unless it is said that they skip them."""


class Windows(Protocol):
    """The windows of the rows of an item of FROM."""

    def bound_of(self, node: exp.Expr) -> int | None:
        """Return which of `WINDOW_COLUMNS` a column of the item is, ``None`` for others."""
        ...

    def groups_sessions(self, keys: Sequence[exp.Expr]) -> bool:
        """Return whether a grouping by these keys and both bounds has all rows of a window in one group."""
        ...


@dataclass(frozen=True, slots=True)
class AggregateExpression:
    """A call of an aggregate function on expressions.

    Attributes:
        function: its name, in capitals.
        arguments: its arguments; none for ``COUNT(*)``.
        is_distinct: whether equal values are aggregated once.
        condition: what is true of the rows that are aggregated; ``None`` for all.
        definition: the function, if it is one of the program.
        skips_nulls: whether rows with a null among the arguments are skipped, where nulls may be values.
    """

    function: str
    arguments: tuple[exp.Expr, ...]
    is_distinct: bool
    condition: exp.Expr | None = None
    definition: AggregateFunctionDefinition | None = None
    skips_nulls: bool = True

    @property
    def operands(self) -> tuple[exp.Expr, ...]:
        """The arguments, and the condition after them if there is one."""
        return self.arguments if self.condition is None else (*self.arguments, self.condition)


@dataclass(slots=True)
class Grouping:
    """The parts of a query that groups rows.

    The table of the groups has the keys, the number of the grouping set if there are several, the aggregates
    and the bounds of the window as its columns. Expressions of them name these columns by `GROUPS`.

    Attributes:
        keys: the expressions that the rows of a group have in common, without the bounds of windows.
        sets: the keys in each grouping set.
        aggregates: the aggregates.
        fields: the expressions of the columns of the results.
        conditions: what must be true of a group.
        is_windowed: whether groups are those of windows, as both bounds are among the keys.
    """

    keys: list[exp.Expr]
    sets: tuple[frozenset[int], ...]
    aggregates: list[AggregateExpression] = field(default_factory=list)
    fields: list[exp.Expr] = field(default_factory=list)
    conditions: list[exp.Expr] = field(default_factory=list)
    is_windowed: bool = False

    @property
    def is_expanded(self) -> bool:
        """Whether there are several grouping sets."""
        return len(self.sets) > 1

    @property
    def names(self) -> list[str]:
        """The names of the columns of the groups."""
        numbers = [str(number) for number in range(len(self.keys) + len(self.aggregates))]
        number_of_set = [EXPAND_ID] if self.is_expanded else []
        return [
            *numbers[: len(self.keys)],
            *number_of_set,
            *numbers[len(self.keys) :],
            *(WINDOW_COLUMNS if self.is_windowed else ()),
        ]


def grouping_of(
    query: exp.Select,
    text: str,
    refusal: Callable[[exp.Expr, str], Exception],
    windows: Windows | None = None,
) -> Grouping:
    """Return the grouping of a query.

    Args:
        query: the query.
        text: the text of the statement that it is part of.
        refusal: returns the error that a clause is not supported.
        windows: the windows of the rows that it groups, if they have any.

    Raises:
        SqlError: a column is neither in GROUP BY nor in an aggregate function.
    """
    sets = _sets(query)
    keys = [*dict.fromkeys(key for one in sets for key in one)]
    bounds = {key: bound for key in keys if windows and (bound := windows.bound_of(key)) is not None}
    is_windowed = windows is not None and all(_is_of_windows(one, bounds, windows) for one in sets)
    if is_windowed:
        keys = [key for key in keys if key not in bounds]
    numbers = tuple(frozenset(keys.index(key) for key in one if key in keys) for one in sets)
    grouping = Grouping(keys, numbers, is_windowed=is_windowed)

    def of_groups(node: exp.Expr) -> exp.Expr:
        if node in grouping.keys:
            return _column(str(grouping.keys.index(node)), node)
        if is_windowed and node in bounds:
            return _column(WINDOW_COLUMNS[bounds[node]], node)
        if is_grouping_function(node):
            for argument in node.expressions:
                if argument not in keys and argument not in bounds:
                    raise error_at(text, argument, f"{argument.sql()} is not in GROUP BY")
            return grouping_number(node, keys, numbers, GROUPS)
        if isinstance(node, exp.Window):
            raise refusal(node, "OVER")
        if isinstance(node, exp.Filter) or is_aggregate(node):
            call = aggregate_of(node, refusal)
            if call not in grouping.aggregates:
                grouping.aggregates.append(call)
            return _column(str(len(grouping.keys) + grouping.aggregates.index(call)), node)
        if isinstance(node, exp.Column):
            raise error_at(text, node, f"{node.name} must be in GROUP BY or in an aggregate function")
        return node

    grouping.fields = [selected.unalias().transform(of_groups) for selected in query.selects]
    if query.args.get("having"):
        grouping.conditions = [query.args["having"].this.transform(of_groups)]
    return grouping


def _column(name: str, of: exp.Expr) -> exp.Column:
    column = exp.column(name, table=GROUPS, quoted=True)
    column.type = of.type
    return column


def _is_of_windows(grouping_set: GroupingSet, bounds: Mapping[exp.Expr, int], windows: Windows) -> bool:
    """Return whether a grouping set has the bounds of windows, and each window in groups of its own."""
    own = [key for key in grouping_set if key not in bounds]
    return {0, 1} <= {*bounds.values()} and bounds.keys() <= {*grouping_set} and windows.groups_sessions(own)


def _sets(query: exp.Select) -> Sequence[GroupingSet]:
    """Return the grouping sets of a query; all that it selects for DISTINCT."""
    if query.args.get("distinct"):
        return [tuple(selected.unalias() for selected in query.expressions)]
    group = query.args.get("group")
    return [()] if group is None else grouping_sets(group)


def aggregate_of(node: exp.Expr, refusal: Callable[[exp.Expr, str], Exception]) -> AggregateExpression:
    """Return the aggregate that an expression is.

    Args:
        node: the expression.
        refusal: returns the error that a clause is not supported.
    """
    call, condition = node, None
    if isinstance(node, exp.Filter):
        call, condition = node.this, node.expression.this
    if isinstance(call, ProgramAggregate):
        return _of_program(call, condition)
    called = called_aggregate(call)
    if called is None:
        raise refusal(node, "this aggregate function")
    skips_nulls = called.skips_nulls
    if skips_nulls is None:
        skips_nulls = called.name not in _WITH_NULLS
    is_distinct = called.is_distinct or called.name == "APPROX_COUNT_DISTINCT"
    arguments = called.arguments
    if called.name in ("JSON_ARRAYAGG", "JSON_OBJECTAGG"):
        arguments = (*arguments[:-1], _as_json(arguments[-1]))
    return AggregateExpression(
        called.name, arguments, is_distinct, condition=condition, skips_nulls=skips_nulls
    )


def _as_json(value: exp.Expr) -> exp.Expr:
    """Return the text of JSON of a value; null for null."""
    text = built_in_call("JSON_STRING", [value.copy()])
    text.type = exp.DataType.build("TEXT")
    return text


def _of_program(call: ProgramAggregate, condition: exp.Expr | None) -> AggregateExpression:
    """Return the aggregate that a call of a function of the program is."""
    definition: AggregateFunctionDefinition = call.args["definition"]
    arguments, is_distinct = call.arguments
    return AggregateExpression(definition.name, arguments, is_distinct, condition, definition)
