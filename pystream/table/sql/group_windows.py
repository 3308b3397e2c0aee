"""Group windows of the Table API as window functions of SQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp

from pystream.errors import PlanError
from pystream.table.expression.base import ExpressionTree
from pystream.table.expression.times import WINDOW_PROPERTIES
from pystream.table.sql.expression_trees import column_tree, named_tree, parsed_tree
from pystream.table.sql.relations import Relation, output_names
from pystream.table.sql.windows import WINDOW_COLUMNS, PartitionedTable, window_table
from pystream.table.window import GroupWindow

__all__ = ["windowed_groups"]

Fields = Sequence[ExpressionTree[Any]]


def windowed_groups(relation: Relation, window: GroupWindow, keys: Fields, fields: Fields) -> Relation:
    """Return the values of expressions of each group of each window.

    Args:
        relation: the rows.
        window: the windows.
        keys: the expressions that rows of a group have in common besides the window.
        fields: the expressions.

    Raises:
        PlanError: a column does not exist, or is called like the window or a bound of it.
    """
    if window.name in relation.columns:
        raise PlanError(f"window: there is a column {window.name!r}; choose another name for the window")
    if window.time not in relation.columns:
        columns = ", ".join(relation.columns)
        raise PlanError(f"window: there is no column {window.time!r} among {columns}")
    taken = next((name for name in WINDOW_COLUMNS if name in relation.columns), None)
    if taken is not None:
        raise PlanError(f"window: windows add a column {taken!r}, and there is one; rename it before")
    rows = _with_windows(relation, window, keys)
    named = output_names([field._tree.copy() for field in fields])
    selected = [_of_bounds(field, name, window) for field, (_, name) in zip(fields, named, strict=True)]
    used = {column.name for field in selected for column in field._tree.find_all(exp.Column)}
    bounds = [name for name in WINDOW_COLUMNS if name != "window_time" or name in used]
    return rows.selected("select", selected, [*map(_column, bounds), *keys])


def _with_windows(relation: Relation, window: GroupWindow, keys: Fields) -> Relation:
    """Return the rows with the bounds of their windows as further columns."""
    columns = [key._tree.copy() for key in keys] if window.function == "SESSION" else []
    if not all(isinstance(column, exp.Column) for column in columns):
        raise PlanError("group_by: keys of sessions are columns such as col('k'); select others before")
    rows = exp.Subquery(
        this=relation.query.copy(), alias=exp.TableAlias(this=exp.to_identifier("_rows", quoted=True))
    )
    given = [PartitionedTable(rows, columns), column_tree(window.time), *map(_interval, window.lengths)]
    source = window_table(window.function, [("", argument) for argument in given])
    query = exp.select(exp.Star()).from_(source)
    return replace(relation, query=query, columns=(*relation.columns, *WINDOW_COLUMNS))


def _interval(milliseconds: int) -> exp.Interval:
    return exp.Interval(this=exp.Literal.string(str(milliseconds)), unit=exp.Var(this="MILLISECOND"))


def _of_bounds(field: ExpressionTree[Any], name: str, window: GroupWindow) -> ExpressionTree[Any]:
    """Return an expression of a name, in which properties of the window are columns of its bounds."""

    def bound(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Anonymous) and node.name in WINDOW_PROPERTIES:
            of = node.expressions[0]
            if isinstance(of, exp.Column) and of.name == window.name:
                return parsed_tree(WINDOW_PROPERTIES[node.name])
        return node

    tree = field._tree.copy().transform(bound)
    if name and not isinstance(field._tree, exp.Column):
        tree = named_tree(tree, name)
    return ExpressionTree(lambda: tree, field._subqueries)


def _column(name: str) -> ExpressionTree[Any]:
    return ExpressionTree(lambda: column_tree(name))
