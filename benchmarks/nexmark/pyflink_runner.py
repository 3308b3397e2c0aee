"""Run the queries of PyFlink in the mode of the argument: ``process`` or ``thread``.

Programs read lines of text and parse them in Python, because PyFlink has no JSON format for files of streams;
queries in SQL read the JSON format of tables, and run in Java. Results go to Flink's DiscardingSink and to
``blackhole`` tables. The duration is the net run time that Flink reports.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from pyflink.common import Configuration, WatermarkStrategy
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.datastream.connectors import Sink
from pyflink.datastream.connectors.file_system import FileSource, StreamFormat
from pyflink.java_gateway import get_gateway
from pyflink.table import DataTypes, Schema, StreamTableEnvironment, TableDescriptor
from pyflink.table.udf import udf
from pyflink.version import __version__

from benchmarks.nexmark import sql
from benchmarks.nexmark.files import EVENTS, SIDE_INPUT, event_of
from benchmarks.nexmark.queries import PROGRAMS
from benchmarks.nexmark.streams import Streams
from benchmarks.suite.runner import Request, serve


class _Job:
    def __init__(self, mode: str) -> None:
        self._mode = mode

    def __call__(self, request: Request) -> dict[str, Any]:
        configuration = Configuration()
        configuration.set_string("python.execution-mode", self._mode)
        env = StreamExecutionEnvironment.get_execution_environment(configuration)
        env.set_parallelism(2)
        run = _run_sql if request.contender == "PyFlink SQL" else _run_program
        return {"seconds": run(env, request.operator, Path(request.path)) / 1000}


def _run_program(env: StreamExecutionEnvironment, name: str, directory: Path) -> int:
    lines = FileSource.for_record_stream_format(
        StreamFormat.text_line_format(), str(directory / EVENTS)
    ).build()
    events = env.from_source(lines, WatermarkStrategy.no_watermarks(), "events").map(event_of)
    sinks = get_gateway().jvm.org.apache.flink.streaming.api.functions.sink.v2
    results = PROGRAMS[name](Streams(events, str(directory / SIDE_INPUT)))
    results.sink_to(Sink(sinks.DiscardingSink()))
    return env.execute(name).get_net_runtime()


def _run_sql(env: StreamExecutionEnvironment, name: str, directory: Path) -> int:
    t_env = StreamTableEnvironment.create(env)
    for statement in sql.statements(directory):
        t_env.execute_sql(statement)
    t_env.create_temporary_function("count_char", udf(sql.count_char, result_type=DataTypes.BIGINT()))
    if name in sql.VIEWS:
        t_env.execute_sql(sql.VIEWS[name])
    table = t_env.sql_query(sql.QUERIES[name])
    schema = table.get_schema()
    columns = (
        Schema.new_builder().from_fields(schema.get_field_names(), schema.get_field_data_types()).build()
    )
    nowhere = TableDescriptor.for_connector("blackhole").schema(columns).build()
    client = table.execute_insert(nowhere).get_job_client()
    return client.get_job_execution_result().result().get_net_runtime()


if __name__ == "__main__":
    serve(_Job(sys.argv[1]), {"PyFlink": __version__, "Python": sys.version.split()[0]})
