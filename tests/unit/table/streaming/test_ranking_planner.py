"""Plans of queries for first rows and for groups of updated rows, and their refusals with the place."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from pystream.common import Row, Types
from pystream.datastream import SourceContext, SourceFunction, StreamExecutionEnvironment
from pystream.errors import UnsupportedOperationError
from pystream.plan.nodes import OperatorNode
from pystream.table import Schema, StreamTableEnvironment, Table
from pystream.table.expressions import col
from pystream.table.streaming.retracting_aggregators import MonotonicExtreme
from pystream.testing import local_environment

CLICK = Types.ROW_NAMED(
    ["page", "n", "tags", "at"],
    [Types.STRING(), Types.INT(), Types.LIST(Types.STRING()), Types.SQL_TIMESTAMP()],
)
RANKED = (
    "SELECT page FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY page ORDER BY {}) AS r FROM {}) WHERE {}"
)


class Clicks(SourceFunction[Row[Any]]):
    """Is never run."""

    def run(self, ctx: SourceContext[Row[Any]], /) -> None:
        raise AssertionError

    def cancel(self) -> None: ...


@pytest.fixture(scope="module")
def t_env() -> StreamTableEnvironment:
    """The unbounded table clicks, and its rows as plain, changed, changing (with a watermark), and totals."""
    env: StreamExecutionEnvironment = local_environment()
    t_env = StreamTableEnvironment.create(env)
    clicks = env.add_source(Clicks(), "clicks", CLICK)
    schema = (
        Schema.new_builder()
        .column("page", "STRING")
        .column("n", "INT NOT NULL")
        .column("tags", "ARRAY<STRING>")
        .column("at", "TIMESTAMP(3)")
        .watermark("at", "at - INTERVAL '1' SECOND")
        .build()
    )
    t_env.create_temporary_view("clicks", t_env.from_data_stream(clicks, schema))
    t_env.create_temporary_view("plain", clicks)
    t_env.create_temporary_view("changed", t_env.from_changelog_stream(clicks))
    t_env.create_temporary_view("changing", t_env.from_changelog_stream(clicks, schema))
    t_env.execute_sql(
        "CREATE VIEW totals AS SELECT page, COUNT(*) AS n, MIN(n) AS low, SUM(n) AS s "
        "FROM clicks GROUP BY page"
    )
    return t_env


def function_of(table: Table) -> Any:
    """Return the function that makes the rows of a table."""
    stream = table._stream
    node = stream.get_execution_environment()._builder.node(stream._node_id)
    assert isinstance(node, OperatorNode)
    assert node.function is not None
    return node.function.value


def operator_of(table: Table) -> str:
    """Return the name of the class of the function that makes the rows of a table."""
    return type(function_of(table)).__name__


@pytest.mark.parametrize(
    ("query", "function", "is_updating"),
    [
        (RANKED.format("n", "clicks", "r <= 3"), "AppendOnlyTopN", True),
        (RANKED.format("n", "changed", "r <= 3"), "RetractableTopN", True),
        (RANKED.format("at", "clicks", "r = 1"), "FirstRow", False),
        (RANKED.format("at", "clicks", "r < 2 AND r > 0"), "FirstRow", False),
        (RANKED.format("at DESC", "clicks", "1 = r"), "LastRow", True),
        (RANKED.format("at", "clicks", "r <= 2"), "AppendOnlyTopN", True),
        (RANKED.format("at, n", "clicks", "r = 1"), "AppendOnlyTopN", True),
        (RANKED.format("at", "plain", "r = 1"), "AppendOnlyTopN", True),
        (RANKED.format("at", "changed", "r = 1"), "RetractableTopN", True),
        (RANKED.format("n DESC", "totals", "r = 1"), "UpdatableTopN", True),
        (RANKED.format("n DESC, page", "totals", "r = 1"), "UpdatableTopN", True),
        (RANKED.format("low", "totals", "r = 1"), "UpdatableTopN", True),
        (RANKED.format("n", "totals", "r = 1"), "RetractableTopN", True),
        (RANKED.format("low DESC", "totals", "r = 1"), "RetractableTopN", True),
        (RANKED.format("n DESC, s", "totals", "r = 1"), "RetractableTopN", True),
        (RANKED.format("n DESC NULLS FIRST", "totals", "r = 1"), "RetractableTopN", True),
        (RANKED.format("PROCTIME()", "clicks", "r <= 2"), "AppendOnlyTopN", False),
        (RANKED.format("PROCTIME()", "changed", "r = 1"), "RetractableTopN", True),
        (RANKED.format("PROCTIME() DESC", "plain", "r = 1"), "LastRow", True),
        ("SELECT n FROM clicks ORDER BY n LIMIT 3", "AppendOnlyTopN", True),
        ("SELECT n FROM clicks LIMIT 3", "AppendOnlyTopN", False),
        ("SELECT page, n FROM totals LIMIT 3", "RetractableTopN", True),
        (RANKED.format("n DESC", "totals", "r = 1").replace("BY page", "BY low"), "RetractableTopN", True),
        (RANKED.format("at", "changing", "r = 1"), "RetractableTopN", True),
        (
            "SELECT page, COUNT(*) AS c FROM totals GROUP BY page ORDER BY c DESC LIMIT 3",
            "RetractableTopN",
            True,
        ),
        ("SELECT page, n FROM totals ORDER BY n DESC LIMIT 3", "UpdatableTopN", True),
        ("SELECT n FROM totals ORDER BY n DESC LIMIT 3", "RetractableTopN", True),
        ("SELECT page FROM clicks ORDER BY at", "TemporalSort", False),
        ("(SELECT page FROM clicks) ORDER BY page LIMIT 2", "AppendOnlyTopN", True),
        ("SELECT page, MAX(n) FROM changed GROUP BY page", "RetractingGroupAggregation", True),
        ("SELECT DISTINCT n FROM totals", "RetractingGroupAggregation", True),
        ("SELECT page, MAX(n) FROM clicks GROUP BY page", "GroupAggregation", True),
        ("SELECT COUNT(*) AS c FROM (SELECT n FROM clicks LIMIT 3)", "GroupAggregation", True),
        ("SELECT COUNT(*) AS c FROM (SELECT n FROM clicks ORDER BY n)", "GroupAggregation", True),
        (
            "SELECT COUNT(*) AS c FROM (SELECT n FROM clicks ORDER BY n LIMIT 3)",
            "RetractingGroupAggregation",
            True,
        ),
    ],
)
def test_operators(query: str, function: str, is_updating: bool, t_env: StreamTableEnvironment) -> None:
    table = t_env.sql_query(query)
    assert (operator_of(table), table._is_updating) == (function, is_updating)


@pytest.mark.parametrize(
    ("query", "clause", "place"),
    [
        ("SELECT page FROM clicks ORDER BY n", "ORDER BY without LIMIT, other than of event time,", "n"),
        ("SELECT page FROM clicks ORDER BY at DESC", "ORDER BY without LIMIT", "at DESC"),
        ("SELECT page FROM plain ORDER BY at", "ORDER BY without LIMIT", "at"),
        ("SELECT n FROM totals ORDER BY n", "ORDER BY without LIMIT", "n"),
        ("SELECT n FROM changing ORDER BY at", "ORDER BY without LIMIT", "at"),
        ("SELECT page FROM clicks OFFSET 3 ROWS", "OFFSET without LIMIT", "page"),
        ("SELECT page FROM clicks ORDER BY n OFFSET 3 ROWS", "OFFSET without LIMIT", "n"),
        ("SELECT n FROM (SELECT n FROM clicks OFFSET 3 ROWS)", "OFFSET without LIMIT", "n FROM clicks"),
        ("SELECT page FROM clicks ORDER BY tags LIMIT 3", "ORDER BY of ARRAY<STRING>", "tags LIMIT"),
        ("SELECT DISTINCT page FROM clicks ORDER BY n LIMIT 3", "ORDER BY of what DISTINCT does not", "page"),
        (RANKED.format("n", "clicks", "r <= 2").replace("ROW_NUMBER", "RANK"), "RANK, other than", "RANK"),
        (RANKED.format("n", "clicks", "r = 1").replace("ROW_NUMBER", "DENSE_RANK"), "DENSE_RANK, o", "DENSE"),
        (RANKED.format("PROCTIME() DESC", "clicks", "r < 3"), "ORDER BY PROCTIME() DESC of more", "ROW_NUM"),
        (RANKED.format("PROCTIME() DESC", "changed", "r = 1"), "ORDER BY PROCTIME() DESC of more", "ROW_NUM"),
        (RANKED.format("n", "clicks", "r < 1"), "a condition that no ROW_NUMBER fulfils", "r < 1"),
        (RANKED.format("n", "clicks", "r BETWEEN 3 AND 2"), "a condition that no ROW_NUMBER fulfils", "r B"),
        (
            RANKED.format("n", "clicks", "r < 3").replace(" ORDER BY n", ""),
            "ROW_NUMBER without ORDER BY",
            "ROW_NUMBER",
        ),
        (
            "SELECT COUNT(*) FROM TABLE(TUMBLE(TABLE changed, DESCRIPTOR(at), INTERVAL '5' SECOND)) "
            "GROUP BY window_start, window_end",
            "TUMBLE of rows that may be updated later",
            "at), INTERVAL",
        ),
    ],
)
def test_a_refusal_names_the_clause_and_its_place(
    query: str, clause: str, place: str, t_env: StreamTableEnvironment
) -> None:
    with pytest.raises(UnsupportedOperationError) as caught:
        t_env.sql_query(query)
    message = str(caught.value)
    found = re.match(
        r"line 1, column (\d+), at .*?: (.*) is not supported yet for unbounded tables such as '\w+'", message
    )
    assert found is not None, message
    assert found[2].startswith(clause)
    assert query[int(found[1]) - 1 :].startswith(place)


@pytest.mark.parametrize(
    ("methods", "function"),
    [
        (lambda t: t.order_by(col("n").desc).fetch(3), "AppendOnlyTopN"),
        (lambda t: t.order_by(col("n")).offset(1).fetch(2).select(col("page")), "AppendOnlyTopN"),
        (lambda t: t.order_by(col("n")).limit(3, 1), "AppendOnlyTopN"),
        (lambda t: t.order_by(col("n")).select(col("page")).fetch(2), "AppendOnlyTopN"),
        (
            lambda t: t.order_by(col("n")).select(col("page"), col("n")).alias("p").offset(1).fetch(2),
            "AppendOnlyTopN",
        ),
        (
            lambda t: t.select(col("page")).distinct().select(col("page").count.alias("c")).limit(1),
            "RetractableTopN",
        ),
        (lambda t: t.limit(3), "AppendOnlyTopN"),
        (lambda t: t.order_by(col("at")), "TemporalSort"),
        (lambda t: t.order_by(col("at")).select(col("page")), "TemporalSort"),
    ],
)
def test_methods_of_a_table(
    methods: Callable[[Table], Table], function: str, t_env: StreamTableEnvironment
) -> None:
    assert operator_of(methods(t_env.from_path("clicks"))) == function


@pytest.mark.parametrize(
    ("methods", "clause"),
    [
        (lambda t: t.order_by(col("n")), "ORDER BY without LIMIT"),
        (lambda t: t.order_by(col("n")).select(col("page")), "ORDER BY without LIMIT"),
        (lambda t: t.order_by(col("n")).select(col("page"), col("at")).alias("page"), "ORDER BY without"),
        (lambda t: t.offset(2), "OFFSET without LIMIT"),
    ],
)
def test_an_order_without_a_number_of_rows_is_refused_when_the_rows_are_used(
    methods: Callable[[Table], Table], clause: str, t_env: StreamTableEnvironment
) -> None:
    table = methods(t_env.from_path("clicks"))
    assert table.get_schema().get_field_names()[0] == "page"
    for use in (table.execute, table.explain, lambda: t_env.to_changelog_stream(table)):
        with pytest.raises(UnsupportedOperationError, match=f"^{clause}.* is not supported yet"):
            use()
    with pytest.raises(UnsupportedOperationError, match=clause):
        table.group_by(col("page")).select(col("page"), col("page").count.alias("c"))


@pytest.mark.parametrize(
    ("condition", "ranks"),
    [
        ("3 >= r", "1-3"),
        ("3 > r", "1-2"),
        ("r > 1 AND r <= 3", "2-3"),
        ("4 >= r AND 2 <= r AND r < 9", "2-4"),
        ("r BETWEEN 2 AND 5", "2-5"),
        ("(r = 2)", "2-2"),
    ],
)
def test_an_operator_is_named_by_the_ranks_of_its_rows(
    condition: str, ranks: str, t_env: StreamTableEnvironment
) -> None:
    assert f"TopN({ranks})" in t_env.sql_query(RANKED.format("n", "clicks", condition)).explain()


def test_names_of_other_operators(t_env: StreamTableEnvironment) -> None:
    assert "TopN(2-4)" in t_env.sql_query("SELECT n FROM clicks ORDER BY n LIMIT 3 OFFSET 1").explain()
    assert "Deduplicate" in t_env.sql_query(RANKED.format("at", "clicks", "r = 1")).explain()


@pytest.mark.parametrize(
    ("query", "is_monotonic"),
    [
        ("SELECT page, MAX(n) FROM totals GROUP BY page", True),
        ("SELECT page, MIN(low) FROM totals GROUP BY page", True),
        ("SELECT MAX(n) FROM totals", True),
        ("SELECT page, MIN(n) FROM totals GROUP BY page", False),
        ("SELECT page, MAX(s) FROM totals GROUP BY page", False),
        ("SELECT page, SUM(n) FROM totals GROUP BY page", False),
        ("SELECT low, MAX(n) FROM totals GROUP BY low", False),
    ],
)
def test_extremes_of_monotonic_columns_keep_no_values(
    query: str, is_monotonic: bool, t_env: StreamTableEnvironment
) -> None:
    ((_, aggregator),) = function_of(t_env.sql_query(query))._aggregation._steps
    assert isinstance(aggregator, MonotonicExtreme) is is_monotonic


@pytest.mark.parametrize(
    "query",
    [
        RANKED.format("at", "clicks", "r = 1").replace("page FROM (", "at FROM (", 1),
        "SELECT page, at FROM clicks LIMIT 3",
        "SELECT n, at FROM clicks ORDER BY at",
    ],
)
def test_the_event_time_of_rows_that_are_only_inserted_is_kept(
    query: str, t_env: StreamTableEnvironment
) -> None:
    t_env.create_temporary_view("firsts", t_env.sql_query(query))
    windows = t_env.sql_query(
        "SELECT window_end FROM TABLE(TUMBLE(TABLE firsts, DESCRIPTOR(at), INTERVAL '5' SECOND)) "
        "GROUP BY window_start, window_end"
    )
    t_env.drop_temporary_view("firsts")
    assert not windows._is_updating
