"""The expressions of recorded queries have the values that PyFlink computed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest
from sqlglot import exp

from pystream.errors import PlanError, PyStreamError
from pystream.table.evaluation import Evaluation, NotEvaluatedError, evaluated
from pystream.table.sql.analysis import AnalysedQuery, analyse_query
from pystream.table.sql.function_tables import FunctionTable
from pystream.table.sql.parser import parse_query
from tests.oracle_modules import oracle_module
from tests.unit.table.evaluation.expressions import position_in
from tests.unit.table.evaluation.recorded_rows import RecordedTable, recorded_tables
from typeinfo.instant import Instant

harness = oracle_module("sql/harness")
differences = oracle_module("sql/differences")

TABLES = recorded_tables()
NO_TABLE = RecordedTable([], [[]])
FILES = ("casts", "collections", "dates", "edges", "expressions", "strings", "times", "words")

NOT_EVALUATED = frozenset(
    (
        "collections::ordered_collections",
        "times::aggregates_of_times",
        "times::to_timestamp_ltz_of_text",
    )
)
"""The queries with expressions that are not supported."""


def is_of_single_rows(query: AnalysedQuery) -> bool:
    """Return whether a query computes its results from single rows of at most one table."""
    tree = query.tree
    if not isinstance(tree, exp.Select) or len(query.paths) > 1:
        return False
    clauses = {key for key, value in tree.args.items() if value}
    item = tree.args["from_"].this if "from_" in clauses else None
    is_table = isinstance(item, exp.Table | None) and not isinstance(item, FunctionTable)
    return clauses <= {"expressions", "from_", "where"} and is_table


def tagged(value: Any) -> Any:
    return harness.tag(value.to_datetime() if isinstance(value, Instant) else value)


def observed(query: AnalysedQuery) -> dict[str, Any]:
    """Return the columns and rows of the results of a query; raise a NotEvaluatedError if there are none."""
    table = TABLES[query.paths[0]] if query.paths else NO_TABLE
    position_of = position_in(table.columns)
    where = query.tree.args.get("where")
    condition = None if where is None else evaluated(where.this, position_of, zone=UTC)
    fields: list[tuple[str, Evaluation]] = [
        (field.alias_or_name, evaluated(field.unalias(), position_of, zone=UTC))
        for field in query.tree.selects
    ]
    columns = [[name, str(evaluation.data_type)] for name, evaluation in fields]
    try:
        rows = [row for row in table.rows if condition is None or condition(row) is True]
        values = [[tagged(evaluation(row)) for _, evaluation in fields] for row in rows]
    except PyStreamError as error:
        return {"error": type(error).__name__, "message": str(error)}
    return {"columns": columns, "rows": values}


def queries() -> Iterator[Any]:
    for stem in FILES:
        path: Path = harness.HERE / "queries" / f"{stem}.sql"
        recorded = harness.recorded(path)
        for name, text in harness.queries(path).items():
            try:
                query = analyse_query(parse_query(text), lambda table: TABLES[table].columns)
            except (PlanError, PyStreamError, KeyError):
                continue  # a query that no part of pystream supports, or of a view
            if is_of_single_rows(query):
                yield pytest.param(f"{stem}::{name}", query, recorded[name], id=f"{stem}::{name}")


@pytest.mark.parametrize(("name", "query", "expected"), list(queries()))
def test_expressions_have_the_values_of_flink(
    name: str, query: AnalysedQuery, expected: dict[str, Any]
) -> None:
    if name in NOT_EVALUATED:
        with pytest.raises(NotEvaluatedError):
            observed(query)
        return
    difference = harness.difference(expected, observed(query), ordered=False)
    is_expected = name in differences.EXPECTED
    assert difference is None or is_expected, difference
    assert difference is not None or not is_expected, "there is no difference any more"


def test_values_of_types_without_null_are_not_null() -> None:
    wrong = [
        f"{name}: {column}"
        for name, query, expected in (parameter.values for parameter in queries())
        if name not in NOT_EVALUATED and "columns" in expected and name not in differences.EXPECTED
        for position, (column, kind) in enumerate(observed(query)["columns"])
        if kind.endswith("NOT NULL") and any(row[position] is None for row in expected["rows"])
    ]
    assert wrong == []
