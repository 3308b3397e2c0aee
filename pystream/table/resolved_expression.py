"""Expressions whose types are known, under their module name in PyFlink."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from pystream.arguments.checks import require
from pystream.sql_types.data_types import DataType
from pystream.table.expression.base import ExpressionTree, T_co
from pystream.table.expression.expression import Expression

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["ResolvedExpression"]


class ResolvedExpression(Expression[T_co]):
    """An expression over the columns of a schema, with the type of its values.

    An operator or function of it is an expression again, whose type is not known yet.

    Args:
        expression: the expression.
        output_data_type: the type of its values.

    Mirrors ``org.apache.flink.table.expressions.ResolvedExpression``.

    Examples:
        >>> from pystream.table import DataTypes
        >>> from pystream.table.expressions import col
        >>> ResolvedExpression(col("a") + 1, DataTypes.INT().not_null()).as_serializable_string()
        '`a` + 1'
    """

    def __init__(self, expression: Expression[T_co], output_data_type: DataType) -> None:
        require(expression, Expression, "ResolvedExpression", "an expression such as col('a')")
        require(output_data_type, DataType, "ResolvedExpression", "a data type such as DataTypes.INT()")
        super().__init__(lambda: expression._tree, expression._subqueries)
        self._output_data_type = output_data_type

    def get_output_data_type(self) -> DataType:
        """Return the type of the values."""
        return self._output_data_type

    def get_resolved_children(self) -> list[ResolvedExpression]:
        """Return no expressions: operands are part of the expression, as in Flink for those of SQL."""
        return []

    def as_serializable_string(self) -> str:
        """Return the expression in SQL."""
        return str(self)

    def as_summary_string(self) -> str:
        """Return the expression in SQL, to be shown."""
        return str(self)

    @classmethod
    def _over(cls, operands: Iterable[ExpressionTree[Any]], build: Callable[[], exp.Expr]) -> Expression[Any]:
        return Expression._over(operands, build)

    @classmethod
    def _operand(cls, value: Any) -> Any:
        return Expression._operand(value)
