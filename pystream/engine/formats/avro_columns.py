"""Read many Avro messages at once into columns, part by part."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pystream.engine.formats.avro_parts import AvroPart, PartCompiler
from pystream.engine.formats.avro_records import record_schema
from pystream.engine.formats.avro_schema import definitions_of
from pystream.engine.formats.columns_reader import UnreadError
from typeinfo.composite import RowTypeInfo
from typeinfo.errors import TypeCheckError

if TYPE_CHECKING:
    from pystream.engine.formats.avro_cursor import AvroCursor
    from pystream.engine.vectorised.columns import Column, ColumnValues
    from typeinfo.serde.codec import Codec

__all__ = ["AvroColumns", "RecordColumns", "avro_columns", "record_columns"]


class RecordColumns:
    """Read one record from each message.

    Args:
        t: the type of the rows.
        parts: their fields.
    """

    def __init__(self, t: RowTypeInfo[Any], parts: Sequence[AvroPart]) -> None:
        from pystream.engine.vectorised.columns import layout_of

        self._layout = layout_of(t)
        self._parts = parts

    def read(self, messages: Sequence[bytes], skipped: int = 0) -> ColumnValues | None:
        """Return the rows, ``None`` if they are to be read one by one.

        Args:
            messages: the messages.
            skipped: the number of bytes before each record.
        """
        from pyarrow import ArrowException

        from pystream.engine.formats.avro_cursor import AvroCursor
        from pystream.engine.vectorised.columns import ColumnValues

        try:
            cursor = AvroCursor.over(messages, skipped)
            columns = [
                _column(codec, part, cursor)
                for codec, part in zip(self._layout.codecs, self._parts, strict=True)
            ]
            if not cursor.is_at_end:
                return None
        except (ArrowException, TypeCheckError, UnreadError):
            return None
        return ColumnValues.of_columns(self._layout, columns, len(messages))


def _column(codec: Codec, part: AvroPart, cursor: AvroCursor) -> Column:
    from pystream.engine.vectorised.column_validation import validated
    from pystream.engine.vectorised.columns import Column

    array = part.read(cursor)
    if part.convert is None:
        return Column(codec, validated(codec, array))
    values = [None if value is None else part.convert(value) for value in array.to_pylist()]
    return Column(codec, values=codec.conform(values))


class AvroColumns:
    """Read messages of one record each, without a header, if they are certainly read as `AvroCodec` does.

    Args:
        schema: the schema of the records, as JSON.
        t: the type of the rows.
        records: reads the records.
    """

    def __init__(self, schema: str, t: RowTypeInfo[Any], records: RecordColumns) -> None:
        self._arguments = (schema, t)
        self._records = records

    def __reduce__(self) -> Any:
        return avro_columns, self._arguments

    def of_messages(self, messages: Sequence[bytes]) -> ColumnValues | None:
        """Return the elements in messages as columns, ``None`` if they are to be read one by one."""
        return self._records.read(messages)

    def of_lines(self, lines: bytes) -> ColumnValues | None:
        """Return ``None``: messages in binary are no lines."""
        return None


@lru_cache(maxsize=64)
def avro_columns(schema: str, t: RowTypeInfo[Any]) -> AvroColumns | None:
    """Return the reader of messages, ``None`` if they are read one by one.

    Args:
        schema: the schema of the records, as JSON.
        t: the type of the rows.
    """
    parsed = record_schema(schema).parsed
    records = record_columns(parsed, parsed, t)
    return None if records is None else AvroColumns(schema, t, records)


def record_columns(writer: Any, reader: Any, t: RowTypeInfo[Any]) -> RecordColumns | None:
    """Return the reader of records, ``None`` if they are read one by one.

    Args:
        writer: the schema that the records were written by, as fastavro parses it.
        reader: the schema that they are resolved to, likewise, with the names of the other as aliases.
        t: the type of the rows.
    """
    parts = PartCompiler(definitions_of(writer), definitions_of(reader)).fields(writer, reader, t)
    return None if not parts else RecordColumns(t, parts)
