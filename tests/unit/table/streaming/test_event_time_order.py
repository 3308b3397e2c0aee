"""Rows by event time: the first and the last of each key, and all in order."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pystream.common import Row, Time
from pystream.common.typeinfo import Types
from pystream.table.algebra.sorts import SortField
from pystream.table.streaming.deduplication import FirstRow, LastRow
from pystream.table.streaming.row_order import RowOrder
from pystream.table.streaming.temporal_sort import TemporalSort
from pystream.testing import ProcessFunctionTestHarnesses
from tests.unit.table.streaming.changelogs import Remaining

END = 1000
EVENTS = st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 9), st.booleans()), max_size=15)
"""The key and the time of each row, and whether a watermark of the greatest time, less 3, follows."""


def results_of(
    function: Any, events: list[tuple[str, int, bool]]
) -> tuple[list[Row[Any]], list[tuple[Any, ...]]]:
    """Return the results for rows of a key, their number and their time, and the rows that are not late."""
    timely, latest, watermark = [], -1, -1
    with ProcessFunctionTestHarnesses.for_keyed_process_function(
        function, lambda row: row[0], Types.STRING()
    ) as harness:
        for number, (key, time, is_followed) in enumerate(events):
            if time > watermark:
                timely.append((key, number, time))
            harness.process_element(Row(key, number, time), time)
            latest = max(latest, time)
            if is_followed:
                watermark = max(watermark, latest - 3)
                harness.process_watermark(watermark)
        harness.process_watermark(END)
        return harness.extract_output_values(), timely


@given(EVENTS)
def test_the_first_row_of_each_key(events: list[tuple[str, int, bool]]) -> None:
    results, timely = results_of(FirstRow(), events)
    found = {}
    for key, number, time in sorted(timely, key=lambda row: row[2]):
        found.setdefault(key, (key, number, time))
    assert all(str(row.get_row_kind()) == "+I" for row in results)
    assert sorted(map(tuple, results)) == sorted(found.values())


@given(EVENTS)
def test_the_last_row_of_each_key(events: list[tuple[str, int, bool]]) -> None:
    results, _ = results_of(LastRow(), events)
    remaining = Remaining()
    for row in results:
        remaining.apply(row)
    found = {}
    for number, (key, time, _) in enumerate(events):
        if key not in found or time >= found[key][2]:
            found[key] = (key, number, time)
    assert sorted(remaining.rows) == sorted(found.values())


@given(EVENTS)
def test_rows_in_order(events: list[tuple[str, int, bool]]) -> None:
    one_key = [("a", time, is_followed) for _, time, is_followed in events]
    results, timely = results_of(TemporalSort(RowOrder([])), one_key)
    assert list(map(tuple, results)) == sorted(timely, key=lambda row: row[2])
    order = RowOrder([SortField(1, is_descending=True, nulls_first=False)])
    results, timely = results_of(TemporalSort(order), one_key)
    assert list(map(tuple, results)) == sorted(timely, key=lambda row: (row[2], -row[1]))


def test_a_row_of_the_time_of_the_watermark_is_late() -> None:
    for function in (FirstRow(), TemporalSort(RowOrder([]))):
        with ProcessFunctionTestHarnesses.for_keyed_process_function(
            function, lambda row: row[0], Types.STRING()
        ) as harness:
            harness.process_watermark(5)
            harness.process_element(Row("a", 5), 5)
            harness.process_element(Row("a", 6), 6)
            harness.process_watermark(END)
            assert harness.extract_output_values() == [Row("a", 6)]


def test_the_row_that_came_last() -> None:
    results, _ = results_of(LastRow(is_by_arrival=True), [("a", 5, True), ("a", 3, True)])
    assert [(str(row.get_row_kind()), *row) for row in results] == [
        ("+I", "a", 0, 5),
        ("-U", "a", 0, 5),
        ("+U", "a", 1, 3),
    ]


def test_numbers() -> None:
    events = [("a", 1, True), ("a", 2, True)]
    assert [tuple(row) for row in results_of(FirstRow(has_number=True), events)[0]] == [("a", 0, 1, 1)]
    last, _ = results_of(LastRow(has_number=True), events)
    assert [(str(row.get_row_kind()), *row) for row in last] == [
        ("+I", "a", 0, 1, 1),
        ("-U", "a", 0, 1, 1),
        ("+U", "a", 1, 2, 1),
    ]


def test_the_state_of_sorted_rows_is_dropped_with_them() -> None:
    with ProcessFunctionTestHarnesses.for_keyed_process_function(
        TemporalSort(RowOrder([])), lambda row: row[0], Types.STRING()
    ) as harness:
        harness.process_element(Row("a", 1), 1)
        assert harness.num_keyed_state_entries() == 1
        harness.process_watermark(1)
        assert harness.num_keyed_state_entries() == 0


def test_a_key_that_has_expired_starts_over() -> None:
    for function in (FirstRow(ttl=Time.milliseconds(100)), LastRow(ttl=Time.milliseconds(100))):
        with ProcessFunctionTestHarnesses.for_keyed_process_function(
            function, lambda row: row[0], Types.STRING()
        ) as harness:
            harness.process_element(Row("a", 5), 5)
            harness.process_watermark(5)
            harness.set_processing_time(100)
            harness.clear_output()
            harness.process_element(Row("a", 6), 6)
            harness.process_watermark(6)
            results = harness.extract_output_values()
            assert [(str(row.get_row_kind()), *row) for row in results] == [("+I", "a", 6)]
