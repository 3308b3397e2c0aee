"""Tables, views, functions and models of catalogs as JSON, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pystream.table.catalog.objects import CatalogBaseTable, CatalogFunction, CatalogModel, View
from pystream.table.catalog.stores import Kept, Kind
from pystream.table.schema import (
    Column,
    ComputedColumn,
    MetadataColumn,
    PhysicalColumn,
    PrimaryKey,
    Schema,
    Watermark,
)

__all__ = ["decoded", "encoded"]


def encoded(kept: Kept) -> dict[str, Any]:
    """Return an object as JSON; types and expressions are SQL text."""
    if isinstance(kept, CatalogFunction):
        return {"class": kept.class_name, "language": kept.function_language, "comment": kept.comment}
    if isinstance(kept, CatalogModel):
        return {
            "input": _schema(kept.input_schema),
            "output": _schema(kept.output_schema),
            "options": kept.options,
            "comment": kept.comment,
        }
    view = kept.view
    return {
        **_schema(kept.schema),
        "partition keys": list(kept.partition_keys),
        "options": kept.options,
        "comment": kept.comment,
        "view": None if view is None else [view.original_query, view.expanded_query, *view.columns],
    }


def _schema(schema: Schema) -> dict[str, Any]:
    key = schema.primary_key
    return {
        "columns": [_column(column) for column in schema.columns],
        "watermarks": [[one.column, one.expression] for one in schema.watermarks],
        "primary key": None if key is None else [key.name, *key.columns],
    }


def _column(column: Column) -> dict[str, Any]:
    match column:
        case PhysicalColumn():
            own: dict[str, Any] = {"type": str(column.data_type)}
        case ComputedColumn():
            own = {"expression": column.expression}
        case MetadataColumn():
            own = {"type": str(column.data_type), "metadata": column.key, "virtual": column.is_virtual}
    comment = {} if column.comment is None else {"comment": column.comment}
    return {"name": column.name, **own, **comment}


def decoded(kind: Kind, content: Mapping[str, Any]) -> Kept:
    """Return the object that JSON stands for."""
    if kind is Kind.FUNCTION:
        return CatalogFunction(content["class"], content["language"], content["comment"])
    if kind is Kind.MODEL:
        schemas = _decoded_schema(content["input"]), _decoded_schema(content["output"])
        return CatalogModel(*schemas, content["options"], content["comment"])
    view = content["view"]
    return CatalogBaseTable(
        _decoded_schema(content),
        tuple(content["partition keys"]),
        content["options"],
        content["comment"],
        None if view is None else View(view[0], view[1], tuple(view[2:])),
    )


def _decoded_schema(content: Mapping[str, Any]) -> Schema:
    key = content["primary key"]
    return Schema(
        tuple(map(_decoded_column, content["columns"])),
        tuple(Watermark(*one) for one in content["watermarks"]),
        None if key is None else PrimaryKey(key[0], tuple(key[1:])),
    )


def _decoded_column(content: Mapping[str, Any]) -> Column:
    from pystream.table.sql.column_types import parse_data_type

    name, comment = content["name"], content.get("comment")
    if "expression" in content:
        return ComputedColumn(name, content["expression"], comment)
    data_type = parse_data_type(content["type"])
    if "metadata" in content:
        return MetadataColumn(name, data_type, content["metadata"], content["virtual"], comment)
    return PhysicalColumn(name, data_type, comment)
