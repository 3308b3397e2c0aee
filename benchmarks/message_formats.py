"""Compare the speed of message formats: one message after another, and lines of files in whole jobs.

    python benchmarks/message_formats.py [--messages 200000] [--lines 1000000]

Messages have five fields: a long, a string, a double, a boolean and a timestamp. Those of the first part are
read and written in this process; figures are messages per second of processor time, the best of three turns.
With ``--lines``, a file of JSON lines is read by pystream, plain Spark and PyFlink into typed rows, each of
which passes through a function in Python, except for Spark's own ``from_json``; figures are lines per second
from the start of the job to its end. ``PYFLINK_PYTHON`` names the interpreter that has PyFlink.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from pystream.common.serialization import (
    AvroRowDeserializationSchema,
    AvroRowSerializationSchema,
    CsvRowDeserializationSchema,
    CsvRowSerializationSchema,
    JsonRowDeserializationSchema,
    JsonRowSerializationSchema,
)
from typeinfo import Types

TURNS = 3
NAMES = ["id", "name", "ratio", "is_new", "at"]
ROW = Types.ROW_NAMED(NAMES, [Types.LONG, Types.STRING, Types.DOUBLE, Types.BOOLEAN, Types.SQL_TIMESTAMP])
AVRO = json.dumps(
    {
        "type": "record",
        "name": "Event",
        "fields": [
            {"name": "id", "type": "long"},
            {"name": "name", "type": "string"},
            {"name": "ratio", "type": "double"},
            {"name": "is_new", "type": "boolean"},
            {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}},
        ],
    }
)


@dataclass
class Event:
    """The record of the messages."""

    id: int
    name: str
    ratio: float
    is_new: bool
    at: datetime


_PYSTREAM = """
from pystream.common import Configuration, Types, WatermarkStrategy
from pystream.common.serialization import JsonRowDeserializationSchema
from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.connectors.file_system import FileSource, StreamFormat

row = Types.ROW_NAMED(
    ["id", "name", "ratio", "is_new", "at"],
    [Types.LONG(), Types.STRING(), Types.DOUBLE(), Types.BOOLEAN(), Types.SQL_TIMESTAMP()],
)
schema = JsonRowDeserializationSchema.builder().type_info(row).build()
env = StreamExecutionEnvironment.get_execution_environment().set_parallelism(2)

def run():
    source = FileSource.for_record_stream_format(StreamFormat.deserialized_lines(schema), path).build()
    rows = env.from_source(source, WatermarkStrategy.no_watermarks(), "lines")
    return sum(rows.map(lambda r: r, row).filter(lambda r: (hash(r.name), False)[1])
               .map(lambda r: 1, Types.INT()).execute_and_collect())
"""
_SPARK = """
from pyspark.sql import SparkSession
from pyspark.sql.functions import from_json

spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
FIELDS = "id LONG, name STRING, ratio DOUBLE, is_new BOOLEAN, at TIMESTAMP_NTZ"

def run():
    rows = spark.read.text(path).select(from_json("value", FIELDS).alias("r")).select("r.*")
    rows.write.format("noop").mode("overwrite").save()
"""
_PYFLINK = """
from pyflink.common import Types
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.table import StreamTableEnvironment

env = StreamExecutionEnvironment.get_execution_environment()
env.set_parallelism(2)
t_env = StreamTableEnvironment.create(env)
t_env.execute_sql(
    "CREATE TABLE lines_ (id BIGINT, name STRING, ratio DOUBLE, is_new BOOLEAN, `at` TIMESTAMP(3)) WITH ("
    f"'connector' = 'filesystem', 'path' = '{path}', 'format' = 'json', "
    "'json.timestamp-format.standard' = 'ISO-8601')"
)

def run():
    rows = t_env.to_data_stream(t_env.from_path("lines_"))
    found = rows.filter(lambda r: (hash(r[1]), False)[1]).map(lambda r: 1, Types.INT())
    return sum(found.execute_and_collect())
"""
_TIMED = """
import time
def timed():
    started = time.perf_counter()
    run()
    return time.perf_counter() - started
print("seconds", min(timed() for _ in range(3)), flush=True)
"""


def message(i: int, zone: str = "Z") -> bytes:
    """Return a JSON message."""
    at = f"2026-01-{i % 28 + 1:02d}T12:{i % 60:02d}:56.{i % 1000:03d}{zone}"
    event = {"id": i, "name": f"user {i % 1000}", "ratio": i * 0.37, "is_new": i % 2 == 0, "at": at}
    return json.dumps(event).encode()


def rate(work: Callable[[Any], Any], items: Sequence[Any]) -> float:
    """Return how many items a second of processor time it works on."""
    best = float("inf")
    for _ in range(TURNS):
        started = time.process_time()
        for item in items:
            work(item)
        best = min(best, time.process_time() - started)
    return len(items) / best


def show(name: str, figure: float) -> None:
    """Print a figure."""
    print(f"{name:<34} {figure:>12,.0f}", flush=True)


def compare_messages(count: int) -> None:
    """Print the speeds of the formats in this process."""
    import orjson

    messages = [message(i) for i in range(count)]
    show("json.loads", rate(json.loads, messages))
    show("orjson.loads", rate(orjson.loads, messages))
    reading = JsonRowDeserializationSchema.builder().type_info(ROW).build()
    rows: list[Any] = list(map(reading.deserialize, messages))
    csv_writing = CsvRowSerializationSchema.Builder(ROW).build()
    avro_writing = AvroRowSerializationSchema(avro_schema_string=AVRO)
    schemas: dict[str, tuple[Any, Any]] = {
        "JSON, rows": (reading, JsonRowSerializationSchema.builder().with_type_info(ROW).build()),
        "CSV, rows": (CsvRowDeserializationSchema.Builder(ROW).build(), csv_writing),
        "Avro, rows": (AvroRowDeserializationSchema(avro_schema_string=AVRO), avro_writing),
    }
    event = Types.of(Event)
    json_events = JsonRowDeserializationSchema.builder().type_info(event).build()
    events = [Event(*row) for row in rows]
    schemas["JSON, dataclass"] = (
        json_events,
        JsonRowSerializationSchema.builder().with_type_info(event).build(),
    )
    for name, (reader, writer) in schemas.items():
        elements = events if "dataclass" in name else rows
        show(f"{name}: read", rate(reader.deserialize, list(map(writer.serialize, elements))))
        show(f"{name}: write", rate(writer.serialize, elements))


def compare_jobs(count: int) -> None:
    """Print the speeds of jobs that read a file of JSON lines."""
    flink = os.environ.get("PYFLINK_PYTHON", "benchmarks/.venvs/pyflink/bin/python")
    contenders = {"pystream": (sys.executable, _PYSTREAM), "plain Spark, from_json": (sys.executable, _SPARK)}
    if Path(flink).exists():
        contenders["PyFlink"] = (flink, _PYFLINK)
    with tempfile.TemporaryDirectory() as directory:
        for part in range(2):
            lines = (message(i, "") for i in range(part, count, 2))
            Path(directory, f"part-{part}.json").write_bytes(b"\n".join(lines) + b"\n")
        for name, (python, program) in contenders.items():
            text = f"path = {directory!r}\n{program}\n{_TIMED}"
            done = subprocess.run(
                [python, "-c", text], capture_output=True, text=True, timeout=900, check=False
            )
            found = [line for line in done.stdout.splitlines() if line.startswith("seconds ")]
            if not found:
                raise SystemExit(f"{name} failed:\n{done.stderr[-2000:]}")
            show(f"lines of files: {name}", count / float(found[-1].split()[1]))


def main() -> None:
    """Compare what the arguments ask for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--messages", type=int, default=200_000)
    parser.add_argument("--lines", type=int, default=0)
    arguments = parser.parse_args()
    compare_messages(arguments.messages)
    if arguments.lines:
        compare_jobs(arguments.lines)


if __name__ == "__main__":
    main()
