"""Functions of times and of JSON that make expressions."""

from __future__ import annotations

import datetime
from typing import Any

from pystream.arguments.checks import require
from pystream.errors import ArgumentTypeError, PlanError
from pystream.table.expression.base import given
from pystream.table.expression.expression import Expression
from pystream.table.expression.json_options import JsonOnNull
from pystream.table.expression.units import TimePointUnit
from typeinfo.arguments import checks_arguments

__all__ = [
    "convert_tz",
    "current_time",
    "from_unixtime",
    "json",
    "json_array",
    "json_object",
    "json_string",
    "local_time",
    "map_from_arrays",
    "rand_integer",
    "temporal_overlaps",
    "timestamp_diff",
    "to_timestamp_ltz",
    "unix_timestamp",
]


def current_time() -> Expression[datetime.time]:
    """Return the local time of day."""
    return Expression._of_call("CURRENT_TIME")


def local_time() -> Expression[datetime.time]:
    """Return the local time of day, as ``current_time`` does."""
    return Expression._of_call("LOCALTIME")


@checks_arguments(ArgumentTypeError)
def convert_tz(
    date_str: str | Expression[str], tz_from: str | Expression[str], tz_to: str | Expression[str]
) -> Expression[str]:
    """Return the time of text of the form ``2024-01-31 12:00:00`` in one time zone as that in another."""
    return Expression._of_call("CONVERT_TZ", date_str, tz_from, tz_to)


@checks_arguments(ArgumentTypeError)
def from_unixtime(unixtime: Any, format: str | Expression[str] | None = None) -> Expression[str]:
    """Return the local time some seconds after the start of 1970 as text, by a pattern if given."""
    return Expression._of_call("FROM_UNIXTIME", unixtime, *given(format))


@checks_arguments(ArgumentTypeError)
def unix_timestamp(
    date_str: str | Expression[str] | None = None, format: str | Expression[str] | None = None
) -> Expression[int]:
    """Return the seconds since 1970 to the local time of text, of a pattern if given, or to now."""
    return Expression._of_call("UNIX_TIMESTAMP", *given(date_str, format))


@checks_arguments(ArgumentTypeError)
def to_timestamp_ltz(*args: Any) -> Expression[datetime.datetime]:
    """Return a time as TIMESTAMP_LTZ.

    Args:
        args: milliseconds since the start of 1970, or parts of a second and their precision; or text, its
            pattern and its time zone.
    """
    return Expression._of_call("TO_TIMESTAMP_LTZ", *args)


@checks_arguments(ArgumentTypeError)
def timestamp_diff(time_point_unit: TimePointUnit, time_point1: Any, time_point2: Any) -> Expression[int]:
    """Return the number of whole units from one time to another.

    Examples:
        >>> from pystream.table.expressions import col
        >>> timestamp_diff(TimePointUnit.DAY, col("start"), col("end"))
        Expression(TIMESTAMPDIFF(DAY, `start`, `end`))
    """
    require(time_point_unit, TimePointUnit, "timestamp_diff", "a TimePointUnit such as TimePointUnit.DAY")
    return Expression._of_call("TIMESTAMPDIFF", time_point_unit.value, time_point1, time_point2)


@checks_arguments(ArgumentTypeError)
def temporal_overlaps(
    left_time_point: Any, left_temporal: Any, right_time_point: Any, right_temporal: Any
) -> Expression[bool]:
    """Return whether two periods have a time in common; after each start is the end, or an interval."""
    return Expression._of_call("OVERLAPS", left_time_point, left_temporal, right_time_point, right_temporal)


@checks_arguments(ArgumentTypeError)
def map_from_arrays(key: Any, value: Any) -> Expression[Any]:
    """Return the map of the keys of one array to the values of another."""
    return Expression._of_call("MAP_FROM_ARRAYS", key, value)


@checks_arguments(ArgumentTypeError)
def rand_integer(bound: int | Expression[int], seed: int | Expression[int] | None = None) -> Expression[int]:
    """Return a random integer of each row from 0 up to, but not including, a bound."""
    return Expression._of_call("RAND_INTEGER", *given(seed), bound)


@checks_arguments(ArgumentTypeError)
def json(value: str | Expression[str]) -> Expression[str]:
    """Return JSON text that ``json_object`` and ``json_array`` take as it is."""
    return Expression._of_call("JSON", value)


@checks_arguments(ArgumentTypeError)
def json_string(value: Any) -> Expression[str]:
    """Return a value as JSON text; null if it is null."""
    return Expression._of_call("JSON_STRING", value)


@checks_arguments(ArgumentTypeError)
def json_object(on_null: JsonOnNull = JsonOnNull.NULL, *args: Any) -> Expression[str]:
    """Return the JSON text of an object.

    Args:
        on_null: whether members whose values are null are kept.
        args: keys, each followed by its value.

    Raises:
        PlanError: a key has no value.

    Examples:
        >>> from pystream.table.expressions import col
        >>> json_object(JsonOnNull.NULL, "n", col("n"))
        Expression(JSON_OBJECT(KEY 'n' VALUE `n` NULL ON NULL))
    """
    require(on_null, JsonOnNull, "json_object", "a JsonOnNull such as JsonOnNull.NULL")
    if len(args) % 2:
        raise PlanError("json_object: the last key has no value")
    return Expression._of_call("JSON_OBJECT", on_null.value, *args)


@checks_arguments(ArgumentTypeError)
def json_array(on_null: JsonOnNull = JsonOnNull.ABSENT, *args: Any) -> Expression[str]:
    """Return the JSON text of an array.

    Args:
        on_null: whether nulls are kept.
        args: the elements.
    """
    require(on_null, JsonOnNull, "json_array", "a JsonOnNull such as JsonOnNull.NULL")
    return Expression._of_call("JSON_ARRAY", on_null.value, *args)
