"""The last row of each primary key, of rows that are told apart by another key or by none."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pystream.common import Row, RowKind
from pystream.common.typeinfo import Types
from pystream.errors import SqlError
from pystream.table import Schema, StreamTableEnvironment
from pystream.table.streaming.upsert_materializer import UpsertMaterializer
from pystream.testing import ProcessFunctionTestHarnesses, local_environment
from tests.unit.table.streaming.changelogs import ADDED, Values, changelogs

FLOATS = st.sampled_from([0.0, -0.0, 1.5, float("nan"), None])
ROWS = st.tuples(st.sampled_from("ab"), st.integers(0, 2), FLOATS)


def last_rows(changes: list[Row[Any]]) -> dict[Any, Values]:
    """Return the row of each key that came last of those that remain."""
    rows: list[Values] = []
    for change in changes:
        if change.get_row_kind() in ADDED:
            rows.append(tuple(change))
        else:
            place = max(place for place, row in enumerate(rows) if repr(row) == repr(tuple(change)))
            del rows[place]
    return {row[0]: row for row in rows}


def upserted(changes: list[Row[Any]]) -> dict[Any, Values]:
    """Return the content of a table that upserts are written to."""
    content: dict[Any, Values] = {}
    for change in changes:
        key = change[0]
        match change.get_row_kind():
            case RowKind.INSERT:
                assert key not in content
                content[key] = tuple(change)
            case RowKind.UPDATE_AFTER:
                assert key in content
                content[key] = tuple(change)
            case RowKind.DELETE:
                assert repr(content.pop(key)) == repr(tuple(change))
            case kind:
                raise AssertionError(kind)
    return content


@settings(max_examples=40)
@given(changelogs(ROWS))
def test_the_content_is_the_last_row_of_each_key(changes: list[Row[Any]]) -> None:
    function = UpsertMaterializer(["k", "n", "x"])
    harness = ProcessFunctionTestHarnesses.for_keyed_process_function(
        function, lambda row: row[0], Types.STRING()
    )
    with harness:
        for count, change in enumerate(changes, 1):
            harness.process_element(change)
            content = upserted(harness.extract_output_values())
            assert sorted(map(repr, content.items())) == sorted(map(repr, last_rows(changes[:count]).items()))


def changing(env: Any) -> StreamTableEnvironment:
    t_env = StreamTableEnvironment.create(env)
    changes = [("a", 1, "+I"), ("b", 1, "+I"), ("a", 1, "-U"), ("a", 2, "+U"), ("b", 1, "-D"), ("c", 2, "+I")]
    kinds = {str(kind): kind for kind in RowKind}
    rows = []
    for word, n, kind in changes:
        row = Row(word, n)
        row.set_row_kind(kinds[kind])
        rows.append(row)
    stream = env.from_collection(rows, Types.ROW_NAMED(["k", "n"], [Types.STRING(), Types.LONG()]))
    t_env.create_temporary_view("changing", t_env.from_changelog_stream(stream))
    return t_env


@pytest.mark.parametrize("conflict", ["", " ON CONFLICT DO DEDUPLICATE"])
def test_a_table_keeps_the_last_row_of_its_key(capfd: pytest.CaptureFixture[str], conflict: str) -> None:
    env = local_environment()
    env.set_parallelism(1)
    t_env = changing(env)
    t_env.execute_sql(
        "CREATE TABLE sink (k STRING, n BIGINT, PRIMARY KEY (n) NOT ENFORCED) WITH ('connector' = 'print')"
    )
    t_env.execute_sql(f"INSERT INTO sink SELECT * FROM changing{conflict}").wait()
    printed = capfd.readouterr().out.split("\n")[:-1]
    assert [line for line in printed if "1]" in line] == ["+I[a, 1]", "+U[b, 1]", "-D[b, 1]"]
    assert [line for line in printed if "2]" in line] == ["+I[a, 2]", "+U[c, 2]"]


def test_the_primary_key_of_a_changelog_is_its_key() -> None:
    env = local_environment()
    t_env = StreamTableEnvironment.create(env)
    stream = env.from_collection([Row("a", 1)], Types.ROW_NAMED(["k", "n"], [Types.STRING(), Types.LONG()]))
    for key, is_materialized in (("k", False), ("n", True)):
        schema = Schema.new_builder().column("k", "STRING NOT NULL").column("n", "BIGINT NOT NULL")
        table = t_env.from_changelog_stream(stream, schema.primary_key(key).build())
        t_env.create_temporary_view(f"by_{key}", table)
        t_env.execute_sql(
            f"CREATE TABLE sink_{key} (k STRING, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) "
            "WITH ('connector' = 'print')"
        )
        plan = t_env.explain_sql(f"INSERT INTO sink_{key} SELECT * FROM by_{key}")
        assert ("SinkMaterializer" in plan) == is_materialized


@pytest.mark.parametrize("action", ["ERROR", "NOTHING"])
def test_other_conflict_clauses_are_refused(action: str) -> None:
    t_env = changing(local_environment())
    t_env.execute_sql("CREATE TABLE sink (k STRING, n BIGINT) WITH ('connector' = 'print')")
    with pytest.raises(SqlError, match="the last one is written: ON CONFLICT DO DEDUPLICATE"):
        t_env.execute_sql(f"INSERT INTO sink SELECT * FROM changing ON CONFLICT DO {action}")


@pytest.mark.parametrize(
    ("columns", "query", "is_materialized"),
    [
        ("k STRING, c BIGINT, PRIMARY KEY (k) NOT ENFORCED", "SELECT k, COUNT(*) FROM t GROUP BY k", False),
        ("c BIGINT, k STRING, PRIMARY KEY (k) NOT ENFORCED", "SELECT COUNT(*), k FROM t GROUP BY k", False),
        ("k STRING, c BIGINT, PRIMARY KEY (c) NOT ENFORCED", "SELECT k, COUNT(*) FROM t GROUP BY k", True),
        ("k STRING, c BIGINT, PRIMARY KEY (k, c) NOT ENFORCED", "SELECT k, COUNT(*) FROM t GROUP BY k", True),
        (
            "k VARCHAR(1), c BIGINT, PRIMARY KEY (k) NOT ENFORCED",
            "SELECT k, COUNT(*) FROM t GROUP BY k",
            True,
        ),
        ("k STRING, n BIGINT, PRIMARY KEY (k) NOT ENFORCED", "SELECT k, n FROM t", False),
        (
            "c BIGINT, m BIGINT, PRIMARY KEY (c) NOT ENFORCED",
            "SELECT c, COUNT(*) FROM (SELECT k, COUNT(*) AS c FROM t GROUP BY k) GROUP BY c",
            False,
        ),
        (
            "k STRING, c BIGINT, PRIMARY KEY (k) NOT ENFORCED",
            "SELECT k, COUNT(*) * 2 FROM t GROUP BY k",
            False,
        ),
        (
            "k STRING, c BIGINT, PRIMARY KEY (k) NOT ENFORCED",
            "SELECT k, COUNT(*) FROM t GROUP BY k HAVING COUNT(*) < 3",
            True,
        ),
        (
            "k STRING, n BIGINT, PRIMARY KEY (k) NOT ENFORCED",
            "SELECT k, n FROM t EXCEPT SELECT k, n + 1 FROM t",
            True,
        ),
    ],
)
def test_rows_are_kept_unless_the_query_has_the_key(columns: str, query: str, is_materialized: bool) -> None:
    t_env = StreamTableEnvironment.create(local_environment())
    t_env.execute_sql("CREATE TABLE t (k STRING, n BIGINT) WITH ('connector' = 'datagen')")
    t_env.execute_sql(f"CREATE TABLE sink ({columns}) WITH ('connector' = 'print')")
    plan = t_env.explain_sql(f"INSERT INTO sink {query}")
    assert ("SinkMaterializer" in plan) == is_materialized
