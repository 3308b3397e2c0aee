"""Functions of the clock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.functions.declaration import Arguments, Nulls, SqlFunction
from pystream.table.functions.values import clocks

__all__ = ["CLOCKS"]

_INSTANT = DataTypes.TIMESTAMP_LTZ(3)
_PER_ROW = "in Python at each row, on Spark at the start of the query or epoch"


def _local(function: Callable[..., Any], arguments: Arguments) -> Callable[[], Any]:
    return partial(function, arguments.zone)


def _local_clock(
    name: str, data_type: DataType, does: str, function: Callable[..., Any], spark: str
) -> SqlFunction:
    return SqlFunction(
        name,
        "",
        data_type,
        f"{does}, {_PER_ROW}.",
        python_for=partial(_local, function),
        spark=[spark],
        syntax=[name],
        is_deterministic=False,
    )


def _clock(name: str, *syntax: str) -> SqlFunction:
    return SqlFunction(
        name,
        "",
        _INSTANT,
        f"The time, {_PER_ROW}.",
        clocks.now,
        spark=["CURRENT_TIMESTAMP()"],
        syntax=syntax,
        is_deterministic=False,
    )


CLOCKS: Sequence[SqlFunction] = [
    _local_clock("CURRENT_DATE", DataTypes.DATE(), "The local date", clocks.local_date, "CURRENT_DATE()"),
    _clock("CURRENT_ROW_TIMESTAMP"),
    _local_clock(
        "CURRENT_TIME", DataTypes.TIME(0), "The local time of day", clocks.local_time, "CURRENT_TIME(0)"
    ),
    _clock("CURRENT_TIMESTAMP", "CURRENT_TIMESTAMP"),
    SqlFunction(
        "CURRENT_WATERMARK",
        "TIMESTAMP|TIMESTAMP_LTZ",
        lambda arguments: arguments.types[0].nullable(),
        "The watermark at which a row comes, for its column of event time; null before the first one, and in "
        "queries of bounded tables.",
        clocks.no_watermark,
        nulls=Nulls.AS_DECLARED,
        spark=None,
        is_deterministic=False,
    ),
    _local_clock(
        "LOCALTIME", DataTypes.TIME(0), "The local time of day", clocks.local_time, "CURRENT_TIME(0)"
    ),
    _local_clock(
        "LOCALTIMESTAMP",
        DataTypes.TIMESTAMP(3),
        "The local time",
        clocks.local_timestamp,
        "LOCALTIMESTAMP()",
    ),
    _clock("NOW"),
    _clock("PROCTIME"),
]
"""The declarations."""
