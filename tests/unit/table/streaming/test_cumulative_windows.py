"""Cumulative windows of event time."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.common import Time
from pystream.datastream.window import TimeWindow
from pystream.engine.windows.errors import WindowError
from pystream.errors import ConfigurationError
from pystream.table.streaming.cumulative_windows import CumulativeEventTimeWindows
from pystream.table.streaming.window_aggregation import WindowResults

NO_CONTEXT: Any = None


@given(st.integers(-50, 50), st.integers(1, 6), st.integers(1, 5), st.integers(-40, 40))
def test_an_element_is_in_all_windows_that_contain_its_time(
    time: int, step: int, steps: int, offset: int
) -> None:
    size = step * steps
    assigner = CumulativeEventTimeWindows[str](size, step, offset)
    grid = range(offset - 50 * size, offset + 50 * size, size)
    windows = [TimeWindow(start, start + step * k) for start in grid for k in range(1, steps + 1)]
    expected = [window for window in windows if window.start <= time < window.end]
    assert expected
    assert list(assigner.assign_windows("a", time, NO_CONTEXT)) == expected[::-1]


def test_windows_of_a_negative_offset() -> None:
    assigner = CumulativeEventTimeWindows.of(Time.minutes(10), Time.minutes(2), Time.minutes(-1))
    windows = assigner.assign_windows("a", 5 * 60_000, NO_CONTEXT)
    # as PyFlink 2.3 printed
    assert sorted((window.start // 60_000, window.end // 60_000) for window in windows) == [(-1, 7), (-1, 9)]


@pytest.mark.parametrize(
    ("size", "step", "message"),
    [(10, 3, "multiple of the step"), (0, 3, "must be greater than 0"), (10, 0, "must be greater than 0")],
)
def test_wrong_sizes_are_refused(size: int, step: int, message: str) -> None:
    with pytest.raises(WindowError, match=message):
        CumulativeEventTimeWindows[str](size, step, 0)


def test_an_element_without_a_timestamp_is_refused() -> None:
    with pytest.raises(WindowError, match="without a timestamp"):
        CumulativeEventTimeWindows[str](10, 5, 0).assign_windows("a", -(2**63), NO_CONTEXT)


def test_an_unknown_zone_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="no time zone 'Europe/Atlantis'"):
        WindowResults(1, "Europe/Atlantis")
