"""Spark reads the Parquet files of a file sink, and a program reads Spark's."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as sf

from pystream.common import Row, WatermarkStrategy
from pystream.common.typeinfo import Types
from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.connectors import BucketAssigner, FileSink, FileSource
from pystream.datastream.formats.parquet import ParquetColumnarRowInputFormat, ParquetWriterFactory
from typeinfo import Instant
from typeinfo.info import TypeInformation

FIELDS: dict[str, TypeInformation[Any]] = {
    "i": Types.INT,
    "s": Types.STRING,
    "ts": Types.SQL_TIMESTAMP,
    "instant": Types.INSTANT,
    "date": Types.SQL_DATE,
    "time": Types.SQL_TIME,
    "dec": Types.BIG_DEC,
    "big": Types.BIG_INT,
    "bytes": Types.PRIMITIVE_ARRAY(Types.BYTE),
    "list": Types.LIST(Types.STRING),
    "map": Types.MAP(Types.STRING, Types.LONG),
    "row": Types.ROW_NAMED(["a"], [Types.SHORT]),
}
TYPE = Types.ROW_NAMED(list(FIELDS), list(FIELDS.values()))
FULL = Row(
    i=1,
    s="é",
    ts=dt.datetime(2020, 1, 2, 3, 4, 5, 6),
    instant=Instant(1_577_934_245, 6000),
    date=dt.date(1900, 1, 2),
    time=dt.time(3, 4, 5, 6),
    dec=Decimal("1.25"),
    big=10**30,
    bytes=b"\x00\xff",
    list=["x", "y"],
    map={"k": 1},
    row=Row(a=7),
)
EMPTY = Row(**dict.fromkeys(FIELDS))


@pytest.fixture
def times(spark: SparkSession) -> Iterator[None]:
    """Spark reads columns of times only where it is told to."""
    spark.conf.set("spark.sql.timeType.enabled", "true")
    yield
    spark.conf.unset("spark.sql.timeType.enabled")


@pytest.mark.usefixtures("times")
def test_spark_reads_every_type_and_null(
    env: StreamExecutionEnvironment, spark: SparkSession, tmp_path: Path
) -> None:
    sink = FileSink.for_bulk_format(str(tmp_path), ParquetWriterFactory())
    sink.with_bucket_assigner(BucketAssigner.base_path_bucket_assigner())
    env.from_collection([FULL, EMPTY], TYPE).sink_to(sink.build())
    env.execute()
    frame = spark.read.parquet(str(tmp_path))
    assert dict(frame.dtypes) == {
        "i": "int",
        "s": "string",
        "ts": "timestamp_ntz",
        "instant": "timestamp",
        "date": "date",
        "time": "time(6)",
        "dec": "decimal(38,18)",
        "big": "decimal(38,0)",
        "bytes": "binary",
        "list": "array<string>",
        "map": "map<string,bigint>",
        "row": "struct<a:smallint>",
    }
    texts = [sf.col(name).cast("string").alias(name) for name in ("ts", "date", "time", "dec", "big")]
    micros = sf.unix_micros("instant").alias("instant")
    full, empty = (
        frame.orderBy(sf.col("i").desc())
        .select("i", "s", "bytes", "list", "map", "row.a", *texts, micros)
        .collect()
    )
    assert full.asDict() == {
        "i": 1,
        "s": "é",
        "bytes": bytearray(b"\x00\xff"),
        "list": ["x", "y"],
        "map": {"k": 1},
        "a": 7,
        "ts": "2020-01-02 03:04:05.000006",
        "date": "1900-01-02",
        "time": "03:04:05.000006",
        "dec": "1.250000000000000000",
        "big": str(10**30),
        "instant": 1_577_934_245_000_006,
    }
    assert set(empty.asDict().values()) == {None}


def test_a_program_reads_what_spark_wrote(
    env2: StreamExecutionEnvironment, spark: SparkSession, tmp_path: Path
) -> None:
    spark.range(1000).selectExpr("id", "cast(id AS string) AS text").repartition(3).write.parquet(
        f"{tmp_path}/in"
    )
    source = FileSource.for_bulk_file_format(ParquetColumnarRowInputFormat(), f"{tmp_path}/in").build()
    stream = env2.from_source(source, WatermarkStrategy.no_watermarks(), "parquet")
    assert stream.get_type() == Types.ROW_NAMED(["id", "text"], [Types.LONG, Types.STRING])
    with stream.map(
        lambda row: (row.id, row["text"]), Types.TUPLE([Types.LONG, Types.STRING])
    ).execute_and_collect() as found:
        assert sorted(found) == [(n, str(n)) for n in range(1000)]
