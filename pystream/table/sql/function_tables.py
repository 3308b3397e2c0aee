"""Items of FROM that are the rows of a table function: ``LATERAL TABLE(f(…))`` and ``UNNEST(…)``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, TypeAlias

from sqlglot import exp
from sqlglot.schema import MappingSchema

from pystream.errors import ConfigurationError
from pystream.sql_types.data_types import DataType, DataTypes, MapType, RowField
from pystream.table.function_definition import FunctionDefinition, TableFunctionDefinition
from pystream.table.functions.table_functions import ProgramTableFunction, SqlTableFunction, Unnest
from pystream.table.sql.dialect import Flink, ProgramCall
from pystream.table.sql.syntax import error_at
from pystream.table.sql.type_trees import cast_type, data_type_of_sql, is_multiset, sql_of_data_type

__all__ = [
    "FunctionTable",
    "add_function_tables",
    "calls_tables_in_python",
    "resolve_function_tables",
    "with_function_tables",
]

Qualify: TypeAlias = Callable[[exp.Query], exp.Query]
"""Returns a query in which all columns have tables and all expressions have types."""


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


def resolve_function_tables(text: str, tree: exp.Query, schema: MappingSchema, qualify: Qualify) -> None:
    """Give the arguments of table functions their types, and their rows columns.

    Arguments see the items of FROM before the function, as in Flink.

    Args:
        text: the text of the query, for messages.
        tree: the query; it is changed.
        schema: the columns of tables; those of the functions are added.
        qualify: resolves the names of a query.

    Raises:
        SqlError: a function does not take the arguments, or has other columns than there are names; the
            message names the place.
    """
    for query in reversed([*tree.find_all(exp.Select)]):  # those inside others first
        if any(isinstance(item, FunctionTable) for item in _items(query)):
            _name_items(query)
        for number, item in enumerate(_items(query)):
            if isinstance(item, FunctionTable) and not item.fields:
                values = qualify(_query_before(query, number, item)).expressions if item.arguments else []
                item.set("arguments", [value.unalias() for value in values])
                item.set("fields", tuple(_named_fields(text, item)))
                _add(schema, item)


def _items(query: exp.Select) -> Iterator[exp.Expr]:
    """Yield the items of FROM."""
    for clause in (query.args.get("from_"), *(query.args.get("joins") or ())):
        if clause is not None:
            yield clause.this


def _name_items(query: exp.Select) -> None:
    """Give items of FROM without a name one, by which arguments have their columns."""
    for number, item in enumerate(_items(query)):
        if isinstance(item, exp.Subquery) and not item.alias:
            alias = item.args.get("alias") or exp.TableAlias()
            alias.set("this", exp.to_identifier(f"_pystream_item_{number}", quoted=True))
            item.set("alias", alias)


def _query_before(query: exp.Select, number: int, item: FunctionTable) -> exp.Query:
    """Return the query of the arguments of a function, over the items of FROM before it."""
    fields = [exp.alias_(one.copy(), f"f{n}", quoted=True) for n, one in enumerate(item.arguments)]
    result = exp.Select(expressions=fields)
    if number:
        result.set("from_", query.args["from_"].copy())
        result.set("joins", [join.copy() for join in query.args["joins"][: number - 1]])
    named = [one.copy() for one in _named_queries(query)]
    if named:
        result.set("with_", exp.With(expressions=named))
    return result


def _named_queries(query: exp.Select) -> Iterator[exp.Expr]:
    """Yield the queries of ``WITH`` that a query sees, those of outer queries first."""
    outer: list[exp.Expr] = [query]
    while outer[0].parent is not None:
        outer.insert(0, outer[0].parent)
    inside = {id(node) for node in outer}
    for clause in (node.args.get("with_") for node in outer):
        for named in clause.expressions if clause else ():
            if id(named) in inside:
                break
            yield named


def _named_fields(text: str, item: FunctionTable) -> Iterator[RowField]:
    """Yield the columns of the rows of a function, under the names that they have in the query."""
    try:
        fields = item.function.fields([_type_of(argument) for argument in item.arguments])
    except ValueError as error:
        raise error_at(text, item.arguments[0] if item.arguments else item, str(error)) from None
    names: Sequence[str] = item.alias_column_names or _default_names(item, fields)
    if len(names) != len(fields):
        complaint = f"{item.function.name} has {len(fields)} columns, not {len(names)}"
        raise error_at(text, item.args["alias"], complaint)
    if len({*names}) < len(names):
        raise error_at(text, item.args["alias"], f"{item.function.name}: two columns have the same name")
    item.args["alias"].set("columns", [exp.to_identifier(name, quoted=True) for name in names])
    for field, name in zip(fields, names, strict=True):
        yield DataTypes.FIELD(name, field.data_type)


def _default_names(item: FunctionTable, fields: Sequence[RowField]) -> Sequence[str]:
    """Return the names of columns that have none in the query."""
    if item.alias and isinstance(item.function, Unnest) and len(fields) == 1:
        return [item.alias]
    return [field.name for field in fields]


def _type_of(argument: exp.Expr) -> DataType:
    try:
        data_type = data_type_of_sql(argument.type)
    except ConfigurationError:
        return DataTypes.NULL()
    if isinstance(data_type, MapType) and is_multiset(argument.type):
        return DataTypes.MULTISET(data_type.key_type)
    return data_type


def add_function_tables(schema: MappingSchema, tree: exp.Query) -> None:
    """Add the columns of the table functions of a query to those of its tables."""
    for item in tree.find_all(FunctionTable):
        _add(schema, item)


def _add(schema: MappingSchema, item: FunctionTable) -> None:
    columns: dict[str, Any] = {field.name: sql_of_data_type(field.data_type) for field in item.fields}
    schema.add_table(item.name, columns, dialect=Flink, normalize=False)


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
