"""Write elements as CSV, byte for byte as Flink's CSV row format does."""

from __future__ import annotations

import base64
import datetime
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache, partial
from typing import Any

from pystream.engine.formats.csv_cells import CsvOptions, is_skipped
from pystream.engine.formats.csv_reader import Precision, require_cells
from pystream.engine.formats.errors import FieldError, excerpt
from pystream.engine.formats.fields import fields_of, opener_of, without_optional
from pystream.engine.formats.scalars import decimal_text, exponential_text, rounded_decimal
from pystream.engine.formats.times import without_trailing_zeros
from pystream.errors import SerializationError
from typeinfo.carried import SetTypeInfo, TextTypeInfo, VariadicTupleTypeInfo
from typeinfo.collection import ArrayTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import FieldsTypeInfo
from typeinfo.decimals import is_decimal
from typeinfo.errors import TypeCheckError
from typeinfo.extended import LiteralTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.instant import Instant
from typeinfo.scalar import ScalarTypeInfo
from typeinfo.temporal import SQL_TIME, SQL_TIMESTAMP, InstantTypeInfo, LocalTimeTypeInfo

__all__ = ["IN_NUMBERS", "UNCHECKED_LENGTH", "CsvWriter", "csv_writer", "needs_quotes"]

Write = Callable[[Any], str]

UNCHECKED_LENGTH = 24
"""The length beyond which text is quoted, whatever it holds."""

_UNQUOTED = {int, float, Decimal, bool}
IN_NUMBERS = frozenset("+-.0123456789EINaefilnrstuy")  # also of true, false, NaN and Infinity


@lru_cache(maxsize=256)
def csv_writer(t: FieldsTypeInfo[Any], options: CsvOptions) -> CsvWriter:
    """Return the writer of messages with one element each.

    Raises:
        UnsupportedTypeError: CSV cannot represent a field of the type; the message names it.
    """
    return CsvWriter(t, options)


class CsvWriter:
    """Write one element to each message, as a line of UTF-8.

    Args:
        t: the type of the elements.
        options: the characters CSV is made of.
        separators: for each field, the text between the elements inside a cell; that of the options for all
            unless given.
        decimals: for each field, the precision and scale that decimals are rounded to, if they are fixed.

    Attributes:
        cells: for each field, the function that writes a value.

    Raises:
        UnsupportedTypeError: CSV cannot represent a field of the type; the message names it.
    """

    def __init__(
        self,
        t: FieldsTypeInfo[Any],
        options: CsvOptions,
        separators: Sequence[str] | None = None,
        decimals: Sequence[Precision | None] | None = None,
    ) -> None:
        require_cells(t)
        self._type = t
        self._open = opener_of(t)
        fields = fields_of(t)
        separators = separators or [options.array_element_delimiter] * len(fields)
        self.cells: list[Write] = [
            _cell(field.type, replace(options, array_element_delimiter=separator), decimal)
            for field, separator, decimal in zip(
                fields, separators, decimals or [None] * len(fields), strict=True
            )
        ]
        self._delimiter = options.field_delimiter
        self._null = options.null_literal or ""
        self._end = options.line_delimiter
        self._skips_comments = options.allow_comments

    def __call__(self, element: Any) -> bytes:
        """Encode an element as a message.

        Raises:
            SerializationError: the element does not fit the type.
        """
        from typeinfo.serde import serializer_for

        try:
            (conformed,) = serializer_for(self._type).conform([element])
            cells = [
                self._null if value is None else write(value)
                for write, value in zip(self.cells, self._open(conformed), strict=True)
            ]
            line = self._delimiter.join(cells)
            if self._skips_comments and is_skipped(line):
                raise FieldError(f"the line {line!r} would be skipped as a comment")
            return (line + self._end).encode()
        except (FieldError, TypeCheckError, OverflowError) as error:
            raise SerializationError(f"cannot write {excerpt(element)} as CSV: {error}") from error


def _cell(t: TypeInformation[Any], options: CsvOptions, decimal: Precision | None) -> Write:
    write = _nested(t, options, decimal)
    if options.quote is None:
        return partial(_unquoted, write, _cannot_stand_alone(options))
    if isinstance(t, ScalarTypeInfo) and t.value_class in _UNQUOTED:
        is_safe = options.field_delimiter not in IN_NUMBERS
        return write if is_safe else partial(_unquoted, write, _cannot_stand_alone(options))
    return partial(_quoted, write, needs_quotes(options), options.quote, options.escape)


def _cannot_stand_alone(options: CsvOptions) -> re.Pattern[str]:
    """Return a pattern for text that means something else without quotes."""
    special = re.escape("".join([options.field_delimiter, options.escape or "", "\r\n"]))
    return re.compile(rf"[{special}]")


def _unquoted(write: Write, special: re.Pattern[str], value: Any) -> str:
    text = write(value)
    if special.search(text) is not None:
        raise FieldError(
            f"{text!r} holds a special character and is not quoted; choose another field delimiter, or allow "
            "quotes"
        )
    return text


def needs_quotes(options: CsvOptions) -> re.Pattern[str]:
    """Return a pattern for text that must be quoted, by the rules of Flink's CSV library.

    It matches any character up to the highest special character, and a backslash.
    """
    highest = max(options.field_delimiter, options.quote or "", "\r")
    escape = re.escape(options.escape or "")
    return re.compile(rf"[\x00-{re.escape(highest)}\\{escape}]")


def _quoted(write: Write, needs_quotes: re.Pattern[str], quote: str, escape: str | None, value: Any) -> str:
    text = write(value)
    if len(text) <= UNCHECKED_LENGTH and needs_quotes.search(text) is None:
        return text
    if escape is not None:
        text = text.replace(escape, escape * 2)
    return quote + text.replace(quote, quote * 2) + quote


def _nested(t: TypeInformation[Any], options: CsvOptions, decimal: Precision | None) -> Write:
    if isinstance(t, FieldsTypeInfo):
        writes = [_atomic(field.type, options) for field in fields_of(t)]
        return partial(
            _row, opener_of(t), writes, options.array_element_delimiter, options.null_literal or ""
        )
    if isinstance(t, (SetTypeInfo, VariadicTupleTypeInfo)):
        from typeinfo.serde.registry import canonical_unwrap

        return partial(_carried, canonical_unwrap(t), _nested(t.carrier, options, decimal))
    if isinstance(t, ArrayTypeInfo) and not (isinstance(t, PrimitiveArrayTypeInfo) and t.is_bytes):
        element, _ = without_optional(t.element_type, nullable=True)
        write = _atomic(element, options, decimal)
        return partial(_list, write, options.array_element_delimiter, options.null_literal or "")
    return _atomic(t, options, decimal)


def _row(
    open_row: Callable[[Any], Sequence[Any]], writes: list[Write], delimiter: str, null: str, value: Any
) -> str:
    parts = zip(writes, open_row(value), strict=True)
    text = _joined([null if part is None else write(part) for write, part in parts], delimiter)
    if not text:
        raise FieldError(f"the row {value!r} would be read as null; choose a null literal")
    return text


def _carried(unwrap: Callable[[Any], Any], write: Write, value: Any) -> str:
    return write(unwrap(value))


def _list(write: Write, delimiter: str, null: str, values: list[Any]) -> str:
    text = _joined([null if value is None else write(value) for value in values], delimiter)
    if values and text in ("", null):
        raise FieldError(
            f"the array {values!r} would be read as {'null' if text else 'an empty one'}; choose another "
            "null literal"
        )
    return text


def _joined(parts: list[str], delimiter: str) -> str:
    for part in parts:
        if delimiter in part:
            raise FieldError(
                f"{part!r} holds the delimiter {delimiter!r} of array elements and would be read as several; "
                "choose another"
            )
    return delimiter.join(parts)


def _atomic(t: TypeInformation[Any], options: CsvOptions, decimal: Precision | None = None) -> Write:
    match t:
        case PrimitiveArrayTypeInfo():
            return _bytes
        case LiteralTypeInfo():
            return _atomic(t.value_type, options)
        case TextTypeInfo():
            return t.unwrap
        case InstantTypeInfo():
            return _instant
        case LocalTimeTypeInfo():
            return str if t.value_class is datetime.date else _time
        case _ if t == SQL_TIME or (t == SQL_TIMESTAMP and options.time_style == "CSV"):
            return _time
        case _ if is_decimal(t):
            write = exponential_text if options.has_exponents else decimal_text
            return write if decimal is None else partial(_rounded, write, *decimal)
    assert isinstance(t, ScalarTypeInfo)
    return t.traits.text


def _rounded(write: Write, precision: int, scale: int, value: Decimal) -> str:
    return write(rounded_decimal(value, precision, scale))


def _bytes(value: bytes) -> str:
    return base64.b64encode(value).decode()


def _time(value: datetime.time | datetime.datetime) -> str:
    return without_trailing_zeros(str(value))


def _instant(value: Instant) -> str:
    return f"{_time(value.to_datetime().replace(tzinfo=None))}Z"
