"""Tables of elements that the program has, or of constant expressions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pystream.arguments.collections import collection_elements
from pystream.errors import PlanError, PlanTypeError, SqlError
from pystream.sql_types.data_types import DataType, RowField, RowType
from pystream.sql_types.user_defined_type import stored_type
from pystream.table.column_casts import declared_casts, row_conversion
from pystream.table.columns import TableColumn, require_distinct_names, row_type
from pystream.table.elements.checks import type_check
from pystream.table.elements.inferred_types import schema_of_elements
from pystream.table.elements.schemas import listed, schema_refusal
from pystream.table.elements.values import value_converter
from pystream.table.expression.base import trees
from pystream.table.expression.expression import Expression
from pystream.table.functions.errors import ConversionError, SqlArithmeticError
from pystream.table.query_tables import table_of_query
from pystream.table.sql.parsed_query import ParsedQuery
from pystream.table.table import Table

if TYPE_CHECKING:
    from pystream.table.table_environment import TableEnvironment

__all__ = ["table_of_elements"]

_CALL = "from_elements"


def table_of_elements(
    environment: TableEnvironment,
    elements: Iterable[Any],
    schema: DataType | Sequence[str] | None,
    *,
    verifies: bool,
) -> Table:
    """Return the table of elements or constant expressions, as ``TableEnvironment.from_elements`` does.

    Raises:
        PlanError: as that does.
        PlanTypeError: as that does.
        SqlError: an expression is not a constant, or has no value of the type.
    """
    if schema is not None and not isinstance(schema, DataType) and listed(schema, str) is None:
        raise schema_refusal(_CALL, "a data type or a list of names", schema)
    given = collection_elements(elements)
    expressions = [element for element in given if isinstance(element, Expression)]
    if expressions and len(expressions) != len(given):
        raise PlanTypeError(f"{_CALL}: some elements are expressions, but not all; write lit(v) or row(…)")
    if isinstance(schema, DataType) and not isinstance(schema, RowType):
        schema = RowType([RowField("value", schema)])
        given = given if expressions else [(element,) for element in given]
    if expressions:
        return _table_of_expressions(environment, expressions, schema)
    if not isinstance(schema, RowType):
        try:
            schema = schema_of_elements(given, schema)
        except PlanError as error:
            raise _located(error, "") from None
    require_distinct_names(schema.names, _CALL)
    return _table_of_rows(environment, given, schema, verifies=verifies)


def _located(error: Exception, place: str) -> PlanError:
    kind = PlanTypeError if isinstance(error, TypeError) else PlanError
    return kind(f"{_CALL}: {place}{error}")


def _table_of_rows(
    environment: TableEnvironment, elements: Sequence[Any], schema: RowType, *, verifies: bool
) -> Table:
    check = type_check(schema) if verifies else None
    convert = value_converter(schema, is_lenient=not verifies)
    types = [stored_type(data_type) for data_type in schema.field_types()]
    columns = [
        TableColumn(name, data_type, data_type.type_info, position)
        for position, (name, data_type) in enumerate(zip(schema.names, types, strict=True))
    ]
    casts = [
        cast._replace(is_lenient=not verifies, is_of_program=True)
        for cast in declared_casts(columns, columns)
    ]
    conversion = row_conversion(row_type(columns), range(len(columns)), columns, casts)
    declare = None if conversion is None else conversion.converter()
    rows = []
    for number, element in enumerate(elements):
        if element is None:
            raise PlanError(
                f"{_CALL}: element {number} is None, but a row must be there; leave it out, or give a None "
                "for each of its fields"
            )
        try:
            if check is not None:
                check(element)
            row = convert(element)
            rows.append(row if declare is None else declare(row))
        except (PlanError, ConversionError, SqlArithmeticError) as error:
            raise _located(error, f"element {number}: ") from None
    return Table(environment, environment._streams.from_collection(rows, row_type(columns)), columns)


def _table_of_expressions(
    environment: TableEnvironment,
    expressions: Sequence[Expression[Any]],
    schema: RowType | Sequence[str] | None,
) -> Table:
    rows = [trees().row_fields(expression._tree) for expression in expressions]
    width = len(rows[0])
    names = [f"f{number}" for number in range(width)]
    if schema is not None:
        names = schema.names if isinstance(schema, RowType) else list(schema)
    for number, fields in enumerate(rows):
        if len(fields) != len(names):
            raise PlanError(f"{_CALL}: row {number} has {len(fields)} values for {len(names)} columns")
    require_distinct_names(names, _CALL)
    types = schema.field_types() if isinstance(schema, RowType) else None
    query = ParsedQuery("", trees().values_query(rows, names, types))
    try:
        table = table_of_query(environment, query)
    except SqlError as error:
        column = trees().column_in(field for fields in rows for field in fields)
        if column is None:
            raise SqlError(f"{_CALL}: {error}") from None
        raise SqlError(
            f"{_CALL} takes constants, not the column {column!r}; write lit(…) for a value, or select the "
            "column from its table"
        ) from None
    if types is None:
        return table
    columns = [replace(column, data_type=t) for column, t in zip(table._columns, types, strict=True)]
    return Table(environment, table._stream, columns)
