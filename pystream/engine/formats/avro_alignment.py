"""Make the names of two Avro schemas agree, so that one can be resolved to the other by its fields."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from pystream.engine.formats.avro_records import RecordSchema

__all__ = ["aligned"]

_NAMED = ("record", "error", "enum", "fixed")


def aligned(reader: RecordSchema, writer: Any, definitions: dict[str, Any]) -> Any:
    """Return a schema for reading, with the names of another for writing as aliases.

    Records, enums and fixed bytes correspond by their place in the schemas, as they do for Flink, and not by
    their names as they do for fastavro.

    Args:
        reader: the schema for reading.
        writer: the schema for writing, parsed.
        definitions: its names.
    """
    from fastavro import parse_schema

    names: dict[str, Any] = {}
    schema = deepcopy(reader.parsed)
    _collect(schema, names)
    _align(schema, writer, names, definitions, set())
    return parse_schema(_unmarked(schema))


def _collect(schema: Any, names: dict[str, Any]) -> None:
    """Find the definitions of names, which fastavro has completed."""
    for part in _children(schema):
        _collect(part, names)
    if isinstance(schema, dict) and schema["type"] in _NAMED:
        names[schema["name"]] = schema


def _children(schema: Any) -> list[Any]:
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


def _align(
    reader: Any, writer: Any, names: dict[str, Any], definitions: dict[str, Any], seen: set[tuple[str, str]]
) -> None:
    reader, writer = _resolved(reader, names), _resolved(writer, definitions)
    if not isinstance(reader, dict) or not isinstance(writer, dict) or reader["type"] != writer["type"]:
        return
    if reader["type"] in _NAMED:
        pair = reader["name"], writer["name"]
        if pair in seen:
            return
        seen.add(pair)
        if pair[0] != pair[1]:
            reader["aliases"] = [*reader.get("aliases", ()), pair[1]]
    match reader["type"]:
        case "record" | "error":
            written = {field["name"]: field["type"] for field in writer["fields"]}
            for field in reader["fields"]:
                for name in (field["name"], *field.get("aliases", ())):
                    if name in written:
                        _align(field["type"], written[name], names, definitions, seen)
                        break
        case "array":
            _align(reader["items"], writer["items"], names, definitions, seen)
        case "map":
            _align(reader["values"], writer["values"], names, definitions, seen)


def _resolved(schema: Any, names: dict[str, Any]) -> Any:
    """Return the definition of a name, and of a union with null its other branch."""
    if isinstance(schema, list):
        present = [branch for branch in schema if branch != "null"]
        schema = present[0] if len(present) == 1 else None
    return names.get(schema) if isinstance(schema, str) else schema


def _unmarked(schema: Any) -> Any:
    """Return a parsed schema without the marks by which fastavro would not parse it again."""
    if isinstance(schema, list):
        return [_unmarked(part) for part in schema]
    if isinstance(schema, dict):
        return {key: _unmarked(part) for key, part in schema.items() if not str(key).startswith("__")}
    return schema
