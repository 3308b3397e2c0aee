"""Rows of messages and files, with values of the types that their columns declare."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from pystream.engine.formats.columns_reader import ColumnsReader
from pystream.engine.formats.errors import FieldError, excerpt
from pystream.engine.formats.fields import (
    Declaration,
    Field,
    FieldRead,
    field_values,
    fields_of,
    maker_of,
)
from pystream.errors import DeserializationError
from pystream.messages.schemas import DeserializationSchema
from pystream.table.formats.avro_records import RowOfRecord
from typeinfo.composite import RowTypeInfo
from typeinfo.errors import TypeCheckError
from typeinfo.row import Row

if TYPE_CHECKING:
    from pystream.engine.vectorised.columns import Column, ColumnValues
    from typeinfo.serde.codec import Codec

__all__ = ["DeclaredColumns", "DeclaredMessages", "DeclaredReader", "DeclaredRows"]

Convert = Callable[[Any], Any]


class DeclaredRows(NamedTuple):
    """The conversion of rows to those with values of the declared types.

    Attributes:
        row_type: the type of the rows.
        declarations: what the table declares of their columns.
        before: makes the rows of other elements, ``None`` if they are rows.
    """

    row_type: RowTypeInfo[Any]
    declarations: tuple[Declaration, ...]
    before: RowOfRecord | None = None

    def converter(self) -> Convert | None:
        """Return the function that converts a row, ``None`` if all stay the same."""
        make_row = None if self.before is None else self.before.converter()
        fields = fields_of(self.row_type, self.declarations)
        if all(field.cast is None and not field.is_required for field in fields):
            return make_row
        reads = [(field, partial(_declared, field)) for field in fields]
        convert = partial(_row, maker_of(self.row_type), reads)
        return convert if make_row is None else partial(_in_turn, make_row, convert)

    def columns(self) -> DeclaredColumns:
        """Return the conversion of many rows at once."""
        parts = None if self.before is None else self.before.parts()
        return DeclaredColumns(self.row_type, fields_of(self.row_type, self.declarations), parts)


def _declared(field: Field, value: Any) -> Any:
    if value is not None:
        return value if field.cast is None else field.cast(value)
    if field.is_required:
        raise FieldError("null is not allowed by the type")
    return None


def _row(make: Convert, reads: Sequence[FieldRead], row: Row[Any]) -> Any:
    return make(field_values(reads, row))


def _in_turn(first: Convert, second: Convert, value: Any) -> Any:
    return second(first(value))


class DeclaredColumns:
    """Convert many rows at once to columns of values of the declared types.

    Args:
        row_type: the type of the rows.
        fields: their fields.
        parts: the name of each field in the records that are converted, and the function that makes its
            value; ``None`` if these are rows that are columns.
    """

    def __init__(
        self,
        row_type: RowTypeInfo[Any],
        fields: Sequence[Field],
        parts: Sequence[tuple[str, Convert]] | None,
    ) -> None:
        from pystream.engine.vectorised.columns import layout_of

        self._layout = layout_of(row_type)
        self._fields = list(zip(self._layout.codecs, fields, strict=True))
        self._parts = parts

    def of(self, elements: Sequence[Any]) -> ColumnValues | None:
        """Return rows, ``None`` if they are to be converted one by one."""
        from pystream.engine.vectorised.columns import ColumnValues

        try:
            given = self._given(elements)
            columns = None if given is None else list(map(self._converted, self._fields, given))
        except (FieldError, TypeCheckError):
            return None
        return None if columns is None else ColumnValues.of_columns(self._layout, columns, len(elements))

    def _given(self, elements: Sequence[Any]) -> Sequence[Column] | None:
        """Return the columns that are converted, ``None`` if elements have none.

        Raises:
            FieldError: a value does not fit what is declared.
        """
        from pystream.engine.vectorised.columns import Column, ColumnValues

        if self._parts is not None:
            values = ([read(element[name]) for element in elements] for name, read in self._parts)
            return [Column(codec, values=each) for (codec, _), each in zip(self._fields, values, strict=True)]
        if isinstance(elements, ColumnValues) and elements.layout is self._layout:
            return elements.columns
        return None

    def _converted(self, codec_field: tuple[Codec, Field], column: Column) -> Column:
        """Return the values of a field.

        Raises:
            FieldError: one does not fit what is declared.
            TypeCheckError: one is not of the type of the field, or columns would change it.
        """
        from pystream.engine.vectorised.columns import Column, exact_values

        codec, field = codec_field
        if column.is_array and field.cast is None and not (field.is_required and column.array.null_count):
            return column
        if column.is_array and field.cast is not None and not (field.is_required and column.array.null_count):
            from pystream.table.converted_columns import cast_array

            array = cast_array(field.cast, column.array, codec)
            if array is not None:
                return Column(codec, array)
        values = [_declared(field, value) for value in column.values]
        return Column(codec, values=exact_values(codec, values))


class DeclaredReader:
    """Read many messages at once, as rows with values of the declared types.

    Args:
        reader: reads the rows.
        rows: their conversion.
    """

    def __init__(self, reader: ColumnsReader, rows: DeclaredRows) -> None:
        self._arguments = (reader, rows)
        self._reader = reader
        self._columns = rows.columns()

    def __reduce__(self) -> Any:
        return type(self), self._arguments

    def of_messages(self, messages: Sequence[bytes]) -> ColumnValues | None:
        """Return the elements in messages as columns, ``None`` if they are to be read one by one."""
        columns = self._reader.of_messages(messages)
        return None if columns is None else self._columns.of(columns)

    def of_lines(self, lines: bytes) -> ColumnValues | None:
        """Return the elements in lines, a message each, as columns, or ``None`` as `of_messages` does."""
        columns = self._reader.of_lines(lines)
        return None if columns is None else self._columns.of(columns)


class DeclaredMessages(DeserializationSchema[Row[Any]]):
    """Decode messages to rows with values of the declared types.

    Args:
        schema: decodes a message to a row.
        rows: the conversion of the rows.
    """

    def __init__(self, schema: DeserializationSchema[Row[Any]], rows: DeclaredRows) -> None:
        self._schema = schema
        self._rows = rows
        self._convert: Convert | None = None  # made on the worker

    def __reduce__(self) -> Any:
        return type(self), (self._schema, self._rows)

    def deserialize(self, message: bytes) -> Row[Any] | None:
        """Decode a message to a row.

        Raises:
            DeserializationError: the message cannot be read; the error names the field.
        """
        self._convert = self._convert or self._rows.converter()
        row = self._schema.deserialize(message)
        try:
            return row if row is None or self._convert is None else self._convert(row)
        except FieldError as error:
            raise DeserializationError(f"cannot read the message {excerpt(message)}: {error}") from error

    def at_once(self) -> ColumnsReader | None:
        """Return the reader of many messages at once, ``None`` if they are decoded one by one."""
        reader = self._schema.at_once()
        return None if reader is None else DeclaredReader(reader, self._rows)

    def get_produced_type(self) -> RowTypeInfo[Any]:
        """Return the type of the rows."""
        return self._rows.row_type
