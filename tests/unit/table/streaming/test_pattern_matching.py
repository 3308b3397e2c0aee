"""The operator of patterns: its order, its state in snapshots, and the time of its results."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from pystream.common import Row
from pystream.common.typeinfo import Types
from pystream.table import StreamTableEnvironment
from pystream.table.algebra.matches import Match
from pystream.table.algebra.node import walk
from pystream.table.streaming.pattern_matching import PatternMatching
from pystream.testing import OperatorHarness, ProcessFunctionTestHarnesses, local_environment

START = datetime(2024, 1, 1)
EPOCH = int((START - datetime(1970, 1, 1)).total_seconds() * 1000)
FALLS = (
    "SELECT * FROM ticks MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY ts, n DESC "
    "MEASURES A.n AS a, SUM(B.n) AS s, C.n AS c, MATCH_ROWTIME() AS mt "
    "AFTER MATCH SKIP PAST LAST ROW PATTERN (A B* C) WITHIN INTERVAL '10' SECOND "
    "DEFINE B AS B.n < LAST(n, 1), C AS C.n > A.n)"
)
ARRIVALS = [
    ("a", 3, 4),
    ("b", 9, 1),
    ("a", 5, 1),
    ("a", 4, 2),
    ("b", 1, 2),
    ("b", 10, 3),
    ("a", 6, 4),
    ("b", 2, 14),
]
"""Symbols, numbers, and times in seconds; those of each symbol are in another order."""


def harness_of(query: str) -> OperatorHarness[Any, Any, Any]:
    t_env = StreamTableEnvironment.create(local_environment())
    t_env.execute_sql(
        "CREATE TABLE ticks (symbol STRING, n INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) "
        "WITH ('connector' = 'datagen')"
    )
    plan = t_env.sql_query(query)._plan
    assert plan is not None
    (node,) = (node for node in walk(plan) if isinstance(node, Match))
    names = [column.name for column in node.rows.columns]

    def symbol(row: Row[Any]) -> str:
        return str(row[names.index("symbol")])

    harness = ProcessFunctionTestHarnesses.for_keyed_process_function(
        PatternMatching(node), symbol, Types.STRING()
    )
    assert names == ["symbol", "ts", "n"]
    return harness


def process(harness: OperatorHarness[Any, Any, Any], symbol: str, number: int, second: float) -> None:
    time = START + timedelta(seconds=second)
    harness.process_element(Row(symbol, time, number), EPOCH + int(second * 1000))


def watermark(harness: OperatorHarness[Any, Any, Any], second: int) -> None:
    harness.process_watermark(EPOCH + second * 1000)


def found(harness: OperatorHarness[Any, Any, Any]) -> list[tuple[Any, ...]]:
    """Return the matches, with the seconds of their times, which are also those of the results."""
    results = []
    for record in harness.get_output():
        *values, time = record.value
        assert record.timestamp is not None
        assert EPOCH + (time - START) // timedelta(milliseconds=1) == record.timestamp
        results.append((*values, (record.timestamp - EPOCH) / 1000))
    return results


def test_rows_are_matched_in_the_order_of_time_and_of_other_columns() -> None:
    with harness_of(FALLS) as harness:
        for arrival in ARRIVALS:
            process(harness, *arrival)
        assert found(harness) == []
        watermark(harness, 20)
        assert sorted(found(harness)) == [("a", 5, 4, 6, 4.0), ("b", 9, 1, 10, 3.0)]


@pytest.mark.parametrize("before", range(len(ARRIVALS)))
def test_matches_go_on_from_a_snapshot(before: int) -> None:
    with harness_of(FALLS) as first:
        for arrival in ARRIVALS[:before]:
            process(first, *arrival)
        snapshot = first.snapshot()
    with harness_of(FALLS).initialize_state(snapshot) as second:
        for arrival in ARRIVALS[before:]:
            process(second, *arrival)
        watermark(second, 20)
        assert sorted(found(second)) == [("a", 5, 4, 6, 4.0), ("b", 9, 1, 10, 3.0)]


def test_beginnings_of_matches_are_in_a_snapshot() -> None:
    with harness_of(FALLS) as first:
        process(first, "a", 5, 1)
        process(first, "a", 4, 2)
        watermark(first, 3)
        snapshot = first.snapshot()
    with harness_of(FALLS).initialize_state(snapshot) as second:
        process(second, "a", 6, 4)
        watermark(second, 4)
        assert found(second) == [("a", 5, 4, 6, 4.0)]


def test_rows_behind_the_watermark_are_dropped() -> None:
    with harness_of(FALLS) as harness:
        process(harness, "a", 5, 1)
        watermark(harness, 3)
        process(harness, "a", 6, 3)
        process(harness, "a", 7, 3.001)
        watermark(harness, 4)
        assert found(harness) == [("a", 5, None, 7, 3.001)]


def test_state_is_kept_within_the_time_of_matches() -> None:
    with harness_of(FALLS) as harness:
        for second in range(40):
            process(harness, "a", -second, second)
        watermark(harness, 48)
        assert harness.num_keyed_state_entries() == 1
        watermark(harness, 49)
        assert (harness.num_keyed_state_entries(), harness.get_timers(), found(harness)) == (0, [], [])


def test_a_match_that_waits_has_the_time_at_which_it_is_known() -> None:
    query = (
        FALLS.replace("B* C", "B+? C")
        .replace("B.n < LAST(n, 1)", "TRUE")
        .replace("C.n > A.n", "C.n = A.n + 2")
    )
    with harness_of(query) as harness:
        for number, second in [(8, 0), (1, 1), (5, 2), (3, 3)]:
            process(harness, "a", number, second)
        watermark(harness, 9)
        assert found(harness) == []
        watermark(harness, 30)
        assert found(harness) == [("a", 1, 5, 3, 10.0)]
