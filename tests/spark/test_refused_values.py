"""Values that Python cannot represent: native operators that read them fail, as Python does."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import Any
from unittest import TestCase

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from pystream.common import Configuration, Types
from pystream.datastream import DataStream, StreamExecutionEnvironment
from pystream.errors import JobExecutionError
from tests.explained import paths
from typeinfo.errors import TypeCheckError
from typeinfo.formats.spark import from_spark_schema
from typeinfo.serde import serializer_for

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
    """Require that a native job fails, restarts in Python, and fails there as it does without lifting."""
    assert set(paths(stream)) == {"native"}
    with (
        TestCase().assertLogs("pystream.hosts.spark.job", "WARNING") as logs,
        pytest.raises(JobExecutionError, match=message),
    ):
        list(stream.execute_and_collect())
    assert "restarts in Python" in logs.output[0]


def fails_in_spark(stream: DataStream[Any], fault: str = "text that is not valid UTF-8") -> None:
    """Require that a native stream fails as a table, which cannot restart in Python."""
    assert set(paths(stream)) == {"native"}
    with pytest.raises(PySparkException, match=f"column 'held' holds {fault}"):
        stream.to_data_frame().collect()


def fails_in_python(frame: DataFrame, message: str) -> None:
    """Require that workers refuse to read a table that they are sent as Arrow batches."""
    batches = frame.toArrow().to_batches()
    with pytest.raises(TypeCheckError, match=message):
        [list(serializer_for(from_spark_schema(frame.schema)).from_batch(batch)) for batch in batches]


@pytest.mark.parametrize("holder", HOLDERS.values(), ids=HOLDERS)
def test_invalid_text_that_is_read_fails(spark: SparkSession, holder: Callable[[Column], Column]) -> None:
    frame = table(spark, holder, F.expr(INVALID).cast("string"))
    fails_in_spark(environment().from_data_frame(frame).filter(used))
    fails_in_python(frame, DOES_NOT_FIT)


def test_a_job_that_reads_invalid_text_fails_as_without_lifting(spark: SparkSession) -> None:
    frame = table(spark, HOLDERS["text"], F.expr(INVALID).cast("string"))
    fails_in_both_ways(environment().from_data_frame(frame).filter(used), DOES_NOT_FIT)
    stream = environment(lifting="false").from_data_frame(frame).filter(used)
    assert paths(stream) == ["typed"]
    with pytest.raises(JobExecutionError, match=DOES_NOT_FIT):
        list(stream.execute_and_collect())


def test_valid_text_and_nulls_pass(spark: SparkSession) -> None:
    text = F.when(F.col("id") == 1, F.lit("日本")).when(F.col("id") == 0, F.lit("é"))
    columns = (holder(text).alias(f"c{n}") for n, holder in enumerate(HOLDERS.values()))
    rows = environment().from_data_frame(spark.range(3).select("id", *columns))
    parts = rows.map(lambda row: (row.id, row.c0, row.c1 is None, row.c3 is None, row.c4 is None))
    structs = rows.filter(lambda row: row.c2.s is None and row.c5[0].s is None)
    assert paths(parts) + paths(structs) == ["native", "native"]
    nothing_null = (False, False, False)
    assert sorted(parts.filter(lambda part: part[0] < 9).execute_and_collect(), key=repr) == [
        (0, "é", *nothing_null),
        (1, "日本", *nothing_null),
        (2, None, *nothing_null),
    ]
    assert [row.id for row in structs.execute_and_collect()] == [2]


def test_what_is_computed_of_invalid_text_fails(spark: SparkSession) -> None:
    frame = table(spark, HOLDERS["text"], F.expr(INVALID).cast("string"))
    fails_in_spark(environment().from_data_frame(frame).map(lambda row: len(row.held or ""), Types.LONG()))


def test_text_that_is_not_read_is_not_checked(spark: SparkSession) -> None:
    frame = table(spark, HOLDERS["text"], F.expr(INVALID).cast("string"))
    stream = environment().from_data_frame(frame).map(lambda row: row.id + len(row.other), Types.LONG())
    assert paths(stream) == ["native"]
    assert sorted(stream.execute_and_collect()) == [6, 7, 8]


def test_text_that_is_only_passed_through_is_not_checked(spark: SparkSession) -> None:
    frame = table(spark, HOLDERS["text"], F.expr(INVALID).cast("string"))
    pair = Types.TUPLE([Types.LONG(), Types.STRING()])
    pairs = environment().from_data_frame(frame).map(lambda row: (row.id + 1, row.held), pair)
    assert pairs.to_data_frame().select(F.sum("f0")).collect()[0][0] == 6


@pytest.mark.parametrize(
    "lengths",
    [
        lambda stream: stream.map(lambda row: (row.held, row.id)).map(lambda pair: len(pair[0] or "")),
        lambda stream: stream.map(lambda row: (row.held or "") + "!").map(len),
        lambda stream: stream.map(lambda row: (row.id, row.held) == (1, "a")),
    ],
    ids=["passed through", "concatenated", "compared in a tuple"],
)
def test_invalid_text_fails_in_every_computation(spark: SparkSession, lengths: Callable[[Any], Any]) -> None:
    frame = table(spark, HOLDERS["text"], F.expr(INVALID).cast("string"))
    fails_in_spark(lengths(environment().from_data_frame(frame)))


def test_invalid_text_in_a_list_fails_where_it_is_computed_with(spark: SparkSession) -> None:
    frame = table(spark, HOLDERS["text"], F.expr(INVALID).cast("string"))
    lists = environment().from_data_frame(frame).map(lambda row: [row.held or ""])
    fails_in_both_ways(lists.map(lambda parts: len(parts[0])), DOES_NOT_FIT)


def test_invalid_text_stays_invalid_beside_a_constant(spark: SparkSession) -> None:
    frame = table(spark, HOLDERS["text"], F.expr(INVALID).cast("string"))
    fails_in_spark(environment().from_data_frame(frame).map(lambda row: "<" + (row.held or "") + ">"))


def test_halves_of_a_character_do_not_make_one(spark: SparkSession) -> None:
    halves = spark.sql("select cast(x'c3' as string) as first, cast(x'a9' as string) as second")
    joined = environment().from_data_frame(halves).map(lambda row: row.first + row.second)
    fails_in_both_ways(joined, r"b'\\xc3' of Arrow type string does not fit STRING")


@pytest.fixture(scope="module")
def texts(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the path of a Parquet file with invalid text."""
    path = str(tmp_path_factory.mktemp("texts") / "texts")
    table(spark, HOLDERS["text"], F.expr(INVALID).cast("string")).coalesce(1).write.parquet(path)
    return path


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
    spark: SparkSession, texts: str, kept: Callable[[Any], Any]
) -> None:
    fails_in_spark(kept(environment().from_data_frame(spark.read.parquet(texts))))


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
    fails_in_spark(environment().from_data_frame(frame).map(year), "a date outside of the years 1 to 9999")
    fails_in_python(frame, r"does not fit (Date|Timestamp)TypeInfo")


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


def test_a_job_that_reads_such_a_date_fails_as_without_lifting(spark: SparkSession) -> None:
    frame = spark.sql("select make_date(10000, 1, 1) as held")
    years = environment().from_data_frame(frame).map(lambda row: row.held.year, Types.LONG())
    fails_in_both_ways(years, "does not fit DateTypeInfo")
