"""Fields of ``from_data_stream`` that are time attributes: the timestamps of elements, and the clock."""

from __future__ import annotations

import datetime

from pystream.common import Instant, Types, WatermarkStrategy
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import ProcessFunction
from pystream.table import StreamTableEnvironment
from pystream.table.expressions import UNBOUNDED_ROW, col, lit, row_interval
from pystream.table.window import Over, Tumble

_ROWS = [("a", 1000, 1), ("b", 2500, 2), ("a", 6000, 3)]
_TYPES = [Types.STRING(), Types.LONG(), Types.INT()]
_NAMED = Types.ROW_NAMED(["k", "ts", "n"], _TYPES)


class _FieldOfRows(TimestampAssigner):
    def extract_timestamp(self, value, record_timestamp):
        return value[1]


class _Number(TimestampAssigner):
    def extract_timestamp(self, value, record_timestamp):
        return value


class _WithTimestamp(ProcessFunction):
    def process_element(self, value, ctx):
        yield f"{value['k']} {ctx.timestamp()}"


def _environment(env, zone="UTC"):
    env.set_parallelism(1)
    t_env = StreamTableEnvironment.create(env)
    t_env.get_config().set_local_timezone(zone)
    return t_env


def _stream(env, of_type=_NAMED, elements=_ROWS, assigner=_FieldOfRows):
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(assigner())
    return env.from_collection(elements, of_type).assign_timestamps_and_watermarks(strategy)


def _results(table):
    with table.execute().collect() as rows:
        return [str([*row]) for row in rows]


def _described(table):
    """Return the names and types of columns, and the rows without the times of the clock."""
    names, types = table.get_schema().get_field_names(), table.get_schema().get_field_data_types()
    described = [type(one).__name__ for one in types]
    return [names, described, _results(table.select(*(col(name) for name in names if name not in "pq")))]


CASES = {
    "replaced": [col("k"), col("ts").rowtime],
    "replaced and renamed": [col("k"), col("ts").rowtime.alias("t")],
    "appended": [col("k"), col("n"), col("t").rowtime],
    "first": [col("t").rowtime, col("n")],
    "of new names": [col("a"), col("b"), col("c"), col("t").rowtime],
    "of renamed fields": [col("k").alias("key"), col("n"), col("t").rowtime],
    "named like a field that is renamed": [col("k").alias("key"), col("k").rowtime],
    "named like a number that is renamed": [col("ts").alias("at"), col("ts").rowtime],
    "twice": [col("k"), col("t").rowtime, col("u").rowtime],
    "renamed, of no field": [col("k"), col("x").rowtime.alias("t")],
    "of a renamed field": [col("k"), col("ts").alias("t").rowtime],
    "of text": [col("k").rowtime, col("n")],
    "of int": [col("n").rowtime, col("k")],
    "of an expression": [(col("ts") + 1).rowtime, col("k")],
    "in the place of an int": [col("a"), col("b"), col("t").rowtime],
    "in the place of a long": [col("a"), col("ts").rowtime, col("c")],
    "in the place of a long, by another name": [col("a"), col("t").rowtime, col("c")],
    "in the place of a long, renamed": [col("a"), col("ts").rowtime.alias("t"), col("c")],
    "in the place of a long, renamed, of no field": [col("a"), col("x").rowtime.alias("t"), col("c")],
    "of new names, renamed": [col("a"), col("b"), col("c"), col("x").rowtime.alias("t")],
    "a name after it": [col("a"), col("b"), col("c"), col("t").rowtime, col("d")],
    "in the place of text": [col("t").rowtime, col("b"), col("c")],
    "alone, of a field": [col("ts").rowtime],
    "alone, of no field": [col("t").rowtime],
    "before and after": [col("k"), col("t").rowtime, col("n")],
    "of a taken name": [col("k"), col("n").alias("t"), col("t").rowtime],
    "after too many names": [col("a"), col("b"), col("c"), col("d"), col("t").rowtime],
    "an unknown field": [col("k"), col("x"), col("t").rowtime],
    "the clock": [col("k"), col("n"), col("p").proctime],
    "the clock, renamed": [col("k"), col("x").proctime.alias("p")],
    "the clock, of a field, renamed": [col("k"), col("ts").proctime.alias("p")],
    "the clock, of a field": [col("k"), col("ts").proctime],
    "the clock, of a renamed field": [col("ts").alias("t"), col("ts").proctime],
    "the clock before a field": [col("p").proctime, col("k")],
    "the clock before a name": [col("p").proctime, col("a"), col("b")],
    "the clock after few names": [col("a"), col("p").proctime],
    "the clock after all names": [col("a"), col("b"), col("c"), col("p").proctime],
    "the clock after all names, renamed": [col("a"), col("b"), col("c"), col("x").proctime.alias("p")],
    "two clocks": [col("k"), col("p").proctime, col("q").proctime],
    "the clock alone": [col("p").proctime],
    "the clock of an expression": [(col("ts") + 1).proctime, col("k")],
    "both": [col("k"), col("t").rowtime, col("p").proctime],
    "both after all names": [col("a"), col("b"), col("c"), col("p").proctime, col("t").rowtime],
    "both after all names, the clock last": [
        col("a"),
        col("b"),
        col("c"),
        col("t").rowtime,
        col("p").proctime,
    ],
}


def of_rows(env, case):
    return _described(_environment(env).from_data_stream(_stream(env), *case))


def of_tuples(env):
    table = _environment(env).from_data_stream(
        _stream(env, Types.TUPLE(_TYPES)), col("a"), col("b"), col("c"), col("t").rowtime
    )
    return _described(table)


def in_the_place_of_a_field_of_tuples(env):
    return _described(
        _environment(env).from_data_stream(_stream(env, Types.TUPLE(_TYPES)), col("f0"), col("f1").rowtime)
    )


def of_tuples_by_name(env):
    table = _environment(env).from_data_stream(
        _stream(env, Types.TUPLE(_TYPES)), col("f2"), col("f1").rowtime.alias("t")
    )
    return _described(table)


def _of_numbers(env, *fields):
    return _described(
        _environment(env).from_data_stream(_stream(env, Types.LONG(), [1000, 2000], _Number), *fields)
    )


def of_numbers(env):
    return _of_numbers(env, col("v"), col("t").rowtime)


def of_numbers_before(env):
    return _of_numbers(env, col("t").rowtime, col("v"))


def in_the_place_of_numbers(env):
    return _of_numbers(env, col("t").rowtime)


def in_the_place_of_numbers_of_the_name(env):
    return _of_numbers(env, col("f0").rowtime)


def in_the_place_of_numbers_renamed(env):
    return _of_numbers(env, col("f0").rowtime.alias("t"))


def of_numbers_of_two_names(env):
    return _of_numbers(env, col("v"), col("w"), col("t").rowtime)


def of_numbers_and_the_clock(env):
    t_env = _environment(env)
    numbers = env.from_collection([1, 2], Types.LONG())
    return _described(t_env.from_data_stream(numbers, col("v"), col("p").proctime))


def the_clock_before_numbers(env):
    t_env = _environment(env)
    numbers = env.from_collection([1, 2], Types.LONG())
    return _described(t_env.from_data_stream(numbers, col("p").proctime, col("v")))


def in_the_place_of_texts(env):
    t_env = _environment(env)
    return _described(t_env.from_data_stream(env.from_collection(["a"], Types.STRING()), col("t").rowtime))


def _in_the_place_of(env, of_type, value):
    t_env = _environment(env)
    rows = _stream(env, Types.ROW_NAMED(["v", "ts"], [of_type, Types.LONG()]), [(value, 1000)])
    return _described(t_env.from_data_stream(rows, col("v").rowtime, col("ts")))


def in_the_place_of_a_timestamp(env):
    return _in_the_place_of(env, Types.SQL_TIMESTAMP(), datetime.datetime(2020, 1, 1))


def in_the_place_of_a_date(env):
    return _in_the_place_of(env, Types.SQL_DATE(), datetime.date(2020, 1, 1))


def in_the_place_of_a_time(env):
    return _in_the_place_of(env, Types.SQL_TIME(), datetime.time(1, 2, 3))


def in_the_place_of_a_double(env):
    return _in_the_place_of(env, Types.DOUBLE(), 1.5)


def in_the_place_of_an_instant(env):
    return _in_the_place_of(env, Types.INSTANT(), Instant(1, 0))


def in_another_zone(env):
    t_env = _environment(env, "Asia/Shanghai")
    return _described(t_env.from_data_stream(_stream(env), col("k"), col("t").rowtime))


def of_elements_without_timestamps(env):
    t_env = _environment(env)
    numbers = env.from_collection([1, 2], Types.LONG())
    return _described(t_env.from_data_stream(numbers, col("v"), col("t").rowtime))


def in_windows(env):
    table = _environment(env).from_data_stream(_stream(env), col("k"), col("n"), col("t").rowtime)
    windows = table.window(Tumble.over(lit(5).seconds).on(col("t")).alias("w")).group_by(col("w"), col("k"))
    return _results(windows.select(col("k"), col("w").start, col("w").end, col("w").rowtime, col("n").sum))


def in_windows_of_a_view(env):
    t_env = _environment(env)
    t_env.create_temporary_view("v", _stream(env), col("k"), col("ts").rowtime.alias("t"))
    return _results(
        t_env.sql_query(
            "SELECT k, window_end, COUNT(*) FROM TABLE(TUMBLE(TABLE v, DESCRIPTOR(t), INTERVAL '5' SECOND)) "
            "GROUP BY k, window_start, window_end"
        )
    )


def in_windows_of_windows(env):
    table = _environment(env).from_data_stream(_stream(env), col("k"), col("n"), col("t").rowtime)
    windows = table.window(Tumble.over(lit(2).seconds).on(col("t")).alias("w")).group_by(col("w"), col("k"))
    first = windows.select(col("k"), col("w").rowtime.alias("t"), col("n").sum.alias("n"))
    again = first.window(Tumble.over(lit(4).seconds).on(col("t")).alias("w")).group_by(col("w"))
    return _results(again.select(col("w").start, col("n").sum))


def over_rows_before(env):
    table = _environment(env).from_data_stream(_stream(env), col("k"), col("n"), col("t").rowtime)
    before = Over.partition_by(col("k")).order_by(col("t")).preceding(UNBOUNDED_ROW).alias("w")
    results = _results(table.over_window(before).select(col("k"), col("t"), col("n").sum.over(col("w"))))
    return sorted(results)


def over_rows_before_by_the_clock(env):
    table = _environment(env).from_data_stream(_stream(env), col("k"), col("n"), col("p").proctime)
    before = Over.partition_by(col("k")).order_by(col("p")).preceding(UNBOUNDED_ROW).alias("w")
    return sorted(_results(table.over_window(before).select(col("k"), col("n").sum.over(col("w")))))


def as_a_stream(env):
    t_env = _environment(env)
    table = t_env.from_data_stream(_stream(env), col("k"), col("t").rowtime)
    return t_env.to_data_stream(table).process(_WithTimestamp(), Types.STRING())


def the_clock_of_windows(env):
    table = _environment(env).from_data_stream(_stream(env), col("k"), col("n"), col("t").rowtime)
    windows = table.window(Tumble.over(lit(5).seconds).on(col("t")).alias("w")).group_by(col("w"), col("k"))
    selected = windows.select(col("k"), col("w").proctime.alias("p"), col("n").sum.alias("n"))
    return _described(selected)


def the_clock_of_windows_by_the_clock(env):
    table = _environment(env).from_data_stream(_stream(env), col("k"), col("n"), col("p").proctime)
    windows = table.window(Tumble.over(lit(5).seconds).on(col("p")).alias("w")).group_by(col("w"), col("k"))
    return windows.select(col("k"), col("w").proctime.alias("p")).get_schema().get_field_names()


def the_clock_of_windows_of_rows(env):
    table = _environment(env).from_data_stream(_stream(env), col("k"), col("n"), col("p").proctime)
    windows = table.window(Tumble.over(row_interval(2)).on(col("p")).alias("w")).group_by(col("w"), col("k"))
    return _described(windows.select(col("k"), col("w").proctime.alias("p"), col("n").sum.alias("n")))


def windows_of_rows(env):
    table = _environment(env).from_data_stream(_stream(env), col("k"), col("n"), col("p").proctime)
    windows = table.window(Tumble.over(row_interval(2)).on(col("p")).alias("w")).group_by(col("w"), col("k"))
    return _results(windows.select(col("k"), col("n").sum))


def selected_rowtime(env):
    table = _environment(env).from_data_stream(_stream(env))
    return _results(table.select(col("ts").rowtime))


def selected_proctime(env):
    table = _environment(env).from_data_stream(_stream(env))
    return _results(table.select(col("ts").proctime))
