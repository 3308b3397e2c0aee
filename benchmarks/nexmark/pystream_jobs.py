"""The queries as jobs of pystream on either host, before their results go anywhere."""

from __future__ import annotations

from pathlib import Path

from pyflink.common import Configuration
from pyflink.datastream import DataStream, RuntimeExecutionMode, StreamExecutionEnvironment
from pyflink.table import StreamTableEnvironment
from pyflink.table.udf import udf

from benchmarks.nexmark import sql
from benchmarks.nexmark.queries import PROGRAMS
from benchmarks.nexmark.reading import streams
from benchmarks.suite.runner import Request


def results(request: Request, host: str) -> DataStream:
    """Return the results of a query: of its program in a mode, or of SQL."""
    configuration = Configuration()
    configuration.set_string("pystream.runner", host)
    env = StreamExecutionEnvironment.get_execution_environment(configuration)
    env.set_parallelism(2)
    directory = Path(request.path)
    _, _, form = request.contender.partition(" ")
    if form:
        env.set_runtime_mode(RuntimeExecutionMode.BATCH)
    if form != "SQL":
        return PROGRAMS[request.operator](streams(env, directory))
    t_env = StreamTableEnvironment.create(env)
    for statement in sql.statements(directory):
        t_env.execute_sql(statement)
    t_env.create_temporary_function("count_char", udf(sql.count_char))
    if request.operator in sql.VIEWS:
        t_env.execute_sql(sql.VIEWS[request.operator])
    return t_env.to_data_stream(t_env.sql_query(sql.QUERIES[request.operator]))
