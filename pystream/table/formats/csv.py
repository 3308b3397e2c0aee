"""Rows of tables as records of CSV."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pystream.engine.connectors.csv_files import CsvColumn, CsvFileReader, CsvParts, CsvRemedies
from pystream.engine.connectors.csv_files import CsvFormat as CsvFiles
from pystream.engine.formats.csv_cells import CsvOptions
from pystream.engine.formats.csv_reader import require_cells
from pystream.engine.formats.fields import Declaration
from pystream.errors import ConfigurationError
from pystream.messages.csv import CsvRowDeserializationSchema, CsvRowSerializationSchema
from pystream.messages.csv_schema import checked_character, checked_options
from pystream.messages.schemas import DeserializationSchema, SerializationSchema
from pystream.settings.config_values import BOOLEAN, STRING
from pystream.table.column_casts import declarations
from pystream.table.connectors.options import Option
from pystream.table.formats.base import MessageFormat
from typeinfo.row import Row

__all__ = ["CsvFormat"]

_REMEDIES = CsvRemedies(
    null="'csv.null-literal' = ''",
    header="'csv.header' = 'true'",
    skip="set 'csv.ignore-parse-errors' = 'true', by which cells that do not fit are NULL, unless their "
    "column is NOT NULL, and records that cannot be divided into cells are skipped",
    charset="write the file in UTF-8",
)


class CsvFormat(MessageFormat):
    r"""Records whose cells are columns by position.

    The field delimiter may be written as ``\t``. Mirrors Flink's format ``csv``.
    """

    name = "csv"
    options: ClassVar[Mapping[str, Option]] = {
        "field-delimiter": Option(STRING),
        "disable-quote-character": Option(BOOLEAN, default=False),
        "quote-character": Option(STRING),
        "allow-comments": Option(BOOLEAN, default=False),
        "ignore-parse-errors": Option(BOOLEAN, default=False),
        "array-element-delimiter": Option(STRING),
        "escape-character": Option(STRING),
        "null-literal": Option(STRING),
        "write-bigdecimal-in-scientific-notation": Option(BOOLEAN, default=True),
        "trim-spaces": Option(BOOLEAN, default=False),
        "ignore-trailing-unmappable": Option(BOOLEAN, default=False),
        "allow-trailing-comma": Option(BOOLEAN, default=True),
        "fail-on-missing-columns": Option(BOOLEAN, default=False),
        "empty-string-as-null": Option(BOOLEAN, default=False),
    }

    def deserialization_schema(self) -> DeserializationSchema[Row[Any]]:
        """Return the schema that decodes messages to rows."""
        return CsvRowDeserializationSchema(self.row_type, self._csv_options(), self._declarations())

    def serialization_schema(self) -> SerializationSchema[Row[Any]]:
        """Return the schema that encodes rows as messages."""
        return CsvRowSerializationSchema(self.row_type, self._csv_options())

    def file_reader(self, *, has_header: bool, kept: tuple[int, ...] | None = None) -> CsvFileReader:
        """Return the reader of files of rows.

        Args:
            has_header: whether the first record of a file holds the names of the columns.
            kept: the columns that are read, in order; all unless given.

        Raises:
            ConfigurationError: an option is wrong, or contradicts another.
            UnsupportedTypeError: a cell cannot hold a column.
        """
        skips = self.values["ignore-parse-errors"]
        return CsvFileReader(self._files(has_header), skips_bad_records=skips, remedies=_REMEDIES, kept=kept)

    def file_parts(self, *, has_header: bool) -> CsvParts:
        """Return the writer of files of rows.

        Args:
            has_header: whether the first record of a file holds the names of the columns.

        Raises:
            ConfigurationError: an option is wrong, or contradicts another.
            UnsupportedTypeError: a cell cannot hold a column.
        """
        return CsvParts(self._files(has_header))

    def _files(self, has_header: bool) -> CsvFiles:
        require_cells(self.row_type)
        columns = tuple(CsvColumn(column.name, column.type_info) for column in self.columns)
        return CsvFiles(
            columns,
            self._csv_options(),
            has_header,
            strict_header=True,
            declarations=self._declarations(),
        )

    def _declarations(self) -> tuple[Declaration, ...]:
        return declarations(self.columns, is_lenient=self.values["ignore-parse-errors"])

    def _csv_options(self) -> CsvOptions:
        values = self.values
        if values["disable-quote-character"] and values["quote-character"] is not None:
            raise ConfigurationError(
                f"{self.owner}: csv.quote-character and csv.disable-quote-character contradict"
            )
        if values["array-element-delimiter"] == "":
            raise ConfigurationError(f"{self.owner}: csv.array-element-delimiter must not be empty")
        chosen = {
            "field_delimiter": self._character("field-delimiter"),
            "quote": self._character("quote-character"),
            "escape": self._character("escape-character"),
            "array_element_delimiter": values["array-element-delimiter"],
            "null_literal": values["null-literal"],
        }
        given: dict[str, Any] = {name: value for name, value in chosen.items() if value is not None}
        if values["disable-quote-character"]:
            given["quote"] = None
        return checked_options(
            CsvOptions(
                allow_comments=values["allow-comments"],
                ignore_parse_errors=values["ignore-parse-errors"],
                time_style="CSV",
                trims_spaces=values["trim-spaces"],
                reads_empty_as_null=values["empty-string-as-null"],
                allows_trailing_delimiter=values["allow-trailing-comma"],
                allows_more_cells=values["ignore-trailing-unmappable"],
                fails_on_missing_cells=values["fail-on-missing-columns"],
                has_exponents=values["write-bigdecimal-in-scientific-notation"],
                **given,
            )
        )

    def _character(self, option: str) -> str | None:
        text = self.values[option]
        if text is None:
            return None
        character = text.replace("\\t", "\t") if option == "field-delimiter" else text
        return checked_character(character, f"{self.owner}: csv.{option}")
