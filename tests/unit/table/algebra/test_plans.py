"""Plans of queries beside those of Flink, which were recorded."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from pystream.common import Configuration
from pystream.datastream import StreamExecutionEnvironment
from pystream.table import DataTypes, StreamTableEnvironment, Table
from pystream.table.algebra.explain import plan_text
from pystream.table.expressions import col
from pystream.table.udf import udf
from tests.oracle_modules import oracle_module

harness = oracle_module("plans/harness")
RECORDED = json.loads(harness.RECORDED.read_text(encoding="utf-8"))

LINE = re.compile(r"(?P<depth>[ :+-]*)(?P<name>\w+)\(.*changelogMode=\[(?P<mode>[^]]*)\]")
NOT_COMPARED = {"Calc", "Exchange", "WatermarkAssigner", "LocalWindowAggregate"}
"""Operators that Flink or pystream has in other places, without another result."""
PUSHED = {name for name in RECORDED if name.startswith("conditions_")} | {"merged_selects"}
FIRST_ROWS = "rankRange=[rankStart=1, rankEnd=1]"


class Operator(NamedTuple):
    name: str
    is_updating: bool


def operators(lines: list[str], *, with_conditions: bool = False) -> Iterator[Operator]:
    """Yield the operators of a plan under the names that both have, and on demand those with conditions."""
    for line in lines:
        found = LINE.match(line)
        assert found is not None, line
        name = found["name"]
        if name in NOT_COMPARED and not (with_conditions and name == "Calc" and "where=[" in line):
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


@pytest.mark.parametrize("name", sorted(PUSHED))
def test_conditions_are_tested_where_flink_tests_them(name: str, t_env: StreamTableEnvironment) -> None:
    found = [*operators(plan(t_env.sql_query(RECORDED[name]["query"])), with_conditions=True)]
    assert found == [*operators(RECORDED[name]["plan"], with_conditions=True)]


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


def lines_of(text: str) -> list[str]:
    """Return the lines of the relational plan in a text, without the columns of operators."""
    shown = text.partition("== relational plan ==\n")[2].partition("\n\n==")[0]
    return [line.partition(" -> ")[0].replace(", changelogMode=[I])", ")") for line in shown.splitlines()]


def test_plans_of_inserts_begin_with_their_sinks(t_env: StreamTableEnvironment) -> None:
    t_env.execute_sql("CREATE TABLE o (k STRING, n INT) WITH ('connector' = 'print')")
    t_env.execute_sql("CREATE TABLE keyed (m INT PRIMARY KEY NOT ENFORCED) WITH ('connector' = 'print')")
    text = t_env.explain_sql("INSERT INTO o SELECT u, n FROM clicks WHERE n > 1")
    assert lines_of(text) == [
        "Sink(table=[o], fields=[u, n])",
        "+- Calc(select=[u, n], where=[n > 1])",
        "   +- TableSourceScan(table=[clicks], fields=[u, url, n, ts])",
    ]
    inserts = t_env.create_statement_set()
    inserts.add_insert_sql("INSERT INTO o SELECT url, n FROM clicks")
    inserts.add_insert_sql("INSERT INTO keyed SELECT MAX(n) AS m FROM clicks GROUP BY u")
    assert lines_of(inserts.explain()) == [
        "Sink(table=[o], fields=[url, n])",
        "+- Calc(select=[url, n])",
        "   +- TableSourceScan(table=[clicks], fields=[u, url, n, ts])",
        "",
        "Sink(table=[keyed], fields=[m], upsertMaterialize=[true], changelogMode=[I,UB,UA])",
        "+- Calc(select=[MAX(n) AS m], changelogMode=[I,UB,UA])",
        "   +- GroupAggregate(groupBy=[u], select=[u, MAX(n)], changelogMode=[I,UB,UA])",
        "      +- Calc(select=[u, n])",
        "         +- TableSourceScan(table=[clicks], fields=[u, url, n, ts])",
    ]


def test_what_is_read_twice_is_shown_once(t_env: StreamTableEnvironment) -> None:
    t_env.execute_sql("CREATE VIEW v AS SELECT u, COUNT(*) AS c FROM clicks GROUP BY u")
    text = t_env.sql_query("SELECT a.c FROM v AS a JOIN v AS b ON a.u = b.u").explain()
    assert [line.partition(" -> ")[0].split(", changelogMode")[0] for line in lines_of(text)] == [
        "Calc(select=[c]",
        "+- Join(joinType=[InnerJoin], where=[u = u0]",
        "   :- Calc(select=[u, COUNT(*) AS c]",
        "   :  +- GroupAggregate(groupBy=[u], select=[u, COUNT(*)]",
        "   :     +- Calc(select=[u])",
        "   :        +- TableSourceScan(table=[clicks], fields=[u, url, n, ts])",
        "   +- Calc(select=[u]",
        "      +- Reused(reference_id=[1])",
    ]
    assert "Calc(select=[u, COUNT(*) AS c], changelogMode=[I,UB,UA])(reuse_id=[1]) -> " in text


def test_plans_name_functions_and_tables_of_the_program(t_env: StreamTableEnvironment) -> None:
    twice = udf(lambda n: 2 * n, result_type=DataTypes.BIGINT())
    t_env.create_temporary_function("twice", twice)
    table = t_env.from_elements([(1, "a")], ["n", "w"])
    assert lines_of(table.explain()) == ["TableSourceScan(table=[*anonymous*], fields=[n, w])"]
    t_env.create_temporary_view("few", table)
    assert lines_of(table.select(col("n")).explain()) == ["TableSourceScan(table=[few], fields=[n])"]
    assert lines_of(t_env.sql_query("SELECT twice(n) + 1 AS m FROM few WHERE twice(1) > n").explain()) == [
        "Calc(select=[twice(n) + 1 AS m], where=[twice(1) > n])",
        "+- TableSourceScan(table=[few], fields=[n, w])",
    ]


@pytest.mark.parametrize(
    ("call", "shown"),
    [
        ("TUMBLE({}, INTERVAL '90' SECOND, INTERVAL '5' SECOND)", "size=[90 s], offset=[5 s]"),
        ("HOP({}, INTERVAL '1' MINUTE, INTERVAL '2' MINUTE)", "size=[2 min], slide=[1 min]"),
        ("CUMULATE({}, INTERVAL '2' MINUTE, INTERVAL '2' HOUR)", "max_size=[2 h], step=[2 min]"),
        ("SESSION({}, INTERVAL '1' DAY)", "gap=[1 d]"),
    ],
)
def test_windows_are_shown_as_by_flink(t_env: StreamTableEnvironment, call: str, shown: str) -> None:
    table = call.format("TABLE clicks, DESCRIPTOR(ts)")
    lines = lines_of(t_env.sql_query(f"SELECT * FROM TABLE({table})").explain())
    assert lines[1] == f"+- WindowTableFunction(window=[{call.partition('(')[0]}(time_col=[ts], {shown})])"
