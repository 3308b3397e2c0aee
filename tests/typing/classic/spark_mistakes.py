"""The mistakes of ``flink/mistakes.py`` in PySpark, if it has a comparable operator.

Each function has the mistake of the function of the same name. Structured Streaming has the same operators as
these DataFrames.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import col, explode, struct, udf, window
from pyspark.sql.functions import sum as sum_of
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle
from pyspark.sql.types import IntegerType


def pairs(spark: SparkSession) -> DataFrame:
    return spark.createDataFrame([("a", 1), ("b", 2), ("a", 3)], "name string, number int")


def numbers(spark: SparkSession) -> DataFrame:
    return spark.createDataFrame([(1,), (2,), (3,)], "number int")


def lambda_index(spark: SparkSession) -> list[Any]:
    third: Any = udf(lambda row: row[2], "int")
    return pairs(spark).select(third(struct("*"))).collect()


def output_type(spark: SparkSession) -> list[Any]:
    name: Any = udf(lambda name: name, "int")
    return pairs(spark).select(name("name")).collect()


def reduce_type(spark: SparkSession) -> list[Any]:
    def total(frame: pd.DataFrame) -> pd.DataFrame:
        return pd.DataFrame({"name": ["total"], "number": [str(frame["number"].sum()) + " in all"]})

    return pairs(spark).groupBy("name").applyInPandas(total, "name string, number int").collect()


def union_of_types(spark: SparkSession) -> list[Any]:
    return pairs(spark).union(numbers(spark)).collect()


class Stateful(StatefulProcessor):
    """Keeps an int per key as state, and makes a mistake with it."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.last = handle.getValueState("last", "number int")
        self.seen = handle.getListState("seen", "name string")
        self.index = handle.getMapState("index", "name string", "number int")
        self.handle = handle

    def handleInputRows(
        self,
        key: Any,
        rows: Iterator[pd.DataFrame],
        timerValues: Any,  # noqa: N803
    ) -> Iterator[pd.DataFrame]:
        self.mistake(key)
        yield pd.DataFrame({"number": [1]})

    def mistake(self, key: Any) -> None:
        raise NotImplementedError

    def close(self) -> None: ...


class OtherValue(Stateful):
    def mistake(self, key: Any) -> None:
        self.last.update(("a",))


class MissingValue(Stateful):
    def mistake(self, key: Any) -> None:
        self.last.update((self.last.get()[0] + 1,))


class OtherElement(Stateful):
    def mistake(self, key: Any) -> None:
        self.seen.appendValue((1,))


class OtherEntry(Stateful):
    def mistake(self, key: Any) -> None:
        self.index.updateValue((1,), (1,))


class TimerAtATime(Stateful):
    def mistake(self, key: Any) -> None:
        self.handle.registerTimer(pd.Timedelta(seconds=1))


def _stateful(spark: SparkSession, processor: StatefulProcessor) -> list[Any]:
    spark.conf.set(
        "spark.sql.streaming.stateStore.providerClass",
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
    )
    keyed = pairs(spark).groupBy("name")
    return keyed.transformWithStateInPandas(processor, "number int", "Update", "ProcessingTime").collect()


def state_type(spark: SparkSession) -> list[Any]:
    return _stateful(spark, OtherValue())


def missing_state(spark: SparkSession) -> list[Any]:
    return _stateful(spark, MissingValue())


def list_state(spark: SparkSession) -> list[Any]:
    return _stateful(spark, OtherElement())


def map_state(spark: SparkSession) -> list[Any]:
    return _stateful(spark, OtherEntry())


def timer(spark: SparkSession) -> list[Any]:
    return _stateful(spark, TimerAtATime())


def connected_keys(spark: SparkSession) -> list[Any]:
    one, two = pairs(spark), pairs(spark).withColumnsRenamed({"name": "text", "number": "count"})
    return one.join(two, col("name") == col("count")).collect()


def misspelt_field(spark: SparkSession) -> list[Any]:
    return pairs(spark).select("nmae").collect()


def misspelt_key(spark: SparkSession) -> list[Any]:
    return pairs(spark).groupBy("nmae").count().collect()


def names_and_types(spark: SparkSession) -> list[Any]:
    return spark.createDataFrame([("a", 1)], "name string").collect()


def collection_type(spark: SparkSession) -> list[Any]:
    return spark.createDataFrame([(1, "a")], "name string, number int").collect()


def no_iterable(spark: SparkSession) -> list[Any]:
    return pairs(spark).select(explode("number")).collect()


def text_and_number(spark: SparkSession) -> list[Any]:
    return pairs(spark).select(col("name") + col("number")).collect()


def comparison(spark: SparkSession) -> list[Any]:
    return pairs(spark).filter(col("name") > 3).collect()


def function_of_another_element(spark: SparkSession) -> list[Any]:
    def length(text: str) -> int:
        return len(text)

    measured: Callable[..., Any] = udf(length, IntegerType())
    return numbers(spark).select(measured("number")).collect()


def function_as_a_class(spark: SparkSession) -> list[Any]:
    class Double:
        def __call__(self, number: int) -> int:
            return number * 2

    doubled: Any = udf(Double, "int")
    return numbers(spark).select(doubled("number")).collect()


def window_key(spark: SparkSession) -> list[Any]:
    def label(key: tuple[Any, ...], frame: pd.DataFrame) -> pd.DataFrame:
        return pd.DataFrame({"label": [f"{key[0] + 1}"]})

    return pairs(spark).groupBy("name").applyInPandas(label, "label string").collect()


def aggregate(spark: SparkSession) -> list[Any]:
    return pairs(spark).groupBy("number").agg(sum_of("name")).collect()


def event_time(spark: SparkSession) -> list[Any]:
    return pairs(spark).groupBy(window("name", "1 second")).count().collect()


def source_elements(spark: SparkSession) -> list[Any]:
    upper: Any = udf(lambda number: number.upper(), "string")
    return spark.range(1, 4).select(upper("id")).collect()


def sink_without_build(spark: SparkSession) -> list[Any]:
    with TemporaryDirectory() as directory:
        pairs(spark).write.format("json").option("path", directory)
        return os.listdir(directory)


def sum_field(spark: SparkSession) -> list[Any]:
    return pairs(spark).groupBy("name").sum("size").collect()


def swapped_inputs(spark: SparkSession) -> list[Any]:
    def text(left: pd.DataFrame, right: pd.DataFrame) -> pd.DataFrame:
        return pd.DataFrame({"name": left["name"].str.upper()})

    one, two = numbers(spark).groupBy("number"), pairs(spark).groupBy("number")
    return one.cogroup(two).applyInPandas(text, "name string").collect()
