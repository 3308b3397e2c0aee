"""Read many CSV messages at once into columns, divided into cells by Arrow's parser."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pystream.engine.formats.cell_columns import CellColumns
from pystream.engine.formats.csv_cells import CsvOptions
from pystream.engine.formats.csv_reader import CellsReader
from pystream.engine.formats.fields import Declaration, stored_by
from typeinfo.composite import FieldsTypeInfo, RecordTypeInfo

if TYPE_CHECKING:
    import pyarrow as pa

    from pystream.engine.vectorised.columns import ColumnValues

__all__ = ["CsvColumns", "csv_columns"]

_MOST_BYTES = 1 << 30
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"  # that Arrow leaves out
_LINE_FEED = ord("\n")
_COMMENT = re.compile(rb"^[ \t]*(?:#|$)", re.M)


class CsvColumns:
    """Read messages of one record each, if Arrow's parser certainly divides them as `CsvReader` does.

    Args:
        arguments: those of `csv_columns`.
        t: the type of the elements.
        options: the format.
        cells: converts the cells of single records.
    """

    def __init__(
        self, arguments: tuple[Any, ...], t: FieldsTypeInfo[Any], options: CsvOptions, cells: CellsReader
    ) -> None:
        self._arguments = arguments
        self._names = t.get_field_names()
        self._delimiter = options.field_delimiter.encode()
        self._quote = (options.quote or "").encode()
        self._escape = (options.escape or "").encode()
        self._has_comments = options.allow_comments
        self._columns = CellColumns(t, options, cells)

    def __reduce__(self) -> Any:
        return csv_columns, self._arguments

    def of_messages(self, messages: Sequence[bytes]) -> ColumnValues | None:
        """Return the elements in messages as columns, ``None`` if they are to be read one by one."""
        lines = b"\n".join(messages)
        if b"\r" in lines or lines.count(b"\n") != len(messages) - 1:  # messages have line ends of their own
            lines = b"\n".join([message.rstrip(b"\r\n") for message in messages])
        return self._elements(self._cells(lines, len(messages)))

    def of_lines(self, lines: bytes) -> ColumnValues | None:
        """Return the elements in lines, a message each, as columns, or ``None`` as `of_messages` does."""
        return self._elements(self.cells(lines))

    def _elements(self, cells: Sequence[pa.Array] | None) -> ColumnValues | None:
        return None if cells is None else self._columns.elements(cells, len(cells[0]))

    def cells(self, lines: bytes) -> list[pa.Array] | None:
        """Return the cells of each field, ``None`` unless each line is certainly a record of its own."""
        lines = lines.removesuffix(b"\n")
        return self._cells(lines, lines.count(b"\n") + 1)

    def _cells(self, lines: bytes, count: int) -> list[pa.Array] | None:
        """Return the cells of each field in a number of lines, as `cells` does.

        A cell that spans lines, and an empty line, leave fewer records than there are lines.
        """
        from pyarrow import ArrowException

        if not self._are_alike(lines, count):
            return None
        try:
            table = self._divided(lines)
        except (ArrowException, UnicodeDecodeError):
            return None
        return [column.combine_chunks() for column in table.columns] if table.num_rows == count else None

    def _are_alike(self, lines: bytes, count: int) -> bool:
        """Return whether both parsers divide the lines into the same cells, one message a line."""
        import numpy as np

        if not 0 < len(lines) < _MOST_BYTES or lines.startswith(_BYTE_ORDER_MARK) or b"\r" in lines:
            return False
        if (self._escape and self._escape in lines) or (self._has_comments and _COMMENT.search(lines)):
            return False
        text = np.frombuffer(lines, np.uint8)
        if np.count_nonzero(text == _LINE_FEED) != count - 1:
            return False
        return not self._quote or self._quote not in lines or self._are_quotes_plain(text)

    def _are_quotes_plain(self, text: Any) -> bool:
        """Return whether quotes are around whole cells, or doubled in these.

        Args:
            text: the lines with quotes, as an array of bytes.
        """
        import numpy as np

        quotes = np.flatnonzero(text == ord(self._quote))
        if len(quotes) % 2:
            return False
        opening, closing = quotes[::2], quotes[1::2]
        is_doubled = closing[:-1] + 1 == opening[1:]
        limits = (_LINE_FEED, ord(self._delimiter))
        starts_cell = np.isin(text[opening - 1], limits) | (opening == 0)
        starts_cell[1:] |= is_doubled
        ends_cell = np.isin(text[np.minimum(closing + 1, len(text) - 1)], limits)
        ends_cell[:-1] |= is_doubled
        ends_cell[-1] |= closing[-1] == len(text) - 1
        return bool((starts_cell & ends_cell).all())

    def _divided(self, lines: bytes) -> pa.Table:
        """Return the cells of each field.

        Raises:
            ArrowException: a line has too few or too many, or bytes that are not text.
        """
        import pyarrow as pa
        from pyarrow.csv import ConvertOptions, ParseOptions, ReadOptions, read_csv

        return read_csv(
            pa.BufferReader(lines),
            ReadOptions(use_threads=False, block_size=len(lines) + 1, column_names=self._names),
            ParseOptions(delimiter=self._delimiter.decode(), quote_char=self._quote.decode() or False),
            ConvertOptions(column_types=dict.fromkeys(self._names, pa.string()), strings_can_be_null=False),
        )


@lru_cache(maxsize=256)
def csv_columns(
    t: FieldsTypeInfo[Any], options: CsvOptions, declarations: tuple[Declaration, ...] = ()
) -> CsvColumns | None:
    """Return the reader of messages, ``None`` if they are read one by one.

    Args:
        t: the type of the elements.
        options: the format.
        declarations: what a table declares of its columns, if the elements are its rows.
    """
    special = options.field_delimiter, options.quote, options.escape
    is_plain = not isinstance(t, RecordTypeInfo) or stored_by(t) is not None
    if options.trims_spaces or not is_plain or not all(map(str.isascii, filter(None, special))):
        return None
    cells = CellsReader(t, options, declarations=declarations)
    return CsvColumns((t, options, declarations), t, options, cells)
