"""Run the SQL queries on Spark and compare with the results recorded in PyFlink."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pystream.datastream import StreamExecutionEnvironment
from pystream.errors import PyStreamError, UnsupportedOperationError
from pystream.table import StreamTableEnvironment
from tests.oracle_modules import oracle_module

harness = oracle_module("sql/harness")
differences = oracle_module("sql/differences")

ON_SPARK = {
    "names": ("all_fields_of_rows", "names_of_a_union", "numbered_columns_of_a_star", "limit_all"),
    "qualify": ("several_functions", "ordered_by_another_column", "defaults_of_other_types"),
    "subqueries": ("rows_in_a_list", "values_of_one_row", "in_as_a_value"),
}
"""The queries that Spark runs, of files whose others are the same to it: they are rewritten before."""


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


def _problem(
    name: str, expected: dict[str, Any], observed: dict[str, Any], known: dict[str, str]
) -> str | None:
    """Return how the outcome of a query differs from that in Flink, other than is known."""
    found: str | None = harness.difference(expected, observed, harness.is_ordered(expected["query"]))
    if name not in known:
        return found and f"{name}: {found}"
    if found is None:
        return f"{name}: there is no difference any more"
    outcome = "error" if "error" in observed else "rows"
    return None if outcome == known[name] else f"{name}: expected {outcome}, {found}"


def _problem_of_refused(name: str, observed: dict[str, Any]) -> str | None:
    is_refused = observed.get("error") == UnsupportedOperationError.__name__
    return None if is_refused else f"{name}: is not refused any more"


@pytest.mark.time_limit(600)
@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in harness.query_files()])
def test_queries_have_the_results_of_flink(path: Path, env: StreamExecutionEnvironment, host: str) -> None:
    t_env = StreamTableEnvironment.create(env)
    for statement in harness.statements():
        t_env.execute_sql(statement)
    queries, recorded = harness.queries(path), harness.recorded(path)
    assert {name: outcome["query"] for name, outcome in recorded.items()} == queries
    is_local = host == "local"
    refused = differences.NOT_ON_LOCAL_HOST if is_local else frozenset()
    known = differences.EXPECTED_ON_LOCAL_HOST if is_local else differences.EXPECTED_IN_SPARK
    problems = []
    chosen = queries if is_local else ON_SPARK.get(path.stem, queries)
    for short, query in queries.items():
        if short not in chosen:
            continue
        name, observed = f"{path.stem}::{short}", _observed(t_env, query)
        if name in refused:
            problems.append(_problem_of_refused(name, observed))
        else:
            problems.append(_problem(name, recorded[short], observed, known))
    assert [problem for problem in problems if problem] == []
