"""CSV files: records that may span lines, read into columns, and part files of records."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from pystream.engine.connectors.csv_records import CsvRecord, CsvRecords
from pystream.engine.connectors.files import InputFile
from pystream.engine.connectors.lines import UNDECODABLE
from pystream.engine.connectors.row_parts import EncodeBatch, EncodedRows, Pieces, RowParts
from pystream.engine.connectors.splits import FileSplit
from pystream.engine.connectors.text_files import Skipped, can_split_lines, line_place, texts_in
from pystream.engine.formats.csv_cells import CsvOptions
from pystream.engine.formats.csv_reader import empty_list_or, list_in_cell
from pystream.engine.formats.csv_writer import CsvWriter
from pystream.engine.formats.errors import FieldError, excerpt
from pystream.engine.formats.scalars import rounded_decimal, text_reader
from pystream.errors import SourceError
from typeinfo.basic import BOOLEAN, BYTE, DOUBLE, INT, LONG, SHORT, STRING
from typeinfo.collection import ArrayTypeInfo
from typeinfo.composite import RowTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.row import make_row

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import NativeFile

__all__ = ["CsvColumn", "CsvFileReader", "CsvFormat", "CsvParts"]

Read = Callable[[str], Any]

_INTEGER = r"^-?[0-9]{1,19}$"
_NUMBER = r"^-?[0-9]{1,40}(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,4})?$"
_PATTERNS: dict[TypeInformation[Any], str | None] = {
    STRING: None,
    BOOLEAN: "^(true|false)$",
    BYTE: _INTEGER,
    SHORT: _INTEGER,
    INT: _INTEGER,
    LONG: _INTEGER,
    DOUBLE: _NUMBER,
}
"""Texts that Arrow and Python parse to the same value; Arrow also accepts others, such as 0x1F."""


@dataclass(frozen=True, slots=True)
class CsvColumn:
    """A column of a CSV file.

    Attributes:
        name: its name.
        type: the type of its values.
        decimal: precision and scale of its numbers, if they are fixed.
        separator: text between the elements of an array; empty for that of the file.
    """

    name: str
    type: TypeInformation[Any]
    decimal: tuple[int, int] | None = None
    separator: str = ""


@dataclass(frozen=True, slots=True)
class CsvFormat:
    """The layout of CSV files.

    Attributes:
        columns: its columns, in order.
        options: the characters it is made of.
        has_header: whether the first record holds names.
        strict_header: whether these must be the names of the columns, in order.
        skips_first_row: whether the first record after the header is skipped.
        allows_more_cells: whether a record may have additional cells, which are ignored.
    """

    columns: tuple[CsvColumn, ...] = ()
    options: CsvOptions = field(default_factory=CsvOptions)
    has_header: bool = False
    strict_header: bool = False
    skips_first_row: bool = False
    allows_more_cells: bool = False

    @property
    def type(self) -> RowTypeInfo[Any]:
        """Type of the rows."""
        return RowTypeInfo([column.type for column in self.columns], self.names)

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        return [column.name for column in self.columns]

    def separator(self, column: CsvColumn) -> str:
        """Return the text between the elements of arrays in a column."""
        return column.separator or self.options.array_element_delimiter


@dataclass(frozen=True, slots=True)
class CsvFileReader:
    """Read rows from CSV files.

    Attributes:
        format: the layout of the files.
        charset: a name Python knows.
        skips_bad_records: whether a record that cannot be read is left out instead of an error.
    """

    yields_columns: ClassVar[bool] = True

    format: CsvFormat
    charset: str = "UTF-8"
    skips_bad_records: bool = False

    def can_split(self, file: InputFile) -> bool:
        """Return whether every line end ends a record, as it does without quotes and escapes."""
        options = self.format.options
        return options.quote is None and options.escape is None and can_split_lines(file, self.charset)

    def read(self, file: NativeFile, split: FileSplit) -> Iterator[Sequence[Any]]:
        """Yield the rows of the records that start in the range, in order.

        Raises:
            SourceError: a record cannot be read; the message names file, line and field.
        """
        records = CsvRecords(self.format.options, texts_in(file, split, self.charset, self.skips_bad_records))
        reading = _RecordReader(self, split)
        if split.start == 0:
            reading.skip_header(records)
        for lines, batch in records.batches():
            yield from reading.rows(lines, batch)
        yield from reading.skipped.report()


class _RecordReader:
    """Convert the records of a range to rows."""

    def __init__(self, reader: CsvFileReader, split: FileSplit) -> None:
        from pystream.engine.vectorised.columns import layout_of

        self._format = reader.format
        self._fails = not reader.skips_bad_records
        self._charset = reader.charset
        self._split = split
        self._names = tuple(reader.format.names)
        self._layout = layout_of(reader.format.type)
        self._reads = [_cell_reader(reader.format, column) for column in reader.format.columns]
        self.skipped = Skipped(split)

    def skip_header(self, records: CsvRecords) -> None:
        """Skip the header and the first row, as the format requires.

        Raises:
            SourceError: the header does not name the columns, or names them in another order.
        """
        if self._format.has_header and (found := records.next()) is not None:
            line, header = found
            if isinstance(header, csv.Error):
                raise self._error(line, str(header))
            names = list(self._names)
            if header != names and (self._format.strict_header or sorted(header) == sorted(names)):
                raise SourceError(
                    f"{self._split.file.path}: the header has the columns {header}, but the schema has "
                    f"{names}; declare the columns of the schema in the order of the file"
                )
        if self._format.skips_first_row:
            records.next()

    def rows(self, lines: list[int], records: list[CsvRecord]) -> Iterator[Sequence[Any]]:
        """Yield the rows of records, as columns if all of them can be read at once.

        Raises:
            SourceError: a record cannot be read.
        """
        from pystream.engine.vectorised.parts import elements_of

        columns = self._columns(records)
        if columns is None:  # parse records one by one to find the faulty one
            yield self._one_by_one(lines, records)
            return
        for elements in elements_of(self._layout, columns):
            yield elements.values

    def _columns(self, records: list[Any]) -> list[pa.Array] | None:
        from pyarrow import ArrowException

        if {len(record) if type(record) is list else -1 for record in records} != {len(self._names)}:
            return None
        null = self._format.options.null_literal
        arrays = []
        cells = zip(*records, strict=True)
        try:
            for codec, read, texts in zip(self._layout.codecs, self._reads, cells, strict=True):
                array = _parsed(codec.type, codec.arrow, texts, null)
                arrays.append(codec.encode([read(text) for text in texts]) if array is None else array)
        except (ArrowException, FieldError, UnicodeEncodeError):
            return None
        return arrays

    def _one_by_one(self, lines: list[int], records: list[CsvRecord]) -> list[Any]:
        rows = []
        for line, record in zip(lines, records, strict=True):
            try:
                rows.append(make_row(self._values(record), self._names))
            except FieldError as error:
                if self._fails:
                    raise self._error(line, str(error)) from None
                self.skipped.add(line)
        return rows

    def _values(self, record: CsvRecord) -> list[Any]:
        if isinstance(record, csv.Error):
            raise FieldError(str(record))
        count = len(self._names)
        if len(record) < count or (len(record) > count and not self._format.allows_more_cells):
            raise FieldError(f"{len(record)} cells, but the schema has {count} columns: {excerpt(record)}")
        values = []
        for name, read, cell in zip(self._names, self._reads, record, strict=False):
            try:
                if UNDECODABLE in cell:
                    raise FieldError(f"bytes that cannot be decoded as {self._charset}")
                values.append(read(cell))
            except FieldError as error:
                raise error.under(f".{name}") from None
        return values

    def _error(self, line: int, reason: str) -> SourceError:
        return SourceError(
            f"{self._split.file.path}, {line_place(self._split, line)}: {reason}; correct the record or the "
            "schema, or skip such records: CsvReaderFormat.for_schema(schema).with_ignore_parse_errors()"
        )


def _parsed(
    t: TypeInformation[Any], arrow: pa.DataType, texts: Sequence[str], null: str | None
) -> pa.Array | None:
    """Parse texts to values of an atomic type; ``None`` if they must be parsed one by one.

    Args:
        t: the type.
        arrow: its Arrow type.
        texts: one text a value.
        null: the text of null, ``None`` if there is none.

    Raises:
        ArrowException: a text is not a value of the type.
        UnicodeEncodeError: a text cannot be encoded.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if t not in _PATTERNS:
        return None
    array = pa.array(texts, pa.string())
    if null is not None:
        array = pc.if_else(pc.equal(array, null), pa.scalar(None, pa.string()), array)
    pattern = _PATTERNS[t]
    if pattern is not None and pc.all(pc.match_substring_regex(array, pattern)).as_py() is False:
        return None
    return array.cast(arrow)


def _cell_reader(format: CsvFormat, column: CsvColumn) -> Read:
    null = format.options.null_literal
    if isinstance(column.type, ArrayTypeInfo):
        read = partial(_value, _atomic(column.type.element_type, column.decimal), null)
        return partial(empty_list_or, partial(list_in_cell, format.separator(column), read))
    return partial(_value, _atomic(column.type, column.decimal), null)


def _atomic(t: TypeInformation[Any], decimal: tuple[int, int] | None) -> Read:
    read = text_reader(t)
    assert read is not None, "the schema has only such columns"
    return read if decimal is None else partial(_decimal, read, decimal)


def _value(read: Read, null: str | None, cell: str) -> Any:
    if cell == null:
        return None
    try:
        return read(cell)
    except FieldError as error:
        if cell or null is not None:
            raise
        raise FieldError(f"{error}; set_null_value('') reads empty cells as null") from None


def _decimal(read: Read, decimal: tuple[int, int], cell: str) -> Decimal:
    precision, scale = decimal
    return rounded_decimal(read(cell), precision, scale)


@dataclass(frozen=True, slots=True)
class CsvParts(RowParts):
    """Write part files of CSV records.

    Attributes:
        format: the layout of the files.
    """

    format: CsvFormat

    def header(self) -> bytes:
        """Return the encoded column names if the format has a header."""
        if not self.format.has_header:
            return b""
        names = self.format.names
        return CsvWriter(RowTypeInfo([STRING] * len(names), names), self.format.options)(tuple(names))

    def encoder(self) -> EncodeBatch:
        """Return a function that encodes rows as records."""
        columns = self.format.columns
        separators = [self.format.separator(column) for column in columns]
        decimals = [column.decimal for column in columns]
        return partial(_encoded, CsvWriter(self.format.type, self.format.options, separators, decimals))


def _encoded(write: CsvWriter, rows: list[Any]) -> EncodedRows:
    return Pieces([write(row) for row in rows])
