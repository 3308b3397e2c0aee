"""Group windows of a number of rows as aggregates OVER the last rows of each group."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlglot import exp

from pystream.errors import PlanError, SqlError
from pystream.table.expression.base import ExpressionTree
from pystream.table.expression.times import WINDOW_PROPERTIES
from pystream.table.sql.expression_trees import column_tree, named_tree, sql_tree
from pystream.table.sql.functions.aggregates import is_aggregate
from pystream.table.sql.relations import Relation, output_names
from pystream.table.window import GroupWindow

__all__ = ["counted_groups"]

Fields = Sequence[ExpressionTree[Any]]

_NUMBER = "$number"
"""The start of the name of the column of the number of a row in its group."""


def counted_groups(
    relation: Relation,
    window: GroupWindow,
    keys: Fields,
    fields: Fields,
) -> Relation:
    """Return the values of expressions of each window of a number of rows, in the order in which they come.

    The aggregates of a window are those OVER its last row and the rows before it.

    Args:
        relation: the rows.
        window: the windows.
        keys: the expressions that rows of a group have in common.
        fields: the expressions.

    Raises:
        PlanError: a column does not exist, two results have the same name, or the window is asked for times.
        SqlError: a column is neither a key nor aggregated.
    """
    slide, size = window.lengths[0], window.lengths[-1]
    rows, keys = relation.with_named_keys(keys)
    order = exp.Order(expressions=[exp.Ordered(this=column_tree(window.time))])
    partition = [key._tree.unalias().copy() for key in keys]

    def over(function: exp.Expr, spec: exp.WindowSpec | None = None) -> exp.Window:
        return exp.Window(this=function, partition_by=partition, order=order, spec=spec, over="OVER").copy()

    trees = [field._tree.copy() for field in fields]
    names = [name for _, name in output_names(trees)]
    number_name = _NUMBER
    while number_name in (*rows.columns, *names):
        number_name += "_"
    numbered = rows.extended("window", [_expression(named_tree(over(exp.RowNumber()), number_name))])
    frame = exp.WindowSpec(
        kind="ROWS", start=exp.Literal.number(size - 1), start_side="PRECEDING", end="CURRENT ROW"
    )
    selected = [
        _expression(named_tree(_over_rows(tree, partition, lambda node: over(node, frame)), name), field)
        for tree, name, field in zip(trees, names, fields, strict=True)
    ]
    number = _expression(column_tree(number_name))
    is_last = sql_tree(f":p0 >= {size} AND MOD(:p0 - {size}, {slide}) = 0", [number._tree])
    windows = numbered.selected("select", [*selected, number]).filtered("select", _expression(is_last))
    return windows.chosen(names, names)


def _over_rows(tree: exp.Expr, keys: Sequence[exp.Expr], over: Callable[[exp.Expr], exp.Expr]) -> exp.Expr:
    """Return an expression of a group as one of the last row of a window.

    Args:
        tree: the expression.
        keys: the expressions that rows of a group have in common.
        over: returns an aggregate over the rows of the window.
    """
    if tree in keys:
        return tree
    if is_aggregate(tree):
        return over(tree)
    if isinstance(tree, exp.Anonymous) and tree.name in WINDOW_PROPERTIES:
        raise PlanError("select: a window of a number of rows has no start, end or time; select aggregates")
    if isinstance(tree, exp.Column):
        raise SqlError(f"{tree.name} must be in GROUP BY or in an aggregate function")
    changed = tree.copy()
    for child in [*changed.iter_expressions()]:
        child.replace(_over_rows(child.copy(), keys, over))
    return changed


def _expression(tree: exp.Expr, origin: ExpressionTree[Any] | None = None) -> ExpressionTree[Any]:
    """Return an expression, with the subqueries of the one that it is made of."""
    return ExpressionTree(lambda: tree, () if origin is None else origin._subqueries)
