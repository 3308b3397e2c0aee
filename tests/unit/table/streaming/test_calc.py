"""Expressions of rows that are updated: what is taken back is what was given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import count
from typing import Any

import pytest

from pystream.common import Row, RowKind, Time
from pystream.common.typeinfo import Types
from pystream.datastream import SourceContext, SourceFunction
from pystream.datastream.functions import NullByteKeySelector
from pystream.errors import UnsupportedOperationError
from pystream.sql_types.data_types import DataTypes
from pystream.table import Schema, StreamTableEnvironment
from pystream.table.conversions import ElementConversion
from pystream.table.evaluation import Evaluation
from pystream.table.streaming.calc import Calc, CalcStep, KeptResults
from pystream.table.udf import udf, udtf
from pystream.testing import ProcessFunctionTestHarnesses, local_environment
from tests.unit.table.streaming.changelogs import Remaining
from typeinfo.row import make_row

PAIR = Types.ROW_NAMED(["k", "v"], [Types.STRING(), Types.INT()])
calls = count()


@udf(result_type="BIGINT", deterministic=False)
def chance(number: int) -> int:
    return 1000 * next(calls) + number


class Given(SourceFunction[Row[Any]]):
    def __init__(self, rows: Sequence[Row[Any]]) -> None:
        self.rows = rows

    def run(self, ctx: SourceContext[Row[Any]], /) -> None:
        for row in self.rows:
            ctx.collect(row)

    def cancel(self) -> None: ...


@udtf(result_types=["BIGINT", "STRING"], deterministic=False)
def chances(number: int) -> Iterator[tuple[int, str]]:
    for word in ("a", "b"):
        yield 1000 * next(calls) + number, word


@pytest.fixture
def t_env() -> StreamTableEnvironment:
    env = local_environment()
    t_env = StreamTableEnvironment.create(env)
    rows = [
        make_row(("a", 1), None),
        make_row(("a", 2), None),
        make_row(("b", 3), None),
        make_row(("a", 1), None),
        make_row(("a", 1), None, RowKind.DELETE),
        make_row(("b", 3), None, RowKind.UPDATE_BEFORE),
        make_row(("b", 4), None, RowKind.UPDATE_AFTER),
        make_row(("a", 1), None, RowKind.DELETE),
    ]
    updated = t_env.from_changelog_stream(env.add_source(Given(rows), "rows", PAIR))
    t_env.create_temporary_view("updated", updated)
    t_env.create_temporary_function("chance", chance)
    t_env.create_temporary_function("chances", chances)
    return t_env


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ("SELECT k, chance(v) AS c FROM updated", 2),
        ("SELECT k FROM updated WHERE chance(v) >= 0", 2),
        ("SELECT c, COUNT(*) AS n FROM (SELECT chance(v) AS c FROM updated) GROUP BY c", 2),
        ("SELECT k, chance(n) AS c FROM (SELECT k, COUNT(*) AS n FROM updated GROUP BY k)", 2),
        ("SELECT k, SUM(chance(v)) AS c FROM updated GROUP BY k", 2),
        ("SELECT k, w, c FROM updated, LATERAL TABLE(chances(v)) AS x(c, w)", 4),
        ("SELECT k, w, c FROM updated LEFT JOIN LATERAL TABLE(chances(v)) AS x(c, w) ON c < 0", 2),
        ("SELECT w, SUM(c) AS c FROM updated, LATERAL TABLE(chances(v)) AS x(c, w) GROUP BY w", 2),
        ("SELECT a.k, b.v FROM updated AS a LEFT JOIN updated AS b ON chance(a.v) = b.v", 2),
    ],
)
def test_results_of_functions_that_are_not_deterministic(
    query: str, left: int, t_env: StreamTableEnvironment
) -> None:
    remaining = Remaining()
    with t_env.to_changelog_stream(t_env.sql_query(query)).execute_and_collect() as changes:
        for row in changes:
            remaining.apply(row)
    assert len(remaining.rows) == left


def test_a_condition_on_pairs_of_a_function_that_is_not_deterministic(t_env: StreamTableEnvironment) -> None:
    query = "SELECT a.k FROM updated AS a JOIN updated AS b ON a.k = b.k AND chance(a.v + b.v) > 3"
    with pytest.raises(
        UnsupportedOperationError,
        match="deterministic, so that pairs could not be taken back: call it in a subquery",
    ):
        t_env.sql_query(query)


def kept(ttl: Time | None = None) -> KeptResults:
    values = Evaluation(lambda row: (row[0], next(calls)), DataTypes.STRING())
    step = CalcStep((), (values,), (None,))
    return KeptResults(Calc(ElementConversion(PAIR, [0, 1], PAIR), [step], PAIR), ttl)


def test_the_first_of_equal_rows_is_taken_back_and_unknown_ones_are_ignored() -> None:
    with ProcessFunctionTestHarnesses.for_keyed_process_function(
        kept(), NullByteKeySelector(), Types.INT()
    ) as harness:
        harness.process_element(make_row(("a", 1), None, RowKind.DELETE))
        assert harness.extract_output_values() == []
        for kind in (RowKind.INSERT, RowKind.UPDATE_AFTER, RowKind.UPDATE_BEFORE, RowKind.DELETE):
            harness.process_element(make_row(("a", 1), None, kind))
        one, other, *taken_back = harness.extract_output_values()
        assert [tuple(row) for row in taken_back] == [tuple(one), tuple(other)] != [tuple(one), tuple(one)]
        assert taken_back[0].get_row_kind() is RowKind.UPDATE_BEFORE
        assert harness.num_keyed_state_entries() == 0


def test_groups_of_the_first_rows_of_windows() -> None:
    env = local_environment()
    t_env = StreamTableEnvironment.create(env)
    start = datetime(2024, 1, 1)
    rows = [make_row((k, start + timedelta(seconds=at)), None) for k, at in (("a", 1), ("b", 2), ("a", 7))]
    stream = env.from_collection(rows, Types.ROW_NAMED(["k", "ts"], [Types.STRING(), Types.SQL_TIMESTAMP()]))
    schema = Schema.new_builder().watermark("ts", "ts - INTERVAL '1' SECOND").build()
    t_env.create_temporary_view("e", t_env.from_data_stream(stream, schema))
    query = (
        "SELECT k, COUNT(*) AS n FROM (SELECT k, b FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY b "
        "ORDER BY k) AS rn FROM (SELECT k, window_start AS b FROM TABLE(TUMBLE(TABLE e, DESCRIPTOR(ts), "
        "INTERVAL '5' SECOND)) GROUP BY k, window_start, window_end)) WHERE rn <= 1) GROUP BY k"
    )
    with t_env.sql_query(query).execute().collect() as results:
        assert [tuple(row) for row in results] == [("a", 2)]
