"""Functions of arrays, maps and rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlglot import exp

from pystream.table.functions.table_functions import Unnest
from pystream.table.sql.expression_types import is_a
from pystream.table.sql.function_tables import FunctionTable
from pystream.table.sql.functions.building import call, number, text

__all__ = ["COLLECTIONS", "NAMED_COLLECTIONS"]

_DType = exp.DType


def _element(node: exp.Bracket) -> exp.Expr:
    """Return null for an element that is not there; Spark counts elements of arrays from 0."""
    (key,) = node.expressions
    is_map = is_a(node.this, _DType.MAP) or (isinstance(node.this, exp.Anonymous) and node.this.name == "MAP")
    if node.args.get("safe") or is_map or (isinstance(key, exp.Literal) and key.is_string):
        return node
    is_literal = isinstance(key, exp.Literal) and key.is_int
    index = number(int(key.name) - 1) if is_literal else exp.Sub(this=exp.paren(key), expression=number(1))
    return call("GET", node.this, index)


def _row(node: exp.Anonymous) -> exp.Expr:
    fields = [part for index, value in enumerate(node.expressions) for part in (text(f"EXPR${index}"), value)]
    return call("NAMED_STRUCT", *fields)


def _unnested(node: FunctionTable) -> exp.Expr:
    """Return the elements of a collection of each row as a table."""
    (values,) = node.arguments
    alias = node.args["alias"].copy()
    is_joined = isinstance(node.parent, exp.Join)
    parts = values.type.expressions if values.type is not None and is_a(values, _DType.ARRAY) else ()
    element = parts[0] if parts else None
    if isinstance(node.function, Unnest) and node.function.is_counted:
        counted = call("POSEXPLODE", values)
        position = exp.Add(this=exp.column("pos"), expression=number(1))
        columns = _exploded(element)
        rows = exp.select(*columns, position).from_(exp.Table(this=counted)).subquery()
        if not is_joined:
            rows.set("alias", alias)
            return rows
        return exp.Lateral(this=rows, alias=alias)
    is_rows = element is not None and element.is_type(_DType.STRUCT)
    generated = call("INLINE" if is_rows else "EXPLODE", values)
    return exp.Lateral(this=generated, alias=alias) if is_joined else exp.Table(this=generated, alias=alias)


def _exploded(element: exp.Expr | None) -> list[exp.Expr]:
    """Return the columns that Spark makes of each element of an array of a type."""
    if element is None or not element.is_type(_DType.STRUCT):
        return [exp.column("col")]
    names = [field.name for field in element.expressions]
    return [exp.column(name, table="col", quoted=True) for name in names]


COLLECTIONS: Mapping[type[exp.Expr], Callable[[Any], exp.Expr]] = {
    exp.Bracket: _element,
    FunctionTable: _unnested,
}
"""The rules for what the parser knows."""

NAMED_COLLECTIONS: Mapping[str, Callable[[Any], exp.Expr]] = {"ROW": _row}
"""The rules for other functions, by name."""
