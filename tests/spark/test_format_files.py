"""Programs read files of each format that Spark has written, and the reverse."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from pystream.common import Row, Types, WatermarkStrategy
from pystream.datastream import DataStream, RuntimeExecutionMode, StreamExecutionEnvironment
from pystream.datastream.connectors import BucketAssigner, FileSink, FileSource, StreamFormat
from pystream.datastream.connectors.file_system.source import BulkFormat
from pystream.datastream.formats.avro import (
    AvroBulkWriters,
    AvroInputFormat,
    AvroSchema,
    GenericRecordAvroTypeInfo,
)
from pystream.datastream.formats.csv import CsvBulkWriters, CsvReaderFormat, CsvSchema
from pystream.datastream.formats.orc import OrcBulkWriters, OrcColumnarRowInputFormat
from pystream.datastream.formats.parquet import (
    AvroParquetReaders,
    AvroParquetWriters,
    ParquetBulkWriters,
    ParquetColumnarRowInputFormat,
)
from pystream.errors import JobExecutionError, PlanTypeError
from pystream.table import DataTypes

TEXTS = ["a", 'q"q', "x,y", "line\nbreak", " sp ", "é", None]
PAIR = Types.ROW_NAMED(["i", "s"], [Types.LONG(), Types.STRING()])


def write(stream: DataStream[Any], path: Path, writers: Any) -> None:
    sink = FileSink.for_bulk_format(str(path), writers)
    stream.sink_to(sink.with_bucket_assigner(BucketAssigner.base_path_bucket_assigner()).build())
    stream.get_execution_environment().execute()


def records(env: StreamExecutionEnvironment, format: StreamFormat[Any], path: Path) -> DataStream[Any]:
    source = FileSource.for_record_stream_format(format, str(path)).build()
    return env.from_source(source, WatermarkStrategy.no_watermarks(), "files")


def collected(stream: DataStream[Any]) -> list[Any]:
    with stream.execute_and_collect() as results:
        return list(results)


def columns(env: StreamExecutionEnvironment, format: BulkFormat[Any], path: Path) -> DataStream[Any]:
    source = FileSource.for_bulk_file_format(format, str(path)).build()
    return env.from_source(source, WatermarkStrategy.no_watermarks(), "files")


def csv_schema() -> CsvSchema:
    builder = CsvSchema.builder().add_number_column("i").add_string_column("s")
    return builder.set_use_header().set_null_value("\\N").build()


def test_programs_and_spark_read_csv_of_each_other(
    env2: StreamExecutionEnvironment, spark: SparkSession, tmp_path: Path
) -> None:
    rows = list(enumerate(TEXTS))
    frame = spark.createDataFrame(rows, "i long, s string")
    frame.write.csv(f"{tmp_path}/in", header=True, nullValue="\\N", escape='"', ignoreLeadingWhiteSpace=False,
                    ignoreTrailingWhiteSpace=False)  # fmt: skip
    stream = records(env2, CsvReaderFormat.for_schema(csv_schema()), tmp_path / "in")
    assert stream.get_type() == PAIR
    assert sorted(tuple(row) for row in collected(stream)) == rows
    write(records(env2, CsvReaderFormat.for_schema(csv_schema()), tmp_path / "in"), tmp_path / "out",
          CsvBulkWriters.for_schema(csv_schema()))  # fmt: skip
    again = spark.read.csv(f"{tmp_path}/out", "i long, s string", header=True, nullValue="\\N", escape='"',
                           multiLine=True)  # fmt: skip
    assert sorted(map(tuple, again.collect())) == rows


def test_aggregations_of_csv_files_are_native_and_fail_at_a_bad_record(
    env2: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    env2.set_runtime_mode(RuntimeExecutionMode.BATCH)
    for name in ("a", "b"):
        (tmp_path / name).write_text("i,s\n" + "".join(f"{n},{n % 3}\n" for n in range(100)))

    def sums() -> DataStream[Any]:
        stream = records(env2, CsvReaderFormat.for_schema(csv_schema()), tmp_path)
        pairs = stream.map(lambda row: (row.s, row.i), Types.TUPLE([Types.STRING(), Types.LONG()]))
        return pairs.key_by(lambda pair: pair[0]).reduce(lambda a, b: (a[0], a[1] + b[1]))

    assert sums().explain().count("native") >= 2
    assert sorted(collected(sums())) == [(str(key), 2 * sum(range(key, 100, 3))) for key in range(3)]
    (tmp_path / "b").write_text("i,s\n1,a\nx,b\n")
    with pytest.raises(JobExecutionError, match=f"{tmp_path}/b, line 3: field i: 'x' is not a whole number"):
        collected(sums())


def test_rows_written_as_csv_are_read_back(env2: StreamExecutionEnvironment, tmp_path: Path) -> None:
    rows = [Row(i=n, s=text) for n, text in enumerate(TEXTS)]
    write(env2.from_collection(rows, PAIR), tmp_path, CsvBulkWriters.for_schema(csv_schema()))
    assert sorted(collected(records(env2, CsvReaderFormat.for_schema(csv_schema()), tmp_path)),
                  key=lambda row: row.i) == rows  # fmt: skip


PRICES = DataTypes.ROW(
    [
        DataTypes.FIELD("id", DataTypes.BIGINT()),
        DataTypes.FIELD("price", DataTypes.DECIMAL(8, 2)),
        DataTypes.FIELD("tags", DataTypes.ARRAY(DataTypes.STRING())),
    ]
)


@pytest.mark.parametrize(
    ("kind", "writers", "reads"),
    [
        ("orc", OrcBulkWriters.for_row_type(PRICES), OrcColumnarRowInputFormat(PRICES)),
        ("parquet", ParquetBulkWriters.for_row_type(PRICES), ParquetColumnarRowInputFormat(PRICES)),
    ],
)
def test_programs_and_spark_read_columns_of_each_other(
    env2: StreamExecutionEnvironment,
    spark: SparkSession,
    tmp_path: Path,
    kind: str,
    writers: Any,
    reads: BulkFormat[Any],
) -> None:
    rows = [(1, Decimal("2.50"), ["a", None]), (2, None, None), (3, Decimal("-999999.99"), [])]
    frame = spark.createDataFrame(rows, "id long, price decimal(8, 2), tags array<string>")
    frame.write.format(kind).save(f"{tmp_path}/in")
    prices = columns(env2, reads, tmp_path / "in")
    assert sorted(map(tuple, collected(prices))) == rows
    write(prices, tmp_path / "out", writers)
    again = spark.read.format(kind).load(f"{tmp_path}/out")
    assert again.dtypes == frame.dtypes
    assert sorted(map(tuple, again.collect())) == rows


AVRO = AvroSchema.parse_string(
    json.dumps(
        {
            "type": "record",
            "name": "Item",
            "fields": [
                {"name": "id", "type": "long"},
                {"name": "tags", "type": {"type": "array", "items": "string"}, "default": []},
                {"name": "note", "type": ["null", "string"], "default": None},
            ],
        }
    )
)
RECORDS = [{"id": 1, "tags": ["a", "b"], "note": None}, {"id": 2, "tags": [], "note": "é"}]


def test_generic_records_can_be_written_to_avro_and_parquet(
    env2: StreamExecutionEnvironment, spark: SparkSession, tmp_path: Path
) -> None:
    records_type = GenericRecordAvroTypeInfo(AVRO)
    bare = env2.from_collection([{"id": 1, "tags": ["a", "b"]}, {"id": 2, "note": "é"}])
    write(bare.map(lambda r: r, records_type), tmp_path / "avro", AvroBulkWriters.for_generic_record(AVRO))
    stream = env2.create_input(AvroInputFormat(str(tmp_path / "avro"), AVRO))
    assert stream.get_type() == records_type
    write(stream, tmp_path / "parquet", AvroParquetWriters.for_generic_record(AVRO))
    again = records(env2, AvroParquetReaders.for_generic_record(AVRO), tmp_path / "parquet")
    by_id = again.key_by(lambda r: r["id"], Types.LONG()).reduce(lambda a, b: a)
    assert sorted(collected(by_id), key=lambda r: r["id"]) == RECORDS
    frame = spark.read.parquet(str(tmp_path / "parquet")).orderBy("id")
    assert frame.dtypes == [("id", "bigint"), ("tags", "array<string>"), ("note", "string")]
    assert [row.asDict() for row in frame.collect()] == RECORDS


def test_parquet_of_spark_can_be_read_as_generic_records(
    env2: StreamExecutionEnvironment, spark: SparkSession, tmp_path: Path
) -> None:
    rows = [(r["id"], r["tags"], r["note"]) for r in RECORDS]
    spark.createDataFrame(rows, "id long, tags array<string>, note string").write.parquet(f"{tmp_path}/in")
    stream = records(env2, AvroParquetReaders.for_generic_record(AVRO), tmp_path / "in")
    assert sorted(collected(stream), key=lambda r: r["id"]) == RECORDS


def test_an_input_that_is_not_an_input_format_is_refused(env: StreamExecutionEnvironment) -> None:
    with pytest.raises(PlanTypeError, match=r"create_input.*an InputFormat such as an AvroInputFormat"):
        env.create_input("path")  # type: ignore[arg-type]


def test_a_record_that_does_not_fit_its_schema_fails_in_its_operator(
    env2: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    stream = env2.from_collection([{"id": "x"}]).map(lambda r: r, GenericRecordAvroTypeInfo(AVRO))
    with pytest.raises(
        JobExecutionError,
        match=r"is not a record of Item: field id: 'x' \(str\) is not of the Avro type long",
    ):
        collected(stream)
