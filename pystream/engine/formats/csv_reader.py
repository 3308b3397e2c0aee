"""Read elements from CSV as Flink's CSV row format does, but without its silent losses."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache, partial
from typing import Any

from pystream.engine.formats.csv_cells import BLANKS, CsvOptions, cells_of, csv_dialect
from pystream.engine.formats.errors import FieldError, excerpt
from pystream.engine.formats.fields import (
    Declaration,
    Field,
    FieldRead,
    field_values,
    fields_of,
    maker_of,
    read_each,
    without_optional,
)
from pystream.engine.formats.scalars import from_carrier, has_text, rounded_decimal, text_reader
from pystream.errors import DeserializationError
from typeinfo.carried import CarriedTypeInfo, SetTypeInfo, VariadicTupleTypeInfo
from typeinfo.collection import ArrayTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import FieldsTypeInfo
from typeinfo.errors import UnsupportedTypeError
from typeinfo.info import TypeInformation

__all__ = ["CellsReader", "CsvReader", "Precision", "csv_reader", "require_cells"]

Read = Callable[[str], Any]
Split = Callable[[str], list[str]]
Precision = tuple[int, int]
"""Number of digits of a decimal, and of those after the decimal point."""


@lru_cache(maxsize=256)
def csv_reader(
    t: FieldsTypeInfo[Any], options: CsvOptions, declarations: tuple[Declaration, ...] = ()
) -> CsvReader:
    """Return the reader of messages with one element each.

    Args:
        t: the type of the elements.
        options: the format.
        declarations: what a table declares of its columns, if the elements are its rows.

    Raises:
        UnsupportedTypeError: CSV cannot represent a field of the type; the message names it.
    """
    return CsvReader(t, options, declarations)


class CsvReader:
    """Read one element from each message."""

    def __init__(
        self, t: FieldsTypeInfo[Any], options: CsvOptions, declarations: Sequence[Declaration] = ()
    ) -> None:
        require_cells(t)
        self._options = options
        self._dialect = csv_dialect(options)
        self._values = CellsReader(t, options, declarations=declarations)
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
            is_fatal = isinstance(error, FieldError) and error.is_fatal
            if self._options.ignore_parse_errors and not is_fatal:
                return None
            raise DeserializationError(f"cannot read the CSV message {excerpt(message)}: {error}") from error


class CellsReader:
    """Convert the cells of a record to the values of fields.

    Cells after the last field are dropped as the format allows; missing ones are null if parse errors are
    ignored, unless the format fails for them.

    Attributes:
        fields: the fields whose values are wanted, with what reads their cells.

    Args:
        t: the type with the fields.
        options: the format.
        separators: for each field, the text between the elements inside a cell; that of the options for all
            unless given.
        decimals: for each field, the precision and scale that decimals are rounded to, if they are fixed.
        declarations: what a table declares of its columns, if the fields are these.
        kept: the fields, in order, whose values are wanted; all unless given. The cells of others are not
            read.
    """

    def __init__(
        self,
        t: FieldsTypeInfo[Any],
        options: CsvOptions,
        separators: Sequence[str] | None = None,
        decimals: Sequence[Precision | None] | None = None,
        declarations: Sequence[Declaration] = (),
        kept: Sequence[int] | None = None,
    ) -> None:
        fields = fields_of(t, declarations)
        separators = separators or [options.array_element_delimiter] * len(fields)
        decimals = decimals or [None] * len(fields)
        self._fields: list[FieldRead] = [
            (
                field,
                _column(
                    _cell(field, replace(options, array_element_delimiter=separator), decimal), field, options
                ),
            )
            for field, separator, decimal in zip(fields, separators, decimals, strict=True)
        ]
        self._kept = kept
        self.fields: list[FieldRead] = (
            self._fields if kept is None else [self._fields[position] for position in kept]
        )
        self._fills = options.ignore_parse_errors and not options.fails_on_missing_cells
        self._allows_empty = options.allows_trailing_delimiter
        self._allows_more = options.allows_more_cells

    def __call__(self, cells: list[str]) -> list[Any]:
        """Return the values in order.

        Raises:
            FieldError: a cell is not a value of its field, or there are too few or too many.
        """
        count, missing = len(self._fields), len(self._fields) - len(cells)
        if missing > 0 and self._fills and all(field.nullable for field, _ in self._fields[-missing:]):
            return self._values(cells)
        is_ended = missing == -1 and not cells[-1] and self._allows_empty
        if missing > 0 or (missing < 0 and not is_ended and not self._allows_more):
            error = FieldError(f"{len(cells)} cells, but there are {count} columns: {excerpt(cells)}")
            error.is_fatal = self._fills and any(field.is_required for field, _ in self._fields[len(cells) :])
            raise error
        return self._values(cells)

    def _values(self, cells: list[str]) -> list[Any]:
        """Return the values that are wanted; those of missing cells are null."""
        if self._kept is not None:
            cells = [cells[position] for position in self._kept if position < len(cells)]
        return [*field_values(self.fields, cells), *[None] * (len(self.fields) - len(cells))]


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
        return has_text(t)
    if isinstance(t, FieldsTypeInfo) and (not t.field_types or any(f.may_be_missing for f in fields_of(t))):
        return False
    return all(has_text(without_optional(slot.type, slot.nullable)[0]) for slot in t.slots())


def _is_nested(t: TypeInformation[Any]) -> bool:
    if isinstance(t, PrimitiveArrayTypeInfo) and t.is_bytes:
        return False
    return isinstance(t, (ArrayTypeInfo, FieldsTypeInfo))


def _column(read: Read, field: Field, options: CsvOptions) -> Read:
    """Return the function that reads the cells of a field, whose values are cast."""
    if field.cast is None:
        return read
    cast = partial(_cast, field.cast, read)
    return partial(_null_for_errors, cast) if field.nullable and options.ignore_parse_errors else cast


def _cast(cast: Callable[[Any], Any], read: Read, cell: str) -> Any:
    value = read(cell)
    return None if value is None else cast(value)


def _cell(field: Field, options: CsvOptions, decimal: Precision | None) -> Read:
    t = field.type
    if isinstance(t, (SetTypeInfo, VariadicTupleTypeInfo)):
        return partial(_carried, t, _cell(field._replace(type=t.carrier), options, decimal))
    if not _is_nested(t):
        return _nullable(_atomic(t, options, decimal), field.nullable, options)
    split = partial(_split, options.array_element_delimiter, BLANKS if options.trims_spaces else None)
    if isinstance(t, FieldsTypeInfo):
        parts = [
            (part, _nullable(_atomic(part.type, options), part.nullable, options)) for part in fields_of(t)
        ]
        read_row = _nullable(partial(_row, split, parts, maker_of(t)), field.nullable, options)
        return partial(_null_if_empty, read_row) if field.nullable else read_row
    (slot,) = t.slots()
    element, nullable = without_optional(slot.type, slot.nullable)
    read = partial(_list, split, _nullable(_atomic(element, options, decimal), nullable, options))
    return partial(_empty_list_or, _nullable(read, field.nullable, options))


def _carried(t: CarriedTypeInfo[Any], read: Read, cell: str) -> Any:
    carried = read(cell)
    return None if carried is None else from_carrier(t, carried)


def _atomic(t: TypeInformation[Any], options: CsvOptions, decimal: Precision | None = None) -> Read:
    read = text_reader(t, options.time_style)
    assert read is not None, "require_cells has looked"
    return read if decimal is None else partial(_decimal, read, decimal)


def _decimal(read: Read, decimal: Precision, cell: str) -> Decimal:
    precision, scale = decimal
    return rounded_decimal(read(cell), precision, scale)


def _nullable(read: Read, nullable: bool, options: CsvOptions) -> Read:
    if options.null_texts:
        read = partial(_null_or, options.null_texts, nullable, read)
    return partial(_null_for_errors, read) if nullable and options.ignore_parse_errors else read


def _null_or(nulls: Container[str], nullable: bool, read: Read, cell: str) -> Any:
    if cell not in nulls:
        return read(cell)
    if not nullable:
        raise FieldError(f"{cell!r}, which is null, is not allowed by the type")
    return None


def _null_for_errors(read: Read, cell: str) -> Any:
    try:
        return read(cell)
    except FieldError:
        return None


def _empty_list_or(read: Read, cell: str) -> Any:
    """Read an empty cell as an empty list, as in Flink even if the null literal is empty."""
    return read(cell) if cell else []


def _split(delimiter: str, blanks: str | None, cell: str) -> list[str]:
    parts = cell.split(delimiter)
    return parts if blanks is None else [part.strip(blanks) for part in parts]


def _list(split: Split, read: Read, cell: str) -> list[Any]:
    return read_each(read, split(cell))


def _null_if_empty(read: Read, cell: str) -> Any:
    return read(cell) if cell else None


def _row(split: Split, parts: list[FieldRead], make: Callable[[list[Any]], Any], cell: str) -> Any:
    cells = split(cell)
    if len(cells) != len(parts):
        raise FieldError(f"{len(cells)} values in the cell {cell!r}, but the type has {len(parts)} fields")
    return make(field_values(parts, cells))
