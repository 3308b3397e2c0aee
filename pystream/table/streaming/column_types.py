"""The types of columns whose values Arrow and Python compute alike."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pystream.table.columns import TableColumn
from typeinfo import basic, temporal
from typeinfo.decimals import BigDecimalTypeInfo
from typeinfo.info import TypeInformation

__all__ = ["are_plain", "is_plain"]

_PLAIN: frozenset[TypeInformation[Any]] = frozenset(
    {
        *(basic.BOOLEAN, basic.BYTE, basic.SHORT, basic.INT, basic.LONG, basic.FLOAT, basic.DOUBLE),
        *(basic.STRING, basic.CHAR, temporal.SQL_DATE, temporal.LOCAL_DATE),
        *(temporal.SQL_TIMESTAMP, temporal.LOCAL_DATE_TIME),
    }
)


def is_plain(type_info: TypeInformation[Any]) -> bool:
    """Return whether values are numbers, truth values, text, dates or timestamps without a time zone.

    Decimals have the digits of their type.
    """
    return type_info in _PLAIN or isinstance(type_info, BigDecimalTypeInfo)


def are_plain(columns: Iterable[TableColumn]) -> bool:
    """Return whether the types of all columns are plain."""
    return all(is_plain(column.type_info) for column in columns)
