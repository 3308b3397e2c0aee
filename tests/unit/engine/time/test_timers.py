"""Timers: one for each key and time, fired in order, in both domains."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.datastream import KeyedCoProcessFunction, KeyedProcessFunction
from pystream.engine.state.errors import StateAccessError
from pystream.engine.time.timers import TimeDomain, TimerError, TimerQueue
from pystream.testing import ProcessFunctionTestHarnesses
from pystream.testing.harness import OperatorHarness
from typeinfo import Types

END = 2**63 - 1
BEGIN = -(2**63)


def queue(*timers: tuple[int, Any]) -> TimerQueue:
    made = TimerQueue()
    for time, slot in timers:
        made.register(time, slot, f"key {slot}")
    return made


def due(timers: TimerQueue, until: int) -> list[tuple[int, Any]]:
    return [(timer.time, timer.slot) for timer in timers.due(until)]


def test_timers_fire_in_order_of_time_then_key() -> None:
    timers = queue((20, "b"), (10, "c"), (20, "a"), (10, "b"), (30, "a"))
    assert due(timers, 20) == [(10, "b"), (10, "c"), (20, "a"), (20, "b")]
    assert due(timers, 29) == []
    assert due(timers, END) == [(30, "a")]
    assert timers.snapshot() == {}


def test_a_timer_returns_its_payload() -> None:
    assert [timer.payload for timer in queue((1, "a")).due(1)] == ["key a"]


def test_keys_without_an_order_fire_as_registered() -> None:
    assert due(queue((1, "b"), (1, 3), (1, "a")), 1) == [(1, "b"), (1, 3), (1, "a")]


@pytest.mark.promise("beh:timer-dedup")
def test_a_timer_registered_twice_fires_once() -> None:
    timers = queue((1, "a"), (1, "a"))
    assert due(timers, 1) == [(1, "a")]


@pytest.mark.promise("beh:timer-delete-noop")
def test_a_deleted_timer_does_not_fire() -> None:
    timers = queue((1, "a"), (2, "a"), (1, "b"))
    timers.delete(1, "a")
    timers.delete(3, "a")
    timers.delete(2, "b")
    assert due(timers, END) == [(1, "b"), (2, "a")]


def test_timers_added_meanwhile_fire_after_those_already_due() -> None:
    timers = queue((10, "a"), (25, "a"))
    fired = []
    for timer in timers.due(30):
        fired.append(timer.time)
        if timer.time == 10:
            timers.register(20, "a", None)
            timers.register(5, "a", None)
            timers.register(31, "a", None)
        if timer.time == 5:
            timers.register(30, "a", None)
    assert fired == [10, 25, 5, 20, 30]
    assert timers.snapshot() == {31: {"a": None}}


def test_a_timer_can_register_itself_again() -> None:
    timers = queue((10, "a"))
    fired = 0
    for timer in timers.due(10):
        fired += 1
        if fired < 3:
            timers.register(timer.time, timer.slot, timer.payload)
    assert fired == 3


def test_firing_timers_can_be_deleted_and_registered() -> None:
    timers = queue((10, "a"), (10, "b"), (20, "a"), (30, "a"))
    fired = []
    for timer in timers.due(40):
        fired.append((timer.time, timer.slot))
        if len(fired) == 1:
            timers.delete(10, "b")
            timers.delete(20, "a")
            timers.register(30, "a", None)
    assert fired == [(10, "a"), (30, "a")]
    assert timers.snapshot() == {}


def test_remaining_timers_register_no_others() -> None:
    timers = queue((20, "a"), (10, "a"), (30, "a"))
    fired = []
    for timer in timers.left():
        fired.append(timer.time)
        timers.register(timer.time + 1, "a", None)
        timers.delete(30, "a")
    assert fired == [10, 20]
    assert timers.snapshot() == {}


_STEPS = st.lists(
    st.tuples(st.sampled_from(["register", "delete", "due"]), st.integers(-9, 9), st.sampled_from("abc"))
)


@given(_STEPS)
def test_a_queue_behaves_as_a_set_of_times_and_keys(steps: list[tuple[str, int, str]]) -> None:
    timers, model = TimerQueue(), set[tuple[int, str]]()
    for step, time, slot in steps:
        if step == "register":
            timers.register(time, slot, None)
            model.add((time, slot))
        elif step == "delete":
            timers.delete(time, slot)
            model.discard((time, slot))
        else:
            expected = sorted(timer for timer in model if timer[0] <= time)
            assert due(timers, time) == expected
            model -= set(expected)
        again = TimerQueue()
        again.add(timers.snapshot())
        assert {(time, slot) for time, slots in timers.snapshot().items() for slot in slots} == model
    assert due(again if steps else timers, END) == sorted(model)


class Commanded(KeyedProcessFunction[Any, Any, Any]):
    """Calls the timer service as an element says: a key, then pairs of method and time."""

    def process_element(self, value: Any, ctx: KeyedProcessFunction.Context) -> Iterator[Any]:
        for method, time in value[1:]:
            getattr(ctx.timer_service(), method)(time)
        yield "element", ctx.timestamp(), ctx.timer_service().current_watermark()

    def on_timer(self, timestamp: int, ctx: KeyedProcessFunction.OnTimerContext) -> Iterator[Any]:
        service = ctx.timer_service()
        assert ctx.timestamp() == timestamp
        yield ctx.time_domain().name, ctx.get_current_key(), timestamp, service.current_watermark()


EVENT, PROCESSING = "register_event_time_timer", "register_processing_time_timer"


def commanded() -> OperatorHarness[Any]:
    return ProcessFunctionTestHarnesses.for_keyed_process_function(
        Commanded(), lambda value: value[0], Types.STRING()
    )


def timers_of(harness: OperatorHarness[Any]) -> list[Any]:
    return [value for value in harness.extract_output_values() if value[0] != "element"]


@pytest.mark.promise("beh:on-timer-key-scope", "beh:watermark-passes-timer")
def test_event_timers_wait_for_the_watermark() -> None:
    with commanded() as harness:
        harness.process_element(("a", (EVENT, 10), (EVENT, 20)), 1)
        harness.process_element(("b", (EVENT, 15)), 2)
        harness.set_processing_time(1_000)
        harness.process_watermark(9)
        assert timers_of(harness) == []
        harness.process_watermark(15)
        assert timers_of(harness) == [("EVENT_TIME", "a", 10, 15), ("EVENT_TIME", "b", 15, 15)]
        assert [record.timestamp for record in harness.get_output()] == [1, 2, 10, 15]
        assert [timer.timestamp for timer in harness.get_timers()] == [20]
        assert harness.get_watermarks() == [9, 15]


def test_processing_timers_wait_for_the_clock() -> None:
    with commanded() as harness:
        harness.set_processing_time(100)
        harness.process_element(("a", (PROCESSING, 150), (PROCESSING, 120)))
        harness.process_watermark(1_000)
        harness.set_processing_time(119)
        assert timers_of(harness) == []
        harness.set_processing_time(150)
        assert timers_of(harness) == [
            ("PROCESSING_TIME", "a", 120, 1_000),
            ("PROCESSING_TIME", "a", 150, 1_000),
        ]
        assert [record.timestamp for record in harness.get_output()] == [None, None, None]


def test_the_same_time_in_both_domains_is_two_timers() -> None:
    with commanded() as harness:
        harness.process_element(("a", (EVENT, 10), (PROCESSING, 10), ("delete_event_time_timer", 10)))
        assert [timer.time_domain for timer in harness.get_timers()] == [TimeDomain.PROCESSING_TIME]
        harness.process_element(("a", (EVENT, 10), ("delete_processing_time_timer", 10)))
        assert [timer.time_domain for timer in harness.get_timers()] == [TimeDomain.EVENT_TIME]


def test_a_timer_in_the_past_fires_at_the_next_watermark() -> None:
    with commanded() as harness:
        harness.process_watermark(100)
        harness.process_element(("a", (EVENT, BEGIN), (EVENT, 50)))
        assert timers_of(harness) == []
        harness.process_watermark(101)
        assert timers_of(harness) == [("EVENT_TIME", "a", BEGIN, 101), ("EVENT_TIME", "a", 50, 101)]


def test_the_end_of_the_input_fires_all() -> None:
    with commanded() as harness:
        harness.process_element(("a", (EVENT, END), (PROCESSING, 86_400_000)))
        harness.end_input()
        assert timers_of(harness) == [
            ("EVENT_TIME", "a", END, END),
            ("PROCESSING_TIME", "a", 86_400_000, END),
        ]


@pytest.mark.parametrize("time", [2**63, -(2**63) - 1, 1.5, None, "1"])
@pytest.mark.parametrize("method", [EVENT, PROCESSING])
def test_an_invalid_time_is_refused(method: str, time: Any) -> None:
    with commanded() as harness, pytest.raises(TimerError, match="timer's time"):
        harness.process_element(("a", (method, time)))


class Chained(KeyedProcessFunction[Any, Any, Any]):
    """Registers a processing-time timer whenever one fires."""

    def process_element(self, value: Any, ctx: KeyedProcessFunction.Context) -> None:
        ctx.timer_service().register_processing_time_timer(value)

    def on_timer(self, timestamp: int, ctx: KeyedProcessFunction.OnTimerContext) -> Iterator[Any]:
        yield timestamp
        ctx.timer_service().register_processing_time_timer(timestamp + 10)


def test_at_the_end_of_input_processing_timers_register_only_due_ones() -> None:
    harness = ProcessFunctionTestHarnesses.for_keyed_process_function(Chained(), lambda value: 0)
    with harness:
        harness.set_processing_time(25)
        harness.process_element(5)
        harness.end_input()
        assert harness.extract_output_values() == [5, 15, 25, 35]


class InOpen(KeyedProcessFunction[Any, Any, Any]):
    def process_element(self, value: Any, ctx: KeyedProcessFunction.Context) -> None:
        self._service = ctx.timer_service()

    def close(self) -> None:
        self._service.register_event_time_timer(1)


def test_without_a_key_no_timer_is_registered() -> None:
    harness = ProcessFunctionTestHarnesses.for_keyed_process_function(InOpen(), lambda value: value)
    harness.open()
    harness.process_element(1)
    with pytest.raises(StateAccessError, match="no current key"):
        harness.close()


def test_timers_are_restored_from_a_snapshot() -> None:
    with commanded() as first:
        first.process_watermark(5)
        first.process_element(("a", (EVENT, 10), (PROCESSING, 20)))
        snapshot = first.snapshot()
    with commanded().initialize_state(snapshot) as second:
        second.process_element(("b",))
        assert second.extract_output_values() == [("element", BEGIN, 5)]
        second.process_watermark(10)
        second.set_processing_time(20)
        assert [fired[:3] for fired in timers_of(second)] == [
            ("EVENT_TIME", "a", 10),
            ("PROCESSING_TIME", "a", 20),
        ]


class Meeting(KeyedCoProcessFunction[Any, Any, Any, Any]):
    def process_element1(self, value: Any, ctx: KeyedCoProcessFunction.Context) -> None:
        ctx.timer_service().register_event_time_timer(10)

    def process_element2(self, value: Any, ctx: KeyedCoProcessFunction.Context) -> None:
        ctx.timer_service().delete_event_time_timer(10)

    def on_timer(self, timestamp: int, ctx: KeyedCoProcessFunction.OnTimerContext) -> Iterator[Any]:
        yield ctx.get_current_key(), timestamp


def test_two_inputs_share_timers_and_the_lower_watermark() -> None:
    harness = ProcessFunctionTestHarnesses.for_keyed_co_process_function(
        Meeting(), lambda value: value, lambda value: value, Types.STRING()
    )
    with harness:
        harness.process_element1("a")
        harness.process_element1("b")
        harness.process_element2("b")
        harness.process_watermark1(20)
        assert harness.extract_output_values() == []
        harness.process_watermark2(10)
        assert harness.extract_output_values() == [("a", 10)]
        assert harness.get_watermarks() == [10]


def test_deleted_timers_are_cleaned_up() -> None:
    queue = TimerQueue()
    for time in range(10_000, 20_000):
        queue.delete(time - 1, "k")
        queue.register(time, "k", "k")
    assert len(queue._times) < 100
    assert len(queue._slots) == 1
    queue.delete(19_999, "k")
    queue.register(19_999, "k", "again")
    assert [tuple(timer) for timer in queue.due(30_000)] == [(19_999, "k", "again")]


def test_restoring_drops_times_without_timers() -> None:
    queue = TimerQueue()
    queue.add({5: {}, 7: {"k": None}})
    assert queue.snapshot() == {7: {"k": None}}
