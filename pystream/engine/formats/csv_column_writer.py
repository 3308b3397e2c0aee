"""Write elements that are columns as CSV records."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pystream.engine.formats.column_texts import column_texts, joined_texts
from pystream.engine.formats.csv_cells import CsvOptions
from pystream.engine.formats.csv_reader import Precision
from pystream.engine.formats.csv_writer import IN_NUMBERS, UNCHECKED_LENGTH, CsvWriter, needs_quotes
from pystream.engine.formats.errors import FieldError
from pystream.engine.formats.fields import fields_of
from typeinfo.basic import STRING
from typeinfo.composite import FieldsTypeInfo

if TYPE_CHECKING:
    import pyarrow as pa

    from pystream.engine.vectorised.columns import Column, ColumnValues

__all__ = ["CsvColumnWriter", "csv_column_writer"]

_WITHOUT_EXPONENT = (1e-3, 1e7)


class CsvColumnWriter:
    """Write elements of a type as `CsvWriter` does.

    Args:
        arguments: those of `csv_column_writer`.
        writer: writes single elements.
    """

    def __init__(self, arguments: tuple[Any, ...], writer: CsvWriter) -> None:
        t, options, *_ = arguments
        self._arguments = arguments
        self._type = t
        self._options = options
        self._needs_quotes = needs_quotes(options).pattern
        types = [field.type for field in fields_of(t)]
        self._fields = list(zip(types, writer.cells, strict=True))

    def __reduce__(self) -> Any:
        return csv_column_writer, self._arguments

    def messages(self, values: ColumnValues) -> pa.Array | None:
        """Return the records as bytes, ``None`` if the elements are to be written one by one."""
        return self._written(values, self._options.line_delimiter)

    def lines(self, values: ColumnValues) -> pa.Array | None:
        """Return the records as lines, ``None`` if one holds another line end or as `messages` does."""
        import pyarrow.compute as pc

        if self._options.line_delimiter not in ("", "\n"):
            return None
        lines = self._written(values, "\n")
        if lines is None or pc.any(pc.match_substring_regex(lines, "\r|\n.")).as_py():
            return None
        return lines

    def _written(self, values: ColumnValues, end: str) -> pa.Array | None:
        if values.layout.type != self._type or not values.are_columns:
            return None
        parts: list[Any] = []
        try:
            for (t, write), column in zip(self._fields, values.columns, strict=True):
                parts += (self._cells(t, column, write), self._options.field_delimiter)
        except (FieldError, OverflowError):
            return None
        return joined_texts([*parts[:-1], end])

    def _cells(self, t: Any, column: Column, write: Any) -> pa.Array:
        import pyarrow.compute as pc

        is_text = t == STRING and self._options.quote is not None
        texts = self._quoted(column.array) if is_text else column_texts(t, column, write, _WITHOUT_EXPONENT)
        return pc.fill_null(texts, self._options.null_literal or "") if texts.null_count else texts

    def _quoted(self, texts: pa.Array) -> pa.Array:
        """Return texts, in quotes where they need them."""
        import pyarrow.compute as pc

        quote, escape = self._options.quote, self._options.escape
        are_long = pc.greater(pc.utf8_length(texts), UNCHECKED_LENGTH)
        need = pc.or_(are_long, pc.match_substring_regex(texts, self._needs_quotes))
        if not pc.any(need).as_py():
            return texts
        inner = texts if escape is None else pc.replace_substring(texts, escape, escape * 2)
        inner = pc.replace_substring(inner, quote, quote * 2)
        return pc.if_else(need, pc.binary_join_element_wise(quote, inner, quote, ""), texts)


@lru_cache(maxsize=256)
def csv_column_writer(
    t: FieldsTypeInfo[Any],
    options: CsvOptions,
    separators: tuple[str, ...] | None = None,
    decimals: tuple[Precision | None, ...] | None = None,
) -> CsvColumnWriter | None:
    """Return the writer of elements of a type, ``None`` if they are written one by one.

    Args:
        t: the type.
        options: the characters CSV is made of.
        separators: for each field, the text between the elements inside a cell, as for `CsvWriter`.
        decimals: for each field, the precision and scale of decimals, as for `CsvWriter`.
    """
    if options.allow_comments or IN_NUMBERS.intersection((options.field_delimiter, options.escape)):
        return None
    if not fields_of(t) or any(field.may_be_missing for field in fields_of(t)):
        return None
    writer = CsvWriter(t, options, separators, decimals)
    return CsvColumnWriter((t, options, separators, decimals), writer)
