"""Rows as JSON messages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, Self, cast

from typing_extensions import TypeVar

from pystream.engine.formats.column_texts import ColumnsWriter
from pystream.engine.formats.columns_reader import ColumnsReader
from pystream.engine.formats.fields import Declaration, require_fields
from pystream.engine.formats.json_column_writer import json_column_writer
from pystream.engine.formats.json_columns import json_columns
from pystream.engine.formats.json_reader import json_reader
from pystream.engine.formats.json_schema import type_of_json_schema
from pystream.engine.formats.json_writer import json_writer
from pystream.engine.formats.times import TimeStyle
from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.messages.schemas import DeserializationSchema, SerializationSchema
from typeinfo.arguments import checks_arguments
from typeinfo.composite import FieldsTypeInfo, RowTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.row import Row

__all__ = [
    "JsonRowDataDeserializationSchema",
    "JsonRowDeserializationSchema",
    "JsonRowSerializationSchema",
]

IN = TypeVar("IN", contravariant=True, default=Any)
OUT = TypeVar("OUT", covariant=True, default=Any)
T = TypeVar("T", default=Any)
U = TypeVar("U")  # the type set by a method of the builder


@checks_arguments(ArgumentTypeError, methods=False)
class JsonRowDeserializationSchema(DeserializationSchema[OUT]):
    r"""Decode a JSON object to a row, tuple or record; fields are matched by name.

    Values without a JSON form are read from strings: dates ``2020-01-31``, times ``12:34:56Z``, timestamps
    ``2020-01-31T12:34:56Z``, whose ``Z`` is required as in Flink, bytes as Base64. Numbers and booleans may
    also be strings, and a field of type STRING accepts any value. A value that does not fit its type is an
    error that names the field: a fraction or too large a number for an integer, a time finer than a
    microsecond, a null where the type allows none.

    A message ``null`` and a blank one hold no element. Made by ``JsonRowDeserializationSchema.builder()``.
    Mirrors ``org.apache.flink.formats.json.JsonRowDeserializationSchema``.

    Examples:
        >>> from pystream.common import Types
        >>> from pystream.datastream.formats.json import JsonRowDeserializationSchema
        >>> person = Types.ROW_NAMED(["name", "age"], [Types.STRING(), Types.INT()])
        >>> schema = JsonRowDeserializationSchema.builder().type_info(person).build()
        >>> schema.deserialize(b'{"name": "Ada", "age": 36}')
        Row(name='Ada', age=36)
    """

    def __init__(
        self,
        type_info: FieldsTypeInfo[OUT],
        fail_on_missing_field: bool,
        ignore_parse_errors: bool,
        time_style: TimeStyle = "RFC-3339",
    ) -> None:
        self._arguments = (type_info, fail_on_missing_field, ignore_parse_errors, time_style)
        self._read = json_reader(*self._arguments)

    def __reduce__(self) -> Any:
        return type(self), self._arguments

    def deserialize(self, message: bytes) -> OUT | None:
        """Decode a message to an element, or ``None`` if it holds none.

        Raises:
            DeserializationError: the message cannot be read; the error names the field.
        """
        return self._read(message)

    def at_once(self) -> ColumnsReader | None:
        """Return the reader of many messages at once, ``None`` if they are decoded one by one."""
        own = JsonRowDeserializationSchema
        is_own = (type(self).deserialize, type(self).deserialize_all) == (
            own.deserialize,
            own.deserialize_all,
        )
        t, fails, _, time_style = self._arguments
        return json_columns(t, fails, time_style) if is_own else None

    def get_produced_type(self) -> TypeInformation[OUT]:
        """Return the type of the elements."""
        return self._arguments[0]

    @staticmethod
    def builder() -> JsonRowDeserializationSchema.Builder[Any]:
        """Return a builder."""
        return JsonRowDeserializationSchema.Builder()

    @checks_arguments(ArgumentTypeError)
    class Builder(Generic[T]):
        """Build the schema.

        Args:
            row_schema: the type of the elements, which `type_info` and `json_schema` set as well.
        """

        def __init__(self, row_schema: TypeInformation[T] | None = None) -> None:
            self._type = None if row_schema is None else _fields_type(row_schema)
            self._fail_on_missing_field = False
            self._ignore_parse_errors = False

        def type_info(self, type_info: TypeInformation[U]) -> JsonRowDeserializationSchema.Builder[U]:
            """Set the type of the elements.

            Raises:
                UnsupportedTypeError: it is not the type of a row, tuple or record.
            """
            self._type = _fields_type(type_info)
            return cast("JsonRowDeserializationSchema.Builder[U]", self)

        def json_schema(self, json_schema: str) -> JsonRowDeserializationSchema.Builder[Row[Any]]:
            """Set the type of the elements to the row type of a JSON schema.

            Raises:
                UnsupportedTypeError: the text is not a JSON schema of an object with a corresponding type.
            """
            self._type = type_of_json_schema(json_schema)
            return cast("JsonRowDeserializationSchema.Builder[Row[Any]]", self)

        def fail_on_missing_field(self) -> Self:
            """Raise an error for a missing field, which is ``None`` by default."""
            self._fail_on_missing_field = True
            return self

        def ignore_parse_errors(self) -> Self:
            """Ignore parse errors: such a field becomes ``None``, and such a message holds no element."""
            self._ignore_parse_errors = True
            return self

        def build(self) -> JsonRowDeserializationSchema[T]:
            """Return the schema.

            Raises:
                ConfigurationError: no type is set, or missing fields are to fail while errors are ignored.
                UnsupportedTypeError: JSON cannot represent a part of the type.
            """
            if self._type is None:
                raise ConfigurationError("JsonRowDeserializationSchema: set type_info or json_schema")
            if self._fail_on_missing_field and self._ignore_parse_errors:
                raise ConfigurationError(
                    "JsonRowDeserializationSchema: fail_on_missing_field and ignore_parse_errors contradict"
                )
            return JsonRowDeserializationSchema(
                self._type, self._fail_on_missing_field, self._ignore_parse_errors
            )


class JsonRowDataDeserializationSchema(DeserializationSchema[Row[Any]]):
    """Decode JSON objects to rows of a table; a message may be an array of them.

    Args:
        type_info: the type of the rows.
        declarations: what the table declares of its columns.
        fail_on_missing_field: whether a field that is not in the message is an error instead of ``None``.
        ignore_parse_errors: whether input that cannot be parsed becomes ``None`` instead of an error.
        time_style: how times and timestamps are written.
        at_once: reads many messages at once, ``None`` if they are decoded one by one.

    Mirrors ``org.apache.flink.formats.json.JsonRowDataDeserializationSchema``.
    """

    def __init__(
        self,
        type_info: RowTypeInfo[Any],
        declarations: tuple[Declaration, ...],
        fail_on_missing_field: bool,
        ignore_parse_errors: bool,
        time_style: TimeStyle,
        at_once: ColumnsReader | None = None,
    ) -> None:
        self._arguments = (
            type_info,
            declarations,
            fail_on_missing_field,
            ignore_parse_errors,
            time_style,
            at_once,
        )
        self._read = json_reader(
            type_info, fail_on_missing_field, ignore_parse_errors, time_style, declarations
        )

    def __reduce__(self) -> Any:
        return type(self), self._arguments

    def deserialize(self, message: bytes) -> Row[Any] | None:
        """Decode a message of one object to a row, or ``None`` if it holds none.

        Raises:
            DeserializationError: the message cannot be read; the error names the field.
        """
        row: Row[Any] | None = self._read(message)
        return row

    def deserialize_all(self, message: bytes) -> Iterable[Row[Any]]:
        """Decode a message to its rows.

        Raises:
            DeserializationError: the message cannot be read; the error names the field.
        """
        return self._read.elements(message)

    def at_once(self) -> ColumnsReader | None:
        """Return the reader of many messages at once, ``None`` if they are decoded one by one."""
        return self._arguments[-1]

    def get_produced_type(self) -> RowTypeInfo[Any]:
        """Return the type of the rows."""
        return self._arguments[0]


@checks_arguments(ArgumentTypeError, methods=False)
class JsonRowSerializationSchema(SerializationSchema[IN]):
    """Encode a row, tuple or record as a JSON object, compact and in UTF-8.

    The type may have fewer fields than the rows, as the schema of Kafka's keys often has: then the first
    fields of each row are written, by the names of the type.
    Dates, times and bytes are written as `JsonRowDeserializationSchema` reads them, NaN and infinities as
    strings. Made by ``JsonRowSerializationSchema.builder()``.

    Args:
        type_info: the type of the elements.
        time_style: how times and timestamps are written: ``RFC-3339`` ends them with ``Z``, the standards
            ``SQL`` and ``ISO-8601`` of Flink's tables only instants, and SQL has a blank before the time.
        skips_nulls: whether fields of objects that are null are left out.
        has_exponents: whether decimals are written with the exponent that is left without trailing zeros.

    Mirrors ``org.apache.flink.formats.json.JsonRowSerializationSchema``.

    Examples:
        >>> from pystream.common import Row, Types
        >>> from pystream.datastream.formats.json import JsonRowSerializationSchema
        >>> person = Types.ROW_NAMED(["name", "age"], [Types.STRING(), Types.INT()])
        >>> schema = JsonRowSerializationSchema.builder().with_type_info(person).build()
        >>> schema.serialize(Row(name="Ada", age=36))
        b'{"name":"Ada","age":36}'
    """

    def __init__(
        self,
        type_info: FieldsTypeInfo[IN],
        time_style: TimeStyle = "RFC-3339",
        skips_nulls: bool = False,
        has_exponents: bool = False,
    ) -> None:
        self._arguments = (type_info, time_style, skips_nulls, has_exponents)
        self._write = json_writer(*self._arguments)

    def __reduce__(self) -> Any:
        return type(self), self._arguments

    def serialize(self, element: IN) -> bytes:
        """Encode an element as a message.

        Raises:
            SerializationError: the element does not fit the type; the error names the field.
        """
        return self._write(element)

    def of_columns(self) -> ColumnsWriter | None:
        """Return the writer of elements that are columns, ``None`` if they are encoded one by one."""
        t, time_style, skips_nulls, has_exponents = self._arguments
        is_own = type(self).serialize is JsonRowSerializationSchema.serialize
        return json_column_writer(t, time_style, has_exponents) if is_own and not skips_nulls else None

    @staticmethod
    def builder() -> JsonRowSerializationSchema.Builder[Any]:
        """Return a builder."""
        return JsonRowSerializationSchema.Builder()

    @checks_arguments(ArgumentTypeError)
    class Builder(Generic[T]):
        """Build the schema.

        Args:
            row_schema: the type of the elements, which `with_type_info` sets as well.
        """

        def __init__(self, row_schema: TypeInformation[T] | None = None) -> None:
            self._type = None if row_schema is None else _fields_type(row_schema)

        def with_type_info(self, type_info: TypeInformation[U]) -> JsonRowSerializationSchema.Builder[U]:
            """Set the type of the elements.

            Raises:
                UnsupportedTypeError: it is not the type of a row, tuple or record.
            """
            self._type = _fields_type(type_info)
            return cast("JsonRowSerializationSchema.Builder[U]", self)

        def build(self) -> JsonRowSerializationSchema[T]:
            """Return the schema.

            Raises:
                ConfigurationError: no type is set.
                UnsupportedTypeError: JSON cannot represent a part of the type.
            """
            if self._type is None:
                raise ConfigurationError("JsonRowSerializationSchema: set with_type_info")
            return JsonRowSerializationSchema(self._type)


def _fields_type(type_info: TypeInformation[Any]) -> FieldsTypeInfo[Any]:
    return require_fields(type_info, "a JSON schema")
