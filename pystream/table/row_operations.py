"""The row-based methods of tables: by calls of functions of the program with each row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from pystream.errors import ArgumentTypeError, PlanError
from pystream.sql_types.data_types import RowField, RowType
from pystream.table.expression.base import trees
from pystream.table.expression.expression import Expression
from pystream.table.fields import one_expression
from pystream.table.function_definition import (
    FunctionDefinition,
    ScalarFunctionDefinition,
    TableFunctionDefinition,
)
from pystream.table.relational import Relational
from pystream.table.user_functions.scalar import UserDefinedScalarFunctionWrapper
from pystream.table.user_functions.table import UserDefinedTableFunctionWrapper
from typeinfo.arguments import checks_arguments

if TYPE_CHECKING:
    from pystream.table.table import Table

__all__ = ["RowOperations"]

_ROW = "_row"

TableFunctionCall: TypeAlias = "Expression[Any] | UserDefinedTableFunctionWrapper"


@checks_arguments(ArgumentTypeError)
class RowOperations(Relational):
    """The methods of a table that call a function of the program with each of its rows.

    A function that is given itself, not a call of it, takes a whole row, with the names of the columns.
    """

    def map(self, func: Expression[Any] | UserDefinedScalarFunctionWrapper[..., Any]) -> Table:
        """Return the result of a scalar function for each row; the fields of a ROW become columns.

        Args:
            func: a call of the function such as ``f(col("a"))``, or the function, which then takes whole
                rows: a `Row`, or with ``func_type="pandas"`` a DataFrame. Names that the function has by its
                ``alias`` are ignored, as in Flink.

        Raises:
            PlanError: it is no call of a scalar function of the program, or a call with names.

        Mirrors ``Table.map``.
        """
        if isinstance(func, Expression) and trees().names_of_columns(func._tree):
            raise PlanError(
                f"map takes a call without names, not {func}; name the columns of map(…) by alias"
            )
        expression = self._call_of("map", func if isinstance(func, Expression) else func.alias())
        definition = self._definition(expression)
        if not isinstance(definition, ScalarFunctionDefinition):
            raise PlanError(f"map takes a call of a scalar function made by udf, not {expression}")
        result = definition.result_type
        if not isinstance(result, RowType):
            return self._result("map", self._as_relation().selected("map", [expression]))
        from pystream.table.expressions import col

        rows = self._as_relation().selected("map", [expression.alias(_ROW)])
        fields = [col(_ROW).get(name).alias(name) for name in result.field_names()]
        return self._result("map", rows.selected("map", fields))

    def flat_map(self, func: TableFunctionCall) -> Table:
        """Return the rows that a table function makes of each row.

        Args:
            func: a call of the function such as ``f(col("a"))``, or the function, which then takes whole rows
                as a `Row`.

        Raises:
            PlanError: it is no call of a table function of the program.

        Mirrors ``Table.flatMap``.
        """
        call, columns = self._table_call("flat_map", func)
        names = [column.name for column in columns]
        return self._result("flat_map", self._as_relation().flat_mapped("flat_map", call, names))

    def join_lateral(
        self, table_function_call: TableFunctionCall, join_predicate: Expression[bool] | None = None
    ) -> Table:
        """Return rows, each with the rows that a table function makes of it.

        Args:
            table_function_call: a call of the function such as ``f(col("a")).alias("b", "c")``, or the
                function, such as ``f.alias("b", "c")``, which then takes whole rows as a `Row`.
            join_predicate: what must be true of both rows.

        Raises:
            PlanError: it is no call of a table function of the program, or both have a column of the same
                name.

        Mirrors ``Table.joinLateral``.
        """
        return self._correlated("join_lateral", table_function_call, "INNER", join_predicate)

    def left_outer_join_lateral(
        self, table_function_call: TableFunctionCall, join_predicate: Expression[bool] | None = None
    ) -> Table:
        """Return rows as ``join_lateral`` does, and with nulls those that the function makes no rows of.

        Mirrors ``Table.leftOuterJoinLateral``.
        """
        return self._correlated("left_outer_join_lateral", table_function_call, "LEFT", join_predicate)

    def _correlated(
        self, method: str, func: TableFunctionCall, side: str, predicate: Expression[bool] | None
    ) -> Table:
        call, columns = self._table_call(method, func)
        if predicate is not None:
            types = {column.name: column.data_type for column in columns}
            predicate = one_expression(self, predicate, method, types)
        names = [column.name for column in columns]
        relation = self._as_relation().correlated(method, call, names, side, predicate)
        return self._result(method, relation)

    def _call_of(self, method: str, func: Any) -> Expression[Any]:
        """Return a call; that of a function itself takes whole rows."""
        if isinstance(func, Expression):
            return one_expression(self, func, method)
        return func._of_whole_rows([column.name for column in self._columns])  # type: ignore[no-any-return]

    def _definition(self, call: Expression[Any]) -> FunctionDefinition | None:
        """Return the function of the program that an expression is a call of."""
        from pystream.table.sql.function_calls import called_function

        return called_function(call._tree, self._environment._functions.find)

    def _table_call(self, method: str, func: TableFunctionCall) -> tuple[Expression[Any], list[RowField]]:
        """Return the call of a table function, and the columns of its rows."""
        expression = self._call_of(method, func)
        definition = self._definition(expression)
        if not isinstance(definition, TableFunctionDefinition):
            raise PlanError(f"{method} takes a call of a table function made by udtf, not {expression}")
        own = definition.result_type
        names = trees().names_of_columns(expression._tree) or own.field_names()
        if len(names) != len(own.fields):
            raise PlanError(f"{method}: {definition.name} has {len(own.fields)} columns, not {len(names)}")
        return expression, list(map(RowField, names, own.field_types()))
