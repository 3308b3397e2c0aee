"""The hint STATE_TTL: the times to live that PyFlink gives operators, and its errors."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from pystream.errors import SqlError
from pystream.table import StreamTableEnvironment
from pystream.testing import local_environment
from tests.oracle_modules import oracle_module

harness = oracle_module("state_ttl/harness")
RECORDED: dict[str, Any] = json.loads(harness.RECORDED.read_text(encoding="utf-8"))
OPERATOR = re.compile(r"^[ :+-]*(Join|GroupAggregate)\((?:.*stateTtl=\[(.*?)\])?", re.MULTILINE)
SIDES = {"Join": 2, "GroupAggregate": 1}


@pytest.fixture(scope="module")
def t_env() -> StreamTableEnvironment:
    t_env = StreamTableEnvironment.create(local_environment())
    t_env.get_config().set("table.exec.state.ttl", harness.TTL)
    for statement in harness.SETUP:
        t_env.execute_sql(statement)
    return t_env


def test_the_recorded_queries_are_the_ones_of_the_oracle() -> None:
    assert [*RECORDED] == harness.queries(), "run tests/oracle/state_ttl/record.py again"


@pytest.mark.parametrize("query", RECORDED)
def test_operators_have_the_times_of_pyflink(t_env: StreamTableEnvironment, query: str) -> None:
    expected = RECORDED[query]
    if isinstance(expected, str):
        with pytest.raises(SqlError, match="STATE_TTL"):
            t_env.explain_sql(query)
        return
    found = []
    for operator, times in OPERATOR.findall(t_env.explain_sql(query)):
        parts = times.split(", ") if times else ["never"] * SIDES[operator]
        found.append([operator, [part.replace("never", "0 ms") for part in parts]])
    assert sorted(found) == expected


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (
            "SELECT /*+ STATE_TTL('z' = '1 d') */\n k, COUNT(*) FROM a GROUP BY k",
            "line 1, column 23, at 'z': STATE_TTL: 'z' is no table of FROM, which has a",
        ),
        (
            "SELECT /*+ STATE_TTL('a' = '1 d') */ k FROM a AS x JOIN b AS y USING (k)",
            "'a' is no table of FROM, which has x, y",
        ),
        (
            "SELECT\n /*+ STATE_TTL('a' = 'much') */ k, COUNT(*) FROM a GROUP BY k",
            "line 2, column 23, at 'much': STATE_TTL: 'much' is not a duration such as '5 min'",
        ),
        (
            "SELECT /*+ STATE_TTL */ k FROM a",
            r"at 'STATE_TTL': STATE_TTL takes names of tables and their times",
        ),
        ("SELECT /*+ STATE_TTL(a.b = '1 d') */ k FROM a", "'a.b' is no table of FROM, which has a"),
        ("SELECT /*+ STATE_TTL(a.b) + */ k FROM a", "STATE_TTL takes names of tables and their times"),
        ("SELECT /*+ STATE_TTL('a' = '1 d') */ 1", "'a' is no table of FROM"),
        (
            "SELECT /*+ STATE_TTL('a' = '1 d') */ k FROM (SELECT k FROM a)",
            "'a' is no table of FROM, which has none with a name",
        ),
    ],
)
def test_wrong_hints_name_the_place_and_the_remedy(
    t_env: StreamTableEnvironment, query: str, message: str
) -> None:
    with pytest.raises(SqlError, match=message):
        t_env.sql_query(query)


def test_tables_of_subqueries_in_conditions_have_no_effect(t_env: StreamTableEnvironment) -> None:
    plan = t_env.explain_sql("SELECT /*+ STATE_TTL('b' = '1 d') */ k FROM a WHERE k IN (SELECT k FROM b)")
    assert "1 d" not in plan
    assert "stateTtl=[1 h, 1 h]" in plan


def test_views_and_common_tables_keep_the_times_of_their_hints() -> None:
    t_env = StreamTableEnvironment.create(local_environment())
    for statement in harness.SETUP[:2]:
        t_env.execute_sql(statement)
    with_common = (
        "WITH c AS (SELECT k, v FROM a) SELECT /*+ STATE_TTL('c' = '1 d') */ b.k FROM b JOIN c USING (k)"
    )
    assert "stateTtl=[never, 1 d]" in t_env.explain_sql(with_common)
    t_env.execute_sql(
        "CREATE VIEW v AS SELECT /*+ STATE_TTL('a' = '2 d') */ k, COUNT(*) AS n FROM a GROUP BY k"
    )
    assert "stateTtl=[2 d]" in t_env.from_path("v").explain()
    assert "stateTtl" not in t_env.explain_sql("SELECT k, COUNT(*) FROM a GROUP BY k")


def test_hints_of_other_names_have_no_effect(t_env: StreamTableEnvironment) -> None:
    plan = t_env.explain_sql("SELECT /*+ STATE_TTLS('a' = '1 d') */ k, COUNT(*) FROM a GROUP BY k")
    assert "stateTtl=[1 h]" in plan
