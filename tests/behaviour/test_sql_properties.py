"""SQL aggregates against the operators of streams, on the same random rows."""

from __future__ import annotations

import datetime
import random
from collections.abc import Iterable
from typing import Any

from pystream.common import Time, Types, WatermarkStrategy
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import ProcessWindowFunction, StreamExecutionEnvironment
from pystream.datastream.window import TumblingEventTimeWindows
from pystream.table import StreamTableEnvironment

START = datetime.datetime(2020, 1, 1)
ROW = Types.ROW_NAMED(
    ["sample", "k", "v", "ts"], [Types.INT(), Types.STRING(), Types.INT(), Types.SQL_TIMESTAMP()]
)
RESULT = Types.PICKLED_BYTE_ARRAY()


def samples(count: int) -> list[tuple[int, str, int, datetime.datetime]]:
    """Return rows of several data sets, which a column tells apart."""
    chance = random.Random(7)
    return [
        (
            sample,
            chance.choice("abc"),
            chance.randint(-100, 100),
            START + datetime.timedelta(milliseconds=chance.choice([0, 1, 999, 1000, 59_999, 60_000, 90_000])),
        )
        for sample in range(count)
        for _ in range(chance.randint(0, 12))
    ]


def summary(values: list[int]) -> tuple[int, int, int, int, int]:
    """Return what the queries select: the mean of integers is cut to an integer."""
    return len(values), sum(values), min(values), max(values), int(sum(values) / len(values))


class Times(TimestampAssigner):
    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        return round((value[3] - START).total_seconds() * 1000)


class Summary(ProcessWindowFunction[Any, Any, Any, Any]):
    def process(self, key: Any, context: Any, elements: Iterable[Any]) -> Iterable[Any]:
        start = START + datetime.timedelta(milliseconds=context.window().start)
        yield (*key, start, *summary([row[2] for row in elements]))


def test_aggregates_are_those_of_streams(env: StreamExecutionEnvironment) -> None:
    rows = samples(40)
    t_env = StreamTableEnvironment.create(env)
    stream = env.from_collection(rows, ROW)
    t_env.create_temporary_view("samples", stream)
    aggregates = "COUNT(*), SUM(v), MIN(v), MAX(v), AVG(v)"
    groups = t_env.sql_query(f"SELECT sample, k, {aggregates} FROM samples GROUP BY sample, k")
    windows = t_env.sql_query(
        f"SELECT sample, k, window_start, {aggregates} "
        "FROM TABLE(TUMBLE(TABLE samples, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) "
        "GROUP BY sample, k, window_start, window_end"
    )
    counted = (
        stream.map(lambda row: ((row[0], row[1]), [row[2]]), RESULT)
        .key_by(lambda pair: pair[0])
        .reduce(lambda a, b: (a[0], a[1] + b[1]))
        .map(lambda pair: (*pair[0], *summary(pair[1])), RESULT)
    )
    timed = (
        stream.assign_timestamps_and_watermarks(
            WatermarkStrategy.for_bounded_out_of_orderness(_minutes(10)).with_timestamp_assigner(Times())
        )
        .key_by(lambda row: (row[0], row[1]))
        .window(TumblingEventTimeWindows.of(Time.minutes(1)))
        .process(Summary(), RESULT)
    )
    for table, results in ((groups, counted), (windows, timed)):
        with table.execute().collect() as found, results.execute_and_collect() as expected:
            latest = {row[:-5]: row for row in expected}  # streams also give the sums before the last
            assert sorted(map(tuple, found)) == sorted(latest.values())


def _minutes(count: int) -> Any:
    from pystream.common import Duration

    return Duration.of_minutes(count)


def test_conditions_of_hundreds_of_operands(env: StreamExecutionEnvironment) -> None:
    chosen, numbers = range(0, 1_200, 3), range(0, 2_000, 7)
    t_env = StreamTableEnvironment.create(env)
    t_env.create_temporary_view("numbers", env.from_collection([*numbers], Types.INT()))
    condition = " OR ".join(f"f0 = {number}" for number in chosen)
    found = t_env.sql_query(f"SELECT f0 FROM numbers WHERE {condition}").execute().collect()
    assert sorted(row[0] for row in found) == [number for number in numbers if number in chosen]
