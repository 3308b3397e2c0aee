"""CSV formats: files of records, and one-line messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pystream.common.serialization import BulkWriterFactory, PartsFactory, charset_named
from pystream.datastream.connectors.file_system.source import StreamFormat
from pystream.engine.connectors.csv_files import CsvFileReader, CsvParts
from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.lazy import re_exports
from pystream.messages.csv import CsvRowDeserializationSchema, CsvRowSerializationSchema
from pystream.messages.csv_schema import CsvSchema, CsvSchemaBuilder
from typeinfo.arguments import checks_arguments
from typeinfo.info import TypeInformation
from typeinfo.row import Row

if TYPE_CHECKING:
    from pystream.common.serialization import DeserializationSchema as DeserializationSchema
    from pystream.common.serialization import SerializationSchema as SerializationSchema
else:
    __getattr__ = re_exports(__name__)


__all__ = [
    "CsvBulkWriters",
    "CsvReaderFormat",
    "CsvSchema",
    "CsvSchemaBuilder",
    "CsvRowDeserializationSchema",
    "CsvRowSerializationSchema",
]


@checks_arguments(ArgumentTypeError)
class CsvReaderFormat(StreamFormat[Row[Any]]):
    r"""Read the records of CSV files as named rows.

    A record ends with ``\n``, ``\r\n`` or ``\r`` outside quotes, so a quoted cell may span lines; two quotes
    inside a quoted cell are read as one. A byte order mark at the start of a file is skipped. Files are
    decompressed by their extension. A file is read whole by one subtask, unless there are neither quotes nor
    an escape character (``disable_quote_char``) and the file enumerator cuts files.

    Made by ``CsvReaderFormat.for_schema(schema)``.
    Mirrors ``org.apache.flink.formats.csv.CsvReaderFormat``.
    """

    def __init__(self, reader: CsvFileReader) -> None:
        self._reader = reader

    @staticmethod
    def for_schema(
        schema: CsvSchema, charset_name: str = "UTF-8", ignore_parse_errors: bool = False
    ) -> CsvReaderFormat:
        """Return a format of records with the columns of a schema.

        A record that cannot be read is an error that names file, line and column: too few or too many cells,
        a cell that is not a value of its column's type, bytes that are not text in the charset, a quote that
        is not closed.

        Args:
            schema: the columns, and the characters the files are made of.
            charset_name: the charset of the files.
            ignore_parse_errors: whether records that cannot be read are skipped, as with
                ``with_ignore_parse_errors``.

        Raises:
            ConfigurationError: it is not a `CsvSchema`, or the charset is unknown.
        """
        format = _require_schema(schema, "CsvReaderFormat")._format
        return CsvReaderFormat(CsvFileReader(format, charset_named(charset_name), ignore_parse_errors))

    def with_ignore_parse_errors(self) -> CsvReaderFormat:
        """Return the same format, which skips records that cannot be read instead of failing.

        They are counted in the metric ``numRecordsInErrors`` of the source, and each file with such records
        gives a warning in the log.
        """
        return CsvReaderFormat(replace(self._reader, skips_bad_records=True))

    def reader(self, locations: Sequence[str]) -> CsvFileReader:
        """Return the reader that workers use."""
        return self._reader

    def get_produced_type(self, locations: Sequence[str] = ()) -> TypeInformation[Row[Any]]:
        """Return the type of the rows."""
        return self._reader.format.type


@checks_arguments(ArgumentTypeError)
class CsvBulkWriters:
    """Factory of writers of CSV files.

    Mirrors ``org.apache.flink.formats.csv.CsvBulkWriter`` as PyFlink names it.
    """

    @staticmethod
    def for_schema(schema: CsvSchema) -> BulkWriterFactory[Any]:
        """Return a writer of rows as CSV records in UTF-8, after a header if the schema has one.

        Cells are quoted where Flink quotes them. Null is the empty cell unless the schema names another.

        Raises:
            ConfigurationError: it is not a `CsvSchema`.
        """
        return PartsFactory(CsvParts(_require_schema(schema, "CsvBulkWriters")._format))


def _require_schema(schema: object, owner: str) -> CsvSchema:
    if isinstance(schema, CsvSchema):
        return schema
    raise ConfigurationError(
        f"{owner}.for_schema takes a schema such as CsvSchema.builder().add_string_column('a').build(), "
        f"not {schema!r}"
    )
