"""The rows of connectors as values of the types that their tables declare."""

from __future__ import annotations

from pystream.table.column_casts import declared_casts, row_conversion
from pystream.table.connectors.base import Connector
from pystream.table.conversions import ElementConversion

__all__ = ["declaring_conversion"]


def declaring_conversion(connector: Connector) -> ElementConversion | None:
    """Return the function that gives rows of a connector the declared types; ``None`` if they have them."""
    if connector.reads_declared_types:
        return None
    table = connector.table
    casts = declared_casts(table.columns, table.columns, f" of table {table.path!r}")
    return row_conversion(table.read_type, range(len(table.columns)), table.columns, casts)
