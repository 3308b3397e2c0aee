"""Functions of units of time: added to times, counted between them, and rounded to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.functions.conversion import conversion
from pystream.table.functions.declaration import Arguments, SqlFunction
from pystream.table.functions.kinds import Kind, fraction_digits, kind_of
from pystream.table.functions.values import calls, moments, units
from pystream.table.functions.values.conversions import same
from pystream.table.functions.zones import zone_of

__all__ = ["SPANS", "rounded_in_spark", "rounded_time"]

_PARTS_OF_DAYS = ("MILLISECOND", "SECOND", "MINUTE", "HOUR")
_ROUNDED = (*_PARTS_OF_DAYS, "DAY", "WEEK", *units.MONTHS, *units.ERAS)
_SPARK_TYPES = {Kind.DATE: "DATE", Kind.TIME: "TIME", Kind.TIMESTAMP_LTZ: "TIMESTAMP_LTZ"}
_TIMES = "DATE|TIME|TIMESTAMP|TIMESTAMP_LTZ"
_PERIODS = "; ".join(", ".join([name] * 4) for name in _TIMES.split("|"))


def _unit(arguments: Arguments) -> str:
    unit = str(arguments.constants.get(0))
    if unit not in units.LENGTHS and unit not in units.MONTHS:
        known = ", ".join((*units.LENGTHS, *units.MONTHS))
        raise ValueError(f"the unit {unit} is not supported; take one of {known}")
    return unit


def _sum_type(arguments: Arguments) -> DataType:
    data_type = arguments.types[2]
    unit = str(arguments.constants.get(0))
    kind = kind_of(data_type)
    if kind == Kind.DATE and unit in _PARTS_OF_DAYS:
        return DataTypes.TIMESTAMP(6)
    if unit == "MILLISECOND" and kind in _INSTANTS:
        return _INSTANTS[kind](max(fraction_digits(data_type), 3))
    return data_type


def _added(arguments: Arguments) -> Callable[..., Any]:
    unit, data_type = _unit(arguments), arguments.types[2]
    kind = kind_of(data_type)
    if unit in units.MONTHS:
        if kind == Kind.TIME:
            raise ValueError(f"no months are added to {data_type.nullable()}")
        move: Callable[..., Any] = moments.moved_by_months
        if kind == Kind.TIMESTAMP_LTZ:
            move = partial(moments.at_local, move, zone_of(arguments))
        return partial(units.added, move, units.MONTHS[unit])
    length = units.LENGTHS[unit]
    is_short = unit in _FRACTIONS and (kind not in _INSTANTS or fraction_digits(data_type) < 6)
    if is_short and (unit == "MICROSECOND" or kind not in _INSTANTS):
        raise ValueError(f"no {unit} is added to {data_type.nullable()}; CAST it to TIMESTAMP(6)")
    if kind == Kind.DATE and unit in _PARTS_OF_DAYS:
        return partial(units.added, moments.date_moved, length)
    return partial(units.added, _MOVES[kind], length)


_FRACTIONS = ("MICROSECOND", "MILLISECOND")
_INSTANTS: dict[Kind | None, Callable[[int], DataType]] = {
    Kind.TIMESTAMP: DataTypes.TIMESTAMP,
    Kind.TIMESTAMP_LTZ: DataTypes.TIMESTAMP_LTZ,
}
_MOVES: dict[Kind | None, Callable[..., Any]] = {
    Kind.DATE: moments.moved,
    Kind.TIME: moments.time_moved,
    Kind.TIMESTAMP: moments.moved,
    Kind.TIMESTAMP_LTZ: moments.instant_moved,
}


def _added_in_spark(arguments: Arguments) -> str:
    kind, unit = kind_of(arguments.types[2]), _unit(arguments)
    is_local = kind == Kind.TIME or (kind == Kind.DATE and unit in _PARTS_OF_DAYS)
    value = "CAST({2} AS TIMESTAMP_NTZ)" if is_local else "{2}"
    result = _SPARK_TYPES.get(kind_of(_sum_type(arguments)), "TIMESTAMP_NTZ")  # type: ignore[arg-type]
    if kind == Kind.TIMESTAMP_LTZ and unit in units.LENGTHS:  # Spark's days may have other lengths than 24 h
        return f"TIMESTAMP_MICROS(UNIX_MICROS({{2}}) + {{1}} * CAST({units.LENGTHS[unit]} AS BIGINT))"
    return f"CAST(TIMESTAMPADD({unit}, {{1}}, {value}) AS {result})"


def _counted(arguments: Arguments) -> Callable[..., int]:
    unit, (start, end) = _unit(arguments), arguments.types[1:]
    kinds = {kind_of(start), kind_of(end)}
    if len(kinds) > 1 and kinds & {Kind.TIME, Kind.TIMESTAMP_LTZ}:
        types = f"{start.nullable()} to {end.nullable()}"
        raise ValueError(f"no units are counted from {types}; CAST one of them")
    between = units.days_between if kinds == {Kind.DATE} else units.microseconds_between
    if unit in units.MONTHS:
        between = units.months_between
    count = partial(units.counted, between, units.MONTHS.get(unit) or units.LENGTHS[unit])
    if kinds in ({Kind.DATE}, {Kind.TIMESTAMP}):
        return count
    return partial(calls.of_converted, count, [_as_timestamp(one, arguments) for one in (start, end)])


def _as_timestamp(data_type: DataType, arguments: Arguments) -> Callable[[Any], Any]:
    if kind_of(data_type) == Kind.TIME:
        return units.timestamp_of_time
    zone = zone_of(arguments) if kind_of(data_type) == Kind.TIMESTAMP_LTZ else None
    convert = conversion(data_type.nullable(), DataTypes.TIMESTAMP(9), zone)
    assert convert is not None
    return convert


def _counted_in_spark(arguments: Arguments) -> str:
    unit = _unit(arguments)
    if unit in units.MONTHS:
        return f"CAST(({_months_in_spark()}) DIV {units.MONTHS[unit]} AS INT)"
    places = ("{1}", "{2}")
    if kind_of(arguments.types[1]) == Kind.TIME:
        places = ("CAST({1} AS TIMESTAMP_NTZ)", "CAST({2} AS TIMESTAMP_NTZ)")
    return f"CAST(TIMESTAMPDIFF({unit}, {', '.join(places)}) AS INT)"


def _months_in_spark() -> str:
    """Return the whole months between two times, as `units.months_between` counts them."""
    start, end = "CAST({1} AS DATE)", "CAST({2} AS DATE)"
    months = "((YEAR({2}) - YEAR({1})) * 12 + MONTH({2}) - MONTH({1}))"
    forwards = f"{months} - IF(ADD_MONTHS({start}, {months}) > {end}, 1, 0)"
    backwards = f"{months} + IF(ADD_MONTHS({end}, -{months}) > {start}, 1, 0)"
    of_days = f"IF({end} >= {start}, {forwards}, {backwards})"
    is_earlier = "DATE_FORMAT({2}, 'HHmmssSSSSSS') < DATE_FORMAT({1}, 'HHmmssSSSSSS')"
    return f"{of_days} - IF(ADD_MONTHS({start}, {of_days}) = {end} AND {is_earlier}, 1, 0)"


def rounded_time(function: Callable[..., Any], arguments: Arguments) -> Callable[..., Any]:
    """Return the function of values that rounds times to a unit.

    Args:
        function: `units.floored` or `units.ceiled`.
        arguments: those of the call; the second one is the unit.

    Raises:
        ValueError: the unit is none to which the type is rounded.
    """
    data_type, unit = arguments.types[0], str(arguments.constants.get(1))
    kind = kind_of(data_type)
    if unit not in _ROUNDED or (kind == Kind.TIME and unit not in _PARTS_OF_DAYS):
        raise ValueError(f"{data_type.nullable()} is not rounded to {unit}")
    if kind == Kind.TIME:
        return partial(units.floored_time if function is units.floored else units.ceiled_time, unit)
    if kind == Kind.DATE and unit in _PARTS_OF_DAYS:
        return same
    of_unit = partial(function, unit)
    return of_unit if kind != Kind.TIMESTAMP_LTZ else partial(moments.at_local, of_unit, zone_of(arguments))


def rounded_in_spark(name: str, arguments: Arguments) -> str:
    """Return Spark's SQL of a time rounded to a unit."""
    kind, unit = kind_of(arguments.types[0]), str(arguments.constants[1])
    data_type = _SPARK_TYPES.get(kind, "TIMESTAMP_NTZ")  # type: ignore[arg-type]
    if kind == Kind.DATE and unit in _PARTS_OF_DAYS:
        return "{0}"
    start = _floored_in_spark(kind, data_type, unit)
    if name == "FLOOR":
        return start
    years = units.ERAS[unit][0] if unit in units.ERAS else 1
    if kind == Kind.TIME:
        start = f"CAST({start} AS TIMESTAMP_NTZ)"
    following = f"TIMESTAMPADD({'YEAR' if unit in units.ERAS else unit}, {years}, {start})"
    is_start = f"{_floored_in_spark(kind, data_type, unit)} = {{0}}"
    return f"IF({is_start}, {{0}}, CAST({following} AS {data_type}))"


def _floored_in_spark(kind: Kind | None, data_type: str, unit: str) -> str:
    if kind == Kind.TIME:
        return f"TIME_TRUNC('{unit}', {{0}})"
    if unit in units.ERAS:
        years, first = units.ERAS[unit]
        year = f"(YEAR({{0}}) - {first}) DIV {years} * {years} + {first}"
        return f"CAST(MAKE_DATE({year}, 1, 1) AS {data_type})"
    if unit != "WEEK":
        return f"CAST(DATE_TRUNC('{unit}', {{0}}) AS {data_type})"
    monday = "DATE_TRUNC('WEEK', TIMESTAMPADD(DAY, 1, {0}))"  # Flink's weeks start on Sunday
    return f"CAST(TIMESTAMPADD(DAY, -1, {monday}) AS {data_type})"


_START, _END = "TIMESTAMP '2020-01-31 12:00:00'", "TIMESTAMP '2024-02-29 11:30:15.500'"
_INSTANT = "CAST(TIMESTAMP '2024-05-31 13:14:15' AS TIMESTAMP_LTZ(3))"
_SUMS = (
    *(f"{unit}, 3, {_START}" for unit in ("MILLISECOND", "SECOND", "MINUTE", "HOUR", "DAY", "WEEK")),
    *(
        f"{unit}, -1, DATE '2024-05-31'"
        for unit in ("SECOND", "HOUR", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR")
    ),
    *(f"{unit}, 12, TIME '13:14:15'" for unit in ("SECOND", "HOUR", "DAY")),
    *(f"{unit}, 1, {_INSTANT}" for unit in ("MINUTE", "MONTH")),
    "DAY, CAST(NULL AS INT), DATE '2024-05-31'",
)
_DIFFERENCES = (
    *(f"{unit}, {_START}, {_END}" for unit in ("SECOND", "MINUTE", "HOUR", "DAY", "WEEK")),
    *(f"{unit}, {_END}, {_START}" for unit in ("MONTH", "QUARTER", "YEAR")),
    "MILLISECOND, TIMESTAMP '2024-01-31 13:14:15', TIMESTAMP '2024-01-31 13:14:16'",
    "DAY, DATE '2020-01-31', DATE '2020-03-01'",
    "HOUR, DATE '2020-01-31', TIMESTAMP '2020-01-31 12:00:00'",
    "HOUR, TIME '10:00:00', TIME '12:30:00'",
    f"MONTH, {_INSTANT}, CAST(TIMESTAMP '2024-07-31 13:14:15' AS TIMESTAMP_LTZ(3))",
)

SPANS: Sequence[SqlFunction] = [
    SqlFunction(
        "OVERLAPS",
        _PERIODS,
        DataTypes.BOOLEAN(),
        "Whether two periods have a time in common; the second part of each is its end, or an interval.",
        units.overlap,
        spark=[
            "IF({0} IS NULL OR {1} IS NULL OR {2} IS NULL OR {3} IS NULL, NULL, "
            "GREATEST({0}, {1}) >= LEAST({2}, {3}) AND LEAST({0}, {1}) <= GREATEST({2}, {3}))"
        ],
        syntax=["({0}, {1}) OVERLAPS ({2}, {3})"],
        examples=[
            "(TIMESTAMP '2020-01-01 00:00:00', INTERVAL '1' DAY) OVERLAPS "
            "(TIMESTAMP '2020-01-02 00:00:00', INTERVAL '1' DAY)",
            "(TIME '09:00:00', TIME '10:00:00') OVERLAPS (TIME '10:15:00', INTERVAL '3' HOUR)",
            "(DATE '2020-01-05', DATE '2020-01-01') OVERLAPS (DATE '2020-01-04', DATE '2020-01-10')",
            "(CAST(NULL AS DATE), DATE '2020-01-01') OVERLAPS (DATE '2020-01-04', DATE '2020-01-10')",
        ],
    ),
    SqlFunction(
        "TIMESTAMPADD",
        f"UNIT, INT, {_TIMES}",
        _sum_type,
        "The time some units later, of the type of the time; a DATE becomes a TIMESTAMP by units that are "
        "shorter than a day.",
        python_for=_added,
        spark=_added_in_spark,
        syntax=["TIMESTAMPADD({0}, {1}, {2})"],
        examples=[f"TIMESTAMPADD({one})" for one in _SUMS],
    ),
    SqlFunction(
        "TIMESTAMPDIFF",
        f"UNIT, {_TIMES}, {_TIMES}",
        DataTypes.INT(),
        "The number of whole units from the first time to the second.",
        python_for=_counted,
        spark=_counted_in_spark,
        syntax=["TIMESTAMPDIFF({0}, {1}, {2})"],
        examples=[f"TIMESTAMPDIFF({one})" for one in _DIFFERENCES],
    ),
]
"""The declarations."""
