"""Windows and their serializers."""

from __future__ import annotations

import pickle
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.engine.windows.assigners import MergingWindowAssigner
from pystream.engine.windows.errors import WindowError
from pystream.engine.windows.windows import (
    CountWindow,
    CountWindowSerializer,
    GlobalWindow,
    GlobalWindowSerializer,
    TimeWindow,
    TimeWindowSerializer,
    Window,
)

longs = st.integers(-(2**63), 2**63 - 1)
windows = st.builds(
    lambda start, size: TimeWindow(start, start + size), st.integers(-50, 50), st.integers(1, 20)
)


class Merges(MergingWindowAssigner.MergeCallback[TimeWindow]):
    def __init__(self) -> None:
        self.heard: list[tuple[set[TimeWindow], TimeWindow]] = []

    def merge(self, to_be_merged: Any, merge_result: TimeWindow) -> None:
        self.heard.append((set(to_be_merged), merge_result))


@pytest.mark.promise("beh:time-window-half-open")
def test_max_timestamps() -> None:
    assert TimeWindow(5, 10).max_timestamp() == 9
    assert CountWindow(3).max_timestamp() == GlobalWindow.get().max_timestamp() == 2**63 - 1


def test_text() -> None:
    assert repr(TimeWindow(start=1, end=2)) == "TimeWindow(start=1, end=2)"
    assert repr(CountWindow(id=3)) == "CountWindow(id=3)"
    assert repr(GlobalWindow.get()) == "GlobalWindow"


@pytest.mark.parametrize(
    ("other", "intersects"),
    [((0, 4), False), ((0, 5), True), ((6, 7), True), ((9, 20), True), ((10, 11), True), ((11, 12), False)],
)
def test_windows_intersect_where_they_touch(other: tuple[int, int], intersects: bool) -> None:
    one, two = TimeWindow(5, 10), TimeWindow(*other)
    assert one.intersects(two) is two.intersects(one) is intersects
    assert one.cover(two) == two.cover(one) == TimeWindow(min(5, other[0]), max(10, other[1]))


@pytest.mark.promise("beh:window-start-formula")
@given(st.integers(-(10**15), 10**15), st.integers(-(10**6), 10**6), st.integers(1, 10**6))
def test_window_starts_are_multiples_of_the_size_plus_the_offset(time: int, offset: int, size: int) -> None:
    start = TimeWindow.get_window_start_with_offset(time, offset, size)
    assert start <= time < start + size
    assert (start - offset) % size == 0


def test_windows_are_ordered_by_start_then_end() -> None:
    given_ = [TimeWindow(1, 5), TimeWindow(0, 9), TimeWindow(1, 2)]
    assert sorted(given_) == [TimeWindow(0, 9), TimeWindow(1, 2), TimeWindow(1, 5)]


def test_window_equality() -> None:
    assert len({TimeWindow(1, 2), TimeWindow(1, 2), TimeWindow(1, 3)}) == 2
    assert len({CountWindow(1), CountWindow(1), CountWindow(2)}) == 2
    assert len({GlobalWindow(), GlobalWindow.get()}) == 1
    assert GlobalWindow.get() != CountWindow(0)


@pytest.mark.parametrize("window", [TimeWindow(-1, 2), CountWindow(7), GlobalWindow.get()])
def test_windows_can_be_pickled(window: Window) -> None:
    again = pickle.loads(pickle.dumps(window))
    assert again == window
    assert type(again) is type(window)
    assert isinstance(window, Window)
    assert window  # a window is never false


@given(longs, longs)
def test_bytes_of_time_windows(start: int, end: int) -> None:
    stream, serializer = BytesIO(), TimeWindowSerializer()
    serializer.serialize(TimeWindow(start, end), stream)
    serializer.serialize(TimeWindow(end, start), stream)
    assert stream.getvalue()[:16] == start.to_bytes(8, "big", signed=True) + end.to_bytes(
        8, "big", signed=True
    )
    stream.seek(0)
    assert serializer.deserialize(stream) == TimeWindow(start, end)
    assert serializer.deserialize(stream) == TimeWindow(end, start)


def test_bytes_of_other_windows() -> None:
    stream = BytesIO()
    CountWindowSerializer().serialize(CountWindow(-2), stream)
    GlobalWindowSerializer().serialize(GlobalWindow.get(), stream)
    CountWindowSerializer().serialize(CountWindow(5), stream)
    assert stream.getvalue() == b"\xff" * 7 + b"\xfe" + b"\0" + b"\0" * 7 + b"\5"
    stream.seek(0)
    assert CountWindowSerializer().deserialize(stream) == CountWindow(-2)
    assert GlobalWindowSerializer().deserialize(stream) is GlobalWindow.get()
    assert CountWindowSerializer().deserialize(stream) == CountWindow(5)


def test_serialization_errors() -> None:
    with pytest.raises(WindowError, match="from -2"):
        TimeWindowSerializer().serialize(TimeWindow(0, 2**63), BytesIO())
    with pytest.raises(WindowError, match="only 3 left"):
        TimeWindowSerializer().deserialize(BytesIO(b"abc"))


@given(st.lists(windows, max_size=12))
def test_merging_joins_connected_windows(given_: list[TimeWindow]) -> None:
    groups: list[set[TimeWindow]] = []
    for window in given_:
        touched = [group for group in groups if any(window.intersects(other) for other in group)]
        groups = [group for group in groups if group not in touched]
        groups.append(set().union(*touched, {window}))
    expected = [
        (group, TimeWindow(min(w.start for w in group), max(w.end for w in group)))
        for group in groups
        if len(group) > 1
    ]
    merges = Merges()
    TimeWindow.merge_windows(given_, merges)
    assert sorted(merges.heard, key=lambda merge: merge[1]) == sorted(expected, key=lambda merge: merge[1])
