"""Avro generic records as dicts: validated against a schema, and encoded in binary."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from io import BytesIO
from typing import Any

from pystream.engine.formats.errors import FieldError, excerpt
from typeinfo.errors import UnsupportedTypeError

__all__ = ["RecordDecoder", "RecordEncoder", "RecordSchema", "record_schema"]

_VALIDATION: dict[str, Any] = {"raise_errors": True, "disable_tuple_notation": True}
_ARGUMENTS: dict[str, Any] = {"strict_allow_default": True, "disable_tuple_notation": True}
"""A record has no further fields, only fields with defaults may be missing, and a tuple is an array."""


@lru_cache(maxsize=64)
def record_schema(text: str) -> RecordSchema:
    """Parse the schema of a record from JSON.

    Raises:
        UnsupportedTypeError: the text is not an Avro schema of a record.
    """
    return RecordSchema(text)


class RecordSchema:
    """The schema of generic records.

    Attributes:
        parsed: the schema as fastavro takes it.
        name: the full name of the record.
    """

    def __init__(self, text: str) -> None:
        from fastavro import parse_schema
        from fastavro.schema import SchemaParseException, UnknownType

        try:
            self._definitions: dict[str, Any] = {}
            self.parsed: Any = parse_schema(json.loads(text), named_schemas=self._definitions)
        except (SchemaParseException, UnknownType, ValueError, TypeError, KeyError, AttributeError) as error:
            raise UnsupportedTypeError(f"not an Avro schema: {excerpt(text)}: {error}") from error
        if not isinstance(self.parsed, dict) or self.parsed.get("type") not in ("record", "error"):
            raise UnsupportedTypeError(f"an Avro schema of a record is needed, not {excerpt(text)}")
        self.name: str = self.parsed["name"]
        self._has_times = "timestamp-" in text or "time-millis" in text

    @cached_property
    def expanded(self) -> Any:
        """The schema with definitions in place of names, except for a name inside its own definition."""
        from fastavro.schema import expand_schema

        return expand_schema(self.parsed)

    def encode(self, record: Any) -> bytes:
        """Encode a record in binary, with defaults for missing fields.

        Raises:
            FieldError: it does not fit the schema.
        """
        from fastavro import schemaless_writer
        from fastavro.validation import ValidationError, validate

        stream = BytesIO()
        try:
            validate(record, self.parsed, **_VALIDATION)
            if self._has_times:
                self._check_times(self.parsed, record, "")
            schemaless_writer(stream, self.parsed, record, **_ARGUMENTS)
        except ValidationError as error:
            reasons = error.errors if isinstance(error.errors, (list, tuple)) else [error]
            raise FieldError("; ".join(str(reason) for reason in reasons)) from None
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
            raise FieldError(str(error)) from None
        return stream.getvalue()

    def decode(self, message: bytes) -> Any:
        """Decode a record from binary."""
        from fastavro import schemaless_reader

        return schemaless_reader(BytesIO(message), self.parsed, None)

    def canonical(self, record: Any) -> Any:
        """Return a record as it reads after a round trip: with defaults, and in Avro's Python classes.

        Raises:
            FieldError: it does not fit the schema.
        """
        return self.decode(self.encode(record))

    def _check_times(self, schema: Any, value: Any, path: str) -> None:
        """Reject times that fastavro would shift or truncate silently."""
        if isinstance(schema, str):
            schema = self._definitions.get(schema, schema)
        if isinstance(schema, list):
            for branch in schema:
                self._check_times(branch, value, path)
            return
        if not isinstance(schema, dict):
            return
        logical = schema.get("logicalType", "")
        is_time = isinstance(value, (dt.datetime, dt.time))
        if is_time and logical.endswith("-millis") and value.microsecond % 1000:
            raise FieldError(f"{value} is finer than the millisecond of the Avro schema").under(path)
        if logical.startswith("timestamp-") and isinstance(value, dt.datetime) and value.tzinfo is None:
            raise FieldError(
                f"{value} has no time zone, but {logical} is an instant; use value.replace(tzinfo=UTC)"
            ).under(path)
        for segment, part, inner in _parts(schema, value):
            self._check_times(inner, part, path + segment)


def _parts(schema: dict[str, Any], value: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield the parts of a value, each with its path and schema."""
    match schema["type"], value:
        case "record" | "error", dict():
            for field in schema["fields"]:
                if field["name"] in value:
                    yield f".{field['name']}", value[field["name"]], field["type"]
        case "array", list() | tuple():
            for i, element in enumerate(value):
                yield f"[{i}]", element, schema["items"]
        case "map", dict():
            for key, entry in value.items():
                yield f"[{key!r}]", entry, schema["values"]


@dataclass(frozen=True, slots=True)
class RecordEncoder:
    """Encode records of a schema."""

    schema: str

    def __call__(self, record: Any) -> bytes:
        """Encode a record in binary."""
        return record_schema(self.schema).encode(record)


@dataclass(frozen=True, slots=True)
class RecordDecoder:
    """Decode records of a schema."""

    schema: str

    def __call__(self, message: bytes) -> Any:
        """Decode a record from binary."""
        return record_schema(self.schema).decode(message)
