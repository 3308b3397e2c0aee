"""Joins of rows in the same window, by watermarks that the tests set."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pystream.common import Row
from pystream.common.typeinfo import Types
from pystream.table.streaming.local_time import LocalTime
from pystream.table.streaming.window_join import WindowJoin
from pystream.testing import ProcessFunctionTestHarnesses

LAST = 4_999
WINDOW = datetime(1970, 1, 1), datetime(1970, 1, 1, 0, 0, 5)


def row(key: str | None, value: int) -> Row[Any]:
    return Row(key, *WINDOW, value)


def harness() -> Any:
    def key(row: Row[Any]) -> str:
        return str(row[0])

    function = WindowJoin([1, 2, 0], [1, 2, 0], 2, 2, LocalTime())
    return ProcessFunctionTestHarnesses.for_keyed_co_process_function(function, key, key, Types.STRING())


def pairs(harness: Any) -> list[tuple[int, int]]:
    return [(pair[3], pair[7]) for pair in harness.extract_output_values()]


def test_rows_are_joined_when_their_window_ends() -> None:
    with harness() as both:
        both.process_element1(row("a", 1))
        both.process_element2(row("a", 2))
        both.process_element2(row("b", 3))
        both.process_element1(row("a", 4))
        both.process_watermark(LAST - 1)
        assert pairs(both) == []
        both.process_watermark(LAST)
        assert pairs(both) == [(1, 2), (4, 2)]
        assert {record.timestamp for record in both.get_output()} == {LAST}


def test_rows_of_windows_that_have_ended_are_dropped() -> None:
    with harness() as both:
        both.process_element1(row("a", 1))
        both.process_watermark(LAST)
        both.process_element1(row("a", 2))
        both.process_element2(row("a", 3))
        both.process_watermark(2 * LAST)
        assert pairs(both) == []
        assert both.get_metrics().counter("numLateRecordsDropped").get_count() == 2


def test_rows_with_a_null_in_their_key_are_not_joined() -> None:
    with harness() as both:
        both.process_element1(row(None, 1))
        both.process_element2(row(None, 2))
        both.process_watermark(LAST)
        assert pairs(both) == []
