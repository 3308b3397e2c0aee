"""Windows of ``Table.over_window`` as OVER clauses of SQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlglot import exp

from pystream.errors import PlanError
from pystream.table.expression.base import ExpressionTree
from pystream.table.over_windows import OverWindow
from pystream.table.sql.expression_trees import interval_milliseconds, interval_rows, named_tree
from pystream.table.sql.relations import Relation, output_names

__all__ = ["selected_over"]

Fields = Sequence[ExpressionTree[Any]]


def selected_over(relation: Relation, windows: Sequence[OverWindow], fields: Fields) -> Relation:
    """Return the values of expressions of each row and of the rows around it.

    Args:
        relation: the rows.
        windows: the windows that functions are ``over``.
        fields: the expressions.

    Raises:
        PlanError: a window or a column does not exist, or a bound of a window is none.
    """
    named: dict[str, OverWindow] = {}
    for window in windows:
        if window.name in named:
            raise PlanError(f"over_window: there are two windows of the name {window.name!r}")
        named[window.name] = window
    names = [name for _, name in output_names([field._tree.copy() for field in fields])]
    selected = [_with_windows(field, name, named) for field, name in zip(fields, names, strict=True)]
    return relation.selected("select", selected)


def _with_windows(
    field: ExpressionTree[Any], name: str, windows: Mapping[str, OverWindow]
) -> ExpressionTree[Any]:
    """Return an expression in which functions are over the windows that they name."""
    tree = field._tree.copy()
    calls = [*tree.find_all(exp.Window)]
    for call in calls:
        window = windows.get(call.alias)
        if window is None:
            among = ", ".join(windows)
            raise PlanError(f"over: there is no window {call.alias!r} among {among} of over_window")
        call.set("alias", None)
        call.set("partition_by", [key._tree.copy() for key in window.keys])
        call.set("order", exp.Order(expressions=[_order(window)]))
        call.set("spec", _spec(window))
    if calls and name and not isinstance(tree, exp.Alias):
        tree = named_tree(tree, name)
    subqueries = (
        subquery for window in windows.values() for key in window.keys for subquery in key._subqueries
    )
    return ExpressionTree(lambda: tree, [*field._subqueries, *subqueries])


def _order(window: OverWindow) -> exp.Expr:
    tree = window.order._tree.copy()
    return tree if isinstance(tree, exp.Ordered) else exp.Ordered(this=tree, desc=False, nulls_first=True)


def _spec(window: OverWindow) -> exp.WindowSpec | None:
    """Return the bounds of a window; of one without any, they are those of SQL."""
    if window.preceding is None:
        return None
    kind, start, start_side = _bound(window.preceding, "PRECEDING")
    if window.following is None:
        end_kind, end, end_side = kind, "CURRENT ROW", None
    else:
        end_kind, end, end_side = _bound(window.following, "FOLLOWING")
    if kind != end_kind:
        raise PlanError(
            f"following: the window starts by {kind} at {window.preceding} and ends by {end_kind} at "
            f"{window.following}; both must be numbers of rows, or both lengths of time"
        )
    return exp.WindowSpec(kind=kind, start=start, start_side=start_side, end=end, end_side=end_side)


def _bound(bound: ExpressionTree[Any], side: str) -> tuple[str, Any, str | None]:
    """Return whether a bound counts rows, and the bound in SQL."""
    tree = bound._tree.unalias()
    if isinstance(tree, exp.Var):
        place, _, kind = tree.name.partition("_")
        is_unbounded = place == "UNBOUNDED"
        return (
            "ROWS" if kind == "ROW" else "RANGE",
            place if is_unbounded else "CURRENT ROW",
            side if is_unbounded else None,
        )
    rows = interval_rows(tree)
    if rows is not None:
        return "ROWS", exp.Literal.number(rows), side
    length = interval_milliseconds(tree)
    if length is None:
        raise PlanError(
            f"{side.lower()}: {bound} is no bound of a window; give UNBOUNDED_ROW, UNBOUNDED_RANGE, "
            "CURRENT_ROW, CURRENT_RANGE, row_interval(n) or a length of time such as lit(10).seconds"
        )
    interval = exp.Interval(this=exp.Literal.string(str(length)), unit=exp.Var(this="MILLISECOND"))
    return "RANGE", interval, side
