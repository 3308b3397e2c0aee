"""Groupings: the keys, the window and the aggregates of a query that groups rows of an unbounded table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from pystream.sql_types.data_types import DataType
from pystream.table.sql.column_types import data_type_of_sql
from pystream.table.sql.functions.aggregates import is_aggregate
from pystream.table.sql.windows import WINDOW_COLUMNS
from pystream.table.streaming.trees import window_call

__all__ = ["AggregateCall", "Grouping", "grouping_of"]

_FUNCTIONS: Mapping[type[exp.Expr], str] = {
    exp.Count: "COUNT",
    exp.Sum: "SUM",
    exp.Avg: "AVG",
    exp.Min: "MIN",
    exp.Max: "MAX",
    exp.FirstValue: "FIRST_VALUE",
    exp.LastValue: "LAST_VALUE",
}
_OF_ARGUMENT = ("MIN", "MAX", "FIRST_VALUE", "LAST_VALUE")
"""The functions whose results have the type of the argument."""


@dataclass(frozen=True, slots=True)
class AggregateCall:
    """A call of an aggregate function.

    Attributes:
        function: its name, in capitals.
        argument: its argument; ``None`` for ``COUNT(*)``.
        is_distinct: whether equal values are aggregated once.
        result: the type of the result; ``None`` for that of the argument.
    """

    function: str
    argument: exp.Expr | None
    is_distinct: bool
    result: DataType | None


@dataclass(slots=True)
class Grouping:
    """The parts of a query that groups rows.

    Attributes:
        keys: the expressions that the rows of a group have in common, without the bounds of windows.
        aggregates: the aggregates.
        results: for each column of the results, its position among the keys, the aggregates, and the bounds
            of the window.
    """

    keys: list[exp.Expr]
    aggregates: list[AggregateCall] = field(default_factory=list)
    results: list[int] = field(default_factory=list)


def grouping_of(query: exp.Select, refusal: Callable[[exp.Expr, str], Exception]) -> Grouping:
    """Return the grouping of a query.

    Args:
        query: the query.
        refusal: returns the error that a clause is not supported.
    """
    if query.args.get("having"):
        raise refusal(query.args["having"].this, "HAVING")
    item = query.args["from_"].this
    has_window_function = window_call(item) is not None
    groups = _groups(query, refusal)
    windows = [key for key in groups if has_window_function and _is_window_column(key, item)]
    keys = [key for key in groups if key not in windows]
    grouping = Grouping(keys)
    if has_window_function and not {"window_start", "window_end"} <= {key.name for key in windows}:
        raise refusal(query, "GROUP BY without both window_start and window_end")
    for selected in query.expressions:
        value = selected.unalias()
        if value in keys:
            grouping.results.append(keys.index(value))
        elif value in windows:
            grouping.results.append(-len(WINDOW_COLUMNS) + WINDOW_COLUMNS.index(value.name))
        else:
            grouping.results.append(len(keys) + len(grouping.aggregates))
            grouping.aggregates.append(_aggregate(value, refusal))
    return grouping


def _groups(query: exp.Select, refusal: Callable[[exp.Expr, str], Exception]) -> Sequence[exp.Expr]:
    """Return the expressions by which a query groups; all that it selects for DISTINCT."""
    group = query.args.get("group")
    if query.args.get("distinct"):
        if group is not None or any(is_aggregate(selected.unalias()) for selected in query.expressions):
            raise refusal(query, "DISTINCT of the results of GROUP BY")
        return [selected.unalias() for selected in query.expressions]
    if group is None:
        return []
    groups: list[exp.Expr] = group.expressions
    for node in groups:
        if isinstance(node, exp.GroupingSets | exp.Rollup | exp.Cube):
            raise refusal(node, "GROUPING SETS, ROLLUP or CUBE")
    return groups


def _is_window_column(key: exp.Expr, item: exp.Expr) -> bool:
    is_of_item = isinstance(key, exp.Column) and key.table == item.alias_or_name
    return is_of_item and key.name in WINDOW_COLUMNS


def _aggregate(node: exp.Expr, refusal: Callable[[exp.Expr, str], Exception]) -> AggregateCall:
    call, condition = node, None
    if isinstance(node, exp.Filter):
        call, condition = node.this, node.expression.this
    name = _FUNCTIONS.get(type(call))
    if name is None:
        raise refusal(node, _clause_of(call))
    argument, is_distinct = call.this, False
    if isinstance(argument, exp.Distinct):
        is_distinct = True
        if len(argument.expressions) != 1:
            raise refusal(node, "COUNT(DISTINCT …) of several columns")
        argument = argument.expressions[0]
    if call.expressions:
        raise refusal(node, f"{name} of several arguments")
    if isinstance(argument, exp.Star) or (
        name == "COUNT" and isinstance(argument, exp.Literal) and not is_distinct
    ):
        argument = None
    if condition is not None:
        argument = _if(condition, exp.Literal.number(1) if argument is None else argument)
    result = None if name in _OF_ARGUMENT else data_type_of_sql(call.type)
    return AggregateCall(name, argument, is_distinct, result)


def _clause_of(node: exp.Expr) -> str:
    """Return what an expression is, other than an aggregate that is supported."""
    if node.find(exp.Window):
        return "OVER"
    if is_aggregate(node):
        return "this aggregate function"
    if any(is_aggregate(part) for part in node.walk()):
        return "an expression of aggregates"
    return "an expression that is neither an aggregate nor in GROUP BY"


def _if(condition: exp.Expr, value: exp.Expr) -> exp.Expr:
    value_type = value.type or exp.DataType.build("INT")
    value.type = value_type
    chosen = exp.If(this=condition.copy(), true=value.copy(), false=exp.null())
    chosen.type = value_type
    return chosen
