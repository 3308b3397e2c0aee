"""Avro records with Confluent's header: a zero byte and the id of their schema in a registry."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Any

from pystream.engine.formats.avro_alignment import aligned
from pystream.engine.formats.avro_columns import RecordColumns, record_columns
from pystream.engine.formats.avro_defaults import shares_defaults
from pystream.engine.formats.avro_logical import with_logical_types
from pystream.engine.formats.avro_records import record_schema
from pystream.engine.formats.avro_schema import unmarked
from pystream.engine.formats.errors import excerpt
from pystream.engine.formats.schema_registry import RegistryAddress, registry_at
from pystream.errors import ConnectorError, DeserializationError
from typeinfo.composite import RowTypeInfo

if TYPE_CHECKING:
    from pystream.engine.vectorised.columns import ColumnValues

__all__ = ["ConfluentColumns", "ConfluentReader", "confluent_reader", "header_of"]

_HEADER = struct.Struct(">bI")
_MAGIC = 0
_DAMAGE = (EOFError, ValueError, LookupError, TypeError, OverflowError, MemoryError, struct.error)


def header_of(address: RegistryAddress, subject: str, schema: str) -> bytes:
    """Return the header of messages of a schema, which is registered if it is not yet.

    Raises:
        ConnectorError: the registry cannot be reached, or denies access.
        SerializationError: it refuses the schema.
    """
    return _HEADER.pack(_MAGIC, registry_at(address).register(subject, schema))


@lru_cache(maxsize=64)
def confluent_reader(address: RegistryAddress, schema: str) -> ConfluentReader:
    """Return the reader of messages as records of a schema."""
    return ConfluentReader(address, schema)


class ConfluentReader:
    """Reads records, resolved from the schema that they were written by to another.

    Args:
        address: of the registry.
        schema: the schema of the records that are read, as JSON.
    """

    def __init__(self, address: RegistryAddress, schema: str) -> None:
        self._address = address
        self._schema = schema
        self._schemas: dict[int, tuple[Any, Any, bool]] = {}
        self._columns: dict[tuple[int, RowTypeInfo[Any]], RecordColumns | None] = {}

    def __call__(self, message: bytes) -> Any:
        """Decode a message to a record as fastavro returns it.

        Raises:
            ConnectorError: the registry cannot be reached, or denies access.
            DeserializationError: the message has no header or is damaged, or its schema is unknown or cannot
                be resolved.
        """
        from fastavro import schemaless_reader
        from fastavro.read import SchemaResolutionError

        if len(message) < _HEADER.size or message[0] != _MAGIC:
            raise DeserializationError(
                f"the message {excerpt(message)} does not start with a zero byte and the id of a schema"
            )
        (_, identity) = _HEADER.unpack_from(message)
        writer, reader, is_shared = self._resolved(identity)
        stream = BytesIO(message)
        stream.seek(_HEADER.size)
        try:
            record = schemaless_reader(stream, writer, reader)
        except (SchemaResolutionError, *_DAMAGE) as error:
            raise self._failure(message, identity, error) from error
        if stream.tell() < len(message):
            raise self._failure(message, identity, f"{len(message) - stream.tell()} bytes follow the record")
        return deepcopy(record) if is_shared else record

    def columns(self, messages: Sequence[bytes], t: RowTypeInfo[Any]) -> ColumnValues | None:
        """Return the records in messages as rows of a type, ``None`` if they are to be read one by one.

        Raises:
            ConnectorError: the registry cannot be reached, or denies access.
            DeserializationError: the schema of the messages is unknown or cannot be resolved.
        """
        header = messages[0][: _HEADER.size]
        if len(header) < _HEADER.size or header[0] != _MAGIC:
            return None
        if not all(message.startswith(header) for message in messages):
            return None
        (_, identity) = _HEADER.unpack(header)
        if (identity, t) not in self._columns:
            writer, reader, _ = self._resolved(identity)
            self._columns[identity, t] = record_columns(writer, reader, t)
        records = self._columns[identity, t]
        return None if records is None else records.read(messages, _HEADER.size)

    def _resolved(self, identity: int) -> tuple[Any, Any, bool]:
        return self._schemas.get(identity) or self._resolve(identity)

    def _resolve(self, identity: int) -> tuple[Any, Any, bool]:
        from fastavro import parse_schema
        from fastavro.read import SchemaResolutionError
        from fastavro.schema import SchemaParseException, UnknownType

        found = registry_at(self._address).writer_schema(identity)
        definitions: dict[str, Any] = {}
        try:
            for text in found.references:
                parse_schema(json.loads(text), named_schemas=definitions)
            references = dict(definitions)
            writer = parse_schema(json.loads(found.text), named_schemas=definitions)
        except (SchemaParseException, UnknownType, *_DAMAGE) as error:
            raise DeserializationError(
                f"the schema of id {identity} in {self._address} is not an Avro schema: {error}"
            ) from error
        reader = aligned(record_schema(self._schema), writer, definitions)
        try:
            adapted = unmarked(with_logical_types(writer, reader, references))
        except SchemaResolutionError as error:
            raise DeserializationError(
                f"cannot read the schema of id {identity} in {self._address} as declared: {error}"
            ) from error
        schemas = (
            parse_schema(adapted, named_schemas=references),
            reader,
            shares_defaults(reader, definitions),
        )
        self._schemas[identity] = schemas
        return schemas

    def _failure(self, message: bytes, identity: int, fault: object) -> DeserializationError:
        return DeserializationError(
            f"cannot read the Avro message {excerpt(message)} with the schema of id {identity} in "
            f"{self._address}: {fault or 'the message ends too early'}"
        )


@dataclass(frozen=True, slots=True)
class ConfluentColumns:
    """Read many messages at once as rows, if all have the same schema.

    Attributes:
        address: of the registry.
        schema: the schema of the records that are read, as JSON.
        type_info: the type of the rows.
    """

    address: RegistryAddress
    schema: str
    type_info: RowTypeInfo[Any]

    def of_messages(self, messages: Sequence[bytes]) -> ColumnValues | None:
        """Return the elements in messages as columns, ``None`` if they are to be read one by one."""
        try:
            return confluent_reader(self.address, self.schema).columns(messages, self.type_info)
        except (ConnectorError, DeserializationError):
            return None

    def of_lines(self, lines: bytes) -> ColumnValues | None:
        """Return ``None``: messages in binary are no lines."""
        return None
