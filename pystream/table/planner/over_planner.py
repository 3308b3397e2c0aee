"""OverPlanner: the functions of OVER that a query selects."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from pystream.sql_types.data_types import DataTypes
from pystream.table.algebra.aggregates import AggregateCall
from pystream.table.algebra.arrival import timed_by
from pystream.table.algebra.node import RelNode
from pystream.table.algebra.over import (
    FinalOverAggregate,
    Frame,
    Lag,
    OverAggregate,
    OverCall,
    RankCall,
    UpdatingOverAggregate,
)
from pystream.table.algebra.sorts import SortField
from pystream.table.planner.grouping import AggregateExpression
from pystream.table.planner.grouping_sets import is_grouping_function
from pystream.table.planner.over_checks import check_any_order, check_event_time, check_ranges
from pystream.table.planner.over_clauses import LagCall, Over, overs_of
from pystream.table.planner.planning import Planning
from pystream.table.planner.program_aggregates import require_final_values
from pystream.table.planner.source import Source
from pystream.table.planner.trees import one
from pystream.table.rules.final_rows import final_rows
from pystream.table.sql.functions.aggregates import is_aggregate

__all__ = ["OverPlanner"]

_ROWS, _RESULTS = "$rows", "$results"  # names that no table of a program has


class OverPlanner:
    """Computes functions of OVER.

    Args:
        rows_of: returns the values of expressions for the rows, or the groups, that a query selects from.
        aggregated: returns an aggregate whose operands are the columns of rows at some positions.
        planning: the query; if it is bounded, functions may be of later rows and in any order.
    """

    def __init__(
        self,
        rows_of: Callable[[exp.Select, Sequence[exp.Expr]], RelNode],
        aggregated: Callable[[AggregateExpression, RelNode, Sequence[int]], AggregateCall],
        planning: Planning,
    ) -> None:
        self._rows_of = rows_of
        self._aggregated = aggregated
        self._planning = planning
        self._refusal = planning.refusal

    def results(self, query: exp.Select) -> tuple[Source, list[exp.Expr]]:
        """Return rows with the results of functions, and what a query selects as expressions over them."""
        overs = overs_of(query, self._refusal)
        selected = [column.unalias() for column in query.expressions]
        needed = [expression for over in overs for expression in over.needed]
        fields = list(dict.fromkeys([*needed, *_parts(selected)])) or [one()]
        rows = self._rows_of(query, fields)
        timed = None if self._planning.is_bounded else self._timed(rows, overs, fields)
        if timed is not None:
            check_event_time(overs, self._refusal)
            node, windows = self._in_event_time(rows, timed, overs, fields)
        else:
            check_any_order(overs, self._refusal)
            check_ranges(overs, self._planning.error)
            node, windows = self._in_any_order(rows, overs, fields)
        names = [(_ROWS, f"f{n}") for n in range(len(fields))]
        names += [(_RESULTS, f"f{n}") for n in range(len(windows))]
        replaced = {field: exp.column(f"f{n}", table=_ROWS, quoted=True) for n, field in enumerate(fields)}
        replaced |= {
            window: exp.column(f"f{n}", table=_RESULTS, quoted=True) for n, window in enumerate(windows)
        }
        return Source(node, names), [_with_columns(field, replaced) for field in selected]

    def _timed(self, rows: RelNode, overs: Sequence[Over], fields: Sequence[exp.Expr]) -> RelNode | None:
        """Return rows in the event time by which one of the functions orders them; ``None`` if none does."""
        for over in overs:
            if len(over.order) == 1 and not over.order[0].args.get("desc") and not rows.is_updating:
                timed = timed_by(rows, fields.index(over.order[0].this))
                if timed is not None:
                    return timed
        return None

    def _in_any_order(
        self, rows: RelNode, overs: Sequence[Over], fields: Sequence[exp.Expr]
    ) -> tuple[RelNode, list[exp.Window]]:
        """Return rows, followed by the results of functions, and the places of these.

        Those of unbounded rows are updated; those of bounded ones are final.
        """
        is_bounded = self._planning.is_bounded
        node = final_rows(rows) if is_bounded else rows
        kind = FinalOverAggregate if is_bounded else UpdatingOverAggregate
        windows: list[exp.Window] = []
        while len(windows) < len(overs):
            first = next(over for over in overs if over.window not in windows)
            same = [over for over in overs if (over.keys, over.order) == (first.keys, first.order)]
            keys = tuple(map(fields.index, first.keys))
            order = tuple(_sort_field(field, fields) for field in first.order)
            is_by_clock = is_bounded and len(order) == 1 and order[0].position in rows.proctimes
            frames = [_without_ties(over.frame) if is_by_clock else over.frame for over in same]
            functions = [self._function(over, rows, fields) for over in same]
            calls = tuple(map(OverCall, functions, frames))
            node = kind(node, keys, order, calls)
            windows += [over.window for over in same]
        return node, windows

    def _in_event_time(
        self, rows: RelNode, timed: RelNode, overs: Sequence[Over], fields: Sequence[exp.Expr]
    ) -> tuple[RelNode, list[exp.Window]]:
        """Return rows in event time, followed by the results of functions, and the places of these.

        Args:
            rows: the rows.
            timed: the rows in event time.
            overs: the functions, which have one window.
            fields: the expressions that the rows have.
        """
        (keys, (field,), frame) = overs[0].keys, overs[0].order, overs[0].frame
        order = fields.index(field.this)
        if timed is not rows:
            frame = _without_ties(frame)
        functions = [(self._function(over, timed, fields), over.window) for over in overs]
        lags = [(call, window) for call, window in functions if isinstance(call, Lag)]
        aggregates = [
            (_running(call, order) if isinstance(call, RankCall) else call, window)
            for call, window in functions
            if not isinstance(call, Lag)
        ]
        if frame.start is None:
            require_final_values(call for call, _ in aggregates)
        node = OverAggregate(
            timed,
            tuple(map(fields.index, keys)),
            order,
            frame,
            tuple(call for call, _ in aggregates),
            tuple(call for call, _ in lags),
        )
        return node, [window for _, window in [*aggregates, *lags]]

    def _function(
        self, over: Over, rows: RelNode, fields: Sequence[exp.Expr]
    ) -> AggregateCall | Lag | RankCall:
        match over.call:
            case RankCall():
                return over.call
            case LagCall(argument=argument, offset=offset, default=default):
                return Lag(fields.index(argument), offset, None if default is None else fields.index(default))
            case AggregateExpression():
                return self._aggregated(over.call, rows, [*map(fields.index, over.call.operands)])


def _without_ties(frame: Frame) -> Frame:
    """Return a frame of rows in the order in which they come: no two come at the same time."""
    return frame._replace(is_of_rows=True) if frame.start is None and not frame.end else frame


def _running(call: RankCall, order: int) -> AggregateCall:
    """Return the rank of a row as an aggregate of the rows up to it."""
    if call.function == "ROW_NUMBER":
        return AggregateCall("COUNT", (), False, DataTypes.BIGINT())
    return AggregateCall(call.function, (order,), False, DataTypes.BIGINT())


def _sort_field(field: exp.Ordered, fields: Sequence[exp.Expr]) -> SortField:
    position = fields.index(field.this)
    return SortField(position, bool(field.args.get("desc")), bool(field.args.get("nulls_first")))


def _is_of_groups(node: exp.Expr) -> bool:
    """Return whether an expression is a function of groups of rows."""
    return isinstance(node, exp.Filter) or is_aggregate(node) or is_grouping_function(node)


def _parts(selected: Sequence[exp.Expr]) -> list[exp.Expr]:
    """Return the expressions without OVER, and what the others have outside of OVER."""
    found: list[exp.Expr] = []
    for field in selected:
        if field.find(exp.Window) is None:
            found.append(field)
            continue
        nodes = field.walk(prune=lambda node: isinstance(node, exp.Window) or _is_of_groups(node))
        found += [node for node in nodes if isinstance(node, exp.Column) or _is_of_groups(node)]
    return found


def _with_columns(field: exp.Expr, replaced: dict[exp.Expr, exp.Column]) -> exp.Expr:
    """Return an expression in which others are replaced by columns of their types."""

    def column(node: exp.Expr) -> exp.Expr:
        if node not in replaced:
            return node
        result = replaced[node].copy()
        result.type = node.type
        result.meta.update(next((part.meta for part in node.walk(bfs=False) if "line" in part.meta), {}))
        return result

    return field.copy().transform(column, copy=False)
