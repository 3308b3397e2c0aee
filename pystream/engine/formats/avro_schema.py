"""Schemas as fastavro parses them: their parts, and the definitions of their names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

__all__ = ["NAMED", "Definitions", "children_of", "definitions_of", "marked", "name_of", "unmarked"]

NAMED = ("record", "error", "enum", "fixed")
"""The types that have names."""

Definitions = dict[str, Any]
"""The definitions of the names of a schema."""


def children_of(schema: Any) -> list[Any]:
    """Return the schemas that a schema is made of."""
    if isinstance(schema, list):
        return schema
    if not isinstance(schema, dict):
        return []
    match schema["type"]:
        case "record" | "error":
            return [field["type"] for field in schema["fields"]]
        case "array":
            return [schema["items"]]
        case "map":
            return [schema["values"]]
    return []


def definitions_of(schema: Any) -> Definitions:
    """Return the definitions in a schema, by their full names."""
    return {part["name"]: part for part in _parts(schema) if isinstance(part, dict) and part["type"] in NAMED}


def _parts(schema: Any) -> Iterator[Any]:
    yield schema
    for part in children_of(schema):
        yield from _parts(part)


def name_of(schema: Any) -> str:
    """Return what an error calls a schema: its name, its logical type or its type."""
    if isinstance(schema, str):
        return schema
    return str(schema.get("name") or schema.get("logicalType") or schema["type"])


def marked(schema: dict[str, Any], definitions: Definitions) -> dict[str, Any]:
    """Return a schema of parsed parts with the marks by which fastavro does not parse it again."""
    return {**schema, "__fastavro_parsed": True, "__named_schemas": definitions}


def unmarked(schema: Any) -> Any:
    """Return a parsed schema without the marks by which fastavro would not parse it again."""
    if isinstance(schema, list):
        return [unmarked(part) for part in schema]
    if isinstance(schema, dict):
        return {key: unmarked(part) for key, part in schema.items() if not str(key).startswith("__")}
    return schema
