"""OverPlanner: the functions of OVER that a query over unbounded tables selects."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from pystream.table.algebra.aggregates import AggregateCall
from pystream.table.algebra.node import RelNode
from pystream.table.algebra.over import Lag, OverAggregate
from pystream.table.planner.grouping import AggregateExpression
from pystream.table.planner.over_clauses import LagCall, Over, over_of
from pystream.table.planner.source import Source

__all__ = ["OverPlanner"]

_ROWS, _RESULTS = "$rows", "$results"  # names that no table of a program has


class OverPlanner:
    """Computes functions of OVER.

    Args:
        rows_of: returns the values of expressions for the rows that a query selects from.
        aggregated: returns an aggregate whose operands are the columns of rows at some positions.
        refusal: returns the error that a clause is not supported.
    """

    def __init__(
        self,
        rows_of: Callable[[exp.Select, Sequence[exp.Expr]], RelNode],
        aggregated: Callable[[AggregateExpression, RelNode, Sequence[int]], AggregateCall],
        refusal: Callable[[exp.Expr, str], Exception],
    ) -> None:
        self._rows_of = rows_of
        self._aggregated = aggregated
        self._refusal = refusal

    def results(self, query: exp.Select) -> tuple[Source, list[exp.Expr]]:
        """Return rows with the results of functions, and what a query selects as expressions over them."""
        over = over_of(query, self._refusal)
        selected = [column.unalias() for column in query.expressions]
        fields = list(dict.fromkeys([*over.keys, over.time, *_arguments(over), *_columns_in(selected)]))
        rows = self._rows_of(query, fields)
        if rows.is_updating:
            raise self._refusal(query, "OVER of rows that may be updated later")
        if rows.time is None or rows.time != fields.index(over.time):
            raise self._refusal(over.time, "OVER ordered by a column without a watermark")
        node = self._computed(rows, over, fields)
        names = [(_ROWS, f"f{n}") for n in range(len(fields))]
        names += [(_RESULTS, f"f{n}") for n in range(len(node.columns) - len(fields))]
        aggregates = [window for window, call in over.calls if isinstance(call, AggregateExpression)]
        lags = [window for window, call in over.calls if isinstance(call, LagCall)]
        replaced = {field: exp.column(f"f{n}", table=_ROWS, quoted=True) for n, field in enumerate(fields)}
        replaced |= {
            window: exp.column(f"f{n}", table=_RESULTS, quoted=True)
            for n, window in enumerate([*aggregates, *lags])
        }
        return Source(node, names), [_with_columns(field, replaced) for field in selected]

    def _computed(self, rows: RelNode, over: Over, fields: Sequence[exp.Expr]) -> RelNode:
        """Return rows, followed by the results of aggregates and of ``LAG``."""
        aggregates, lags = list[AggregateCall](), list[Lag]()
        for _, call in over.calls:
            if isinstance(call, AggregateExpression):
                positions = [fields.index(operand) for operand in call.operands]
                aggregates.append(self._aggregated(call, rows, positions))
            else:
                default = None if call.default is None else fields.index(call.default)
                lags.append(Lag(fields.index(call.argument), call.offset, default))
        keys = tuple(fields.index(key) for key in over.keys)
        order = fields.index(over.time)
        return OverAggregate(rows, keys, order, over.frame, tuple(aggregates), tuple(lags))


def _arguments(over: Over) -> list[exp.Expr]:
    arguments = list[exp.Expr]()
    for _, call in over.calls:
        if isinstance(call, AggregateExpression):
            arguments += call.operands
        else:
            arguments += [call.argument] if call.default is None else [call.argument, call.default]
    return arguments


def _columns_in(selected: Sequence[exp.Expr]) -> list[exp.Expr]:
    """Return the expressions without OVER, and the columns of the others that are outside of OVER."""
    found: list[exp.Expr] = []
    for field in selected:
        if field.find(exp.Window) is None:
            found.append(field)
        else:
            nodes = field.walk(prune=lambda node: isinstance(node, exp.Window))
            found += [node for node in nodes if isinstance(node, exp.Column)]
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
