"""Items of FROM that are the rows of a table function: ``LATERAL TABLE(f(…))`` and ``UNNEST(…)``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from sqlglot import exp

from pystream.sql_types.data_types import DataType, RowField
from pystream.table.function_definition import FunctionDefinition, TableFunctionDefinition
from pystream.table.functions.table_functions import ProgramTableFunction, SqlTableFunction, Unnest
from pystream.table.sql.dialect import ProgramCall
from pystream.table.sql.syntax import error_at
from pystream.table.sql.type_trees import cast_type, is_multiset

__all__ = ["FunctionTable", "calls_tables_in_python", "with_function_tables"]


class FunctionTable(exp.Table):
    """The rows that a function makes of values, which may be columns of the items of FROM before it.

    Its arguments are the function, the values, and, once these have types, the columns of the rows under the
    names that they have in the query.
    """

    arg_types: ClassVar[dict[str, bool]] = {
        **exp.Table.arg_types,
        "function": True,
        "arguments": False,
        "fields": False,
    }

    @property
    def function(self) -> SqlTableFunction:
        """The function."""
        function: SqlTableFunction = self.args["function"]
        return function

    @property
    def arguments(self) -> list[exp.Expr]:
        """The values that it is called with."""
        return self.args.get("arguments") or []

    @property
    def fields(self) -> tuple[RowField, ...]:
        """The columns of its rows."""
        return self.args.get("fields") or ()


def with_function_tables(text: str, tree: exp.Query) -> exp.Query:
    """Return a query in which items of FROM that call table functions are `FunctionTable` nodes.

    Args:
        text: the text of the query, for messages.
        tree: the query, whose functions are bound; it is changed.

    Raises:
        SqlError: a function does not exist, is no table function, or takes another number of arguments; the
            message names the place.
    """
    items = [item for item in tree.find_all(exp.Lateral, exp.Unnest, exp.Table) if _is_item(item)]
    for number, item in enumerate(items):
        made = _function_table(text, item, number)
        if made is not None:
            item.replace(made)
    return tree


def _is_item(node: exp.Expr) -> bool:
    return isinstance(node.parent, exp.From | exp.Join)


def _function_table(text: str, item: exp.Expr, number: int) -> FunctionTable | None:
    """Return an item of FROM as a call of a table function, ``None`` if it is another one."""
    call = item.this if isinstance(item, exp.Lateral | exp.Table) else item
    alias = item.args.get("alias") or exp.TableAlias()
    if isinstance(call, exp.Anonymous) and call.name.upper() == "TABLE" and len(call.expressions) == 1:
        call = call.expressions[0]
    if isinstance(call, exp.Dot):
        call = call.expression
    if isinstance(call, exp.Unnest):
        position = call.args.get("offset")
        function: SqlTableFunction = Unnest(bool(position or item.args.get("ordinality")))
        if isinstance(position, exp.Identifier):  # the parser takes it off the names of columns
            alias.append("columns", position.copy())
        arguments: Sequence[exp.Expr] = call.expressions
    elif isinstance(call, ProgramCall):
        definition = _table_function(text, call)
        function = ProgramTableFunction(definition)
        arguments = _converted(call.expressions, definition.input_types)
    elif not isinstance(item, exp.Unnest) and isinstance(call, exp.Func):
        raise error_at(text, call, f"there is no table function {call.name or call.sql_name()}")
    else:
        return None
    return FunctionTable(
        this=exp.to_identifier(f"_pystream_function_{number}", quoted=True),
        alias=alias.copy(),
        function=function,
        arguments=[argument.copy() for argument in arguments],
    )


def _table_function(text: str, call: ProgramCall) -> TableFunctionDefinition:
    definition: FunctionDefinition = call.args["definition"]
    if not isinstance(definition, TableFunctionDefinition):
        raise error_at(text, call, f"{definition.name} is no table function, which FROM takes")
    if any(isinstance(argument, exp.Kwarg) for argument in call.expressions):
        raise error_at(text, call, f"{definition.name}: arguments are passed by position")
    complaint = definition.refusal(len(call.expressions))
    if complaint is not None:
        raise error_at(text, call, complaint)
    return definition


def _converted(arguments: Sequence[exp.Expr], types: Sequence[DataType] | None) -> list[exp.Expr]:
    if types is None:
        return [*arguments]
    targets = [cast_type(data_type) for data_type in types]
    return [
        one if target is None else exp.cast(one, target)
        for one, target in zip(arguments, targets, strict=True)
    ]


def calls_tables_in_python(tree: exp.Query) -> bool:
    """Return whether a query calls table functions that Spark does not compute."""
    return any(not _is_in_spark(item) for item in tree.find_all(FunctionTable))


def _is_in_spark(item: FunctionTable) -> bool:
    if not isinstance(item.function, Unnest):
        return False
    (collection,) = item.arguments
    # Spark numbers elements in a subquery, which takes no maps from outside.
    is_map = isinstance(collection.type, exp.DataType) and collection.type.is_type(exp.DType.MAP)
    return not is_multiset(collection.type) and not (is_map and item.function.is_counted)
