"""Give the schema that records were written by the logical types that they are read as."""

from __future__ import annotations

from typing import Any

from pystream.engine.formats.avro_schema import Definitions, definitions_of

__all__ = ["with_logical_types"]

_LOGICAL = ("logicalType", "precision", "scale")
_TIMESTAMPS = ("timestamp", "local-timestamp")
_KINDS = (*_TIMESTAMPS, "date", "time", "decimal", "uuid")


def with_logical_types(writer: Any, reader: Any, written: Definitions | None = None) -> Any:
    """Return the schema of a writer with the logical types of a reader's, as Java reads values.

    fastavro reads a value by the logical type that it was written with, whatever the reader declares. Units
    and scales stay as they were written.

    Args:
        writer: the schema of the records, as fastavro parses it.
        reader: the schema that they are resolved to, likewise.
        written: the definitions that the schema of the writer may refer to, besides its own.

    Raises:
        SchemaResolutionError: a logical type is read as another one.
    """
    return _Walk({**(written or {}), **definitions_of(writer)}, definitions_of(reader)).adapted(
        writer, reader
    )


class _Walk:
    def __init__(self, written: Definitions, read: Definitions) -> None:
        self._written = written
        self._read = read

    def adapted(self, writer: Any, reader: Any) -> Any:
        if isinstance(writer, list):
            return [self.adapted(branch, reader) for branch in writer]
        if isinstance(writer, str) and writer in self._written:
            return writer  # a name stands for its definition, which is adapted where it is
        schema: dict[str, Any] = {"type": writer} if isinstance(writer, str) else writer
        found = self._counterpart(schema, reader)
        if found is None:
            return writer
        wanted: dict[str, Any] = found
        match schema["type"]:
            case "record" | "error":
                return {**schema, "fields": [self._field(field, wanted) for field in schema["fields"]]}
            case "array":
                return {**schema, "items": self.adapted(schema["items"], wanted["items"])}
            case "map":
                return {**schema, "values": self.adapted(schema["values"], wanted["values"])}
        return _relabelled(schema, wanted)

    def _field(self, field: dict[str, Any], reader: dict[str, Any]) -> dict[str, Any]:
        for wanted in reader["fields"]:
            if field["name"] in (wanted["name"], *wanted.get("aliases", ())):
                return {**field, "type": self.adapted(field["type"], wanted["type"])}
        return field

    def _counterpart(self, schema: dict[str, Any], reader: Any) -> dict[str, Any] | None:
        """Return the part of the reader's schema of the same type, of several the one of the same name."""
        branches = reader if isinstance(reader, list) else [reader]
        found = [self._read.get(b, {"type": b}) if isinstance(b, str) else b for b in branches]
        found = [part for part in found if part["type"] == schema["type"]]
        if len(found) > 1:
            found = [part for part in found if part.get("name") == schema.get("name")]
        return found[0] if found else None


def _relabelled(schema: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    (kind, unit), (wanted_kind, _) = _parts(schema), _parts(wanted)
    if kind == wanted_kind:
        return schema
    plain = {key: part for key, part in schema.items() if key not in _LOGICAL}
    if kind in _TIMESTAMPS and wanted_kind in _TIMESTAMPS:
        return {**plain, "logicalType": f"{wanted_kind}-{unit}"}
    if kind in _KINDS and wanted_kind in _KINDS:
        from fastavro.read import SchemaResolutionError

        raise SchemaResolutionError(f"{kind} values cannot be read as {wanted_kind}")
    return plain | {key: wanted[key] for key in _LOGICAL if key in wanted}


def _parts(schema: dict[str, Any]) -> tuple[str, str]:
    """Return the logical type of a schema without its unit, and the unit."""
    logical = schema.get("logicalType", "")
    kind, _, unit = logical.rpartition("-")
    return (kind, unit) if unit in ("millis", "micros") else (logical, "")
