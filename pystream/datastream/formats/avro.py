"""Avro formats: generic records in files, and rows as messages."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pystream.common.io import InputFormat, ResultTypeQueryable
from pystream.common.serialization import BulkWriterFactory, PartsFactory
from pystream.datastream.connectors.file_system.source import FileSource, StreamFormat, TypedFormat
from pystream.engine.connectors.avro_files import AvroParts, AvroReader
from pystream.engine.connectors.files import absolute_location
from pystream.engine.formats.avro_records import RecordDecoder, RecordEncoder, record_schema
from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.lazy import re_exports
from pystream.messages.avro import AvroRowDeserializationSchema, AvroRowSerializationSchema
from typeinfo.arguments import checks_arguments
from typeinfo.custom import CustomTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.types import Types

if TYPE_CHECKING:
    from pystream.common.serialization import DeserializationSchema as DeserializationSchema
    from pystream.common.serialization import SerializationSchema as SerializationSchema
else:
    __getattr__ = re_exports(__name__)


__all__ = [
    "AvroBulkWriters",
    "AvroInputFormat",
    "AvroReaders",
    "AvroRowDeserializationSchema",
    "AvroRowSerializationSchema",
    "AvroSchema",
    "GenericRecordAvroTypeInfo",
]


@checks_arguments(ArgumentTypeError)
class AvroSchema:
    """The schema of Avro records.

    Mirrors ``org.apache.avro.Schema`` as PyFlink wraps it.
    """

    def __init__(self, json_schema: str) -> None:
        record_schema(json_schema)
        self._text = json.dumps(json.loads(json_schema), separators=(",", ":"))

    @staticmethod
    def parse_string(json_schema: str) -> AvroSchema:
        """Parse a schema from a JSON string.

        Raises:
            UnsupportedTypeError: the text is not an Avro schema of a record.
        """
        return AvroSchema(json_schema)

    @staticmethod
    def parse_file(file_path: str) -> AvroSchema:
        """Parse a schema from a local file.

        Raises:
            ConfigurationError: the file cannot be read.
            UnsupportedTypeError: it is not an Avro schema of a record.
        """
        try:
            with open(file_path, encoding="utf-8") as file:
                return AvroSchema(file.read())
        except OSError as error:
            raise ConfigurationError(f"cannot read the Avro schema {file_path}: {error}") from error

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, AvroSchema) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)

    def __str__(self) -> str:
        return self._text


@checks_arguments(ArgumentTypeError)
class GenericRecordAvroTypeInfo(CustomTypeInfo[dict[str, Any]]):
    """The type of records of an Avro schema, as dicts.

    A record that does not fit the schema is an error where it is produced: an unknown or missing field, a
    number out of range. Fields with a default may be missing. Values are in Avro's Python classes: enums
    ``str``, fixed ``bytes``, decimals ``Decimal``, UUIDs ``uuid.UUID``, timestamps ``datetime`` in UTC.
    Tables show a record as its binary encoding.

    Args:
        schema: the schema of the records.

    Raises:
        ConfigurationError: it is not an `AvroSchema`.

    Mirrors ``org.apache.flink.formats.avro.typeutils.GenericRecordAvroTypeInfo``.
    """

    __slots__ = ()

    def __init__(self, schema: AvroSchema) -> None:
        text = str(require_schema(schema, "GenericRecordAvroTypeInfo"))
        bytes_type = Types.PRIMITIVE_ARRAY(Types.BYTE)
        super().__init__(dict, bytes_type, RecordEncoder(text), RecordDecoder(text))

    def __repr__(self) -> str:
        decode: Any = self.decode
        return f"GenericRecordAvroTypeInfo({record_schema(decode.schema).name})"


@checks_arguments(ArgumentTypeError)
class AvroInputFormat(InputFormat[dict[str, Any]], ResultTypeQueryable[dict[str, Any]]):
    """Read the records of Avro files, e.g. ``env.create_input(AvroInputFormat(path, schema))``.

    Records are resolved to the schema by Avro's rules: by the names of fields, with defaults for missing
    ones. A file is read whole by one subtask, whatever its codec.

    Args:
        path: a file, or a directory to read all files below.
        schema: the schema of the elements.

    Raises:
        ConfigurationError: it is not an `AvroSchema`.
        ConnectorError: ``path`` is not a path.

    Mirrors ``org.apache.flink.formats.avro.AvroInputFormat``.
    """

    def __init__(self, path: str, schema: AvroSchema) -> None:
        self._schema = require_schema(schema, "AvroInputFormat")
        self._path = absolute_location(path)

    def get_produced_type(self) -> TypeInformation[dict[str, Any]]:
        """Return the type of the records."""
        return GenericRecordAvroTypeInfo(self._schema)

    def source(self) -> FileSource[dict[str, Any]]:
        """Return the source of the records."""
        return FileSource.for_record_stream_format(
            AvroReaders.for_generic_record(self._schema), self._path
        ).build()


class AvroReaders:
    """Factory of formats that read Avro files, for sources that do more than ``AvroInputFormat``.

    Named as ``org.apache.flink.formats.parquet.avro.AvroParquetReaders`` is.
    """

    @staticmethod
    def for_generic_record(schema: AvroSchema) -> StreamFormat[dict[str, Any]]:
        """Return a format of records, which are resolved to a schema and read as in `AvroInputFormat`.

        Raises:
            ConfigurationError: it is not an `AvroSchema`.
        """
        text = str(require_schema(schema, "AvroReaders.for_generic_record"))
        return TypedFormat(AvroReader(text), GenericRecordAvroTypeInfo(schema))


@checks_arguments(ArgumentTypeError)
class AvroBulkWriters:
    """Factory of writers of Avro files.

    Mirrors ``org.apache.flink.formats.avro.AvroWriters`` as PyFlink names it.
    """

    @staticmethod
    def for_generic_record(schema: AvroSchema) -> BulkWriterFactory[Any]:
        """Return a writer of dicts as uncompressed records of a schema.

        Raises:
            ConfigurationError: it is not an `AvroSchema`.
        """
        return PartsFactory(AvroParts(str(require_schema(schema, "AvroBulkWriters.for_generic_record"))))


def require_schema(schema: object, owner: str) -> AvroSchema:
    """Return the argument, checked to be a schema.

    Raises:
        ConfigurationError: it is not one.
    """
    if isinstance(schema, AvroSchema):
        return schema
    raise ConfigurationError(f"{owner} takes a schema such as AvroSchema.parse_string(…), not {schema!r}")
