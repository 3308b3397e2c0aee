"""Rows as CSV messages, one line each."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Generic, Self

from typing_extensions import TypeVar

from pystream.engine.formats.column_texts import ColumnsWriter
from pystream.engine.formats.columns_reader import ColumnsReader
from pystream.engine.formats.csv_cells import CsvOptions
from pystream.engine.formats.csv_column_writer import csv_column_writer
from pystream.engine.formats.csv_columns import csv_columns
from pystream.engine.formats.csv_reader import csv_reader
from pystream.engine.formats.csv_writer import csv_writer
from pystream.engine.formats.fields import Declaration, require_fields
from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.messages.csv_schema import checked_character, checked_options
from pystream.messages.schemas import DeserializationSchema, SerializationSchema, decodes_as
from typeinfo.arguments import checks_arguments
from typeinfo.composite import FieldsTypeInfo
from typeinfo.info import TypeInformation

__all__ = ["CsvRowDeserializationSchema", "CsvRowSerializationSchema"]

IN = TypeVar("IN", contravariant=True, default=Any)
OUT = TypeVar("OUT", covariant=True, default=Any)
T = TypeVar("T", default=Any)

_LINE_DELIMITERS = ("\n", "\r", "\r\n", "")


class _CsvBuilder(Generic[T]):
    """The settings of both builders; every method returns the builder.

    Args:
        type_info: the type of the elements: a row, tuple or record of atomic values, or lists or rows of
            them.

    Raises:
        UnsupportedTypeError: it is not such a type.
    """

    def __init__(self, type_info: TypeInformation[T]) -> None:
        self._type: FieldsTypeInfo[T] = require_fields(type_info, "a CSV schema")
        self._options = CsvOptions()

    def _set(self, **options: Any) -> Self:
        self._options = replace(self._options, **options)
        return self

    def set_array_element_delimiter(self, delimiter: str) -> Self:
        """Set the text between the elements in a cell; a semicolon by default.

        As in Flink, an element that contains it is read as two.
        """
        if not isinstance(delimiter, str) or not delimiter:
            raise ConfigurationError(f"set_array_element_delimiter takes a str, not {delimiter!r}")
        return self._set(array_element_delimiter=delimiter)

    def set_quote_character(self, c: str) -> Self:
        """Set the quote character; a double quote by default."""
        return self._set(quote=checked_character(c, "set_quote_character"))

    def set_escape_character(self, c: str) -> Self:
        """Set the escape character; none by default."""
        return self._set(escape=checked_character(c, "set_escape_character"))

    def disable_quote_character(self) -> Self:
        """Use no quotes: a cell that contains a delimiter is read as two."""
        return self._set(quote=None)

    def _set_field_delimiter(self, c: str) -> Self:
        return self._set(field_delimiter=checked_character(c, "set_field_delimiter"))

    def _set_null_literal(self, s: str) -> Self:
        if not isinstance(s, str):
            raise ConfigurationError(f"set_null_literal takes a str, not {s!r}")
        return self._set(null_literal=s)


@checks_arguments(ArgumentTypeError, methods=False)
class CsvRowDeserializationSchema(DeserializationSchema[OUT]):
    """Decode a line of CSV to a row, tuple or record; fields are matched by position.

    Dates are read as ``2020-01-31``, times ``12:34:56``, timestamps ``2020-01-31 12:34:56``, instants with a
    final ``Z``, bytes as Base64. A list or row is written in one cell. There is no null unless
    `set_null_literal` names one. A cell that does not fit its type is an error that names the field.

    Made by ``CsvRowDeserializationSchema.Builder(type_info)``.
    Mirrors ``org.apache.flink.formats.csv.CsvRowDeserializationSchema``.
    """

    def __init__(
        self,
        type_info: FieldsTypeInfo[OUT],
        options: CsvOptions,
        declarations: tuple[Declaration, ...] = (),
    ) -> None:
        self._arguments = (type_info, options, declarations)
        csv_reader(*self._arguments)

    def deserialize(self, message: bytes) -> OUT | None:
        """Decode a message to an element, or ``None`` if it holds none.

        Raises:
            DeserializationError: the message cannot be read; the error names the field.
        """
        return csv_reader(*self._arguments)(message)

    def at_once(self) -> ColumnsReader | None:
        """Return the reader of many messages at once, ``None`` if they are decoded one by one."""
        is_own = decodes_as(CsvRowDeserializationSchema, self)
        return csv_columns(*self._arguments) if is_own else None

    def get_produced_type(self) -> TypeInformation[OUT]:
        """Return the type of the elements."""
        return self._arguments[0]

    @checks_arguments(ArgumentTypeError)
    class Builder(_CsvBuilder[T]):
        """Build the schema."""

        def set_field_delimiter(self, delimiter: str) -> Self:
            """Set the character between cells; a comma by default."""
            return self._set_field_delimiter(delimiter)

        def set_null_literal(self, null_literal: str) -> Self:
            """Set the cell text that means null; none by default."""
            return self._set_null_literal(null_literal)

        def set_allow_comments(self, allow_comments: bool) -> Self:
            """Choose whether lines that start with ``#`` are skipped; not by default."""
            return self._set(allow_comments=allow_comments)

        def set_ignore_parse_errors(self, ignore_parse_errors: bool) -> Self:
            """Choose whether messages that cannot be decoded become ``None``; they are errors by default."""
            return self._set(ignore_parse_errors=ignore_parse_errors)

        def build(self) -> CsvRowDeserializationSchema[T]:
            """Return the schema.

            Raises:
                ConfigurationError: two of the special characters are the same.
                UnsupportedTypeError: CSV cannot represent a field of the type.
            """
            return CsvRowDeserializationSchema(self._type, checked_options(self._options))


@checks_arguments(ArgumentTypeError, methods=False)
class CsvRowSerializationSchema(SerializationSchema[IN]):
    """Encode a row, tuple or record as a line of CSV, byte for byte as Flink does.

    Null is the empty cell unless `set_null_literal` names another.
    Made by ``CsvRowSerializationSchema.Builder(type_info)``.
    Mirrors ``org.apache.flink.formats.csv.CsvRowSerializationSchema``.

    Examples:
        >>> from pystream.common import Row, Types
        >>> from pystream.datastream.formats.csv import CsvRowSerializationSchema
        >>> person = Types.ROW([Types.STRING(), Types.INT()])
        >>> CsvRowSerializationSchema.Builder(person).build().serialize(Row("Ada, Countess", 36))
        b'"Ada, Countess",36\\n'
    """

    def __init__(self, type_info: FieldsTypeInfo[IN], options: CsvOptions) -> None:
        self._type = type_info
        self._options = options
        csv_writer(type_info, options)

    def serialize(self, element: IN) -> bytes:
        """Encode an element as a message.

        Raises:
            SerializationError: the element does not fit the type; the error names the field.
        """
        return csv_writer(self._type, self._options)(element)

    def of_columns(self) -> ColumnsWriter | None:
        """Return the writer of elements that are columns, ``None`` if they are encoded one by one."""
        is_own = type(self).serialize is CsvRowSerializationSchema.serialize
        return csv_column_writer(self._type, self._options) if is_own else None

    @checks_arguments(ArgumentTypeError)
    class Builder(_CsvBuilder[T]):
        """Build the schema."""

        def set_field_delimiter(self, c: str) -> Self:
            """Set the character between cells; a comma by default."""
            return self._set_field_delimiter(c)

        def set_null_literal(self, s: str) -> Self:
            """Set the cell text for null; empty by default."""
            return self._set_null_literal(s)

        def set_line_delimiter(self, delimiter: str) -> Self:
            r"""Set the end of a message: ``\n`` (the default), ``\r``, ``\r\n`` or nothing."""
            if delimiter not in _LINE_DELIMITERS:
                raise ConfigurationError(
                    f"set_line_delimiter takes one of {list(_LINE_DELIMITERS)}, not {delimiter!r}"
                )
            return self._set(line_delimiter=delimiter)

        def build(self) -> CsvRowSerializationSchema[T]:
            """Return the schema.

            Raises:
                ConfigurationError: two of the special characters are the same.
                UnsupportedTypeError: CSV cannot represent a field of the type.
            """
            return CsvRowSerializationSchema(self._type, checked_options(self._options))
