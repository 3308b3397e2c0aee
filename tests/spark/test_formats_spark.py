"""Values of every type in Spark: between driver, workers and Parquet files."""

from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, SparkSession

from typeinfo import Instant, Row, TypeInformation, Types
from typeinfo.extended import OptionalTypeInfo
from typeinfo.formats.arrow import erased, from_arrow_schema, spark_layout
from typeinfo.formats.spark import from_spark_schema, to_spark_schema
from typeinfo.row import make_row
from typeinfo.serde import serializer_for


class Color(enum.Enum):
    RED = 1


@dataclass
class Point:
    x: int
    y: float | None
    color: Color


# Instants around a change to summer time, before 1970, and local times that some zone skips.
COLUMNS: dict[str, tuple[TypeInformation[Any], list[Any]]] = {
    "void": (Types.VOID, [None]),
    "boolean": (Types.BOOLEAN, [True, False]),
    "byte": (Types.BYTE, [-128, 127]),
    "short": (Types.SHORT, [-(2**15), 2**15 - 1]),
    "int": (Types.INT, [-(2**31), 2**31 - 1]),
    "long": (Types.LONG, [-(2**63), 2**63 - 1]),
    "float": (Types.FLOAT, [0.10000000149011612, -0.0, float("inf")]),
    "double": (Types.DOUBLE, [0.1, -0.0, 5e-324]),
    "string": (Types.STRING, ["", "ä\0", "😀"]),
    "char": (Types.CHAR, ["a", "😀"]),
    "big int": (Types.BIG_INT, [10**38 - 1, 1 - 10**38]),
    "big dec": (Types.BIG_DEC, [Decimal("99999999999999999999.999999999999999999")]),
    "uuid": (Types.UUID, [UUID(int=2**128 - 1)]),
    "duration": (
        Types.DURATION,
        [dt.timedelta(days=-1, microseconds=1), dt.timedelta(microseconds=2**63 - 1)],
    ),
    "instant": (Types.INSTANT, [Instant(0), Instant(1616891400), Instant(-1, 1000), Instant(-62135596800)]),
    "sql date": (Types.SQL_DATE, [dt.date.min, dt.date(1969, 12, 31), dt.date.max]),
    "sql time": (Types.SQL_TIME, [dt.time.min, dt.time.max]),
    "sql timestamp": (
        Types.SQL_TIMESTAMP,
        [dt.datetime.min, dt.datetime(2021, 3, 14, 2, 30), dt.datetime.max],
    ),
    "local date": (Types.LOCAL_DATE, [dt.date(1500, 2, 28)]),
    "local time": (Types.LOCAL_TIME, [dt.time(23, 59, 59, 999_999)]),
    "local date time": (Types.LOCAL_DATE_TIME, [dt.datetime(1969, 12, 31, 23, 59, 59, 999_999)]),
    "pickled": (Types.PICKLED_BYTE_ARRAY, [{"any": [object]}, 5]),
    "bytes": (Types.PRIMITIVE_ARRAY(Types.BYTE), [b"", b"\xff\0"]),
    "array": (Types.PRIMITIVE_ARRAY(Types.INT), [[], [1, 2]]),
    "basic array": (Types.BASIC_ARRAY(Types.STRING), [[None, "a"]]),
    "object array": (Types.OBJECT_ARRAY(Types.TUPLE([Types.INT])), [[(1,), None]]),
    "list": (Types.LIST(Types.LIST(Types.INSTANT)), [[[Instant(1)], []], []]),
    "voids": (Types.LIST(Types.VOID), [[None, None], []]),
    "map": (Types.MAP(Types.STRING, Types.MAP(Types.INT, Types.BIG_DEC)), [{"a": {1: None}, "b": {}}, {}]),
    "row key": (Types.MAP(Types.TUPLE([Types.INT]), Types.VOID), [{(1,): None}]),
    "times": (Types.MAP(Types.SQL_TIME, Types.LIST(Types.SQL_TIME)), [{dt.time(1): [dt.time(2)]}]),
    "row": (Types.ROW([Types.INT, Types.ROW([])]), [Row(f0=1, f1=make_row((), ())), Row(f0=None, f1=None)]),
    "größe 名前": (
        Types.ROW_NAMED(["a.b", "ü"], [Types.INT, Types.STRING]),
        [Row(**{"a.b": 1, "ü": None})],
    ),
    "tuple": (Types.TUPLE([Types.TUPLE([]), Types.SQL_TIMESTAMP]), [((), dt.datetime(2024, 1, 1))]),
    "point": (Types.of(Point), [Point(1, None, Color.RED), Point(2, 0.5, Color.RED)]),
    "optional": (OptionalTypeInfo(Types.LIST(OptionalTypeInfo(Types.LONG))), [[None, 1]]),
}
EVERYTHING = Types.ROW_NAMED(list(COLUMNS), [t for t, _ in COLUMNS.values()])
ROWS: list[Any] = [
    Row(**{name: values[i] if i < len(values) else None for name, (_, values) in COLUMNS.items()})
    for i in range(5)
]


def batch_for_spark(t: TypeInformation[Any], values: list[Any]) -> pa.RecordBatch:
    batch = serializer_for(t).to_batch(values)
    return batch.cast(spark_layout(batch.schema))


def frame_of(spark: SparkSession, t: TypeInformation[Any], values: list[Any]) -> DataFrame:
    """Return a table whose rows are created by a worker."""
    sink = pa.BufferOutputStream()
    batch = batch_for_spark(t, values)
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    stored = sink.getvalue().to_pybytes()

    def produce(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for _ in batches:
            yield from pa.ipc.open_stream(stored)

    return spark.range(1, numPartitions=1).mapInArrow(produce, to_spark_schema(t))


def values_of(t: TypeInformation[Any], frame: DataFrame) -> list[Any]:
    serializer = serializer_for(t)
    return [value for batch in frame.toArrow().to_batches() for value in serializer.from_batch(batch)]


def texts_of(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Decode on a worker the batches that Spark passes to it."""
    for batch in batches:
        rows = serializer_for(EVERYTHING).from_batch(batch)
        yield pa.RecordBatch.from_arrays([pa.array([repr(row) for row in rows], pa.string())], ["text"])


def test_values_in_and_out_of_workers(spark: SparkSession, zone: str) -> None:
    frame = frame_of(spark, EVERYTHING, ROWS)
    assert from_spark_schema(frame.schema) == erased(EVERYTHING)
    assert repr(values_of(EVERYTHING, frame)) == repr(ROWS)
    texts = [row.text for row in frame.mapInArrow(texts_of, "text string").collect()]
    assert texts == list(map(repr, ROWS))


def test_values_from_the_driver(spark: SparkSession, zone: str) -> None:
    names = [name for name in COLUMNS if name != "voids"]  # Spark 4.3 cannot take lists of nulls from a table
    t = Types.ROW_NAMED(names, [COLUMNS[name][0] for name in names])
    rows = [Row(**{name: row[name] for name in names}) for row in ROWS]
    table = pa.Table.from_batches([serializer_for(t).to_batch(rows)])
    frame = spark.createDataFrame(table, schema=to_spark_schema(t))
    assert from_spark_schema(frame.schema) == erased(t)
    assert repr(values_of(t, frame)) == repr(rows)


def test_values_through_parquet(spark: SparkSession, zone: str, tmp_path: Path) -> None:
    t = EVERYTHING
    rows = ROWS
    path = str(tmp_path / "rows")
    frame_of(spark, t, rows).write.parquet(path)
    frame = spark.read.parquet(path)
    assert from_spark_schema(frame.schema) == erased(t)
    assert repr(values_of(t, frame)) == repr(rows)


def test_spark_reads_parquet_of_pystream(spark: SparkSession, zone: str, tmp_path: Path) -> None:
    names = [name for name in COLUMNS if name not in ("void", "voids", "row key", "duration")]
    t = Types.ROW_NAMED(names, [COLUMNS[name][0] for name in names])
    rows = [Row(**{name: row[name] for name in names}) for row in ROWS]
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.Table.from_batches([serializer_for(t).to_batch(rows)]), path)
    assert from_arrow_schema(pq.read_schema(path)) == erased(t)
    assert repr(values_of(t, spark.read.parquet(str(path)))) == repr(rows)


@pytest.mark.parametrize(
    ("t", "values"),
    [
        (Types.LONG, [1, 2]),
        (Types.ROW([]), [make_row((), ())] * 3),
        (Types.TUPLE([]), [(), ()]),
        (Types.ROW([Types.INT]), [Row(f0=1)]),
        (Types.TUPLE([Types.LONG] * 60), [tuple(range(60))]),
        (Types.of(Point), [Point(1, None, Color.RED)]),
        (OptionalTypeInfo(Types.TUPLE([Types.INT])), [(1,), None]),
        (Types.PICKLED_BYTE_ARRAY, [1, None, [2]]),
        (Types.LONG, []),
    ],
    ids=str,
)
def test_elements_of_any_kind(
    spark: SparkSession, t: TypeInformation[Any], values: list[Any], tmp_path: Path
) -> None:
    path = str(tmp_path / "elements")
    frame_of(spark, t, values).write.parquet(path)
    frame = spark.read.parquet(path)
    assert from_spark_schema(frame.schema) == erased(t)
    assert values_of(t, frame) == values


def test_columns_keep_their_types_through_queries(spark: SparkSession) -> None:
    t = Types.TUPLE([Types.CHAR, Types.LIST(Types.CHAR), Types.LONG])
    frame = frame_of(spark, t, [("a", ["b"], 1)])
    assert from_spark_schema(frame.select("f0", "f1").where("f0 = 'a'").schema) == Types.TUPLE(
        [Types.CHAR, Types.LIST(Types.CHAR)]
    )
    renamed = frame.withColumnRenamed("f1", "letters").selectExpr("letters", "f2 + 1 as n")
    assert from_spark_schema(renamed.schema) == Types.ROW_NAMED(
        ["letters", "n"], [Types.LIST(Types.CHAR), Types.LONG]
    )
