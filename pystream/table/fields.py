"""The expressions that programs give for columns, and the columns that they choose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from pystream.arguments.checks import require
from pystream.errors import PlanError, PlanTypeError
from pystream.sql_types.data_types import DataType, DecimalType
from pystream.table.columns import TableColumn
from pystream.table.expression.base import calls, choices, trees
from pystream.table.expression.expression import Expression

if TYPE_CHECKING:
    from pystream.table.relational import Relational

__all__ = [
    "one_expression",
    "plain_columns",
    "require_expressions",
    "require_same_types",
    "several_expressions",
]

_NUMBERS = ("TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE")


def plain_columns(
    columns: Sequence[TableColumn], fields: Sequence[Expression[Any]]
) -> tuple[list[TableColumn], list[str]] | None:
    """Return the columns that expressions choose and rename, and the names they had.

    Returns:
        ``None`` if an expression is none of an existing column.
    """
    own = {column.name: column for column in columns}
    pairs = [trees().renamed_field(field._tree) for field in fields]
    if any(pair is None or pair[0] not in own for pair in pairs):
        return None
    chosen = [replace(own[pair[0]], name=pair[1]) for pair in pairs if pair is not None]
    return chosen, [pair[0] for pair in pairs if pair is not None]


def require_expressions(fields: Sequence[object], call: str) -> None:
    """Check that arguments are expressions, and that there is one.

    Raises:
        PlanError: there is none.
        PlanTypeError: one is of another class.
    """
    if not fields:
        raise PlanError(f"{call} takes at least one expression, such as col('a')")
    for field in fields:
        require(field, Expression, call, "expressions such as col('a') of pystream.table.expressions")


def several_expressions(
    table: Relational,
    fields: Sequence[Expression[Any]],
    call: str,
    others: Mapping[str, DataType] | None = None,
) -> tuple[Expression[Any], ...]:
    """Return the expressions that a method takes, without choices of columns, ``flatten`` and calls by name.

    Args:
        table: the table whose columns they read.
        fields: what the program gives.
        call: the name of the method.
        others: the types of the columns that they read of another table, by their names.

    Raises:
        PlanError: there is none, a column that is chosen does not exist, or fields of a row are not known.
        PlanTypeError: one is of another class.
    """
    require_expressions(fields, call)
    columns = {column.name: column.data_type for column in table._columns} | dict(others or {})
    functions = table._environment._functions
    return tuple(
        Expression(partial(lambda tree: tree, tree), field._subqueries)
        for field in fields
        for tree in choices().chosen_trees(call, calls().resolved_tree(field._tree, functions), columns)
    )


def one_expression(
    table: Relational, field: Expression[Any], call: str, others: Mapping[str, DataType] | None = None
) -> Expression[Any]:
    """Return the expression that a method takes, as `several_expressions` does.

    Raises:
        PlanError: it stands for several columns.
    """
    found = several_expressions(table, [field], call, others)
    if len(found) != 1:
        raise PlanError(f"{call} takes one expression, and {field} stands for {len(found)} columns")
    return found[0]


def require_same_types(left: Sequence[TableColumn], right: Sequence[TableColumn], call: str) -> None:
    """Check that the columns of two tables have the same types, or are both numbers.

    Raises:
        PlanTypeError: they have not.
    """
    if len(left) != len(right):
        raise PlanTypeError(f"{call}: the tables have {len(left)} and {len(right)} columns")
    for one, other in zip(left, right, strict=True):
        if _kind(one.data_type) != _kind(other.data_type):
            raise PlanTypeError(f"{call}: column {one} has not the type of column {other}; cast one of them")


def _kind(data_type: DataType) -> str:
    name = str(data_type.nullable())
    return "number" if name in _NUMBERS or isinstance(data_type, DecimalType) else name
