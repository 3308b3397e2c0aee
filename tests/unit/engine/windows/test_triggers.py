"""Triggers: when windows fire, merge and are purged."""

from __future__ import annotations

from typing import Any

import pytest

from pystream.common.time import Duration, Time
from pystream.engine.windows.builtin_triggers import (
    CountTrigger,
    DeltaTrigger,
    EventTimeTrigger,
    NeverTrigger,
    ProcessingTimeTrigger,
)
from pystream.engine.windows.continuous_triggers import (
    ContinuousEventTimeTrigger,
    ContinuousProcessingTimeTrigger,
)
from pystream.engine.windows.errors import WindowError, WindowTypeError
from pystream.engine.windows.nesting_triggers import ProcessingTimeoutTrigger, PurgingTrigger
from pystream.engine.windows.session_windows import EventTimeSessionWindows, ProcessingTimeSessionWindows
from pystream.engine.windows.time_windows import (
    GlobalWindows,
    SlidingProcessingTimeWindows,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
)
from pystream.engine.windows.triggers import TriggerResult
from tests.unit.engine.windows.driving import Driver, Result, gather

END = 2**63 - 1
TUMBLING: TumblingEventTimeWindows[Any] = TumblingEventTimeWindows(10, 0)


def numbers(found: list[Result]) -> list[list[int]]:
    """The numbers of the elements of each window that fired."""
    return [[number for _, number in result.value[2]] for result in found]


def each(driver: Driver, *elements: tuple[int, int]) -> list[list[int]]:
    """Feed numbers with times, of one key."""
    return numbers(driver.add(*((("a", number), time) for number, time in elements)))


def test_results() -> None:
    said = {result.name: (result.is_fire(), result.is_purge()) for result in TriggerResult}
    assert said == {
        "CONTINUE": (False, False),
        "FIRE": (True, False),
        "FIRE_AND_PURGE": (True, True),
        "PURGE": (False, True),
    }


@pytest.mark.promise("beh:late-dropped")
def test_event_time_fires_at_the_end_and_for_late_elements() -> None:
    driver = Driver(gather(TUMBLING, allowed_lateness=10))
    assert each(driver, (1, 1)) == []
    assert numbers(driver.advance(8)) == []
    assert numbers(driver.advance(9)) == [[1]]
    assert each(driver, (2, 2)) == [[1, 2]]
    assert numbers(driver.advance(18)) == []
    assert each(driver, (3, 3)) == [[1, 2, 3]]
    assert numbers(driver.advance(19)) == []
    assert each(driver, (4, 4)) == []
    assert driver.dropped() == 1
    assert driver.is_empty()


def test_a_late_window_fires_at_once() -> None:
    driver = Driver(gather(TUMBLING, allowed_lateness=10))
    driver.advance(15)
    assert each(driver, (1, 1)) == [[1]]
    assert numbers(driver.advance(END)) == []


def test_purging_removes_fired_elements() -> None:
    driver = Driver(gather(TUMBLING, PurgingTrigger.of(EventTimeTrigger.create()), allowed_lateness=10))
    each(driver, (1, 1))
    assert numbers(driver.advance(9)) == [[1]]
    assert each(driver, (2, 2), (3, 3)) == [[2], [3]]


def test_processing_time() -> None:
    driver = Driver(gather(TumblingProcessingTimeWindows(10, 0)))
    each(driver, (1, 500))
    driver.clock.set(5)
    each(driver, (2, 0))
    assert numbers(driver.tick(8)) == []
    assert numbers(driver.tick(9)) == [[1, 2]]
    assert each(driver, (3, 0)) == []
    assert numbers(driver.advance(END)) == [[3]]  # what is pending at the end of the input fires once
    assert driver.is_empty()


def test_processing_time_sliding() -> None:
    driver = Driver(gather(SlidingProcessingTimeWindows(10, 5, 0)))
    driver.clock.set(7)
    each(driver, (1, 0))
    assert numbers(driver.tick(9)) == [[1]]
    driver.clock.set(12)
    each(driver, (2, 0))
    assert numbers(driver.tick(14)) == [[1, 2]]


def test_processing_time_sessions() -> None:
    driver = Driver(gather(ProcessingTimeSessionWindows(10)))
    each(driver, (1, 0))
    driver.clock.set(8)
    each(driver, (2, 0))
    assert numbers(driver.tick(16)) == []
    assert numbers(driver.tick(17)) == [[1, 2]]
    assert driver.is_empty()


def test_processing_time_trigger_in_event_time() -> None:
    driver = Driver(gather(TUMBLING, ProcessingTimeTrigger.create()))
    each(driver, (1, 1))
    assert numbers(driver.tick(9)) == [[1]]
    assert numbers(driver.advance(9)) == []
    assert driver.is_empty()


@pytest.mark.promise("beh:fire-keeps-elements")
def test_count() -> None:
    driver = Driver(gather(GlobalWindows(), CountTrigger.of(2)))
    assert each(driver, (1, 0), (2, 0), (3, 0)) == [[1, 2]]
    assert numbers(driver.add((("b", 9), 0))) == []
    assert each(driver, (4, 0)) == [[1, 2, 3, 4]]
    purging = Driver(gather(GlobalWindows(), PurgingTrigger.of(CountTrigger.of(2))))
    assert each(purging, (1, 0), (2, 0), (3, 0), (4, 0)) == [[1, 2], [3, 4]]


def test_counts_add_up_when_windows_merge() -> None:
    driver = Driver(gather(EventTimeSessionWindows(10), CountTrigger.of(3)))
    assert each(driver, (1, 0), (2, 15), (3, 30)) == []
    assert each(driver, (4, 7)) == [[1, 2, 4]]  # bridges two windows of one element each
    assert each(driver, (5, 31), (6, 32)) == [[3, 5, 6]]
    driver.advance(END)
    assert driver.is_empty()


def test_never() -> None:
    driver = Driver(gather(GlobalWindows.create()))
    assert each(driver, (1, 0)) == []
    assert numbers(driver.advance(END)) == []
    assert numbers(driver.tick(END)) == []
    in_time = Driver(gather(TUMBLING, NeverTrigger()))
    each(in_time, (1, 1))
    assert numbers(in_time.advance(END)) == []
    assert in_time.is_empty()


def test_continuous_event_time() -> None:
    driver = Driver(gather(TUMBLING, ContinuousEventTimeTrigger.of(Time.milliseconds(4))))
    each(driver, (1, 1))
    assert numbers(driver.advance(3)) == []
    assert numbers(driver.advance(4)) == [[1]]
    each(driver, (2, 5))
    assert numbers(driver.advance(7)) == []
    assert numbers(driver.advance(20)) == [[1, 2], [1, 2]]  # at 8 and at the end
    assert driver.is_empty()


def test_continuous_event_time_of_negative_times() -> None:
    driver = Driver(gather(TumblingEventTimeWindows(100, 0), ContinuousEventTimeTrigger(10)))
    each(driver, (1, -25))
    assert numbers(driver.advance(-21)) == []
    assert numbers(driver.advance(-20)) == [[1]]


def test_continuous_event_time_when_windows_merge() -> None:
    driver = Driver(gather(EventTimeSessionWindows(10), ContinuousEventTimeTrigger(4)))
    each(driver, (1, 1), (2, 9))
    for watermark in (4, 9, 12, 16, END):
        assert numbers(driver.advance(watermark)) == [[1, 2]]
    assert driver.is_empty()


def test_continuous_event_time_without_an_end() -> None:
    driver = Driver(gather(GlobalWindows(), ContinuousEventTimeTrigger(4)))
    each(driver, (1, 1))
    assert numbers(driver.advance(9)) == [[1], [1]]
    assert numbers(driver.advance(END)) == [[1], [1]]  # at 12, and when time is over


def test_continuous_processing_time() -> None:
    trigger = ContinuousProcessingTimeTrigger.of(Duration.of_millis(4))
    driver = Driver(gather(TumblingProcessingTimeWindows(10, 0), trigger))
    driver.clock.set(1)
    each(driver, (1, 0))
    assert numbers(driver.tick(3)) == []
    assert numbers(driver.tick(4)) == [[1]]
    assert numbers(driver.tick(50)) == [[1], [1]]  # at 8 and at the end
    assert driver.is_empty()


def test_continuous_processing_time_ends_with_the_input() -> None:
    driver = Driver(gather(GlobalWindows(), ContinuousProcessingTimeTrigger(4)))
    each(driver, (1, 0))
    assert numbers(driver.tick(9)) == [[1], [1]]
    assert numbers(driver.advance(END)) == [[1]]


def test_continuous_processing_time_in_windows_of_the_past() -> None:
    driver = Driver(gather(TUMBLING, ContinuousProcessingTimeTrigger(4)))
    driver.clock.set(1_000)
    each(driver, (1, 1))
    assert numbers(driver.tick(1_001)) == [[1]]
    assert numbers(driver.tick(2_000)) == []


def test_continuous_processing_time_stops_with_the_window() -> None:
    driver = Driver(gather(TUMBLING, ContinuousProcessingTimeTrigger(4)))
    each(driver, (1, 1))
    assert numbers(driver.advance(9)) == []
    assert driver.is_empty()


def test_delta() -> None:
    driver = Driver(gather(GlobalWindows(), DeltaTrigger.of(5, lambda last, new: new[1] - last[1])))
    assert each(driver, (10, 0), (15, 0), (16, 0), (21, 0), (22, 0)) == [[10, 15, 16], [10, 15, 16, 21, 22]]


def test_timeout() -> None:
    trigger = ProcessingTimeoutTrigger.of(CountTrigger.of(3), Time.milliseconds(10))
    driver = Driver(gather(GlobalWindows(), PurgingTrigger(trigger)))
    each(driver, (1, 0))
    driver.clock.set(5)
    each(driver, (2, 0))
    assert numbers(driver.tick(9)) == []
    assert numbers(driver.tick(10)) == [[1, 2]]
    assert each(driver, (3, 0), (4, 0), (5, 0)) == [[3, 4, 5]]  # the count was reset
    assert numbers(driver.tick(100)) == []


def test_timeout_from_the_last_element() -> None:
    driver = Driver(gather(GlobalWindows(), ProcessingTimeoutTrigger(CountTrigger(9), 10, True, False)))
    each(driver, (1, 0))
    driver.clock.set(5)
    each(driver, (2, 0))
    assert numbers(driver.tick(14)) == []
    assert numbers(driver.tick(15)) == [[1, 2]]


def test_timeout_keeps_the_count() -> None:
    driver = Driver(gather(GlobalWindows(), ProcessingTimeoutTrigger(CountTrigger(3), 10, False, False)))
    each(driver, (1, 0), (2, 0))
    assert numbers(driver.tick(10)) == [[1, 2]]
    assert each(driver, (3, 0)) == [[1, 2, 3]]


@pytest.mark.parametrize(
    ("trigger", "merges", "text"),
    [
        (EventTimeTrigger(), True, "EventTimeTrigger()"),
        (ProcessingTimeTrigger(), True, "ProcessingTimeTrigger()"),
        (CountTrigger(3), True, "CountTrigger(3)"),
        (ContinuousEventTimeTrigger(3), True, "ContinuousEventTimeTrigger(3)"),
        (ContinuousProcessingTimeTrigger(3), True, "ContinuousProcessingTimeTrigger(3)"),
        (NeverTrigger(), False, "NeverTrigger()"),
        (PurgingTrigger(CountTrigger(3)), True, "PurgingTrigger(CountTrigger(3))"),
        (PurgingTrigger(NeverTrigger()), False, "PurgingTrigger(NeverTrigger())"),
        (ProcessingTimeoutTrigger(CountTrigger(3), 5), False, "ProcessingTimeoutTrigger(CountTrigger(3))"),
        (DeltaTrigger(3, max), False, "DeltaTrigger(3, <built-in function max>)"),
    ],
    ids=repr,
)
def test_properties_of_triggers(trigger: Any, merges: bool, text: str) -> None:
    assert trigger.can_merge() is merges
    assert repr(trigger) == text


def test_checks() -> None:
    anything: Any = 5
    for make in (CountTrigger.of, ContinuousEventTimeTrigger, ContinuousProcessingTimeTrigger):
        with pytest.raises(WindowError, match="greater than 0, not 0"):
            make(0)
    with pytest.raises(WindowError, match="greater than 0"):
        ProcessingTimeoutTrigger(CountTrigger(1), 0)
    with pytest.raises(WindowTypeError, match="takes a Trigger"):
        PurgingTrigger.of(anything)
    with pytest.raises(WindowTypeError, match="Time or a Duration"):
        ContinuousEventTimeTrigger.of(anything)
