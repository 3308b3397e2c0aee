"""Values of a table that Python refuses: read by lifted functions, they fail as they do in Python."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any
from unittest import TestCase

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from pystream.common import Configuration, Types
from pystream.datastream import DataStream, StreamExecutionEnvironment
from pystream.errors import JobExecutionError
from tests.explained import paths

INVALID = "unhex('ff61')"
DOES_NOT_FIT = r"b'\\xffa' of Arrow type string does not fit STRING"
HOLDERS: dict[str, Callable[[Column], Column]] = {
    "text": lambda text: text,
    "array": lambda text: F.array(F.lit("x"), F.lit(None), text),
    "struct": lambda text: F.struct(F.lit(1).alias("n"), text.alias("s")),
    "keys": lambda text: F.create_map(F.coalesce(text, F.lit("none")), F.lit(1)),
    "values": lambda text: F.create_map(F.lit("k"), text),
    "array of structs": lambda text: F.array(F.struct(text.alias("s"))),
}


def table(spark: SparkSession, holder: Callable[[Column], Column], text: Column) -> DataFrame:
    row = F.col("id")
    whole = F.when(row == 1, text).when(row == 2, F.lit(None)).otherwise(F.lit("é"))
    return spark.range(3).select("id", holder(whole).alias("held"), F.lit("unread").alias("other"))


def environment(**settings: str) -> StreamExecutionEnvironment:
    configuration = Configuration()
    for key, value in settings.items():
        configuration.set_string(f"pystream.{key}", value)
    return StreamExecutionEnvironment.get_execution_environment(configuration)


def used(row: Any) -> bool:
    return row.held is not None


def fails_in_both_ways(stream: DataStream[Any], message: str) -> None:
    """Require that a native job fails, begins anew in Python, and fails there as it does without lifting."""
    assert set(paths(stream)) == {"native"}
    with (
        TestCase().assertLogs("pystream.hosts.spark.job", "WARNING") as logs,
        pytest.raises(JobExecutionError, match=message),
    ):
        list(stream.execute_and_collect())
    assert "restarts in Python" in logs.output[0]


@pytest.mark.parametrize("holder", HOLDERS.values(), ids=HOLDERS)
def test_invalid_text_that_is_read_fails(spark: SparkSession, holder: Callable[[Column], Column]) -> None:
    frame = table(spark, holder, F.expr(INVALID).cast("string"))
    fails_in_both_ways(environment().from_data_frame(frame).filter(used), DOES_NOT_FIT)


def test_invalid_text_that_is_read_fails_without_lifting(spark: SparkSession) -> None:
    frame = table(spark, HOLDERS["text"], F.expr(INVALID).cast("string"))
    stream = environment(lifting="false").from_data_frame(frame).filter(used)
    assert paths(stream) == ["typed"]
    with pytest.raises(JobExecutionError, match=DOES_NOT_FIT):
        list(stream.execute_and_collect())


@pytest.mark.parametrize("holder", HOLDERS.values(), ids=HOLDERS)
def test_valid_text_and_nulls_pass(spark: SparkSession, holder: Callable[[Column], Column]) -> None:
    stream = environment().from_data_frame(table(spark, holder, F.lit("日本"))).filter(used)
    assert paths(stream) == ["native"]
    kept = {row.id for row in stream.execute_and_collect()}
    assert kept == ({0, 1} if holder is HOLDERS["text"] else {0, 1, 2})


def test_what_is_computed_of_invalid_text_fails(spark: SparkSession) -> None:
    frame = table(spark, HOLDERS["text"], F.expr(INVALID).cast("string"))
    lengths = environment().from_data_frame(frame).map(lambda row: len(row.held or ""), Types.LONG())
    fails_in_both_ways(lengths, DOES_NOT_FIT)


def test_text_that_is_not_read_is_not_looked_at(spark: SparkSession) -> None:
    frame = table(spark, HOLDERS["text"], F.expr(INVALID).cast("string"))
    stream = environment().from_data_frame(frame).map(lambda row: row.id + len(row.other), Types.LONG())
    assert paths(stream) == ["native"]
    assert sorted(stream.execute_and_collect()) == [6, 7, 8]


def test_text_that_is_only_handed_on_is_not_looked_at(spark: SparkSession) -> None:
    frame = table(spark, HOLDERS["text"], F.expr(INVALID).cast("string"))
    pair = Types.TUPLE([Types.LONG(), Types.STRING()])
    pairs = environment().from_data_frame(frame).map(lambda row: (row.id + 1, row.held), pair)
    assert pairs.to_data_frame().select(F.sum("f0")).collect()[0][0] == 6


@pytest.mark.parametrize(
    "lengths",
    [
        lambda stream: stream.map(lambda row: (row.held, row.id)).map(lambda pair: len(pair[0] or "")),
        lambda stream: stream.map(lambda row: [row.held or ""]).map(lambda parts: len(parts[0])),
        lambda stream: stream.map(lambda row: (row.held or "") + "!").map(len),
        lambda stream: stream.map(lambda row: (row.id, row.held) == (1, "a")),
    ],
    ids=["handed on", "in a list", "concatenated", "compared in a tuple"],
)
def test_invalid_text_fails_wherever_it_is_computed_with(
    spark: SparkSession, lengths: Callable[[Any], Any]
) -> None:
    frame = table(spark, HOLDERS["text"], F.expr(INVALID).cast("string"))
    fails_in_both_ways(lengths(environment().from_data_frame(frame)), DOES_NOT_FIT)


def test_invalid_text_stays_invalid_beside_a_constant(spark: SparkSession) -> None:
    frame = table(spark, HOLDERS["text"], F.expr(INVALID).cast("string"))
    marked = environment().from_data_frame(frame).map(lambda row: "<" + (row.held or "") + ">")
    fails_in_both_ways(marked, DOES_NOT_FIT)


def test_halves_of_a_character_do_not_make_one(spark: SparkSession) -> None:
    halves = spark.sql("select cast(x'c3' as string) as first, cast(x'a9' as string) as second")
    joined = environment().from_data_frame(halves).map(lambda row: row.first + row.second)
    fails_in_both_ways(joined, r"b'\\xc3' of Arrow type string does not fit STRING")


@pytest.mark.parametrize(
    "kept",
    [
        lambda stream: stream.filter(lambda row: row.held == "a"),
        lambda stream: stream.filter(lambda row: row.held is None),
        lambda stream: stream.map(lambda row: len(row.held or "")).filter(lambda length: length == 99),
        lambda stream: stream.filter(lambda row: row.held != "b").filter(lambda row: row.id == 99),
    ],
    ids=["by text", "by null", "by what is computed", "twice"],
)
def test_filters_that_drop_invalid_text_compute_with_it(
    spark: SparkSession, tmp_path: Path, kept: Callable[[Any], Any]
) -> None:
    path = str(tmp_path / "texts")
    table(spark, HOLDERS["text"], F.expr(INVALID).cast("string")).coalesce(1).write.parquet(path)
    fails_in_both_ways(kept(environment().from_data_frame(spark.read.parquet(path))), DOES_NOT_FIT)


def byte_lengths(rows: pa.RecordBatch) -> pa.Int32Array:
    return pc.binary_length(rows.column("held"))


def damaged(numbers: pa.Int64Array) -> pa.StringArray:
    return pa.array([b"\xff"] * len(numbers)).view(pa.string())


def test_vectorised_functions_are_not_called_with_invalid_text(spark: SparkSession) -> None:
    frame = table(spark, HOLDERS["text"], F.expr(INVALID).cast("string"))
    lengths = environment().from_data_frame(frame).map(byte_lengths, Types.INT())
    assert paths(lengths) == ["vectorised"]
    with pytest.raises(JobExecutionError, match=DOES_NOT_FIT):
        list(lengths.execute_and_collect())


def test_invalid_text_is_an_error_of_the_vectorised_function_that_returns_it(spark: SparkSession) -> None:
    texts = environment().generate_sequence(1, 3).map(damaged, Types.STRING())
    assert paths(texts) == ["vectorised"]
    with pytest.raises(JobExecutionError, match=r"operator 'Map' .*damaged.*b'\\xff' of Arrow type string"):
        list(texts.execute_and_collect())


def test_a_table_of_the_engine_names_the_column(spark: SparkSession) -> None:
    frame = table(spark, HOLDERS["text"], F.expr(INVALID).cast("string"))
    lengths = environment().from_data_frame(frame).map(lambda row: len(row.held or ""), Types.LONG())
    with pytest.raises(Exception, match="column 'held' holds text that is not valid UTF-8"):
        lengths.to_data_frame().collect()


@pytest.mark.parametrize(
    ("expression", "year"),
    [
        ("make_date(10000, 1, 1)", lambda row: row.held.year),
        ("make_date(0, 12, 31)", lambda row: row.held.year),
        ("make_timestamp_ntz(10000, 1, 1, 0, 0, 0)", lambda row: row.held.year),
        ("array(current_date(), make_date(10000, 1, 1))", lambda row: [day.year for day in row.held]),
        ("named_struct('day', make_date(10000, 1, 1))", lambda row: row.held.day.year),
    ],
)
def test_dates_that_python_does_not_have_fail(
    spark: SparkSession, expression: str, year: Callable[[Any], Any]
) -> None:
    frame = spark.range(1).select(F.expr(expression).alias("held"))
    fails_in_both_ways(
        environment().from_data_frame(frame).map(year), r"does not fit (Date|Timestamp)TypeInfo"
    )


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Pacific/Kiritimati"])
def test_the_first_and_the_last_date_of_python_pass(spark: SparkSession, zone: str) -> None:
    held = [
        (datetime.min, date.min),
        (datetime.max, date.max),
    ]
    before = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", zone)
    try:
        frame = spark.createDataFrame(held, "time timestamp_ntz, day date")
        years = environment().from_data_frame(frame).map(lambda row: (row.time.year, row.day.year))
        assert paths(years) == ["native"]
        assert sorted(years.execute_and_collect()) == [(1, 1), (9999, 9999)]
    finally:
        spark.conf.set("spark.sql.session.timeZone", before)


def test_a_table_of_the_engine_names_the_column_of_a_date(spark: SparkSession) -> None:
    frame = spark.sql("select make_date(10000, 1, 1) as held")
    years = environment().from_data_frame(frame).map(lambda row: row.held.year, Types.LONG())
    with pytest.raises(Exception, match="column 'held' holds a date outside of the years 1 to 9999"):
        years.to_data_frame().collect()
