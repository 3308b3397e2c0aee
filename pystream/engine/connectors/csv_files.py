"""CSV files: records that may span lines, read into columns, and part files of records."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from pystream.engine.connectors.csv_records import CsvRecord, CsvRecords
from pystream.engine.connectors.files import InputFile
from pystream.engine.connectors.lines import BYTE_ENDS, UNDECODABLE, blocks_of_lines
from pystream.engine.connectors.row_parts import EncodeBatch, EncodedRows, Pieces, Records, RowParts
from pystream.engine.connectors.splits import FileSplit
from pystream.engine.connectors.text_files import Skipped, bytes_in, can_split_lines, line_place, texts_in
from pystream.engine.formats.cell_columns import CellColumns
from pystream.engine.formats.column_texts import ColumnsWriter
from pystream.engine.formats.csv_cells import CsvOptions
from pystream.engine.formats.csv_column_writer import csv_column_writer
from pystream.engine.formats.csv_columns import csv_columns
from pystream.engine.formats.csv_reader import CellsReader
from pystream.engine.formats.csv_writer import CsvWriter
from pystream.engine.formats.errors import FieldError
from pystream.engine.formats.fields import Declaration, maker_of
from pystream.errors import SourceError
from typeinfo.basic import STRING
from typeinfo.composite import RowTypeInfo
from typeinfo.errors import TypeCheckError
from typeinfo.info import TypeInformation

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import NativeFile

    from pystream.engine.vectorised.columns import ColumnValues

__all__ = ["CsvColumn", "CsvFileReader", "CsvFormat", "CsvParts", "CsvRemedies"]


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
        declarations: what a table declares of the columns, if they are its own.
    """

    columns: tuple[CsvColumn, ...] = ()
    options: CsvOptions = field(default_factory=CsvOptions)
    has_header: bool = False
    strict_header: bool = False
    skips_first_row: bool = False
    declarations: tuple[Declaration, ...] = ()

    @property
    def type(self) -> RowTypeInfo[Any]:
        """Type of the rows."""
        return RowTypeInfo([column.type for column in self.columns], self.names)

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        return [column.name for column in self.columns]

    @property
    def separators(self) -> list[str]:
        """Text between the elements of arrays in each column."""
        return [column.separator or self.options.array_element_delimiter for column in self.columns]

    @property
    def decimals(self) -> list[tuple[int, int] | None]:
        """Precision and scale of the numbers in each column, if they are fixed."""
        return [column.decimal for column in self.columns]


@dataclass(frozen=True, slots=True)
class CsvRemedies:
    """Remedies for errors, in the words of the API that a program uses.

    Attributes:
        null: reads empty cells as null.
        header: reads the first record as a header.
        skip: says how records that cannot be read are skipped.
        charset: says how bytes are read that are not text.
    """

    null: str
    header: str
    skip: str
    charset: str


_OF_SCHEMA = CsvRemedies(
    null="CsvSchema.builder().set_null_value('')",
    header="CsvSchema.builder().set_use_header()",
    skip="skip such records: CsvReaderFormat.for_schema(schema).with_ignore_parse_errors()",
    charset="specify the charset: CsvReaderFormat.for_schema(schema, 'latin-1')",
)


@dataclass(frozen=True, slots=True)
class CsvFileReader:
    """Read rows from CSV files.

    Attributes:
        format: the layout of the files.
        charset: a name Python knows.
        skips_bad_records: whether a record that cannot be read is left out instead of an error.
        remedies: what errors recommend.
        kept: the columns that are read, in order; all unless given.
    """

    format: CsvFormat
    charset: str = "UTF-8"
    skips_bad_records: bool = False
    remedies: CsvRemedies = _OF_SCHEMA
    kept: tuple[int, ...] | None = None

    @property
    def type(self) -> RowTypeInfo[Any]:
        """Type of the rows, which have the columns that are read."""
        columns = self.format.columns
        kept = range(len(columns)) if self.kept is None else self.kept
        return replace(self.format, columns=tuple(columns[position] for position in kept)).type

    def yields_columns(self) -> bool:
        """Return True: elements are columns."""
        return True

    def can_split(self, file: InputFile) -> bool:
        """Return whether every line end ends a record, as it does without quotes and escapes."""
        options = self.format.options
        return options.quote is None and options.escape is None and can_split_lines(file, self.charset)

    def read(self, file: NativeFile, split: FileSplit) -> Iterator[Sequence[Any]]:
        """Yield the rows of the records that start in the range, in order.

        Raises:
            SourceError: a record cannot be read; the message names file, line and field.
        """
        reading = _RecordReader(self, split)
        count = yield from self._at_once(file, split, reading)
        if count is None:
            return
        remedy = f"{self.remedies.charset}, or {self.remedies.skip}"
        texts = texts_in(file, split, self.charset, self.skips_bad_records, remedy)
        records = CsvRecords(self.format.options, texts)
        if split.start == 0:
            reading.skip_header(records)
        for _ in range(count):
            records.next()
        for lines, batch in records.batches():
            yield from reading.rows(lines, batch)
        yield from reading.skipped.report()

    def _at_once(
        self, file: NativeFile, split: FileSplit, reading: _RecordReader
    ) -> Generator[ColumnValues, None, int | None]:
        """Yield the rows of records that Arrow certainly divides and reads as Python does.

        Returns:
            The number of these rows, with which the range starts; ``None`` if it has no others.

        Raises:
            SourceError: the header is not that of the columns.
        """
        division = csv_columns(self.format.type, self.format.options)
        if division is None or codecs.lookup(self.charset).name != "utf-8":
            return 0
        count, headers = 0, reading.headers if split.start == 0 else 0
        for lines in blocks_of_lines(bytes_in(file, split), *BYTE_ENDS):
            if headers:
                *head, lines = lines.split(b"\n", headers)
                header = b"\n".join(head)
                if len(head) < headers or division.cells(header) is None:
                    return 0
                reading.skip_header(CsvRecords(self.format.options, [header.decode()]))
                headers = 0
            if not lines:
                continue
            cells = division.cells(lines)
            columns = None if cells is None else reading.columns(cells)
            if columns is None:
                return count
            count += len(columns)
            yield columns
        return None


class _RecordReader:
    """Convert the records of a range to rows."""

    def __init__(self, reader: CsvFileReader, split: FileSplit) -> None:
        from typeinfo.serde import serializer_for

        self._format = reader.format
        self._fails = not reader.skips_bad_records
        self._charset = reader.charset
        self._remedies = reader.remedies
        self._split = split
        self._names = tuple(reader.format.names)
        self._values = CellsReader(
            reader.format.type,
            reader.format.options,
            reader.format.separators,
            reader.format.decimals,
            reader.format.declarations,
            reader.kept,
        )
        self._kept = reader.kept
        self._cells = CellColumns(reader.type, reader.format.options, self._values)
        self._make = maker_of(reader.type)
        self._conform = serializer_for(reader.type).conform
        self.skipped = Skipped(split)

    @property
    def headers(self) -> int:
        """The number of records at the start that are no rows."""
        return self._format.has_header + self._format.skips_first_row

    def columns(self, cells: Sequence[pa.Array]) -> ColumnValues | None:
        """Return rows as columns, ``None`` if one of them cannot be read.

        Args:
            cells: the cells of each column of the file.
        """
        kept = range(len(cells)) if self._kept is None else self._kept
        found = [cells[position] for position in kept]
        return self._cells.elements(found, len(cells[0]))

    def skip_header(self, records: CsvRecords) -> None:
        """Skip the header and the first row, as the format requires.

        Raises:
            SourceError: the header does not name the columns, or names them in another order.
        """
        if self._format.has_header and (found := records.next()) is not None:
            line, header = found
            if isinstance(header, csv.Error):
                raise self._error(line, str(header), header)
            names = list(self._names)
            if header != names and (self._format.strict_header or sorted(header) == sorted(names)):
                raise SourceError(
                    f"{self._split.file.path}: the header has the columns {header}, but {names} "
                    "are declared; declare the columns of the file, in its order"
                )
        if self._format.skips_first_row:
            records.next()

    def rows(self, lines: list[int], records: list[CsvRecord]) -> Iterator[Sequence[Any]]:
        """Yield the rows of records, as columns if all of them can be read at once.

        Raises:
            SourceError: a record cannot be read.
        """
        columns = self._columns(records)  # where there are none, the faulty record is found
        yield self._one_by_one(lines, records) if columns is None else columns

    def _columns(self, records: list[Any]) -> ColumnValues | None:
        """Return the rows of records as columns, ``None`` if one of them cannot be read."""
        if {len(record) if type(record) is list else -1 for record in records} != {len(self._names)}:
            return None
        if self._kept is None:
            columns = list(zip(*records, strict=True))
        else:
            columns = [tuple(record[position] for record in records) for position in self._kept]
        return self._cells.elements(columns, len(records))

    def _one_by_one(self, lines: list[int], records: list[CsvRecord]) -> list[Any]:
        rows = []
        for line, record in zip(lines, records, strict=True):
            try:
                rows += self._conform([self._row(record)])
            except (FieldError, TypeCheckError) as error:
                if self._fails or (isinstance(error, FieldError) and error.is_fatal):
                    raise self._error(line, str(error), record) from None
                self.skipped.add(line)
        return rows

    def _row(self, record: CsvRecord) -> Any:
        if isinstance(record, csv.Error):
            raise FieldError(str(record))
        if not self._fails and any(UNDECODABLE in cell for cell in record):
            raise FieldError(f"bytes that cannot be decoded as {self._charset}")
        return self._make(self._values(record))

    def _may_be_header(self, record: list[str]) -> bool:
        cells = [cell.strip().casefold() for cell in record]
        named = any(name.casefold() in cells for name in self._names)
        wordy = all(cell and not any(map(str.isdigit, cell)) for cell in cells)
        return not self._format.has_header and (named or wordy)

    def _error(self, line: int, reason: str, record: CsvRecord) -> SourceError:
        remedies = self._remedies
        remedy = f"correct the record or its declared columns, or {remedies.skip}"
        if isinstance(record, list) and len(record) == len(self._names):
            if "" in record and self._format.options.null_literal is None:
                remedy = f"read empty cells as null: {remedies.null}; or {remedy}"
            if line == 1 and self._split.start == 0 and self._may_be_header(record):
                remedy = f"if it is a header, say so: {remedies.header}; or {remedy}"
        place = line_place(self._split, line)
        return SourceError(f"{self._split.file.path}, {place}: {reason}; {remedy}")


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
        format = self.format
        layout = (format.type, format.options, tuple(format.separators), tuple(format.decimals))
        return partial(_encoded, csv_column_writer(*layout), CsvWriter(*layout))


def _encoded(of_columns: ColumnsWriter | None, write: CsvWriter, rows: Sequence[Any]) -> EncodedRows:
    from pystream.engine.vectorised.columns import ColumnValues

    if of_columns is not None and isinstance(rows, ColumnValues):
        records = of_columns.messages(rows)
        if records is not None:
            return Records(records)
    return Pieces([write(row) for row in rows])
