"""The arguments of table functions in FROM, and the columns of their rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from sqlglot import exp
from sqlglot.schema import MappingSchema

from pystream.errors import ConfigurationError
from pystream.sql_types.data_types import DataType, DataTypes, MapType, RowField
from pystream.table.functions.table_functions import Unnest
from pystream.table.sql.dialect import Flink
from pystream.table.sql.from_items import name_items
from pystream.table.sql.function_tables import FunctionTable
from pystream.table.sql.naming import with_name
from pystream.table.sql.syntax import error_at
from pystream.table.sql.type_trees import data_type_of_sql, is_multiset, sql_of_data_type

__all__ = ["add_function_tables", "resolve_function_tables"]

Qualify: TypeAlias = Callable[[exp.Query], exp.Query]
"""Returns a query in which all columns have tables and all expressions have types."""

_FIRST = {"with_": 0, "from_": 1, "joins": 2}
"""The clauses whose columns the rest of a query may have, in order."""


def resolve_function_tables(text: str, tree: exp.Query, schema: MappingSchema, qualify: Qualify) -> None:
    """Give the arguments of table functions their types, and their rows columns.

    Arguments see the items of FROM before the function, and those of the queries around a subquery, as in
    Flink.

    Args:
        text: the text of the query, for messages.
        tree: the query; it is changed.
        schema: the columns of tables; those of the functions are added.
        qualify: resolves the names of a query.

    Raises:
        SqlError: a function does not take the arguments, or has other columns than there are names; the
            message names the place.
    """
    for item in _in_order(tree):
        around = [*_queries_around(item)]
        for query in around:
            name_items(query)
        if item.arguments:
            values = qualify(_query_of_arguments(item, around))
            for _ in around[1:]:
                values = values.expressions[0].unalias().this
            item.set("arguments", [value.unalias() for value in values.expressions])
        item.set("fields", tuple(_named_fields(text, item)))
        _add(schema, item)


def _in_order(tree: exp.Query) -> Iterator[FunctionTable]:
    """Yield the calls of table functions, each after those whose columns its arguments may be."""
    nodes: list[exp.Expr] = [tree]
    while nodes:
        node = nodes.pop()
        if isinstance(node, FunctionTable):
            yield node
        parts = sorted(node.iter_expressions(), key=lambda part: _FIRST.get(part.arg_key or "", len(_FIRST)))
        nodes.extend(reversed(parts))


def _queries_around(node: exp.Expr) -> Iterator[exp.Select]:
    """Yield the queries that a node is in, from the inside out, up to one of WITH."""
    around = node.parent
    while around is not None and not isinstance(around, exp.CTE):
        if isinstance(around, exp.Select):
            yield around
        around = around.parent


def _clauses(query: exp.Select) -> Sequence[exp.Expr]:
    """Return FROM and the joins."""
    first = query.args.get("from_")
    return [] if first is None else [first, *(query.args.get("joins") or ())]


def _query_of_arguments(item: FunctionTable, around: Sequence[exp.Select]) -> exp.Query:
    """Return the arguments of a function as a query, over the items of FROM that they see.

    Those of the queries around it are in queries around the result: ``SELECT EXISTS (SELECT …) FROM …``.
    """
    values = [with_name(one, f"f{n}") for n, one in enumerate(item.arguments)]
    result = exp.Select()
    for query in around:
        result = exp.Select(expressions=values)
        clauses = _clauses_before(query, item)
        if clauses:
            result.set("from_", clauses[0])
            result.set("joins", clauses[1:])
        values = [with_name(exp.Exists(this=result), "inner")]
    named = [one.copy() for one in _named_queries(around[0])]
    if named:
        result.set("with_", exp.With(expressions=named))
    return result


def _clauses_before(query: exp.Select, part: exp.Expr) -> Sequence[exp.Expr]:
    """Return FROM and the joins of a query whose items a part of it sees, as copies without conditions."""
    count = 0
    for clause in _clauses(query):
        if _is_inside(part, clause.this):
            count = count if isinstance(clause.this, FunctionTable | exp.Lateral) else 0
            break
        count += 1
        if _is_inside(part, clause):
            break
    copies = [clause.copy() for clause in _clauses(query)[:count]]
    for clause in copies:
        clause.set("on", None)
    return copies


def _is_inside(part: exp.Expr, node: exp.Expr) -> bool:
    while part is not node and part.parent is not None:
        part = part.parent
    return part is node


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
