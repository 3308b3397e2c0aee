"""Window assigners: their windows and their validation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pystream.common.time import Duration, Time
from pystream.engine.context import RuntimeContext
from pystream.engine.windows.assigners import WindowAssigner
from pystream.engine.windows.builtin_triggers import (
    CountTrigger,
    EventTimeTrigger,
    NeverTrigger,
    ProcessingTimeTrigger,
)
from pystream.engine.windows.count_windows import CountSlidingWindowAssigner, CountTumblingWindowAssigner
from pystream.engine.windows.errors import WindowError, WindowTypeError
from pystream.engine.windows.session_windows import (
    DynamicEventTimeSessionWindows,
    DynamicProcessingTimeSessionWindows,
    EventTimeSessionWindows,
    ProcessingTimeSessionWindows,
    SessionWindowTimeGapExtractor,
)
from pystream.engine.windows.time_windows import (
    GlobalWindows,
    SlidingEventTimeWindows,
    SlidingProcessingTimeWindows,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
)
from pystream.engine.windows.windows import (
    CountWindowSerializer,
    GlobalWindow,
    GlobalWindowSerializer,
    TimeWindowSerializer,
)


class Now(WindowAssigner.WindowAssignerContext):
    """A context whose processing time stands still."""

    def __init__(self, now: int) -> None:
        self._now = now

    def get_current_processing_time(self) -> int:
        return self._now

    def get_runtime_context(self) -> RuntimeContext:
        raise AssertionError("assigners of time need no state")


class Seconds(SessionWindowTimeGapExtractor):
    def extract(self, element: Any) -> int:
        gap: int = element * 1_000
        return gap


def assigned(assigner: Any, time: int, element: Any = None, event_time: bool = True) -> list[tuple[int, int]]:
    timestamp, now = (time, 99) if event_time else (99, time)
    return [tuple(window) for window in assigner.assign_windows(element, timestamp, Now(now))]


S = Time.seconds


@pytest.mark.parametrize(
    ("event_time", "of"), [(True, TumblingEventTimeWindows.of), (False, TumblingProcessingTimeWindows.of)]
)
def test_tumbling(event_time: bool, of: Callable[..., Any]) -> None:
    assert assigned(of(S(5)), 4_999, None, event_time) == [(0, 5_000)]
    assert assigned(of(S(5)), 5_000, None, event_time) == [(5_000, 10_000)]
    assert assigned(of(S(5)), -1, None, event_time) == [(-5_000, 0)]
    assert assigned(of(S(5), S(2)), 1_999, None, event_time) == [(-3_000, 2_000)]
    assert assigned(of(Duration.of_seconds(5), S(-1)), 4_000, None, event_time) == [(4_000, 9_000)]


@pytest.mark.parametrize(
    ("event_time", "of"), [(True, SlidingEventTimeWindows.of), (False, SlidingProcessingTimeWindows.of)]
)
def test_sliding(event_time: bool, of: Callable[..., Any]) -> None:
    assert assigned(of(S(4), S(2)), 2_000, None, event_time) == [(2_000, 6_000), (0, 4_000)]
    assert assigned(of(S(5), S(3), S(1)), 5_999, None, event_time) == [(4_000, 9_000), (1_000, 6_000)]
    assert assigned(of(S(5), S(3), S(1)), 6_000, None, event_time) == [(4_000, 9_000)]
    assert assigned(of(S(1), S(2)), 1_000, None, event_time) == []
    assert assigned(of(S(4), S(2)), -1, None, event_time) == [(-2_000, 2_000), (-4_000, 0)]


def test_sessions() -> None:
    assert assigned(EventTimeSessionWindows.with_gap(S(2)), -5) == [(-5, 1_995)]
    assert assigned(ProcessingTimeSessionWindows.with_gap(S(2)), 7, None, False) == [(7, 2_007)]
    for extractor in (Seconds(), lambda element: element * 1_000):
        event_time = EventTimeSessionWindows.with_dynamic_gap(extractor)
        assert isinstance(event_time, DynamicEventTimeSessionWindows)
        assert assigned(event_time, 5, 3) == [(5, 3_005)]
        processing_time = ProcessingTimeSessionWindows.with_dynamic_gap(extractor)
        assert isinstance(processing_time, DynamicProcessingTimeSessionWindows)
        assert assigned(processing_time, 5, 3, False) == [(5, 3_005)]
        assert assigned(DynamicEventTimeSessionWindows.with_dynamic_gap(extractor), 0, 1) == [(0, 1_000)]
        assert assigned(DynamicProcessingTimeSessionWindows.with_dynamic_gap(extractor), 0, 1, False) == [
            (0, 1_000)
        ]


def test_global() -> None:
    assert list(GlobalWindows.create().assign_windows(1, 2, Now(3))) == [GlobalWindow.get()]


@pytest.mark.parametrize("gap", [0, -1])
def test_a_gap_must_be_positive(gap: int) -> None:
    for cls in (EventTimeSessionWindows, ProcessingTimeSessionWindows):
        with pytest.raises(WindowError, match="greater than 0"):
            cls(gap)
    with pytest.raises(WindowError, match=f"greater than 0, not {gap}"):
        assigned(DynamicEventTimeSessionWindows(lambda element: element), 0, gap)


@pytest.mark.parametrize("cls", [TumblingEventTimeWindows, TumblingProcessingTimeWindows])
@pytest.mark.parametrize(("size", "offset"), [(0, 0), (5, 5), (5, -5), (-5, 0)])
def test_tumbling_checks(cls: Any, size: int, offset: int) -> None:
    with pytest.raises(WindowError, match=f"not size {size} and offset {offset} ms"):
        cls(size, offset)


@pytest.mark.parametrize("cls", [SlidingEventTimeWindows, SlidingProcessingTimeWindows])
@pytest.mark.parametrize(
    ("size", "slide", "offset"), [(0, 1, 0), (5, 0, 0), (5, 3, 3), (5, 3, -3), (5, -3, 0)]
)
def test_sliding_checks(cls: Any, size: int, slide: int, offset: int) -> None:
    with pytest.raises(WindowError, match=f"not size {size}, slide {slide} and offset {offset} ms"):
        cls(size, slide, offset)


@pytest.mark.parametrize("length", [5, "5", None, 1.5])
def test_a_length_is_a_time_or_a_duration(length: Any) -> None:
    for of in (TumblingEventTimeWindows.of, EventTimeSessionWindows.with_gap):
        if length is None and of is TumblingEventTimeWindows.of:
            continue
        with pytest.raises(WindowTypeError, match="Time or a Duration"):
            of(length)


@pytest.mark.parametrize("number", [1.5, True, "3", None])
def test_numbers_are_integers(number: Any) -> None:
    makers: Any = (
        lambda n: TumblingEventTimeWindows(n, 0),
        lambda n: SlidingEventTimeWindows(5, n, 0),
        EventTimeSessionWindows,
        CountTumblingWindowAssigner,
        lambda n: CountSlidingWindowAssigner(2, n),
    )
    for make in makers:
        with pytest.raises(WindowTypeError, match="takes an int"):
            make(number)


def test_count_windows_have_a_size() -> None:
    with pytest.raises(WindowError, match="greater than 0"):
        CountTumblingWindowAssigner.of(0)
    with pytest.raises(WindowError, match="greater than 0"):
        CountSlidingWindowAssigner.of(2, 0)


def test_an_invalid_gap_extractor_is_refused() -> None:
    extractor: Any = 5
    with pytest.raises(WindowTypeError, match="SessionWindowTimeGapExtractor"):
        EventTimeSessionWindows.with_dynamic_gap(extractor)


@pytest.mark.parametrize("assigner", [TumblingEventTimeWindows(5, 0), SlidingEventTimeWindows(5, 2, 0)])
def test_windows_of_event_time_need_timestamps(assigner: Any) -> None:
    with pytest.raises(WindowError, match="assign_timestamps_and_watermarks"):
        assigned(assigner, -(2**63))


@pytest.mark.promise("beh:window-default-trigger")
@pytest.mark.parametrize(
    ("assigner", "trigger", "serializer", "event_time", "text"),
    [
        (TumblingEventTimeWindows(5, 1), EventTimeTrigger, TimeWindowSerializer, True, "(5, 1)"),
        (TumblingProcessingTimeWindows(5, 1), ProcessingTimeTrigger, TimeWindowSerializer, False, "(5, 1)"),
        (SlidingEventTimeWindows(5, 2, 1), EventTimeTrigger, TimeWindowSerializer, True, "(5, 2, 1)"),
        (
            SlidingProcessingTimeWindows(5, 2, 1),
            ProcessingTimeTrigger,
            TimeWindowSerializer,
            False,
            "(5, 2, 1)",
        ),
        (EventTimeSessionWindows(5), EventTimeTrigger, TimeWindowSerializer, True, "(5)"),
        (ProcessingTimeSessionWindows(5), ProcessingTimeTrigger, TimeWindowSerializer, False, "(5)"),
        (DynamicEventTimeSessionWindows(len), EventTimeTrigger, TimeWindowSerializer, True, "()"),
        (DynamicProcessingTimeSessionWindows(len), ProcessingTimeTrigger, TimeWindowSerializer, False, "()"),
        (GlobalWindows(), NeverTrigger, GlobalWindowSerializer, False, "()"),
        (CountTumblingWindowAssigner(5), CountTrigger, CountWindowSerializer, False, "(5)"),
        (CountSlidingWindowAssigner(5, 2), CountTrigger, CountWindowSerializer, False, "(5, 2)"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, WindowAssigner) else "",
)
def test_properties_of_assigners(
    assigner: Any, trigger: Any, serializer: Any, event_time: bool, text: str
) -> None:
    assert type(assigner.get_default_trigger(None)) is trigger
    assert type(assigner.get_window_serializer()) is serializer
    assert assigner.is_event_time() is event_time
    assert repr(assigner) == type(assigner).__name__ + text
