"""All formats of messages by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pystream.errors import ConfigurationError
from pystream.table.columns import TableColumn
from pystream.table.connectors.base import TableDefinition
from pystream.table.connectors.options import Option
from pystream.table.formats.avro import AvroFormat, ConfluentAvroFormat
from pystream.table.formats.base import MessageFormat
from pystream.table.formats.changelog import (
    CanalJsonFormat,
    DebeziumJsonFormat,
    MaxwellJsonFormat,
    OggJsonFormat,
)
from pystream.table.formats.csv import CsvFormat
from pystream.table.formats.json import JsonFormat
from pystream.table.formats.raw import RawFormat

__all__ = [
    "CHANGELOG_FORMATS",
    "FORMATS",
    "INSERT_FORMATS",
    "format_options",
    "message_format",
    "require_options_of",
]

FORMATS: dict[str, type[MessageFormat]] = {
    format.name: format
    for format in (
        JsonFormat,
        CsvFormat,
        AvroFormat,
        ConfluentAvroFormat,
        RawFormat,
        DebeziumJsonFormat,
        CanalJsonFormat,
        MaxwellJsonFormat,
        OggJsonFormat,
    )
}

CHANGELOG_FORMATS = tuple(name for name, format in FORMATS.items() if format.reads_changes)
"""The formats whose messages are changes."""

INSERT_FORMATS = tuple(name for name, format in FORMATS.items() if not format.reads_changes)
"""The formats whose messages are rows that are inserted."""


def format_options(*names: str, prefix: str = "") -> dict[str, Option]:
    """Return the options of formats, such as ``json.ignore-parse-errors``.

    Args:
        names: the formats; all of them by default.
        prefix: precedes the names of the options, such as ``key.``.
    """
    return {
        f"{prefix}{name}.{key}": option
        for name in names or FORMATS
        for key, option in FORMATS[name].options.items()
    }


def message_format(
    name: str,
    table: TableDefinition,
    values: Mapping[str, Any],
    prefix: str = "",
    columns: Sequence[TableColumn] | None = None,
) -> MessageFormat:
    """Return a format with the options that a table gives it.

    Args:
        name: the format, ignoring case.
        table: what the program says of the table.
        values: the values of the options of its connector, with those of `format_options`.
        prefix: precedes the names of the options of the format, such as ``key.``.
        columns: the columns of the messages; those of the table by default.

    Raises:
        ConfigurationError: the table gives options for another format.
    """
    known = FORMATS[name.lower()]
    require_options_of(known.name, table, prefix)
    own = {key: values[f"{prefix}{known.name}.{key}"] for key in known.options}
    return known(table.columns if columns is None else columns, own, f"table {table.path!r}")


def require_options_of(name: str, table: TableDefinition, prefix: str = "") -> None:
    """Check that a table gives options for no other format than its own.

    Args:
        name: its format, which need not be one of messages.
        table: what the program says of the table.
        prefix: precedes the names of the options of its format.

    Raises:
        ConfigurationError: it does.
    """
    for key in table.options:
        for other in FORMATS:
            if other != name and key.startswith(f"{prefix}{other}."):
                raise ConfigurationError(
                    f"table {table.path!r}: the option {key!r} is for the format {other}, not {name}"
                )
