"""Avro generic records as dicts: validated against a schema, and encoded in binary."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property, lru_cache
from io import BytesIO
from typing import Any

from pystream.engine.formats.avro_defaults import with_python_defaults
from pystream.engine.formats.avro_encoder import encoder_of
from pystream.engine.formats.avro_scalars import Encode
from pystream.engine.formats.errors import FieldError, excerpt
from typeinfo.errors import TypeCheckError, UnsupportedTypeError

__all__ = ["RecordDecoder", "RecordEncoder", "RecordSchema", "record_schema"]


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
            self.parsed: Any = parse_schema(json.loads(text))
        except (SchemaParseException, UnknownType, ValueError, TypeError, KeyError, AttributeError) as error:
            raise UnsupportedTypeError(f"not an Avro schema: {excerpt(text)}: {error}") from error
        if not isinstance(self.parsed, dict) or self.parsed.get("type") not in ("record", "error"):
            raise UnsupportedTypeError(f"an Avro schema of a record is needed, not {excerpt(text)}")
        self.name: str = self.parsed["name"]

    @cached_property
    def expanded(self) -> Any:
        """The schema with definitions in place of names, except for a name inside its own definition."""
        from fastavro.schema import expand_schema

        return expand_schema(self.parsed)

    @cached_property
    def reading(self) -> Any:
        """The schema as fastavro takes it to resolve records of another schema."""
        return with_python_defaults(self.parsed)

    @cached_property
    def _encode(self) -> Encode:
        return encoder_of(self.parsed)

    def encode(self, record: Any) -> bytes:
        """Encode a record in binary, with defaults for missing fields.

        Raises:
            FieldError: it does not fit the schema.
        """
        out = bytearray()
        self._encode(record, out)
        return bytes(out)

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


@dataclass(frozen=True, slots=True)
class RecordEncoder:
    """Encode records of a schema."""

    schema: str

    def __call__(self, record: Any) -> bytes:
        """Encode a record in binary.

        Raises:
            TypeCheckError: it does not fit the schema; the message names the field.
        """
        schema = record_schema(self.schema)
        try:
            return schema.encode(record)
        except FieldError as error:
            raise TypeCheckError(f"{excerpt(record)} is not a record of {schema.name}: {error}") from error


@dataclass(frozen=True, slots=True)
class RecordDecoder:
    """Decode records of a schema."""

    schema: str

    def __call__(self, message: bytes) -> Any:
        """Decode a record from binary."""
        return record_schema(self.schema).decode(message)
