"""GroupPlanner: the groups of rows of a query over unbounded tables, of all rows or in windows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from pystream.sql_types.data_types import DataTypes
from pystream.table.algebra.aggregates import (
    AggregateCall,
    FinalAggregate,
    FinalWindowAggregate,
    GroupAggregate,
    WindowAggregate,
)
from pystream.table.algebra.expand import Expand
from pystream.table.algebra.node import RelNode
from pystream.table.functions.aggregates import AGGREGATE_FUNCTIONS
from pystream.table.functions.declaration import Arguments
from pystream.table.planner.grouping import GROUPS, AggregateExpression, Grouping, grouping_of
from pystream.table.planner.planning import Planning
from pystream.table.planner.program_aggregates import require_final_values, require_merge, require_retract
from pystream.table.planner.source import Source
from pystream.table.planner.trees import SelectedField
from pystream.table.planner.window_items import WindowItem
from pystream.table.planner.window_planner import TableItem, WindowPlanner
from pystream.table.rules.final_rows import without_changes
from pystream.table.sql.conditions import conditions_of
from pystream.table.streaming.final_windows import is_aggregated_by_columns

__all__ = ["GroupPlanner", "aggregate_call", "grouped"]

_COMPOSITE = (exp.DType.STRUCT, exp.DType.ARRAY, exp.DType.MAP)


class GroupPlanner:
    """Groups rows.

    Args:
        planning: the query.
        windows: computes expressions on rows with windows.
        values: returns the values of expressions for the rows that a query selects from.
    """

    def __init__(
        self,
        planning: Planning,
        windows: WindowPlanner,
        values: Callable[[exp.Select, Sequence[exp.Expr]], RelNode],
    ) -> None:
        self._planning = planning
        self._windows = windows
        self._values = values

    def groups(
        self, query: exp.Select, windows: WindowItem | TableItem | None
    ) -> tuple[Source, Sequence[exp.Expr], list[SelectedField]]:
        """Return the groups of a query, and its conditions and columns as expressions over them.

        Args:
            query: the query.
            windows: the windows of the rows that it selects from.
        """
        planning = self._planning
        grouping = grouping_of(query, planning.analysed.text, planning.refusal, windows)
        for call in grouping.aggregates:
            declared = AGGREGATE_FUNCTIONS.get(call.function) if call.definition is None else None
            if declared is not None and not (declared.is_in_streams or planning.is_bounded):
                raise planning.refusal(query, call.function)
        if grouping.is_windowed and isinstance(windows, WindowItem):
            result = self._of_window_function(query, grouping, windows)
        else:
            result = self._of_rows(query, grouping, windows)
        fields = list(zip(query.named_selects, grouping.fields, strict=True))
        return Source(result, [(GROUPS, name) for name in grouping.names]), grouping.conditions, fields

    def _of_window_function(self, query: exp.Select, grouping: Grouping, windows: WindowItem) -> RelNode:
        """Return the groups of the rows of a window function."""
        timed = self._windows.timed_rows(windows, _values_of(grouping), conditions_of(query))
        if timed is None:
            return self._of_rows(query, grouping, windows)
        timed, keys, calls = _expanded(grouping, timed)
        for call in calls:
            if windows.call.function == "SESSION" and call.built_in in ("FIRST_VALUE", "LAST_VALUE"):
                raise self._planning.refusal(windows.item, f"{call.function} in a SESSION")
        if windows.call.function == "SESSION":
            require_merge(calls)
        assert timed.time is not None
        zone = self._planning.zone_of(timed.columns[timed.time])
        node = FinalWindowAggregate(timed, keys, calls, windows.call, zone)
        if self._planning.is_in_process and is_aggregated_by_columns(node):
            return node
        return WindowAggregate(timed, keys, calls, windows.call, zone)

    def _of_rows(
        self, query: exp.Select, grouping: Grouping, windows: WindowItem | TableItem | None
    ) -> RelNode:
        """Return the groups of rows, in the windows whose bounds they have if both are among the keys."""
        values = _values_of(grouping)
        if grouping.is_windowed:
            assert windows is not None
            rows, keys, calls = _expanded(grouping, self._values(query, [*values, *windows.bounds()]))
            assert rows.windows is not None
            return WindowAggregate(rows, keys, calls, None, rows.windows.zone)
        rows, keys, calls = _expanded(grouping, self._values(query, values))
        return grouped(self._planning, query, rows, keys, calls)


def grouped(
    planning: Planning, query: exp.Query | None, rows: RelNode, keys: int, calls: tuple[AggregateCall, ...]
) -> RelNode:
    """Return the aggregates of each group of rows.

    Args:
        planning: the query.
        query: the SELECT whose groups they are, which may tell how long these are kept.
        rows: the rows.
        keys: the number of its columns, from the first one on, that are the key.
        calls: the aggregates; none for the distinct keys.
    """
    if planning.is_bounded:
        rows = without_changes(rows)
    if rows.is_updating:
        require_retract(calls)
    if planning.is_bounded and not (keys and rows.is_updating):
        if not keys and not calls:  # GROUP BY (): there is one group, also of no rows
            calls = (AggregateCall("COUNT", (), False, DataTypes.BIGINT()),)
        return FinalAggregate(rows, keys, calls)
    require_final_values(calls)
    return GroupAggregate(rows, keys, calls, planning.ttl(query))


def _values_of(grouping: Grouping) -> list[exp.Expr]:
    """Return the keys of a grouping, and the arguments and conditions of its aggregates, each once."""
    operands = (operand for call in grouping.aggregates for operand in call.operands)
    return [*grouping.keys, *dict.fromkeys(map(_evaluated, operands))]


def _evaluated(argument: exp.Expr) -> exp.Expr:
    """Return an argument as an expression, which has rows where a column may have records of the program."""
    if not isinstance(argument, exp.Column) or not argument.is_type(*_COMPOSITE):
        return argument
    value = exp.Paren(this=argument.copy())
    value.type = argument.type
    return value


def _expanded(grouping: Grouping, rows: RelNode) -> tuple[RelNode, int, tuple[AggregateCall, ...]]:
    """Return rows of the values of a grouping, once for each grouping set, their keys, and the aggregates."""
    keys = len(grouping.keys)
    values = _values_of(grouping)[keys:]
    if grouping.is_expanded:
        rows = Expand(rows, keys, grouping.sets)
        keys += 1
    calls = (
        aggregate_call(call, rows, [keys + values.index(_evaluated(operand)) for operand in call.operands])
        for call in grouping.aggregates
    )
    return rows, keys, tuple(calls)


def aggregate_call(aggregate: AggregateExpression, rows: RelNode, positions: Sequence[int]) -> AggregateCall:
    """Return an aggregate whose operands are the columns of rows at some positions."""
    arguments = tuple(positions[: len(aggregate.arguments)])
    types = tuple(rows.columns[position].data_type for position in arguments)
    if aggregate.definition is None:
        result = AGGREGATE_FUNCTIONS[aggregate.function].result_type(Arguments(types))
    else:
        result = aggregate.definition.result_type
    return AggregateCall(
        aggregate.function,
        arguments,
        aggregate.is_distinct,
        result,
        None if aggregate.condition is None else positions[-1],
        aggregate.definition,
        types,
        aggregate.skips_nulls,
    )
