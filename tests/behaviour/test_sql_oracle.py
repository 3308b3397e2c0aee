"""Run the SQL queries on Spark and compare with the results recorded in PyFlink."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pystream.datastream import StreamExecutionEnvironment
from pystream.errors import PyStreamError
from pystream.table import StreamTableEnvironment
from tests.oracle_modules import oracle_module

harness = oracle_module("sql/harness")
differences = oracle_module("sql/differences")


def _observed(t_env: StreamTableEnvironment, query: str) -> dict[str, Any]:
    try:
        table = t_env.sql_query(query)
        schema = table.get_schema()
        columns = zip(schema.get_field_names(), map(str, schema.get_field_data_types()), strict=True)
        with table.execute().collect() as rows:
            values = [[harness.tag(value) for value in row] for row in rows]
    except PyStreamError as error:
        return {"error": type(error).__name__, "message": str(error)}
    return {"columns": [list(column) for column in columns], "rows": values}


def _problem(t_env: StreamTableEnvironment, name: str, query: str, expected: dict[str, Any]) -> str | None:
    observed = _observed(t_env, query)
    found: str | None = harness.difference(expected, observed, harness.is_ordered(query))
    if name not in differences.EXPECTED_IN_SPARK:
        return found and f"{name}: {found}"
    if found is None:
        return f"{name}: there is no difference any more"
    outcome = "error" if "error" in observed else "rows"
    return None if outcome == differences.EXPECTED_IN_SPARK[name] else f"{name}: expected {outcome}, {found}"


@pytest.mark.spark_only("the local host runs queries in Spark, too")
@pytest.mark.time_limit(600)
@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in harness.query_files()])
def test_queries_have_the_results_of_flink(path: Path, env: StreamExecutionEnvironment) -> None:
    t_env = StreamTableEnvironment.create(env)
    for statement in harness.statements():
        t_env.execute_sql(statement)
    queries, recorded = harness.queries(path), harness.recorded(path)
    assert {name: outcome["query"] for name, outcome in recorded.items()} == queries
    problems = [
        _problem(t_env, f"{path.stem}::{name}", query, recorded[name]) for name, query in queries.items()
    ]
    assert [problem for problem in problems if problem] == []
