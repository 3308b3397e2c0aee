"""Spark reads the Parquet files of a file sink, and programs read those of Spark."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as sf

from pystream.common import Configuration, Row, WatermarkStrategy
from pystream.common.typeinfo import Types
from pystream.datastream import DataStream, RuntimeExecutionMode, StreamExecutionEnvironment
from pystream.datastream.connectors import BucketAssigner, FileSink, FileSource
from pystream.datastream.formats.parquet import ParquetColumnarRowInputFormat, ParquetWriterFactory
from pystream.errors import JobExecutionError
from tests.explained import paths
from typeinfo import Instant
from typeinfo.info import TypeInformation
from typeinfo.serde import serializer_for

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
PAIR = Types.TUPLE([Types.LONG, Types.LONG])


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


def whole(rows: pd.DataFrame) -> pd.Series:
    return rows["n"].astype("int64")


def files(env: StreamExecutionEnvironment, path: Path) -> DataStream[Any]:
    source = FileSource.for_bulk_file_format(ParquetColumnarRowInputFormat(), str(path)).build()
    return env.from_source(source, WatermarkStrategy.no_watermarks(), "files")


def test_aggregations_of_files_are_native(env2: StreamExecutionEnvironment, tmp_path: Path) -> None:
    env2.set_runtime_mode(RuntimeExecutionMode.BATCH)
    numbers = pa.table({"key": [n % 3 for n in range(100)], "n": range(100), "unused": ["x"] * 100})
    (tmp_path / "day=1").mkdir()
    pq.write_table(numbers.slice(0, 50), tmp_path / "day=1" / "a b#%20[c]*{d}.parquet", row_group_size=7)
    pq.write_table(numbers.slice(50, 30), tmp_path / "b.parquet")
    pq.write_table(numbers.slice(80), tmp_path / "c.parquet")
    pq.write_table(numbers.slice(0, 0), tmp_path / "no rows.parquet")
    (tmp_path / "no bytes.parquet").touch()
    (tmp_path / "_hidden.parquet").write_text("no Parquet")
    pairs = files(env2, tmp_path).map(lambda row: (row.key, row.n), PAIR)
    sums = pairs.key_by(lambda pair: pair[0], Types.LONG).reduce(lambda a, b: (a[0], a[1] + b[1]))
    sums.set_parallelism(3)
    assert paths(sums) == ["native", "native", "native"]
    with sums.execute_and_collect() as found:
        assert sorted(found) == [(key, sum(range(key, 100, 3))) for key in range(3)]


def test_a_table_of_files_is_native_and_holds_every_type(
    env: StreamExecutionEnvironment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, rows in (("b", [FULL]), ("a", [EMPTY, FULL])):
        pq.write_table(pa.Table.from_batches([serializer_for(TYPE).to_batch(rows)]), tmp_path / name)
    known = files(env, tmp_path).filter(lambda row: row.i is None or row.i > 0)
    frame = known.to_data_frame()
    frame.explain()
    plan = capsys.readouterr().out
    assert (plan.count("MapInArrow"), plan.count("Filter")) == (1, 1)
    again = env.from_data_frame(frame)
    assert again.get_type() == TYPE
    with again.execute_and_collect() as found:
        assert list(found) == [EMPTY, FULL, FULL]


def test_what_python_would_get_back_stays_in_python(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    pq.write_table(pa.table({"n": range(5)}), tmp_path / "x")
    numbers = files(env, tmp_path).map(lambda row: row.n * 2, Types.LONG)
    assert paths(numbers) == ["arrow"]
    with numbers.execute_and_collect() as found:
        assert list(found) == [0, 2, 4, 6, 8]


def test_vectorised_functions_get_the_columns_of_a_file(
    env: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    pq.write_table(pa.table({"n": range(5000)}), tmp_path / "x")
    with files(env, tmp_path).map(whole, Types.LONG).execute_and_collect() as found:
        assert list(found) == list(range(5000))


def test_a_damaged_file_fails_as_it_does_without_lifting(
    env: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    env.set_runtime_mode(RuntimeExecutionMode.BATCH)
    pq.write_table(pa.table({"key": [1], "n": [1]}), tmp_path / "a")
    pq.write_table(pa.table({"key": ["x"], "n": [1]}), tmp_path / "b")
    pairs = files(env, tmp_path).map(lambda row: (row.key, row.n), PAIR)
    sums = pairs.key_by(lambda pair: pair[0], Types.LONG).reduce(lambda a, b: (a[0], a[1] + b[1]))
    messages = []
    for lifting in ("true", "false"):
        env.configure(Configuration.from_dict({"pystream.lifting": lifting}))
        with pytest.raises(JobExecutionError, match=f"'Source: files'.*cannot read {tmp_path}/b as") as error:
            list(sums.execute_and_collect())
        messages.append(str(error.value))
    assert messages[0] == messages[1]


def test_a_program_reads_files_of_spark(
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
