"""Rows of messages and files, with values of the types that their columns declare."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from pystream.engine.formats.errors import FieldError, excerpt
from pystream.engine.formats.fields import (
    Cast,
    Declaration,
    Field,
    FieldRead,
    field_values,
    fields_of,
    maker_of,
)
from pystream.errors import DeserializationError
from pystream.messages.schemas import DeserializationSchema
from typeinfo.composite import RowTypeInfo
from typeinfo.row import Row

__all__ = ["DeclaredMessages", "DeclaredRows"]

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
    before: Cast | None = None

    def converter(self) -> Convert | None:
        """Return the function that converts a row, ``None`` if all stay the same."""
        make_row = None if self.before is None else self.before.converter()
        fields = fields_of(self.row_type, self.declarations)
        if all(field.cast is None and not field.is_required for field in fields):
            return make_row
        reads = [(field, partial(_declared, field)) for field in fields]
        convert = partial(_row, maker_of(self.row_type), reads)
        return convert if make_row is None else partial(_in_turn, make_row, convert)


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

    def get_produced_type(self) -> RowTypeInfo[Any]:
        """Return the type of the rows."""
        return self._rows.row_type
