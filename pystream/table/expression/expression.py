"""Expression: what a table computes of its columns."""

from __future__ import annotations

from typing import Any, ClassVar

from pystream.arguments.attribute_hints import hints_at_equivalents
from pystream.arguments.checks import require
from pystream.errors import ArgumentTypeError, UnsupportedOperationError
from pystream.sql_types.data_types import DataType
from pystream.table.expression.aggregates import Aggregates
from pystream.table.expression.base import T_co, trees
from pystream.table.expression.codes import CodeFunctions
from pystream.table.expression.composites import CompositeFunctions
from pystream.table.expression.json import JsonFunctions
from pystream.table.expression.numbers import NumberFunctions
from pystream.table.expression.operators import Operators
from pystream.table.expression.regular_expressions import RegularExpressions
from pystream.table.expression.text import TextFunctions
from pystream.table.expression.times import TimeFunctions
from typeinfo.arguments import checks_arguments

__all__ = ["Expression"]


@hints_at_equivalents
@checks_arguments(ArgumentTypeError)
class Expression(
    Operators[T_co],
    Aggregates[T_co],
    TextFunctions[T_co],
    NumberFunctions[T_co],
    TimeFunctions[T_co],
    CompositeFunctions[T_co],
    RegularExpressions[T_co],
    CodeFunctions[T_co],
    JsonFunctions[T_co],
):
    """An expression over the columns of a table: a column, a literal, or an operator or function of others.

    Made by the functions of ``pystream.table.expressions``. Other operands than expressions are literals.

    Mirrors ``org.apache.flink.table.api.ApiExpression``.

    Examples:
        >>> from pystream.table.expressions import col
        >>> (col("price") * col("n") + 1).alias("total")
        Expression((`price` * `n`) + 1 AS `total`)
        >>> (col("word") == "it's") & (col("n").is_not_null | ~col("seen"))
        Expression((`word` = 'it''s') AND ((NOT `n` IS NULL) OR (NOT `seen` IS TRUE)))
    """

    _example: ClassVar[str] = "col('a')"
    _from_name: ClassVar[str] = "col({})"

    def alias(self, name: str, *extra_names: str) -> Expression[T_co]:
        """Return the expression with a name.

        Args:
            name: the name of the column.
            extra_names: the names of further columns, for functions whose results have several.

        Mirrors ``Expressions.as``.
        """
        for each in (name, *extra_names):
            require(each, str, "alias", "the name of a column")
        if extra_names:
            if not trees().takes_names(self._tree):
                raise UnsupportedOperationError("alias: an expression is one column, which takes one name")
            return self._changed(lambda: trees().columns_tree(self._tree, [name, *extra_names]))
        return self._changed(lambda: trees().named_tree(self._tree, name))

    def as_argument(self, name: str) -> Expression[T_co]:
        """Return the expression as the argument of a name, of ``to_changelog`` or ``from_changelog``.

        Mirrors ``Expressions.asArgument``.
        """
        return self._changed(lambda: trees().argument_tree(self._tree, name))

    def cast(self, data_type: DataType) -> Expression[Any]:
        """Return the value as one of another type; a value that has none there fails the job.

        Args:
            data_type: the type, such as ``DataTypes.INT()``.
        """
        return self._cast(data_type, "cast", is_lenient=False)

    def try_cast(self, data_type: DataType) -> Expression[Any]:
        """Return the value as one of another type, or null if it has none there."""
        return self._cast(data_type, "try_cast", is_lenient=True)

    def _cast(self, data_type: DataType, call: str, *, is_lenient: bool) -> Expression[Any]:
        require(data_type, DataType, call, "a data type such as DataTypes.INT()")
        return self._changed(lambda: trees().cast_tree(self._tree, data_type, is_lenient=is_lenient))

    @property
    def asc(self) -> Expression[T_co]:
        """The order of ``order_by`` from low to high, with nulls first."""
        return self._ordered(is_descending=False)

    @property
    def desc(self) -> Expression[T_co]:
        """The order of ``order_by`` from high to low, with nulls last."""
        return self._ordered(is_descending=True)

    def _ordered(self, *, is_descending: bool) -> Expression[T_co]:
        return self._changed(lambda: trees().ordered_tree(self._tree, is_descending=is_descending))
