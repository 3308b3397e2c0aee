"""Times as text, of text, and of the seconds since 1970."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from pystream.sql_types.data_types import DataTypes
from pystream.table.functions.declaration import Arguments, Nulls, SqlFunction
from pystream.table.functions.kinds import Kind, kind_of
from pystream.table.functions.parts import since_epoch
from pystream.table.functions.values import formatting, reading
from pystream.table.functions.zones import of_local, zone_of
from pystream.zones import time_zone

__all__ = ["TIMES"]

_FORMAT = "yyyy-MM-dd HH:mm:ss"


_LOCAL = f"CAST(TRY_TO_TIMESTAMP({{0}}, '{_FORMAT}') AS TIMESTAMP_NTZ)"
_PLAIN_TEXT = "CASE WHEN {0} RLIKE '^[0-9]+-[0-9]+-[0-9]+( [0-9:.]+)?$' THEN {0} END"
_OF_PLAIN_TEXT = f"TRY_TO_TIMESTAMP({_PLAIN_TEXT})"
_OF_PATTERN = "TRY_TO_TIMESTAMP({0}, {1})"
_SCALED = "TRY_MULTIPLY({0}, CAST(POWER(10, 3 - {1}) AS BIGINT))"
_BOUNDS = "> -62135596800001", "< 253402300800000"  # milliseconds of the years 1 to 9999


def _written(arguments: Arguments) -> Callable[..., str | None]:
    return of_local(reading.written, arguments)


def _written_in_spark(arguments: Arguments) -> str:
    is_text = kind_of(arguments.types[0]) == Kind.TEXT
    return f"DATE_FORMAT({_in_milliseconds(_OF_PLAIN_TEXT) if is_text else '{0}'}, {{1}})"


def _in_milliseconds(local: str) -> str:
    """Return Spark's SQL of a local time without parts of milliseconds, which Flink does not read."""
    return f"CAST(DATE_TRUNC('MILLISECOND', {local}) AS TIMESTAMP_NTZ)"


def _instant(arguments: Arguments) -> Callable[..., Any]:
    if kind_of(arguments.types[0]) == Kind.TEXT:
        return reading.instant_of_text
    if arguments.constants.get(1, 3) not in range(4):
        raise ValueError("the precision is 0 to 3")
    return reading.instant_of


def _instant_in_spark(arguments: Arguments) -> str:
    count = len(arguments.types)
    if kind_of(arguments.types[0]) != Kind.TEXT:
        number = "{0}" if count == 1 else _SCALED
        is_known = " AND ".join(f"{number} {bound}" for bound in _BOUNDS)
        return f"CASE WHEN {is_known} THEN TIMESTAMP_MILLIS(CAST({number} AS BIGINT)) END"
    local = _in_milliseconds(_OF_PATTERN if count > 1 else _OF_PLAIN_TEXT)
    moved = f"CONVERT_TIMEZONE({'{2}' if count > 2 else repr('UTC')}, 'UTC', {local})"
    return f"TIMESTAMP_MICROS({since_epoch('MICROSECOND', moved)})"


def _of_unix_time(arguments: Arguments) -> Callable[..., Any]:
    return partial(reading.text_of_seconds, zone_of(arguments))


def _unix_time(arguments: Arguments) -> Callable[..., Any]:
    return partial(reading.seconds_of_text, zone_of(arguments))


def _unix_time_in_spark(arguments: Arguments) -> str:
    if not arguments.types:
        return "UNIX_TIMESTAMP()"
    read = _OF_PATTERN if len(arguments.types) > 1 else _OF_PLAIN_TEXT
    seconds = f"UNIX_TIMESTAMP(CAST({read} AS TIMESTAMP_LTZ))"
    return f"COALESCE({seconds}, CAST('{reading.NO_SECONDS}' AS BIGINT))"


TIMES: Sequence[SqlFunction] = [
    SqlFunction(
        "CONVERT_TZ",
        "STRING, STRING, STRING",
        DataTypes.STRING(),
        "The time of a text of the pattern yyyy-MM-dd HH:mm:ss in one time zone as one in another; null if "
        "it is none.",
        reading.in_other_zone,
        Nulls.AND_OTHERS,
        spark=[f"DATE_FORMAT(CONVERT_TIMEZONE({{1}}, {{2}}, {_LOCAL}), '{_FORMAT}')"],
        literals={1: time_zone, 2: time_zone},
        examples=[
            "CONVERT_TZ('2020-02-29 12:00:00', 'UTC', 'America/Los_Angeles')",
            "CONVERT_TZ('2020-02-29 12:00:00', 'Asia/Tokyo', 'GMT+05:30')",
            "CONVERT_TZ('x', 'UTC', 'Europe/Rome')",
        ],
    ),
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
            "DATE_FORMAT('2024-02-29T13:14:15', 'yyyy')",
        ],
    ),
    SqlFunction(
        "FROM_UNIXTIME",
        "INT [, STRING]",
        DataTypes.STRING(),
        f"The local time some seconds after the start of 1970 as text of the pattern {_FORMAT}, or of "
        "another.",
        nulls=Nulls.AND_OTHERS,
        python_for=_of_unix_time,
        literals={1: formatting.writer_of},
        examples=[
            "FROM_UNIXTIME(1234567890)",
            "FROM_UNIXTIME(-1, 'yyyy/MM/dd HH:mm')",
            "FROM_UNIXTIME(CAST(NULL AS BIGINT))",
        ],
    ),
    SqlFunction(
        "TO_DATE",
        "STRING [, STRING]",
        DataTypes.DATE(),
        "The date of a text of the pattern yyyy-MM-dd, or of another; null if it is none.",
        reading.date_of_text,
        Nulls.AND_OTHERS,
        spark=[f"CAST({_OF_PLAIN_TEXT} AS DATE)", f"CAST({_OF_PATTERN} AS DATE)"],
        literals={1: reading.reader_of},
        examples=[
            "TO_DATE('2024-02-29')",
            "TO_DATE('29.02.2024', 'dd.MM.yyyy')",
            "TO_DATE('x')",
            "TO_DATE('2024-02-29T13:14:15')",
        ],
    ),
    SqlFunction(
        "TO_TIMESTAMP",
        "STRING [, STRING]",
        DataTypes.TIMESTAMP(3),
        "The time of a text of the pattern yyyy-MM-dd HH:mm:ss, or of another; null if it is none.",
        reading.timestamp_of_text,
        Nulls.AND_OTHERS,
        spark=[_in_milliseconds(_OF_PLAIN_TEXT), _in_milliseconds(_OF_PATTERN)],
        literals={1: reading.reader_of},
        examples=[
            "TO_TIMESTAMP('2024-02-29 13:14:15')",
            "TO_TIMESTAMP('29.02.2024 13:14', 'dd.MM.yyyy HH:mm')",
            "TO_TIMESTAMP('x')",
            "TO_TIMESTAMP('2024-02-29 13:14:15.123456')",
            "TO_TIMESTAMP('2024-02-29 13:14:15.123456', 'yyyy-MM-dd HH:mm:ss.SSSSSS')",
            "TO_TIMESTAMP('2024-02-29T13:14:15')",
            "TO_TIMESTAMP('2024-02-29 13:14:15Z')",
        ],
    ),
    SqlFunction(
        "TO_TIMESTAMP_LTZ",
        "NUMBER [, DIGITS]; STRING [, STRING [, STRING]]",
        DataTypes.TIMESTAMP_LTZ(3),
        "The time some milliseconds, or parts of a second of a precision, after the start of 1970; or that "
        f"of a text of the pattern {_FORMAT}, or of another, in UTC or another time zone; null if it is "
        "none.",
        nulls=Nulls.AND_OTHERS,
        python_for=_instant,
        spark=_instant_in_spark,
        literals={1: reading.reader_or_digits, 2: time_zone},
        examples=[
            "TO_TIMESTAMP_LTZ(1234567890, 0)",
            "TO_TIMESTAMP_LTZ(1234567890123, 3)",
            "TO_TIMESTAMP_LTZ(-1)",
            "TO_TIMESTAMP_LTZ(1.5e0, 0)",
            "TO_TIMESTAMP_LTZ(2.5, 3)",
            "TO_TIMESTAMP_LTZ(9999999999999999, 3)",
            "TO_TIMESTAMP_LTZ(CAST('Infinity' AS DOUBLE), 3)",
            "TO_TIMESTAMP_LTZ('2020-02-29 12:30:45')",
            "TO_TIMESTAMP_LTZ('2020-02-29 12:30:45.123456')",
            "TO_TIMESTAMP_LTZ('2020/02/29', 'yyyy/MM/dd')",
            "TO_TIMESTAMP_LTZ('2020-02-29 12:30:45', 'yyyy-MM-dd HH:mm:ss', 'Asia/Tokyo')",
            "TO_TIMESTAMP_LTZ('x', 'yyyy-MM-dd', 'Asia/Tokyo')",
        ],
    ),
    SqlFunction(
        "UNIX_TIMESTAMP",
        "[STRING [, STRING]]",
        DataTypes.BIGINT(),
        f"The seconds since the start of 1970: now, or those of a local time of the pattern {_FORMAT}, or of "
        "another.",
        python_for=_unix_time,
        spark=_unix_time_in_spark,
        literals={1: reading.reader_of},
        is_deterministic=False,
        examples=[
            "UNIX_TIMESTAMP('2020-02-29 12:30:45')",
            "UNIX_TIMESTAMP('2020-02-29', 'yyyy-MM-dd')",
            "UNIX_TIMESTAMP('x')",
            "UNIX_TIMESTAMP('2020-02-29T12:30:45')",
        ],
    ),
]
"""The declarations."""
