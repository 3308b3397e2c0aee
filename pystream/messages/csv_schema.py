"""CsvSchema: the columns, delimiters and quotes of CSV files."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

from pystream.engine.connectors.csv_files import CsvColumn, CsvFormat
from pystream.engine.formats.csv_cells import CsvOptions
from pystream.engine.formats.scalars import has_text
from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.sql_types.data_types import DataType, DataTypes, DecimalType, type_info_of
from typeinfo.arguments import checks_arguments
from typeinfo.collection import ArrayTypeInfo
from typeinfo.errors import short_repr
from typeinfo.info import TypeInformation
from typeinfo.scalar import ScalarTypeInfo
from typeinfo.types import Types

__all__ = ["CsvSchema", "CsvSchemaBuilder", "checked_character", "checked_options"]

_NUMBERS = {int, float, Decimal}


@checks_arguments(ArgumentTypeError, methods=False)
class CsvSchema:
    """The columns and the syntax of CSV files; made by ``CsvSchema.builder()``.

    Mirrors ``com.fasterxml.jackson.dataformat.csv.CsvSchema`` as PyFlink wraps it.
    """

    def __init__(self, format: CsvFormat) -> None:
        self._format = format

    @staticmethod
    def builder() -> CsvSchemaBuilder:
        """Return a builder."""
        return CsvSchemaBuilder()

    def size(self) -> int:
        """Return the number of columns."""
        return len(self._format.columns)

    def __len__(self) -> int:
        return self.size()

    def __repr__(self) -> str:
        columns = ", ".join(f"{column.name}: {column.type}" for column in self._format.columns)
        return f"CsvSchema({columns})"


@checks_arguments(ArgumentTypeError)
class CsvSchemaBuilder:
    """Build a `CsvSchema`; every method returns the builder.

    Mirrors ``com.fasterxml.jackson.dataformat.csv.CsvSchema.Builder`` as PyFlink wraps it.
    """

    def __init__(self) -> None:
        self._columns: list[CsvColumn] = []
        self._format = CsvFormat(options=CsvOptions(time_style="CSV"))

    def add_array_column(
        self, name: str, separator: str = ";", element_type: DataType | TypeInformation[Any] | None = None
    ) -> CsvSchemaBuilder:
        """Add a column of lists; an empty cell is an empty list.

        Args:
            name: its name.
            separator: the text between elements; empty for that of `set_array_element_separator`.
            element_type: the type of the elements, which may be null; STRING unless given.

        Raises:
            ConfigurationError: text cannot be read as that type, or the name is taken.
        """
        if not isinstance(separator, str):
            raise ConfigurationError(f"the separator of column {name!r} must be a str, not {separator!r}")
        element, decimal = _cell_type(name, DataTypes.STRING() if element_type is None else element_type)
        return self._add(CsvColumn(name, Types.OBJECT_ARRAY(element), decimal, separator))

    def add_boolean_column(self, name: str) -> CsvSchemaBuilder:
        """Add a column of ``true`` and ``false``."""
        return self._add(CsvColumn(name, Types.BOOLEAN))

    def add_number_column(
        self, name: str, number_type: DataType | TypeInformation[Any] | None = None
    ) -> CsvSchemaBuilder:
        """Add a column of numbers.

        Args:
            name: its name.
            number_type: their type, such as ``DataTypes.INT()``; ``DataTypes.BIGINT()`` unless given.

        Raises:
            ConfigurationError: it is not a type of numbers, or the name is taken.
        """
        t, decimal = _cell_type(name, DataTypes.BIGINT() if number_type is None else number_type)
        if not isinstance(t, ScalarTypeInfo) or t.value_class not in _NUMBERS:
            raise ConfigurationError(f"add_number_column({name!r}): {number_type} is not a type of numbers")
        return self._add(CsvColumn(name, t, decimal))

    def add_string_column(self, name: str) -> CsvSchemaBuilder:
        """Add a column of text."""
        return self._add(CsvColumn(name, Types.STRING))

    def add_columns_from(self, schema: CsvSchema) -> CsvSchemaBuilder:
        """Add all columns of another schema."""
        for column in schema._format.columns:
            self._add(column)
        return self

    def clear_columns(self) -> CsvSchemaBuilder:
        """Remove all columns."""
        self._columns.clear()
        return self

    def set_allow_comments(self, allow: bool = True) -> CsvSchemaBuilder:
        """Choose whether lines that start with ``#`` are skipped; not by default."""
        return self._set_options(allow_comments=allow)

    def set_any_property_name(self, name: str | None) -> CsvSchemaBuilder:
        """Allow records with more cells than columns; as in Flink, additional cells are dropped."""
        return self._set_options(allows_more_cells=name is not None)

    def disable_array_element_separator(self) -> CsvSchemaBuilder:
        """Remove the default separator of array columns."""
        return self._set_options(array_element_delimiter="")

    def remove_array_element_separator(self, index: int) -> CsvSchemaBuilder:
        """Let an array column use the separator of `set_array_element_separator`.

        Args:
            index: position of the column, from 0.

        Raises:
            ConfigurationError: the column does not exist.
        """
        if type(index) is not int or not 0 <= index < len(self._columns):
            raise ConfigurationError(
                f"remove_array_element_separator: there is no column {short_repr(index)}"
            )
        self._columns[index] = replace(self._columns[index], separator="")
        return self

    def set_array_element_separator(self, separator: str) -> CsvSchemaBuilder:
        """Set the default separator of array columns; a semicolon unless set."""
        return self._set_options(array_element_delimiter=separator)

    def set_column_separator(self, char: str) -> CsvSchemaBuilder:
        """Set the character between cells; a comma by default."""
        return self._set_options(field_delimiter=checked_character(char, "set_column_separator"))

    def disable_escape_char(self) -> CsvSchemaBuilder:
        """Use no escape character, which is the default."""
        return self._set_options(escape=None)

    def set_escape_char(self, char: str) -> CsvSchemaBuilder:
        """Set the escape character; none by default."""
        return self._set_options(escape=checked_character(char, "set_escape_char"))

    def set_line_separator(self, separator: str) -> CsvSchemaBuilder:
        r"""Set the line end of written records; ``\n`` by default.

        In reading, records always end with ``\n``, ``\r\n`` or ``\r``.
        """
        if not isinstance(separator, str) or not separator:
            raise ConfigurationError(f"set_line_separator takes a str that is not empty, not {separator!r}")
        return self._set_options(line_delimiter=separator)

    def set_null_value(self, null_value: str) -> CsvSchemaBuilder:
        """Set the cell text that means null.

        Unless set, null is written as the empty cell, and no cell is read as null.
        """
        if not isinstance(null_value, str):
            raise ConfigurationError(f"set_null_value takes a str, not {null_value!r}")
        return self._set_options(null_literal=null_value)

    def disable_quote_char(self) -> CsvSchemaBuilder:
        """Use no quotes: a record is a line, and a cell cannot contain the column separator."""
        return self._set_options(quote=None)

    def set_quote_char(self, char: str) -> CsvSchemaBuilder:
        """Set the quote character; a double quote by default."""
        return self._set_options(quote=checked_character(char, "set_quote_char"))

    def set_skip_first_data_row(self, skip: bool = True) -> CsvSchemaBuilder:
        """Choose whether the first record after the header, if any, is skipped."""
        return self._set(skips_first_row=skip)

    def set_strict_headers(self, strict: bool = True) -> CsvSchemaBuilder:
        """Choose whether the header must name the columns of the schema, in order."""
        return self._set(strict_header=strict)

    def set_use_header(self, use: bool = True) -> CsvSchemaBuilder:
        """Choose whether the first record of a file holds the column names, in reading and writing.

        Columns are matched by position. A header with the names of the schema in another order is an error.
        """
        return self._set(has_header=use)

    def size(self) -> int:
        """Return the number of columns added so far."""
        return len(self._columns)

    def __len__(self) -> int:
        return self.size()

    def build(self) -> CsvSchema:
        """Return the schema.

        Raises:
            ConfigurationError: there is no column, two special characters are the same, or an array column
                has no separator.
        """
        format = replace(self._format, columns=tuple(self._columns))
        if not format.columns:
            raise ConfigurationError("a CSV schema needs at least one column, such as add_string_column('a')")
        for column, separator in zip(format.columns, format.separators, strict=True):
            if isinstance(column.type, ArrayTypeInfo) and not separator:
                raise ConfigurationError(
                    f"array column {column.name!r} has no separator; use set_array_element_separator"
                )
        return CsvSchema(replace(format, options=checked_options(format.options)))

    def _add(self, column: CsvColumn) -> CsvSchemaBuilder:
        if not isinstance(column.name, str) or any(column.name == other.name for other in self._columns):
            raise ConfigurationError(f"the name of a column must be a str and unique, not {column.name!r}")
        self._columns.append(column)
        return self

    def _set(self, **settings: Any) -> CsvSchemaBuilder:
        self._format = replace(self._format, **settings)
        return self

    def _set_options(self, **options: Any) -> CsvSchemaBuilder:
        return self._set(options=replace(self._format.options, **options))


def _cell_type(name: str, declared: object) -> tuple[TypeInformation[Any], tuple[int, int] | None]:
    """Return the type of the values in a cell, with the precision and scale of decimals."""
    t = type_info_of(declared, f"the type of column {name!r}")
    if not has_text(t):
        raise ConfigurationError(f"column {name!r}: a cell cannot hold {declared}")
    return t, (declared.precision, declared.scale) if isinstance(declared, DecimalType) else None


def checked_character(c: str, method: str) -> str:
    """Return a character, checked to be usable as a separator or quote.

    Raises:
        ConfigurationError: it is not a single character, or ends a line.
    """
    if not isinstance(c, str) or len(c) != 1 or c in "\r\n":
        raise ConfigurationError(f"{method} takes a single character that ends no line, not {c!r}")
    return c


def checked_options(options: CsvOptions) -> CsvOptions:
    """Return options, checked to have distinct special characters.

    Raises:
        ConfigurationError: two are the same, or one of them is in the null literal.
    """
    special = [c for c in (options.field_delimiter, options.quote, options.escape) if c is not None]
    if len(set(special)) < len(special):
        raise ConfigurationError(f"CSV: field delimiter, quote and escape must differ, not {special}")
    if any(c in (options.null_literal or "") for c in [*special, "\r", "\n"]):
        raise ConfigurationError(
            f"CSV: no cell can be the null literal {options.null_literal!r}, which holds one of the special "
            f"characters {special} or a line end"
        )
    return options
