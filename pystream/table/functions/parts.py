"""Parts of dates and times."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from pystream.sql_types.data_types import DataTypes
from pystream.table.functions.declaration import Arguments, SqlFunction
from pystream.table.functions.kinds import Kind, kind_of
from pystream.table.functions.values import parts as values
from pystream.table.functions.values.units import ERAS
from pystream.table.functions.zones import of_local

__all__ = ["PARTS", "since_epoch"]

_FIELDS = {"ISODOW": "DAYOFWEEK_ISO", "ISOYEAR": "YEAROFWEEK"}
_FRACTIONS = {"MILLISECOND": "SSS", "MICROSECOND": "SSSSSS", "NANOSECOND": "SSSSSSSSS"}


def since_epoch(unit: str, value: str) -> str:
    """Return the units from 1970 to a local time as Spark's SQL."""
    epoch = "CAST('1970-01-01' AS TIMESTAMP_NTZ)"
    return f"TIMESTAMPDIFF({unit}, {epoch}, CAST({value} AS TIMESTAMP_NTZ))"


def _part_of(name: str, position: int, arguments: Arguments) -> Callable[[Any], int]:
    data_type = arguments.types[position]
    part = name or str(arguments.constants.get(0))
    parts: Mapping[str, Callable[[Any], int]] = {}
    if kind_of(data_type) != Kind.TIME:
        parts = values.PARTS
    parts = {**parts, **(values.PARTS_OF_DATES if kind_of(data_type) == Kind.DATE else values.PARTS_OF_TIMES)}
    if part not in parts:
        raise ValueError(f"{data_type.nullable()} has no {part}")
    return of_local(parts[part], arguments, position)


def _part(name: str, does: str, part: str = "", spark: str = "") -> SqlFunction:
    time = "TIMESTAMP '2024-02-29 13:14:15'"
    return SqlFunction(
        name,
        "DATE|TIME|TIMESTAMP|TIMESTAMP_LTZ",
        DataTypes.BIGINT(),
        does,
        python_for=partial(_part_of, part or name, 0),
        spark=[f"CAST({spark or name}({{0}}) AS BIGINT)"],
        examples=[f"{name}({time})", f"{name}(CAST(NULL AS TIMESTAMP))"],
    )


def _extracted_in_spark(arguments: Arguments) -> str:
    part = str(arguments.constants[0])
    if part in _FRACTIONS:
        return f"CAST(DATE_FORMAT({{1}}, '{_FRACTIONS[part]}') AS BIGINT)"
    if part == "EPOCH":  # of the local time
        return since_epoch("SECOND", "{1}")
    if part in ERAS:
        years, first = ERAS[part]
        return f"CAST((YEAR({{1}}) - {first}) DIV {years} + {first} AS BIGINT)"
    return f"CAST(EXTRACT({_FIELDS.get(part, part)} FROM {{1}}) AS BIGINT)"


_EXTRACTED = (
    *(f"{part} FROM TIMESTAMP '2024-02-29 13:14:15.678'" for part in (*values.PARTS, *values.PARTS_OF_TIMES)),
    *(f"{part} FROM DATE '2000-12-31'" for part in values.PARTS),
    *(f"{part} FROM TIME '13:14:15'" for part in ("HOUR", "MINUTE", "SECOND", "MILLISECOND")),
    "EPOCH FROM TIMESTAMP '1969-12-31 23:59:58.5'",
    "YEAR FROM CAST(NULL AS DATE)",
)

PARTS: Sequence[SqlFunction] = [
    _part("DAYOFMONTH", "The day of the month.", "DAY"),
    _part("DAYOFWEEK", "The day of the week, from 1 for Sunday.", "DOW"),
    _part("DAYOFYEAR", "The day of the year.", "DOY"),
    SqlFunction(
        "EXTRACT",
        "UNIT, DATE|TIME|TIMESTAMP|TIMESTAMP_LTZ",
        DataTypes.BIGINT(),
        "A part of the time: MILLENNIUM, CENTURY, DECADE, YEAR, ISOYEAR, QUARTER, MONTH, WEEK, DAY, DOY, "
        "DOW, ISODOW, EPOCH, and of times with an hour HOUR, MINUTE, SECOND, MILLISECOND, MICROSECOND or "
        "NANOSECOND.",
        python_for=partial(_part_of, "", 1),
        spark=_extracted_in_spark,
        syntax=["EXTRACT({0} FROM {1})"],
        examples=[f"EXTRACT({one})" for one in _EXTRACTED],
    ),
    _part("HOUR", "The hour of the day."),
    _part("MINUTE", "The minute of the hour."),
    _part("MONTH", "The month of the year."),
    _part("QUARTER", "The quarter of the year."),
    _part("SECOND", "The second of the minute."),
    _part("WEEK", "The week of the year, as ISO 8601 counts them.", spark="WEEKOFYEAR"),
    _part("YEAR", "The year."),
]
"""The declarations."""
