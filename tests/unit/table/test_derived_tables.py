"""CREATE TABLE … LIKE and AS, and ALTER TABLE: errors, and what the tables hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pystream.errors import ConfigurationError, PlanError, PlanTypeError
from pystream.table import StreamTableEnvironment
from pystream.testing import local_environment


@pytest.fixture
def t_env() -> StreamTableEnvironment:
    t_env = StreamTableEnvironment.create(local_environment())
    t_env.execute_sql(
        "CREATE TABLE base (a INT NOT NULL, ts TIMESTAMP(3), g AS a + 1, "
        "WATERMARK FOR ts AS ts, PRIMARY KEY (a) NOT ENFORCED) PARTITIONED BY (a) WITH ('k' = 'v')"
    )
    return t_env


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("CREATE TABLE t (a INT) LIKE base", "both have the column 'a'"),
        ("CREATE TABLE t (g AS 1) LIKE base", "'g'; add EXCLUDING GENERATED or OVERWRITING GENERATED"),
        ("CREATE TABLE t WITH ('k' = 'w') LIKE base (INCLUDING OPTIONS)", "both have the option 'k'; add"),
        ("CREATE TABLE t LIKE x", "no table or view of the name 'x'; there are: base"),
        ("ALTER TABLE base DROP a", "the column 'a' is read by the computed column 'g'"),
        ("ALTER TABLE base DROP ts", "the column 'ts' is read by the watermark"),
        ("ALTER TABLE base RENAME x TO y", "there is no column 'x'; there are a, ts, g"),
        ("ALTER TABLE base RENAME TO x.y", "renamed only within its database"),
        ("ALTER TABLE base ADD a INT", "there is already the column 'a'; MODIFY or DROP it"),
        ("ALTER TABLE base MODIFY x INT", "there is no column 'x'; ADD it"),
        ("ALTER TABLE base DROP CONSTRAINT x", "there is no primary key 'x'"),
        ("ALTER TABLE x DROP WATERMARK", "no table of a catalog of the name 'x'; there are: base"),
        ("CREATE TABLE t (x, a) WITH ('connector' = 'print') AS SELECT 1 AS a", "names without types"),
    ],
)
def test_contradictions_are_refused(t_env: StreamTableEnvironment, statement: str, complaint: str) -> None:
    with pytest.raises(PlanError, match=complaint):
        t_env.execute_sql(statement)
    assert t_env.list_tables() == ["base"]


def test_changed_options_are_checked(t_env: StreamTableEnvironment) -> None:
    t_env.execute_sql("CREATE TABLE p (a INT) WITH ('connector' = 'print')")
    with pytest.raises(ConfigurationError, match="has no option 'x'"):
        t_env.execute_sql("ALTER TABLE p SET ('x' = 'y')")
    t_env.execute_sql("ALTER TABLE p SET ('print-identifier' = 'y')")
    with t_env.execute_sql("SHOW CREATE TABLE p").collect() as rows:
        assert "'print-identifier' = 'y'" in next(iter(rows))[0]


def test_a_table_as_a_query_holds_its_rows(t_env: StreamTableEnvironment, tmp_path: Path) -> None:
    options = f"WITH ('connector' = 'filesystem', 'format' = 'json', 'path' = '{tmp_path}/out')"
    query = "SELECT a, b FROM (VALUES (1, 'x'), (2, 'y')) AS v(a, b)"
    t_env.execute_sql(f"CREATE TABLE t (c INT, b STRING) {options} AS {query}").wait()
    lines = [line for file in (tmp_path / "out").iterdir() for line in file.read_text().splitlines()]
    rows = sorted((json.loads(line) for line in lines), key=str)
    assert [row.get("c") for row in rows] == [None, None]
    assert [(row["b"], row["a"]) for row in rows] == [("x", 1), ("y", 2)]
    assert t_env.from_path("t").get_schema().get_field_names() == ["c", "b", "a"]


def test_a_table_that_cannot_be_written_is_not_made(t_env: StreamTableEnvironment) -> None:
    statement = "TABLE t (a DATE) WITH ('connector' = 'print') AS SELECT 1 AS a"
    with pytest.raises(PlanTypeError, match="not cast to DATE"):
        t_env.execute_sql(f"CREATE {statement}")
    assert t_env.list_tables() == ["base"]
    t_env.execute_sql("CREATE TABLE t (old INT) WITH ('connector' = 'print')")
    with pytest.raises(PlanTypeError, match="not cast to DATE"):
        t_env.execute_sql(f"CREATE OR REPLACE {statement}")
    with t_env.execute_sql("DESCRIBE t").collect() as rows:
        assert [row[0] for row in rows] == ["old"]


def test_a_table_that_is_not_made_may_be_hidden_by_a_temporary_one(t_env: StreamTableEnvironment) -> None:
    t_env.execute_sql("CREATE TEMPORARY TABLE t (a DATE) WITH ('connector' = 'print')")
    with pytest.raises(PlanTypeError, match="not cast to DATE"):
        t_env.execute_sql("CREATE TABLE t WITH ('connector' = 'print') AS SELECT 1 AS a")
    assert t_env.drop_temporary_table("t")
    assert t_env.list_tables() == ["base"]
