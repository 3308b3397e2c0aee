"""Timestamps of elements, and the watermarks that follow them."""

from __future__ import annotations

from array import array
from itertools import accumulate
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.common import Duration, WatermarkStrategy
from pystream.common.watermark_strategy import TimestampAssigner, WatermarkGenerator
from pystream.engine.events import MAX_WATERMARK, NO_TIMESTAMP, Elements, Event, Watermark
from pystream.engine.failure import TaskFailure
from pystream.engine.operators.assign_watermarks import (
    ASSIGN_COLUMN_WATERMARKS,
    ASSIGN_WATERMARKS,
    ColumnTimestamps,
    WatermarkPlan,
)
from pystream.engine.operators.operator import Operator
from pystream.engine.task_info import Execution, JobInfo
from pystream.engine.time.clock import ManualClock
from pystream.engine.time.watermark_generators import BoundedOutOfOrderness, NoWatermarks
from pystream.engine.vectorised.columns import ColumnValues, layout_of
from tests.unit.engine import driving
from tests.unit.engine.tasks import operator
from typeinfo.types import Types


class Itself(TimestampAssigner):
    def extract_timestamp(self, value: Any, record_timestamp: int) -> Any:
        return value


class Later(TimestampAssigner):
    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        return record_timestamp + 1_000


class Punctuated(WatermarkGenerator):
    """Emits a watermark after each element that is a multiple of ten."""

    def on_event(self, event: Any, event_timestamp: int, output: Any) -> None:
        if event % 10 == 0:
            output.emit_watermark(event_timestamp)

    def on_periodic_emit(self, output: Any) -> None:
        pass


class Counting(WatermarkGenerator):
    """Emits the number of elements seen as the watermark."""

    def __init__(self) -> None:
        self.seen = 0

    def on_event(self, event: Any, event_timestamp: int, output: Any) -> None:
        self.seen += 1

    def on_periodic_emit(self, output: Any) -> None:
        output.emit_watermark(self.seen)


class SteppingClock(ManualClock):
    """A clock that moves on each time it is read."""

    def __init__(self, step: int) -> None:
        super().__init__(1_000)
        self._step = step

    def now(self) -> int:
        self.set(super().now() + self._step)
        return super().now()


class Failing(WatermarkGenerator):
    def on_event(self, event: Any, event_timestamp: int, output: Any) -> None:
        if event == 2:
            raise ValueError("not two")

    def on_periodic_emit(self, output: Any) -> None:
        raise ValueError("not now")


def opened(
    strategy: WatermarkStrategy,
    clock: ManualClock | None = None,
    interval: int = 0,
    bundle: int = 1_000,
    batch: bool = False,
) -> Operator:
    assigner = strategy.timestamp_assigner
    plan = WatermarkPlan(None if assigner is None else assigner.extract_timestamp, strategy.generator())
    execution = Execution(batch=batch, watermark_interval=interval, bundle_size=bundle)
    job = JobInfo("0" * 32, "test", execution=execution)
    return driving.opened(operator(ASSIGN_WATERMARKS, plan), batch, job=job, clock=clock)


def monotonous(**settings: Any) -> Operator:
    return opened(WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(Itself()), **settings)


def fed(assigning: Operator, *values: Any, timestamps: list[int] | None = None) -> list[Any]:
    """Return the elements emitted, with their timestamps, and the watermarks as ``W time``."""
    return told(assigning.process(Elements(list(values), timestamps), 0))


def told(events: Any) -> list[Any]:
    said: list[Any] = []
    event: Event
    for event in events:
        if isinstance(event, Watermark):
            said.append(f"W {event.timestamp}")
        else:
            times: Any = event.timestamps or [None] * len(event.values)
            said += zip(event.values, times, strict=True)
    return said


def test_watermarks_of_monotonous_timestamps_are_one_below_the_highest() -> None:
    assert fed(monotonous(), 10, 5, 20) == [(10, 10), "W 9", (5, 5), (20, 20), "W 19"]


class Halves(TimestampAssigner, ColumnTimestamps):
    """Half of each element, of columns only if all are even."""

    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        return int(value // 2)

    def timestamps_of_columns(self, values: ColumnValues) -> array[int] | None:
        (numbers,) = values.columns
        return None if any(number % 2 for number in numbers.values) else array("q", [7] * len(values))


def test_the_timestamps_of_columns_are_extracted_at_once_where_they_can_be() -> None:
    halves = Halves()
    plan = WatermarkPlan(halves.extract_timestamp, NoWatermarks, None, halves.timestamps_of_columns)
    assigning = driving.opened(operator(ASSIGN_COLUMN_WATERMARKS, plan))
    layout = layout_of(Types.LONG())

    def extracted(*values: int) -> list[Any]:
        return told(assigning.process(Elements(ColumnValues(layout, layout.encode(list(values)))), 0))

    assert extracted(2, 4) == [(2, 7), (4, 7)]
    assert extracted(2, 5) == [(2, 1), (5, 2)]
    assert fed(assigning, 2, 4) == [(2, 1), (4, 2)]


def test_bounded_out_of_orderness_delays_the_watermark() -> None:
    strategy = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_millis(7))
    assigning = opened(strategy.with_timestamp_assigner(Itself()))
    assert fed(assigning, 10, 20) == [(10, 10), "W 2", (20, 20), "W 12"]


@given(st.lists(st.integers(0, 50)), st.integers(0, 9), st.integers(1, 5))
def test_without_an_interval_watermarks_depend_neither_on_batches_nor_on_bundles(
    times: list[int], bound: int, size: int
) -> None:
    strategy = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_millis(bound))
    expected: list[Any] = []
    for highest, time in zip(accumulate(times, max), times, strict=True):
        expected.append((time, time))
        watermark = f"W {highest - bound - 1}"
        if watermark not in expected:
            expected.append(watermark)
    for bundle in (1, 3, 1_000):
        assigning = opened(strategy.with_timestamp_assigner(Itself()), bundle=bundle)
        batches = [times[start : start + size] for start in range(0, len(times), size)]
        assert [
            event for batch in batches for event in [*told(assigning.tick()), *fed(assigning, *batch)]
        ] == expected


def test_a_bundle_is_followed_by_one_watermark_after_the_interval() -> None:
    clock = SteppingClock(step=200)
    assigning = monotonous(clock=clock, interval=200, bundle=2)
    assert fed(assigning, 10, 5, 20, 30) == [(10, 10), (5, 5), (20, 20), (30, 30), "W 29"]


def test_periodic_watermarks_wait_for_the_interval() -> None:
    clock = ManualClock(1_000)
    assigning = monotonous(clock=clock, interval=200)
    assert fed(assigning, 10) == [(10, 10)]
    clock.set(1_199)
    assert fed(assigning, 20) == [(20, 20)]
    clock.set(1_200)
    assert fed(assigning, 30) == [(30, 30), "W 29"]
    clock.set(1_400)
    assert fed(assigning, 5) == [(5, 5)]
    assert told(assigning.tick()) == []


def test_a_tick_emits_a_watermark_after_the_interval() -> None:
    clock = ManualClock(1_000)
    assigning = monotonous(clock=clock, interval=200)
    fed(assigning, 10)
    clock.set(1_300)
    assert told(assigning.tick()) == ["W 9"]


def test_no_watermarks_emits_only_the_last_watermark() -> None:
    assigning = opened(WatermarkStrategy.no_watermarks().with_timestamp_assigner(Itself()))
    assert fed(assigning, 10, 20) == [(10, 10), (20, 20)]
    assert told(assigning.advance(MAX_WATERMARK)) == [f"W {MAX_WATERMARK}"]


def test_earlier_watermarks_are_replaced() -> None:
    assigning = monotonous()
    assert told(assigning.advance(1_000)) == []
    assert fed(assigning, 10) == [(10, 10), "W 9"]


@pytest.mark.parametrize(("present", "given"), [(None, NO_TIMESTAMP), ([7], 7)])
def test_without_an_assigner_timestamps_stay(present: list[int] | None, given: int) -> None:
    assigning = opened(WatermarkStrategy.no_watermarks())
    assert fed(assigning, 1, timestamps=present) == [(1, given)]


def test_an_assigner_receives_the_current_timestamp() -> None:
    assigning = opened(WatermarkStrategy.no_watermarks().with_timestamp_assigner(Later()))
    assert fed(assigning, 1, timestamps=[7]) == [(1, 1_007)]


def test_elements_without_timestamps_emit_no_watermark() -> None:
    assigning = opened(WatermarkStrategy.for_monotonous_timestamps())
    assert fed(assigning, 1, 2) == [(1, NO_TIMESTAMP), (2, NO_TIMESTAMP)]


def test_a_punctuated_watermark_follows_its_element() -> None:
    strategy = WatermarkStrategy.for_generator(Punctuated).with_timestamp_assigner(Itself())
    assigning = opened(strategy, bundle=100)
    assert fed(assigning, 1, 10, 2, 20, 5, 10, 3) == [
        *((1, 1), (10, 10), "W 10", (2, 2), (20, 20), "W 20", (5, 5), (10, 10), (3, 3))
    ]


def test_without_an_interval_a_periodic_generator_is_called_after_each_element() -> None:
    strategy = WatermarkStrategy.for_generator(Counting).with_timestamp_assigner(Itself())
    assert fed(opened(strategy), 7, 7) == [(7, 7), "W 1", (7, 7), "W 2"]


def test_each_subtask_has_a_generator_of_its_own() -> None:
    strategy = WatermarkStrategy.for_generator(Counting).with_timestamp_assigner(Itself())
    assert "W 1" in fed(opened(strategy), 1)
    assert "W 1" in fed(opened(strategy), 1)


def test_batch_execution_assigns_timestamps_and_emits_only_the_last_watermark() -> None:
    assigning = monotonous(batch=True)
    assert fed(assigning, 10, 20) == [(10, 10), (20, 20)]
    assert told(assigning.tick()) == []
    assert told(assigning.advance(MAX_WATERMARK)) == [f"W {MAX_WATERMARK}"]


@pytest.mark.parametrize("time", [None, 1.5, "1", 2**63, -(2**63) - 1, True])
def test_an_invalid_timestamp_is_reported_with_its_element(time: Any) -> None:
    with pytest.raises(TaskFailure, match=r"(?s)TimestampError.*ms since the Unix epoch.*element"):
        fed(monotonous(), 1, time)


def test_a_failing_generator_is_reported() -> None:
    strategy = WatermarkStrategy.for_generator(Failing).with_timestamp_assigner(Itself())
    with pytest.raises(TaskFailure, match=r"(?s)not two.*element: 2"):
        fed(opened(strategy, interval=200), 1, 2)
    with pytest.raises(TaskFailure, match="not now"):
        fed(opened(strategy), 1)


class Heard:
    def __init__(self) -> None:
        self.watermarks: list[int] = []

    def emit_watermark(self, timestamp: int) -> None:
        self.watermarks.append(timestamp)

    def mark_idle(self) -> None:
        raise AssertionError

    def mark_active(self) -> None:
        raise AssertionError


def test_built_in_generators() -> None:
    heard = Heard()
    bounded = BoundedOutOfOrderness(5)
    bounded.on_periodic_emit(heard)
    bounded.on_event("x", 100, heard)
    bounded.on_event("y", 90, heard)
    bounded.on_periodic_emit(heard)
    assert heard.watermarks == [NO_TIMESTAMP, 94]
    never = NoWatermarks()
    never.on_event("x", 200, heard)
    never.on_periodic_emit(heard)
    assert len(heard.watermarks) == 2


class Emitting(WatermarkGenerator):
    """Emits elements as watermarks, after each of them or periodically."""

    def __init__(self, at_once: bool) -> None:
        self.at_once = at_once
        self.last: Any = None

    def on_event(self, event: Any, event_timestamp: int, output: Any) -> None:
        self.last = event
        if self.at_once:
            output.emit_watermark(event)

    def on_periodic_emit(self, output: Any) -> None:
        if not self.at_once:
            output.emit_watermark(self.last)


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize("watermark", [None, "5", 1.5, 2**63, -(2**63) - 1])
def test_an_invalid_watermark_is_refused(at_once: bool, watermark: Any) -> None:
    assigning = opened(WatermarkStrategy.for_generator(lambda: Emitting(at_once)))
    with pytest.raises(TaskFailure, match=r"'Timestamps/Watermarks' (.|\n)*the watermark generator emitted"):
        list(assigning.process(Elements([watermark]), 0))


def test_no_watermark_follows_the_last_one() -> None:
    assigning = monotonous(interval=1_000)
    assert fed(assigning, 10) == [(10, 10)]
    assert told(assigning.advance(MAX_WATERMARK)) == [f"W {MAX_WATERMARK}"]
    assert told(assigning.end_epoch()) == []
