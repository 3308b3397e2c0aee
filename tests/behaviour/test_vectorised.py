"""Batch functions, which are called once per batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from pyspark.sql import SparkSession

from pystream.common import Row, Time, Types, WatermarkStrategy
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import (
    AllWindowFunction,
    DataStream,
    MapFunction,
    ProcessFunction,
    ProcessWindowFunction,
    RuntimeContext,
    RuntimeExecutionMode,
    StreamExecutionEnvironment,
    WindowFunction,
)
from pystream.datastream.window import TumblingEventTimeWindows
from pystream.errors import JobExecutionError

LONG, STRING, DOUBLE = Types.LONG(), Types.STRING(), Types.DOUBLE()
SALE = Types.ROW_NAMED(["item", "price", "time"], [STRING, LONG, LONG])


def odd(batch: pd.Series) -> pd.Series:
    return batch * 2 + 1


def large(batch: pa.Array) -> pa.Array:
    return pc.greater(batch, 10)


def priced(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.assign(price=rows["price"] + 1)


def items(rows: pd.DataFrame) -> pd.Series:
    return rows["item"]


def twice(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.loc[rows.index.repeat(2)]


class OwnTime(TimestampAssigner):
    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        return int(value.time)


class Spread(ProcessWindowFunction[Any, Any, Any, Any]):
    def process(self, key: Any, context: Any, elements: pd.DataFrame) -> Iterable[Any]:
        yield key, context.window().start, int(elements["price"].max() - elements["price"].min())


class Total(WindowFunction[Any, Any, Any, Any]):
    def apply(self, key: Any, window: Any, inputs: pa.RecordBatch) -> Iterable[Any]:
        return [(key, window.start, pc.sum(inputs.column("price")).as_py())]


class Count(AllWindowFunction[Any, Any, Any]):
    def apply(self, window: Any, inputs: pd.DataFrame) -> Iterable[Any]:
        yield window.start, len(inputs)


class Stamp(ProcessFunction[Any, Any]):
    def process_element(self, value: Any, ctx: Any) -> Iterator[Any]:
        yield value.price, ctx.timestamp()


SALES = [
    Row(item="tea", price=3, time=1),
    Row(item="rum", price=20, time=4),
    Row(item="tea", price=8, time=9),
    Row(item="tea", price=5, time=12),
]
WINDOW = Types.TUPLE((STRING, LONG, LONG))


def collected(stream: DataStream[Any]) -> list[Any]:
    with stream.execute_and_collect() as found:
        return list(found)


def timed(env: StreamExecutionEnvironment) -> DataStream[Any]:
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(OwnTime())
    return env.from_collection(SALES, SALE).assign_timestamps_and_watermarks(strategy)


def test_from_a_table_to_a_table(env: StreamExecutionEnvironment, spark: SparkSession) -> None:
    longs = env.generate_sequence(0, 9).to_data_frame()
    frame = env.from_data_frame(longs).map(odd, LONG).filter(large).to_data_frame()
    assert [row.value for row in frame.collect()] == [11, 13, 15, 17, 19]
    assert frame.schema == longs.schema


class Place(MapFunction[Any, Any]):
    """Emits the subtask of each element."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.index = runtime_context.get_index_of_this_subtask()

    def map(self, value: Any) -> Any:
        return value[0], self.index


def test_partitions_of_a_table_have_their_own_subtasks_beside_other_tables(
    env2: StreamExecutionEnvironment, spark: SparkSession
) -> None:
    placed = []
    for first, parts in ((0, 1), (10, 2)):
        table = spark.range(first, first + 6, 1, parts)
        placed.append(env2.from_data_frame(table).map(Place(), Types.TUPLE((LONG, LONG))))
    found = dict(collected(placed[0].union(placed[1]).rebalance().filter(bool)))
    assert sorted(found) == [*range(6), *range(10, 16)]
    assert len({found[number] for number in range(6)}) == 1
    halves = {found[number] for number in (10, 11, 12)}, {found[number] for number in (13, 14, 15)}
    assert halves in (({0}, {1}), ({1}, {0}))


def test_columns_with_nulls_stay_integers(env: StreamExecutionEnvironment, spark: SparkSession) -> None:
    frame = spark.createDataFrame([(2**62 + 1, "a"), (None, "b")], "price long, item string")
    given = env.from_data_frame(frame).map(priced, output_type=env.from_data_frame(frame).get_type())
    assert collected(given) == [Row(price=2**62 + 2, item="a"), Row(price=None, item="b")]


def test_many_batches_in_several_subtasks(env2: StreamExecutionEnvironment) -> None:
    stream = env2.generate_sequence(0, 49_999).map(odd, LONG).filter(large)
    assert sorted(collected(stream)) == list(range(11, 100_000, 2))


def test_vectorised_functions_can_be_combined_with_functions_of_one_element(
    env: StreamExecutionEnvironment,
) -> None:
    numbers = env.from_collection(list(range(8)), LONG)
    stream = numbers.map(lambda n: n + 1, LONG).map(odd, LONG).filter(lambda n: n % 3 == 0).map(odd, LONG)
    assert collected(stream) == [2 * n + 1 for n in (3, 9, 15)]


def added(one: Any, other: Any) -> Any:
    return Row(item=one.item, price=one.price + other.price, time=other.time)


@pytest.mark.parametrize("mode", [RuntimeExecutionMode.STREAMING, RuntimeExecutionMode.BATCH])
def test_key_selectors_can_be_vectorised(env: StreamExecutionEnvironment, mode: RuntimeExecutionMode) -> None:
    env.set_runtime_mode(mode)
    sales = env.from_collection(SALES, SALE)
    sums = sales.key_by(items, STRING).reduce(added).set_parallelism(2)
    rolling = [("rum", 20), ("tea", 3), ("tea", 11), ("tea", 16)]
    expected = rolling if mode is RuntimeExecutionMode.STREAMING else [rolling[0], rolling[-1]]
    assert sorted((row.item, row.price) for row in collected(sums)) == expected


def test_functions_of_a_keyed_stream_can_be_vectorised(env2: StreamExecutionEnvironment) -> None:
    mapped = env2.from_collection(SALES, SALE).key_by(items, STRING).map(priced, SALE)
    assert sorted(row.price for row in collected(mapped)) == [4, 6, 9, 21]


@pytest.mark.parametrize("mode", [RuntimeExecutionMode.STREAMING, RuntimeExecutionMode.BATCH])
def test_window_functions_can_be_vectorised(
    env2: StreamExecutionEnvironment, mode: RuntimeExecutionMode
) -> None:
    env2.set_runtime_mode(mode)
    windows = (
        timed(env2.set_parallelism(1))
        .key_by(items, STRING)
        .window(TumblingEventTimeWindows.of(Time.milliseconds(10)))
    )
    spread = [("rum", 0, 0), ("tea", 0, 5), ("tea", 10, 0)]
    assert sorted(collected(windows.process(Spread(), WINDOW))) == spread
    assert sorted(collected(windows.apply(Total(), WINDOW))) == [
        ("rum", 0, 20),
        ("tea", 0, 11),
        ("tea", 10, 5),
    ]


def test_functions_of_non_keyed_windows_can_be_vectorised(env: StreamExecutionEnvironment) -> None:
    windows = timed(env).window_all(TumblingEventTimeWindows.of(Time.milliseconds(10)))
    assert collected(windows.apply(Count(), Types.TUPLE((LONG, LONG)))) == [(0, 3), (10, 1)]


def test_elements_keep_their_timestamps(env: StreamExecutionEnvironment) -> None:
    stream = timed(env).map(priced, SALE).flat_map(twice, SALE).process(Stamp(), Types.TUPLE((LONG, LONG)))
    assert collected(stream) == [(4, 1), (4, 1), (21, 4), (21, 4), (9, 9), (9, 9), (6, 12), (6, 12)]


def test_a_failure_names_function_and_batch(env: StreamExecutionEnvironment) -> None:
    def broken(batch: pd.Series) -> pd.Series:
        raise ZeroDivisionError("oh")

    with pytest.raises(JobExecutionError, match="ZeroDivisionError: oh") as failed:
        collected(env.from_collection([3, 4], LONG).map(broken, LONG))
    message = str(failed.value)
    assert "broken at " in message
    assert "in a batch of 2 elements, the first of them 3" in message
    assert 'raise ZeroDivisionError("oh")' in message


@pytest.mark.spark_only("data frames are Spark's")
def test_a_result_that_does_not_fit_its_type_is_refused(env: StreamExecutionEnvironment) -> None:
    def halved(batch: pd.Series) -> pd.Series:
        return batch / 2

    longs = env.generate_sequence(0, 3).to_data_frame()
    with pytest.raises(JobExecutionError, match="float64") as failed:
        collected(env.from_data_frame(longs).map(halved, LONG))
    assert "in a batch of 4 elements, the first of them 0" in str(failed.value)
