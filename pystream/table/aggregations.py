"""Aggregations of tables by functions of the program whose results have several columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from pystream.errors import PlanError, PlanTypeError, UnsupportedOperationError
from pystream.sql_types.data_types import DataType, RowType
from pystream.table.aggregated_tables import AggregatedTable, FlatAggregateTable
from pystream.table.algebra.calc import project
from pystream.table.algebra.scans import Scan
from pystream.table.algebra.table_aggregates import GroupTableAggregate
from pystream.table.columns import TableColumn, require_distinct_names
from pystream.table.expression.expression import Expression
from pystream.table.expressions import col
from pystream.table.fields import one_expression
from pystream.table.function_definition import (
    AggregateFunctionDefinition,
    FunctionDefinition,
    TableAggregateFunctionDefinition,
)
from pystream.table.sql.expression_trees import named_row_tree, program_call_in
from pystream.table.user_functions.wrapper import UserDefinedFunctionWrapper
from typeinfo.errors import short_repr

if TYPE_CHECKING:
    from sqlglot import exp

    from pystream.table.relational import Relational

__all__ = ["AggregateCall", "aggregated", "flat_aggregated"]

AggregateCall: TypeAlias = "Expression[Any] | UserDefinedFunctionWrapper"
Keys: TypeAlias = Sequence[Expression[Any]]

_RESULT = "$result"


def aggregated(table: Relational, keys: Keys, func: AggregateCall) -> AggregatedTable:
    """Return the result of an aggregate function for each group of rows, a column a field of it.

    Args:
        table: the rows.
        keys: the expressions that rows of a group have in common.
        func: the call of the function, or the function itself, which gets whole rows.

    Raises:
        PlanTypeError: ``func`` is something else.
        PlanError: it has another number of names than columns.
    """
    definition, arguments, names = _called(table, func, "aggregate")
    if not isinstance(definition, AggregateFunctionDefinition):
        raise PlanTypeError(f"aggregate takes the call of a function made by udaf, not of {definition.name}")
    call = Expression._of_function(definition, *arguments).alias(_RESULT)
    kept = [col(key._tree.alias_or_name) for key in keys if key._tree.alias_or_name]
    result = table._result("aggregate", table._as_relation().selected("aggregate", [*kept, call], keys))
    fields = _fields(definition.name, definition.result_type, names)
    if not names:
        fields = _apart_from(fields, [key._tree.alias_or_name for key in keys])
    whole = col(_RESULT)
    is_row = isinstance(definition.result_type, RowType)
    parts = [(whole.get(own) if is_row else whole).alias(name) for own, name, _ in fields]
    return AggregatedTable(result.select(*kept, *parts))


def flat_aggregated(table: Relational, keys: Keys, func: AggregateCall) -> FlatAggregateTable:
    """Return the rows that a table aggregate function emits for each group of rows.

    Args:
        table: the rows.
        keys: the expressions that rows of a group have in common.
        func: the call of the function, or the function itself, which gets whole rows.

    Raises:
        PlanTypeError: ``func`` is something else.
        PlanError: it has another number of names than columns.
        UnsupportedOperationError: rows are updated later, and the function cannot take values back.
    """
    definition, arguments, names = _called(table, func, "flat_aggregate")
    if not isinstance(definition, TableAggregateFunctionDefinition):
        raise PlanTypeError(
            f"flat_aggregate takes the call of a function made by udtaf, not of {definition.name}"
        )
    complaint = definition.refusal(len(arguments))
    if complaint is not None:
        raise PlanError(f"flat_aggregate: {complaint}")
    for position, data_type in enumerate(definition.input_types or ()):
        arguments[position] = arguments[position].cast(data_type)
    values = [*keys, *arguments]
    if not values:
        raise PlanError(f"flat_aggregate: {definition.name} takes at least one argument here")
    given = table.select(*(value.alias(f"${number}") for number, value in enumerate(values)))
    if given._is_updating and not definition.can_retract:
        raise UnsupportedOperationError(
            f"flat_aggregate: {definition.name} of rows that may be updated later takes values back, for "
            "which it needs a method retract(accumulator, …)"
        )
    key_names = [key._tree.alias_or_name or f"_c{number}" for number, key in enumerate(keys)]
    numbers = range(len(values))
    rows = project(
        Scan(given, "flat_aggregate"), numbers, [*key_names, *(f"${n}" for n in numbers[len(keys) :])]
    )
    fields = _fields(definition.name, definition.result_type, names)
    if not names:
        fields = _apart_from(fields, key_names)
    results = tuple(
        TableColumn(name, data_type, data_type.type_info, len(keys) + number)
        for number, (_, name, data_type) in enumerate(fields)
    )
    require_distinct_names([*key_names, *(column.name for column in results)], "flat_aggregate")
    plan = GroupTableAggregate(rows, len(keys), definition, results)
    return FlatAggregateTable(table._environment._plan_table(plan, given))


def _apart_from(
    fields: Sequence[tuple[str, str, DataType]], keys: Sequence[str]
) -> list[tuple[str, str, DataType]]:
    """Return the fields of results with other names of their columns, if a key has one of these."""
    if not any(name in keys for _, name, _ in fields):
        return [*fields]
    return [(own, f"TMP_0${name}", data_type) for own, name, data_type in fields]


def _called(
    table: Relational, func: AggregateCall, call: str
) -> tuple[FunctionDefinition, list[Expression[Any]], list[str]]:
    """Return a function, its arguments, and the names of the columns of its results if they are given."""
    if isinstance(func, UserDefinedFunctionWrapper):
        columns = [column.name for column in table._columns]
        row = Expression[Any](lambda: named_row_tree(columns))
        return func._definition(func._name, call), [row], list(func._alias_names)
    found = None
    if isinstance(func, Expression):
        found = program_call_in(one_expression(table, func, call)._tree)
    if found is None:
        raise PlanTypeError(
            f"{call} takes a function of the program or a call of one, such as f(col('a')).alias('b'), not "
            f"{short_repr(func)}"
        )
    definition, trees, names = found
    return definition, [_expression(tree, func) for tree in trees], names


def _expression(tree: exp.Expr, part_of: Expression[Any]) -> Expression[Any]:
    return Expression(lambda: tree, part_of._subqueries)


def _fields(function: str, result_type: DataType, names: Sequence[str]) -> list[tuple[str, str, DataType]]:
    """Return the fields of the results of a function, with the names of their columns and their types.

    Raises:
        PlanError: there is another number of names.
    """
    own = [("f0", result_type)]
    if isinstance(result_type, RowType):
        own = [(field.name, field.data_type) for field in result_type.fields]
    chosen = names or [name for name, _ in own]
    if len(chosen) != len(own):
        raise PlanError(f"alias: the results of {function} have {len(own)} columns, not {len(chosen)}")
    return [(name, new, data_type) for (name, data_type), new in zip(own, chosen, strict=True)]
