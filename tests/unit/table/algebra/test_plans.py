"""Plans of queries beside those of Flink, which were recorded."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from pystream.common import Configuration
from pystream.datastream import StreamExecutionEnvironment
from pystream.table import StreamTableEnvironment, Table
from pystream.table.algebra.explain import plan_text
from tests.oracle_modules import oracle_module

harness = oracle_module("plans/harness")
RECORDED = json.loads(harness.RECORDED.read_text(encoding="utf-8"))

LINE = re.compile(r"(?P<depth>[ :+-]*)(?P<name>\w+)\(.*changelogMode=\[(?P<mode>[^]]*)\]")
NOT_COMPARED = {"Calc", "Exchange", "WatermarkAssigner", "LocalWindowAggregate"}
"""Operators that Flink or pystream has in other places, without another result."""
FIRST_ROWS = "rankRange=[rankStart=1, rankEnd=1]"


class Operator(NamedTuple):
    name: str
    is_updating: bool


def operators(lines: list[str]) -> Iterator[Operator]:
    """Yield the operators of a plan under the names that both have."""
    for line in lines:
        found = LINE.match(line)
        assert found is not None, line
        name = found["name"]
        if name in NOT_COMPARED:
            continue
        if name == "Rank" and FIRST_ROWS in line:
            name = "Deduplicate"  # Flink ranks where both rows and times are selected
        name = {"GlobalWindowAggregate": "WindowAggregate", "SortLimit": "Rank"}.get(name, name)
        yield Operator(name, found["mode"] != "I")


@pytest.fixture
def t_env() -> StreamTableEnvironment:
    configuration = Configuration()
    configuration.set_string("pystream.runner", "local")
    t_env = StreamTableEnvironment.create(StreamExecutionEnvironment.get_execution_environment(configuration))
    for name, columns in harness.TABLES.items():
        t_env.execute_sql(f"CREATE TABLE {name} ({columns}) WITH ('connector' = 'datagen')")
    return t_env


def plan(table: Table) -> list[str]:
    assert table._plan is not None
    return plan_text(table._plan).splitlines()


def test_queries_are_those_that_were_recorded() -> None:
    assert {name: outcome["query"] for name, outcome in RECORDED.items()} == harness.queries()


@pytest.mark.parametrize("name", [name for name in RECORDED if name != "distinct"])
def test_operators_and_their_changes_are_those_of_flink(name: str, t_env: StreamTableEnvironment) -> None:
    found = [*operators(plan(t_env.sql_query(RECORDED[name]["query"])))]
    assert found == [*operators(RECORDED[name]["plan"])]


def test_distinct_rows_are_never_updated(t_env: StreamTableEnvironment) -> None:
    """Flink's plan says UA, which its operator never emits."""
    found = [*operators(plan(t_env.sql_query(RECORDED["distinct"]["query"])))]
    assert found == [
        Operator("GroupAggregate", is_updating=False),
        Operator("TableSourceScan", is_updating=False),
    ]


def test_a_plan_has_types_changes_and_arguments(t_env: StreamTableEnvironment) -> None:
    text = t_env.sql_query(
        "SELECT u, MAX(n) + 1 AS m FROM clicks WHERE n > 3 GROUP BY u HAVING COUNT(*) > 1"
    ).explain()
    assert text.split("\n\n")[0].splitlines() == [
        "== relational plan ==",
        "Calc(select=[u, MAX(n) + 1 AS m], where=[COUNT(*) > 1], changelogMode=[I,UB,UA])"
        " -> (`u` STRING, `m` INT)",
        "+- GroupAggregate(groupBy=[u], select=[u, MAX(n), COUNT(*)], changelogMode=[I,UB,UA])"
        " -> (`u` STRING, `MAX(n)` INT, `COUNT(*)` BIGINT NOT NULL)",
        "   +- Calc(select=[u, n], where=[n > 3], changelogMode=[I]) -> (`u` STRING, `n` INT)",
        "      +- TableSourceScan(table=[clicks], fields=[u, url, n, ts], changelogMode=[I])"
        " -> (`u` STRING, `url` STRING, `n` INT, `ts` TIMESTAMP(3))",
    ]


def test_bounded_groups_are_aggregated_at_their_end(t_env: StreamTableEnvironment) -> None:
    t_env.create_temporary_view("few", t_env.from_elements([(1, "a")], ["n", "u"]))
    lines = plan(t_env.sql_query("SELECT u, COUNT(*) AS c FROM few GROUP BY u"))
    assert [*operators(lines)] == [
        Operator("HashAggregate", is_updating=False),
        Operator("TableSourceScan", is_updating=False),
    ]
