"""MergingWindows: the state windows of merged windows."""

from __future__ import annotations

from typing import Any

import pytest

from pystream.engine.windows.errors import WindowError
from pystream.engine.windows.merging import MergingWindows
from pystream.engine.windows.session_windows import EventTimeSessionWindows
from pystream.engine.windows.windows import TimeWindow

W = TimeWindow
Heard = list[tuple[Any, list[Any], Any, list[Any]]]


def added(mapping: dict[Any, Any], window: Any, assigner: Any = None) -> tuple[Any, Heard]:
    heard: Heard = []
    windows = MergingWindows(assigner or EventTimeSessionWindows(1), mapping)
    return windows.add(window, lambda *merge: heard.append(merge)), heard


def test_windows_that_do_not_merge() -> None:
    mapping: dict[Any, Any] = {}
    assert added(mapping, W(0, 5)) == (W(0, 5), [])
    assert added(mapping, W(6, 9)) == (W(6, 9), [])
    assert added(mapping, W(0, 5)) == (W(0, 5), [])
    assert mapping == {W(0, 5): W(0, 5), W(6, 9): W(6, 9)}


def test_a_window_inside_another_is_not_reported_as_a_merge() -> None:
    mapping = {W(0, 5): W(0, 5)}
    assert added(mapping, W(1, 3)) == (W(0, 5), [])
    assert mapping == {W(0, 5): W(0, 5)}


def test_a_window_that_grows_keeps_its_state_window() -> None:
    mapping = {W(0, 5): W(0, 5)}
    assert added(mapping, W(5, 9)) == (W(0, 9), [(W(0, 9), [W(0, 5)], W(0, 5), [])])
    assert added(mapping, W(9, 12)) == (W(0, 12), [(W(0, 12), [W(0, 9)], W(0, 5), [])])
    assert mapping == {W(0, 12): W(0, 5)}
    windows = MergingWindows(EventTimeSessionWindows(1), mapping)
    assert windows.state_window(W(0, 12)) == W(0, 5)
    assert windows.state_window(W(0, 5)) is None
    assert not windows.is_empty
    windows.retire(W(0, 12))
    windows.retire(W(0, 12))
    assert windows.is_empty


def test_a_window_between_two_others_merges_them() -> None:
    mapping = {W(0, 5): W(0, 5), W(8, 12): W(8, 10), W(20, 25): W(20, 25)}
    merge = (W(0, 12), [W(0, 5), W(8, 12)], W(0, 5), [W(8, 10)])
    assert added(mapping, W(4, 9)) == (W(0, 12), [merge])
    assert mapping == {W(0, 12): W(0, 5), W(20, 25): W(20, 25)}


def test_a_window_that_covers_all_is_the_result() -> None:
    mapping = {W(2, 3): W(2, 3), W(4, 6): W(4, 6)}
    assert added(mapping, W(0, 9)) == (W(0, 9), [(W(0, 9), [W(2, 3), W(4, 6)], W(2, 3), [W(4, 6)])])
    assert mapping == {W(0, 9): W(2, 3)}


class Forger(EventTimeSessionWindows[Any]):
    """Merges an unknown window."""

    def merge_windows(self, windows: Any, callback: Any) -> None:
        callback.merge([W(100, 101), *windows], W(0, 101))


class Widener(EventTimeSessionWindows[Any]):
    """Replaces the new window by another one."""

    def merge_windows(self, windows: Any, callback: Any) -> None:
        new = list(windows)[-1]
        callback.merge([new, new], W(new.start, new.end + 100))


def test_an_assigner_that_merges_unknown_windows_is_refused() -> None:
    with pytest.raises(WindowError, match=r"Forger\(1\).*TimeWindow\(start=100, end=101\)"):
        added({W(0, 5): W(0, 5)}, W(6, 9), Forger(1))


def test_an_assigner_that_replaces_the_new_window() -> None:
    mapping = {W(0, 5): W(0, 5)}
    assert added(mapping, W(6, 9), Widener(1)) == (W(6, 109), [])
    assert mapping == {W(0, 5): W(0, 5), W(6, 109): W(6, 109)}
