"""The types of columns whose values Arrow and Python compute alike."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pystream.table.columns import TableColumn
from typeinfo import basic, temporal
from typeinfo.info import TypeInformation

__all__ = ["PLAIN", "are_plain"]

PLAIN: frozenset[TypeInformation[Any]] = frozenset(
    {
        *(basic.BOOLEAN, basic.BYTE, basic.SHORT, basic.INT, basic.LONG, basic.FLOAT, basic.DOUBLE),
        *(basic.STRING, basic.CHAR, temporal.SQL_DATE, temporal.LOCAL_DATE),
        *(temporal.SQL_TIMESTAMP, temporal.LOCAL_DATE_TIME),
    }
)
"""The types whose values are numbers, truth values, text, dates or timestamps without a time zone."""


def are_plain(columns: Iterable[TableColumn]) -> bool:
    """Return whether the types of all columns are plain."""
    return all(column.type_info in PLAIN for column in columns)
