"""The types of columns whose values Arrow and Python compute alike."""

from __future__ import annotations

from typing import Any

from typeinfo import basic, temporal
from typeinfo.info import TypeInformation

__all__ = ["PLAIN"]

PLAIN: frozenset[TypeInformation[Any]] = frozenset(
    {
        *(basic.BOOLEAN, basic.BYTE, basic.SHORT, basic.INT, basic.LONG, basic.FLOAT, basic.DOUBLE),
        *(basic.STRING, basic.CHAR, temporal.SQL_DATE, temporal.LOCAL_DATE),
        *(temporal.SQL_TIMESTAMP, temporal.LOCAL_DATE_TIME),
    }
)
"""The types whose values are numbers, truth values, text, dates or timestamps without a time zone.

Decimals are not among them: in columns, all have the same number of digits.
"""
