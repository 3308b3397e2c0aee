"""WindowPlan: validation when a program is built."""

from __future__ import annotations

from typing import Any

import pytest

from pystream.engine.functions import AggregateFunction
from pystream.engine.output_tag import OutputTag
from pystream.engine.windows.builtin_triggers import DeltaTrigger, EventTimeTrigger, NeverTrigger
from pystream.engine.windows.errors import WindowError, WindowTypeError
from pystream.engine.windows.evictors import CountEvictor
from pystream.engine.windows.nesting_triggers import ProcessingTimeoutTrigger, PurgingTrigger
from pystream.engine.windows.plan import WindowCall, WindowPlan
from pystream.engine.windows.session_windows import EventTimeSessionWindows
from pystream.engine.windows.time_windows import (
    SlidingEventTimeWindows,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
)
from pystream.kinds import AlignedWindows, EventWindows, SessionWindows, WindowFold
from typeinfo import Types

PARTS: dict[str, Any] = {
    "assigner": TumblingEventTimeWindows(5, 0),
    "trigger": EventTimeTrigger(),
    "reduce": max,
}


class Total(AggregateFunction[int, int, int]):
    def create_accumulator(self) -> int:
        return 0

    def add(self, value: int, accumulator: int) -> int:
        return accumulator + value

    def get_result(self, accumulator: int) -> int:
        return accumulator

    def merge(self, a: int, b: int) -> int:
        return a + b


@pytest.mark.parametrize(
    "trigger",
    [
        NeverTrigger(),
        DeltaTrigger(1, max),
        PurgingTrigger(NeverTrigger()),
        ProcessingTimeoutTrigger(EventTimeTrigger(), 1),
    ],
    ids=repr,
)
def test_a_trigger_that_cannot_merge_has_no_sessions(trigger: Any) -> None:
    with pytest.raises(WindowTypeError, match=r"EventTimeSessionWindows\(5\) merge.*Trigger.*can_merge"):
        WindowPlan(assigner=EventTimeSessionWindows(5), trigger=trigger, reduce=max)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"assigner": TumblingEventTimeWindows}, "did you mean TumblingEventTimeWindows"),
        ({"assigner": None}, "class WindowAssigner, not None"),
        ({"trigger": EventTimeTrigger}, "did you mean EventTimeTrigger"),
        ({"trigger": max}, "class Trigger"),
        ({"evictor": 5}, "class Evictor"),
        ({"late_tag": "late"}, "class OutputTag"),
        ({"allowed_lateness": 1.5}, "takes an int"),
        ({"allowed_lateness": "5"}, "takes an int"),
        ({"reduce": 5}, "ReduceFunction or a function"),
        ({"reduce": None, "aggregate": max}, "create_accumulator, add, get_result, merge"),
    ],
)
def test_parts_of_the_wrong_class(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(WindowTypeError, match=message):
        WindowPlan(**PARTS | changed)


def test_a_negative_lateness_is_refused() -> None:
    with pytest.raises(WindowError, match="must not be negative, not -1"):
        WindowPlan(**PARTS, allowed_lateness=-1)


@pytest.mark.parametrize(
    ("assigner", "windows"),
    [
        (TumblingEventTimeWindows(5, 1), AlignedWindows(5, 5, 1)),
        (SlidingEventTimeWindows(6, 2, 1), AlignedWindows(6, 2, 1)),
        (EventTimeSessionWindows(5), SessionWindows(5)),
    ],
    ids=repr,
)
def test_the_fold_of_event_time_windows(assigner: Any, windows: EventWindows) -> None:
    found = WindowPlan(**PARTS | {"assigner": assigner}).window_fold()
    assert found == WindowFold(windows, max, max, Types.PICKLED_BYTE_ARRAY())


def test_the_fold_of_an_aggregate_function() -> None:
    total = Total()
    plan = WindowPlan(**PARTS | {"reduce": None, "aggregate": total, "accumulator_type": Types.LONG()})
    assert plan.window_fold() == WindowFold(AlignedWindows(5, 5, 0), total, None, Types.LONG())


@pytest.mark.parametrize(
    "changed",
    [
        {"assigner": TumblingProcessingTimeWindows(5, 0)},
        {"trigger": NeverTrigger()},
        {"evictor": CountEvictor(1)},
        {"reduce": None},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_windows_without_a_fold_that_fires_once(changed: dict[str, Any]) -> None:
    assert WindowPlan(**PARTS | changed).window_fold() is None


@pytest.mark.parametrize(
    ("changed", "more"),
    [
        ({"late_tag": OutputTag("late", Types.LONG())}, {"keeps_late": True}),
        ({"call": WindowCall.APPLY, "function": max}, {"has_function": True}),
        ({"allowed_lateness": 1}, {"is_repeated": True}),
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_windows_that_do_more_than_fold(changed: dict[str, Any], more: dict[str, bool]) -> None:
    fold = WindowPlan(**PARTS | changed).window_fold()
    assert fold == WindowFold(AlignedWindows(5, 5, 0), max, max, Types.PICKLED_BYTE_ARRAY(), **more)
