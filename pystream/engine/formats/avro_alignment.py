"""Make the names of two Avro schemas agree, so that one can be resolved to the other by its fields."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from pystream.engine.formats.avro_defaults import with_python_defaults
from pystream.engine.formats.avro_records import RecordSchema
from pystream.engine.formats.avro_schema import NAMED, Definitions, definitions_of, unmarked

__all__ = ["aligned"]


def aligned(reader: RecordSchema, writer: Any, definitions: Definitions) -> Any:
    """Return a schema for reading, with the names of another for writing as aliases.

    Records, enums and fixed bytes correspond by their place in the schemas, as they do for Flink, and not by
    their names as they do for fastavro.

    Args:
        reader: the schema for reading.
        writer: the schema for writing, parsed.
        definitions: its names.
    """
    from fastavro import parse_schema

    schema = deepcopy(reader.parsed)
    _align(schema, writer, definitions_of(schema), definitions, set())
    return with_python_defaults(parse_schema(unmarked(schema)))


def _align(
    reader: Any, writer: Any, names: dict[str, Any], definitions: dict[str, Any], seen: set[tuple[str, str]]
) -> None:
    reader, writer = _resolved(reader, names), _resolved(writer, definitions)
    if not isinstance(reader, dict) or not isinstance(writer, dict) or reader["type"] != writer["type"]:
        return
    if reader["type"] in NAMED:
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
