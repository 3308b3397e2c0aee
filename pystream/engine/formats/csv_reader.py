"""Read elements from CSV as Flink's CSV row format does, but without its silent losses."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from pystream.engine.formats.csv_cells import CsvOptions, cells_of, csv_dialect
from pystream.engine.formats.errors import FieldError, excerpt
from pystream.engine.formats.fields import Field, fields_of, maker_of, read_each, without_optional
from pystream.engine.formats.scalars import from_carrier, text_reader
from pystream.errors import DeserializationError
from typeinfo.carried import CarriedTypeInfo, SetTypeInfo, VariadicTupleTypeInfo
from typeinfo.collection import ArrayTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import FieldsTypeInfo
from typeinfo.errors import UnsupportedTypeError
from typeinfo.info import TypeInformation

__all__ = ["CsvReader", "csv_reader", "empty_list_or", "list_in_cell", "require_cells"]

Read = Callable[[str], Any]


@lru_cache(maxsize=256)
def csv_reader(t: FieldsTypeInfo[Any], options: CsvOptions) -> CsvReader:
    """Return the reader of messages with one element each.

    Raises:
        UnsupportedTypeError: CSV cannot represent a field of the type; the message names it.
    """
    return CsvReader(t, options)


class CsvReader:
    """Read one element from each message."""

    def __init__(self, t: FieldsTypeInfo[Any], options: CsvOptions) -> None:
        require_cells(t)
        self._options = options
        self._dialect = csv_dialect(options)
        self._fields = [(field, _cell(field, options)) for field in fields_of(t)]
        self._make = maker_of(t)

    def __call__(self, message: bytes) -> Any | None:
        """Return the element; ``None`` if there are only comments, or for an ignored parse error.

        Raises:
            DeserializationError: the message cannot be read.
        """
        try:
            text = message.decode()
            if not text:
                raise FieldError("the message is empty")
            cells = cells_of(text, self._options, self._dialect)
            return None if cells is None else self._make(self._values(cells))
        except (FieldError, UnicodeDecodeError) as error:
            if self._options.ignore_parse_errors:
                return None
            raise DeserializationError(f"cannot read the CSV message {excerpt(message)}: {error}") from error

    def _values(self, cells: list[str]) -> list[Any]:
        if len(cells) < len(self._fields) and self._options.ignore_parse_errors:
            return [*_values(self._fields, cells), *[None] * (len(self._fields) - len(cells))]
        if len(cells) != len(self._fields):
            raise FieldError(f"{len(cells)} cells, but the type has {len(self._fields)} fields")
        return _values(self._fields, cells)


def _values(fields: list[tuple[Field, Read]], cells: list[str]) -> list[Any]:
    values = []
    for (field, read), cell in zip(fields, cells, strict=False):
        try:
            values.append(read(cell))
        except FieldError as error:
            raise error.under(field.segment) from None
    return values


def require_cells(t: FieldsTypeInfo[Any]) -> None:
    """Check that every field of a type fits one cell: an atomic value, or a list, set or row of them.

    Raises:
        UnsupportedTypeError: a field does not.
    """
    if not t.field_types:
        raise UnsupportedTypeError(f"CSV needs at least one field to write, but {t} has none")
    for field in fields_of(t):
        if not _fits_a_cell(field.type):
            raise UnsupportedTypeError(
                f"CSV has no cell for field {field.name} of type {field.type}; "
                "a cell holds an atomic value, or a list, set or row of atomic values"
            )
        if field.may_be_missing:
            raise UnsupportedTypeError(f"CSV has a cell for every field, but {field.name} may be missing")


def _fits_a_cell(t: TypeInformation[Any]) -> bool:
    if isinstance(t, (SetTypeInfo, VariadicTupleTypeInfo)):
        return _fits_a_cell(t.carrier)
    if not _is_nested(t):
        return text_reader(t) is not None
    if isinstance(t, FieldsTypeInfo) and (not t.field_types or any(f.may_be_missing for f in fields_of(t))):
        return False
    return all(text_reader(without_optional(slot.type, slot.nullable)[0]) for slot in t.slots())


def _is_nested(t: TypeInformation[Any]) -> bool:
    if isinstance(t, PrimitiveArrayTypeInfo) and t.is_bytes:
        return False
    return isinstance(t, (ArrayTypeInfo, FieldsTypeInfo))


def _cell(field: Field, options: CsvOptions) -> Read:
    t = field.type
    if isinstance(t, (SetTypeInfo, VariadicTupleTypeInfo)):
        return partial(_carried, t, _cell(field._replace(type=t.carrier), options))
    if not _is_nested(t):
        return _nullable(_atomic(t), field.nullable, options)
    delimiter = options.array_element_delimiter
    if isinstance(t, FieldsTypeInfo):
        parts = [(part, _nullable(_atomic(part.type), part.nullable, options)) for part in fields_of(t)]
        return _nullable(partial(_row, delimiter, parts, maker_of(t)), field.nullable, options)
    (slot,) = t.slots()
    element, nullable = without_optional(slot.type, slot.nullable)
    read = partial(list_in_cell, delimiter, _nullable(_atomic(element), nullable, options))
    return partial(empty_list_or, _nullable(read, field.nullable, options))


def _carried(t: CarriedTypeInfo[Any], read: Read, cell: str) -> Any:
    carried = read(cell)
    return None if carried is None else from_carrier(t, carried)


def _atomic(t: TypeInformation[Any]) -> Read:
    read = text_reader(t)
    assert read is not None, "require_cells has looked"
    return read


def _nullable(read: Read, nullable: bool, options: CsvOptions) -> Read:
    if options.null_literal is not None:
        read = partial(_null_or, options.null_literal, nullable, read)
    return partial(_null_for_errors, read) if nullable and options.ignore_parse_errors else read


def _null_or(literal: str, nullable: bool, read: Read, cell: str) -> Any:
    if cell != literal:
        return read(cell)
    if not nullable:
        raise FieldError(f"{cell!r}, which is null, is not allowed by the type")
    return None


def _null_for_errors(read: Read, cell: str) -> Any:
    try:
        return read(cell)
    except FieldError:
        return None


def empty_list_or(read: Read, cell: str) -> Any:
    """Read an empty cell as an empty list, as in Flink even if the null literal is empty."""
    return read(cell) if cell else []


def list_in_cell(delimiter: str, read: Read, cell: str) -> list[Any]:
    """Read the elements in a cell."""
    return read_each(read, cell.split(delimiter))


def _row(delimiter: str, parts: list[tuple[Field, Read]], make: Callable[[list[Any]], Any], cell: str) -> Any:
    cells = cell.split(delimiter)
    if len(cells) != len(parts):
        raise FieldError(f"{len(cells)} values in the cell {cell!r}, but the type has {len(parts)} fields")
    return make(_values(parts, cells))
