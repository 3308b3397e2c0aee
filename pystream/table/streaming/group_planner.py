"""GroupPlanner: the groups of rows of a query over unbounded tables, of all rows or in windows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from pystream.errors import UnsupportedOperationError
from pystream.table.sql.windows import WINDOW_COLUMNS
from pystream.table.streaming.aggregates import AggregateCall
from pystream.table.streaming.grouping import GROUPS, AggregateExpression, Grouping, grouping_of
from pystream.table.streaming.operators import grouped, totals
from pystream.table.streaming.planning import Planning
from pystream.table.streaming.source import Source
from pystream.table.streaming.trees import Field, conditions_of
from pystream.table.streaming.window_items import WindowItem
from pystream.table.streaming.window_operators import grouped_by_windows, windowed
from pystream.table.streaming.window_planner import TableItem, WindowPlanner
from pystream.table.table import Table

__all__ = ["GroupPlanner", "aggregate_call"]

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
        values: Callable[[exp.Select, Sequence[exp.Expr]], Table],
    ) -> None:
        self._planning = planning
        self._windows = windows
        self._values = values

    def groups(
        self, query: exp.Select, windows: WindowItem | TableItem | None
    ) -> tuple[Source, Sequence[exp.Expr], list[Field]]:
        """Return the groups of a query, and its conditions and columns as expressions over them.

        Args:
            query: the query.
            windows: the windows of the rows that it selects from.
        """
        planning = self._planning
        grouping = grouping_of(query, planning.analysed.text, planning.refusal, windows)
        if grouping.is_windowed and isinstance(windows, WindowItem):
            result = self._of_window_function(query, grouping, windows)
        else:
            result = self._of_rows(query, grouping)
        names = [str(number) for number in range(len(grouping.keys) + len(grouping.aggregates))]
        names += WINDOW_COLUMNS if grouping.is_windowed else ()
        fields = list(zip(query.named_selects, grouping.fields, strict=True))
        return Source(result, [(GROUPS, name) for name in names]), grouping.conditions, fields

    def _of_window_function(self, query: exp.Select, grouping: Grouping, windows: WindowItem) -> Table:
        """Return the groups of the rows of a window function."""
        timed = self._windows.timed_rows(windows, _values_of(grouping), conditions_of(query))
        if timed is None:
            return self._of_rows(query, grouping)
        rows, time = timed
        try:
            return windowed(rows, len(grouping.keys), _calls(grouping, rows), windows.call, time)
        except UnsupportedOperationError as error:
            raise self._planning.refusal(windows.item, str(error)) from None

    def _of_rows(self, query: exp.Select, grouping: Grouping) -> Table:
        """Return the groups of rows, in the windows whose bounds they have if both are among the keys."""
        rows = self._values(query, _values_of(grouping))
        calls = _calls(grouping, rows)
        if grouping.is_windowed:
            return grouped_by_windows(rows, len(grouping.keys), calls)
        if not grouping.keys and self._planning.is_bounded:
            return totals(rows, calls)
        return grouped(rows, len(grouping.keys), calls)


def _values_of(grouping: Grouping) -> list[exp.Expr]:
    """Return the keys of a grouping, and the arguments of its aggregates."""
    arguments = [call.argument for call in grouping.aggregates if call.argument is not None]
    return [*grouping.keys, *map(_evaluated, arguments)]


def _evaluated(argument: exp.Expr) -> exp.Expr:
    """Return an argument as an expression, which has rows where a column may have records of the program."""
    if not isinstance(argument, exp.Column) or not argument.is_type(*_COMPOSITE):
        return argument
    value = exp.Paren(this=argument.copy())
    value.type = argument.type
    return value


def _calls(grouping: Grouping, rows: Table) -> list[AggregateCall]:
    """Return the aggregates of rows of the values of a grouping."""
    positions = iter(range(len(grouping.keys), len(_values_of(grouping))))
    return [
        aggregate_call(each, rows, None if each.argument is None else next(positions))
        for each in grouping.aggregates
    ]


def aggregate_call(aggregate: AggregateExpression, rows: Table, position: int | None) -> AggregateCall:
    """Return an aggregate whose argument is the column of rows at a position."""
    result = aggregate.result
    if result is None:
        assert position is not None
        result = rows._columns[position].data_type.nullable()
    return AggregateCall(aggregate.function, position, aggregate.is_distinct, result)
