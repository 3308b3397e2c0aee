"""Trees of expressions, made from SQL with places for their arguments, from calls and from values."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import cache
from typing import Any

from sqlglot import exp

from pystream.errors import PlanError
from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.function_definition import FunctionDefinition
from pystream.table.functions.declared import DECLARED
from pystream.table.sql.built_in_syntax import built_in_call
from pystream.table.sql.dialect import Flink, ProgramAggregate, ProgramCall
from pystream.table.sql.function_calls import program_call
from pystream.table.sql.functions.aggregates import is_aggregate
from pystream.table.sql.intervals import unit_milliseconds
from pystream.table.sql.naming import with_name
from pystream.table.sql.operations import OPERATION, OperationCall, names_operation, template_of
from pystream.table.sql.syntax import error_at, parsed
from pystream.table.sql.type_trees import sql_of_data_type

__all__ = [
    "call_tree",
    "cast_tree",
    "column_in",
    "column_tree",
    "columns_tree",
    "distinct_tree",
    "field_tree",
    "function_tree",
    "in_tree",
    "interval_milliseconds",
    "interval_rows",
    "literal_tree",
    "named_row_tree",
    "named_tree",
    "names_of_columns",
    "bound_tree",
    "OPERAND",
    "operation_tree",
    "ordered_tree",
    "over_tree",
    "row_interval_tree",
    "parsed_tree",
    "property_tree",
    "program_call_in",
    "renamed_call",
    "renamed_field",
    "row_fields",
    "sql_tree",
    "takes_names",
    "tree_text",
    "values_query",
]

ROW_FUNCTION = "NAMED_STRUCT"
"""The function of Spark that makes a row, of names and values."""

_ROW_INTERVAL = "ROW_INTERVAL"
"""The function that a number of rows is, as a bound of windows."""

OPERAND = "operand"
"""The member of ``meta`` of the tree of an operand that is its number."""

_INT_BITS = 31


def sql_tree(template: str, arguments: Sequence[exp.Expr]) -> exp.Expr:
    """Return the tree of SQL in which ``:p0``, ``:p1`` and so on stand for arguments."""
    tree = _template(template).copy()
    for place in list(tree.find_all(exp.Placeholder)):
        number = int(place.name[1:])
        operand = _operand(arguments[number])
        operand.meta[OPERAND] = number
        place.replace(operand)
    return tree


def operation_tree(name: str, operands: Sequence[exp.Expr]) -> exp.Expr:
    """Return the tree of an operation by its name in Flink.

    Raises:
        PlanError: it takes another number of operands.
    """
    tree = sql_tree(template_of(name, len(operands)), operands)
    tree.meta[OPERATION] = name
    return tree


@cache
def _template(text: str) -> exp.Expr:
    return parsed_tree(text)


def parsed_tree(text: str) -> exp.Expr:
    """Return the tree of an expression in SQL.

    Raises:
        SqlError: the text is not one expression, or has a subquery; the message names the place.
    """
    (tree,) = parsed(text, exp.Condition)
    query = tree.find(exp.Query)
    if query is not None:
        raise error_at(text, query, "an expression takes no subquery here; join its table, or use in_(table)")
    for node in tree.walk():  # places in this text are none in that of a query
        node.meta.clear()
    assert isinstance(tree, exp.Expr)
    return tree


def _operand(tree: exp.Expr) -> exp.Expr:
    """Return a tree as the operand of another one, without its name and in parentheses if it has operands."""
    operand = tree.unalias().copy()
    needs_parentheses = isinstance(operand, exp.Binary | exp.Unary | exp.Predicate | exp.Interval)
    if needs_parentheses and not isinstance(operand, exp.Dot | exp.Paren):
        return exp.Paren(this=operand)
    return operand


def call_tree(name: str, arguments: Sequence[exp.Expr]) -> exp.Expr:
    """Return the tree of a call of a function, built in or registered."""
    operands = [argument.unalias().copy() for argument in arguments]
    if names_operation(name) and name.upper() not in DECLARED:
        return OperationCall(this=name, expressions=operands)
    if name.upper() in DECLARED:
        return built_in_call(name.upper(), operands)
    try:
        return exp.func(name, *operands, dialect=Flink)
    except ValueError:  # one with a syntax of its own, such as CAST
        raise PlanError(f"call: {name} is not called by name; write it with call_sql") from None


def property_tree(name: str, of: exp.Expr) -> exp.Expr:
    """Return the tree of a property of a window or field, which is given by its name."""
    return exp.Anonymous(this=name, expressions=[of.copy()])


def function_tree(definition: FunctionDefinition, arguments: Sequence[exp.Expr]) -> exp.Expr:
    """Return the tree of a call of a function of the program."""
    return program_call(definition, [argument.unalias().copy() for argument in arguments])


def column_tree(name: str) -> exp.Expr:
    """Return the tree of a column, or that of all columns for ``*``."""
    return exp.Star() if name == "*" else exp.column(exp.to_identifier(name, quoted=True))


def field_tree(tree: exp.Expr, field: str | int) -> exp.Expr:
    """Return the tree of a field of a row, by its name or its position."""
    is_name = isinstance(field, str)
    name = exp.to_identifier(field, quoted=True) if is_name else exp.Literal.number(field)
    return exp.Dot(this=_operand(tree), expression=name)


def distinct_tree(tree: exp.Expr) -> exp.Expr:
    """Return the tree of an aggregation of distinct values.

    Raises:
        PlanError: the tree is none of an aggregation.
    """
    changed = tree.copy()
    aggregation = next(filter(is_aggregate, changed.walk()), None)
    if aggregation is None:
        raise PlanError(
            f"distinct belongs to an aggregation such as col('a').count, not to {tree_text(tree)}"
        )
    if isinstance(aggregation, exp.Anonymous):
        first, *others = aggregation.expressions
        aggregation.set("expressions", [exp.Distinct(expressions=[first]), *others])
    else:
        aggregation.set("this", exp.Distinct(expressions=[aggregation.this]))
    return changed


def over_tree(tree: exp.Expr, window: exp.Expr) -> exp.Expr:
    """Return the tree of an aggregation over a window by its name.

    Raises:
        PlanError: the window is not named by a column.
    """
    if not isinstance(window, exp.Column):
        raise PlanError(f"over takes a window by its name such as col('w'), not {tree_text(window)}")
    name = exp.to_identifier(window.name, quoted=True)
    return exp.Window(this=tree.unalias().copy(), alias=name, over="OVER")


def bound_tree(name: str) -> exp.Expr:
    """Return the tree of a bound of windows, such as ``CURRENT_ROW``."""
    return exp.Var(this=name)


def row_interval_tree(rows: int) -> exp.Expr:
    """Return the tree of a number of rows, as a bound of windows."""
    return exp.Anonymous(this=_ROW_INTERVAL, expressions=[exp.Literal.number(rows)])


def interval_rows(tree: exp.Expr) -> int | None:
    """Return the number of rows that a bound of windows is, ``None`` if it is none."""
    if isinstance(tree, exp.Anonymous) and tree.name == _ROW_INTERVAL:
        return int(tree.expressions[0].name)
    return None


def literal_tree(value: Any) -> exp.Expr:
    """Return the tree of a value."""
    match value:
        case None:
            return exp.null()
        case bool():
            return exp.Boolean(this=value)
        case int():
            number = exp.Literal.number(value)
            return number if value.bit_length() <= _INT_BITS else exp.cast(number, exp.DType.BIGINT)
        case float():
            return exp.cast(exp.Literal.string(_float_text(value)), exp.DType.DOUBLE)
        case str():
            return exp.Literal.string(value)
        case bytes():
            return built_in_call("UNHEX", [exp.Literal.string(value.hex())])
        case Decimal():
            _, digits, exponent = value.as_tuple()
            assert isinstance(exponent, int)
            scale = max(-exponent, 0)
            precision = max(len(digits) + max(exponent, 0), scale)
            kind = sql_of_data_type(DataTypes.DECIMAL(precision, scale))
            return exp.cast(exp.Literal.string(f"{value:f}"), kind)
        case datetime.datetime():
            stamp = exp.DType.TIMESTAMPNTZ if value.tzinfo is None else exp.DType.TIMESTAMPLTZ
            return exp.cast(exp.Literal.string(value.isoformat(" ")), stamp)
    assert isinstance(value, datetime.date)
    return exp.cast(exp.Literal.string(value.isoformat()), exp.DType.DATE)


def _float_text(value: float) -> str:
    return {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}.get(repr(value), repr(value))


def named_tree(tree: exp.Expr, name: str) -> exp.Expr:
    """Return a tree with a name."""
    return with_name(tree.unalias(), name)


def takes_names(tree: exp.Expr) -> bool:
    """Return whether a tree may be a call of a function of the program with several columns of results."""
    return isinstance(tree.unalias(), exp.Anonymous | ProgramAggregate)


def columns_tree(tree: exp.Expr, names: Sequence[str]) -> exp.Expr:
    """Return a tree whose result has several columns, with their names."""
    identifiers = [exp.to_identifier(name, quoted=True) for name in names]
    return exp.Aliases(this=tree.unalias().copy(), expressions=identifiers)


def program_call_in(tree: exp.Expr) -> tuple[FunctionDefinition, list[exp.Expr], list[str]] | None:
    """Return the function of the program that a tree calls, its arguments and the names of the results.

    Returns:
        ``None`` if the tree is no such call.
    """
    call = tree.this if isinstance(tree, exp.Alias | exp.Aliases) else tree
    if not isinstance(call, ProgramCall | ProgramAggregate):
        return None
    return call.args["definition"], list(call.expressions), names_of_columns(tree)


def names_of_columns(tree: exp.Expr) -> list[str]:
    """Return the names that a tree gives to the columns of its results."""
    if isinstance(tree, exp.Aliases):
        return [name.name for name in tree.expressions]
    return [tree.alias] if isinstance(tree, exp.Alias) else []


def cast_tree(tree: exp.Expr, data_type: DataType, *, is_lenient: bool) -> exp.Expr:
    """Return the tree of a cast; a lenient one makes nulls of values that have no other."""
    operand, kind = tree.unalias().copy(), sql_of_data_type(data_type)
    return exp.TryCast(this=operand, to=kind, safe=True) if is_lenient else exp.Cast(this=operand, to=kind)


def ordered_tree(tree: exp.Expr, *, is_descending: bool) -> exp.Expr:
    """Return the tree of an order, in which nulls are the lowest."""
    return exp.Ordered(this=tree.unalias().copy(), desc=is_descending, nulls_first=not is_descending)


def in_tree(tree: exp.Expr, query: exp.Query) -> exp.Expr:
    """Return the tree of the condition that a value is one of those of a query."""
    return exp.In(this=_operand(tree), query=exp.Subquery(this=query.copy()))


def interval_milliseconds(tree: exp.Expr) -> int | None:
    """Return the length of an interval of a constant number of units; ``None`` of any other expression."""
    plain = tree.unalias()
    match plain.this if isinstance(plain, exp.Cast) else plain:
        case exp.Mul(this=exp.Literal() as number, expression=exp.Interval() as interval):
            unit = unit_milliseconds(interval)
            if unit is None or number.is_string:
                return None
            return int(Decimal(number.name) * Decimal(interval.this.name) * unit)
    return None


def renamed_field(tree: exp.Expr) -> tuple[str, str] | None:
    """Return the name of a column and the one that it gets, or ``None`` if a tree is not that of a column."""
    column = tree.unalias()
    return (column.name, tree.alias_or_name) if isinstance(column, exp.Column) else None


def renamed_call(tree: exp.Expr) -> tuple[str, str, str] | None:
    """Return the function that a tree calls, its column, and the name that the result gets.

    Returns:
        ``None`` if a tree is not a call with one column.
    """
    call = tree.unalias()
    of = call.expressions[0] if isinstance(call, exp.Anonymous) and len(call.expressions) == 1 else None
    return (call.name, of.name, tree.alias or of.name) if isinstance(of, exp.Column) else None


def column_in(trees: Iterable[exp.Expr]) -> str | None:
    """Return the name of the first column in trees, ``None`` if there are only constants."""
    return next((column.name for tree in trees for column in tree.find_all(exp.Column)), None)


def named_row_tree(names: Sequence[str]) -> exp.Expr:
    """Return the tree of a row of columns, whose fields have their names."""
    parts = (part for name in names for part in (exp.Literal.string(name), column_tree(name)))
    return exp.Anonymous(this=ROW_FUNCTION, expressions=list(parts))


def descriptor_tree(names: Sequence[str]) -> exp.Expr:
    """Return the tree of a list of the names of columns, as an argument."""
    return exp.Anonymous(this="DESCRIPTOR", expressions=list(map(column_tree, names)))


def descriptor_names(tree: exp.Expr) -> list[str] | None:
    """Return the names of the columns in a list of such, ``None`` for any other tree."""
    is_descriptor = isinstance(tree, exp.Anonymous) and tree.name == "DESCRIPTOR"
    return [column.name for column in tree.expressions] if is_descriptor else None


def argument_tree(tree: exp.Expr, name: str) -> exp.Expr:
    """Return the tree of an argument with a name."""
    return exp.Kwarg(this=exp.to_identifier(name, quoted=True), expression=tree.copy())


def argument_name(tree: exp.Expr) -> str | None:
    """Return the name of an argument, ``None`` for one without a name."""
    return str(tree.this.name) if isinstance(tree, exp.Kwarg) else None


def argument_value(tree: exp.Expr) -> exp.Expr:
    """Return the value of an argument with or without a name."""
    value: exp.Expr = tree.expression if isinstance(tree, exp.Kwarg) else tree
    return value


def literal_pairs(tree: exp.Expr) -> list[tuple[str, str]] | None:
    """Return the entries of a map of texts that are literals, ``None`` for any other tree."""
    parts = tree.expressions if isinstance(tree, exp.Anonymous) and tree.name.upper() == "MAP" else []
    if not parts or not all(isinstance(part, exp.Literal) and part.is_string for part in parts):
        return None
    texts = [part.name for part in parts]
    return list(zip(texts[::2], texts[1::2], strict=True))


def row_fields(tree: exp.Expr) -> list[exp.Expr]:
    """Return the values of a row that ``row(…)`` has made; any other tree is the only value of a row."""
    plain = tree.unalias()
    if isinstance(plain, exp.Anonymous) and plain.name == ROW_FUNCTION:
        return list(plain.expressions[1::2])  # each after its name
    return [plain]


def values_query(
    rows: Sequence[Sequence[exp.Expr]], names: Sequence[str], types: Sequence[DataType] | None
) -> exp.Query:
    """Return the query of constant rows.

    Args:
        rows: the values.
        names: the names of the columns.
        types: the types that values are cast to; the common ones of each column unless given.
    """
    tuples = [
        exp.Tuple(
            expressions=[
                value.copy()
                if types is None
                else cast_tree(value, types[position].nullable(), is_lenient=False)
                for position, value in enumerate(row)
            ]
        )
        for row in rows
    ]
    columns = [exp.to_identifier(name, quoted=True) for name in names]
    alias = exp.TableAlias(this=exp.to_identifier("_values", quoted=True), columns=columns)
    return exp.select("*").from_(exp.Values(expressions=tuples, alias=alias))


def tree_text(tree: exp.Expr) -> str:
    """Return a tree as SQL, for messages."""
    return tree.sql(Flink)
