"""Functions of dates and times."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from pystream.sql_types.data_types import DataTypes
from pystream.table.functions.declaration import Arguments, Nulls, SqlFunction
from pystream.table.functions.kinds import Kind, kind_of
from pystream.table.functions.values import formatting, moments

__all__ = ["TIMES"]


def _zone(arguments: Arguments) -> Any:
    if arguments.zone is None:
        raise ValueError("it depends on the time zone of TIMESTAMP_LTZ; set table.local-time-zone")
    return arguments.zone


def _part_of(part: str, arguments: Arguments) -> Callable[[Any], int]:
    data_type = arguments.types[0]
    kind = kind_of(data_type)
    parts: Mapping[str, Callable[[Any], int]] = {} if kind == Kind.TIME else moments.PARTS
    if kind != Kind.DATE:
        parts = {**parts, **moments.PARTS_OF_TIMES}
    if part not in parts:
        raise ValueError(f"{data_type.nullable()} has no {part}")
    if kind != Kind.TIMESTAMP_LTZ:
        return parts[part]
    return partial(formatting.of_local, parts[part], _zone(arguments))


def _part(name: str, does: str, part: str = "", spark: str = "") -> SqlFunction:
    time = "TIMESTAMP '2024-02-29 13:14:15'"
    return SqlFunction(
        name,
        "DATE|TIME|TIMESTAMP|TIMESTAMP_LTZ",
        DataTypes.BIGINT(),
        does,
        python_for=partial(_part_of, part or name),
        spark=[f"CAST({spark or name}({{0}}) AS BIGINT)"],
        examples=[f"{name}({time})", f"{name}(CAST(NULL AS TIMESTAMP))"],
    )


def _written(arguments: Arguments) -> Callable[..., str | None]:
    if kind_of(arguments.types[0]) != Kind.TIMESTAMP_LTZ:
        return formatting.written
    return partial(formatting.of_local, formatting.written, _zone(arguments))


def _written_in_spark(arguments: Arguments) -> str:
    is_text = kind_of(arguments.types[0]) == Kind.TEXT
    return f"DATE_FORMAT({'TRY_TO_TIMESTAMP({0})' if is_text else '{0}'}, {{1}})"


TIMES: Sequence[SqlFunction] = [
    SqlFunction(
        "DATE_FORMAT",
        "TIMESTAMP|TIMESTAMP_LTZ|STRING, STRING",
        DataTypes.STRING(),
        "The time as text of a pattern such as yyyy-MM-dd HH:mm:ss.",
        nulls=Nulls.AND_OTHERS,
        python_for=_written,
        spark=_written_in_spark,
        literals={1: formatting.writer_of},
        examples=[
            "DATE_FORMAT(TIMESTAMP '2024-02-29 13:14:15', 'yyyy/MM/dd HH:mm')",
            "DATE_FORMAT('2024-02-29 13:14:15', 'dd.MM.yyyy')",
            "DATE_FORMAT('x', 'yyyy')",
        ],
    ),
    _part("DAYOFMONTH", "The day of the month.", "DAY"),
    _part("DAYOFWEEK", "The day of the week, from 1 for Sunday.", "DOW"),
    _part("DAYOFYEAR", "The day of the year.", "DOY"),
    _part("HOUR", "The hour of the day."),
    _part("MINUTE", "The minute of the hour."),
    _part("MONTH", "The month of the year."),
    _part("QUARTER", "The quarter of the year."),
    _part("SECOND", "The second of the minute."),
    SqlFunction(
        "TO_DATE",
        "STRING [, STRING]",
        DataTypes.DATE(),
        "The date of a text of the pattern yyyy-MM-dd, or of another; null if it is none.",
        formatting.date_of_text,
        Nulls.AND_OTHERS,
        spark=["CAST(TRY_TO_TIMESTAMP({0:}) AS DATE)"],
        literals={1: formatting.reader_of},
        examples=["TO_DATE('2024-02-29')", "TO_DATE('29.02.2024', 'dd.MM.yyyy')", "TO_DATE('x')"],
    ),
    SqlFunction(
        "TO_TIMESTAMP",
        "STRING [, STRING]",
        DataTypes.TIMESTAMP(3),
        "The time of a text of the pattern yyyy-MM-dd HH:mm:ss, or of another; null if it is none.",
        formatting.timestamp_of_text,
        Nulls.AND_OTHERS,
        spark=["CAST(TRY_TO_TIMESTAMP({0:}) AS TIMESTAMP_NTZ)"],
        literals={1: formatting.reader_of},
        examples=[
            "TO_TIMESTAMP('2024-02-29 13:14:15')",
            "TO_TIMESTAMP('29.02.2024 13:14', 'dd.MM.yyyy HH:mm')",
            "TO_TIMESTAMP('x')",
        ],
    ),
    _part("WEEK", "The week of the year, as ISO 8601 counts them.", spark="WEEKOFYEAR"),
    _part("YEAR", "The year."),
]
"""The declarations."""
