"""Process functions driven by hand: elements, both times, state, side outputs, snapshots."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import Any

import pytest

from pystream.common import Types
from pystream.datastream import (
    CoProcessFunction,
    KeyedCoProcessFunction,
    KeyedProcessFunction,
    KeySelector,
    OutputTag,
    ProcessFunction,
    RuntimeContext,
)
from pystream.datastream.state import ListStateDescriptor, ValueStateDescriptor
from pystream.datastream.time_domain import TimeDomain
from pystream.errors import PlanError
from pystream.plan.function import FunctionPicklingError
from pystream.testing import (
    HarnessError,
    OperatorHarness,
    ProcessFunctionTestHarnesses,
    StreamRecord,
    TimerRecord,
)
from typeinfo.errors import TypeCheckError

MIN, MAX = -(2**63), 2**63 - 1
BIG = OutputTag("big", Types.INT())
COUNT = ValueStateDescriptor("count", Types.INT())

Event = tuple[str, int]


class Sizes(ProcessFunction[int, Any]):
    """Emits each element with the current times; elements above 100 go to a side output."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.counter = runtime_context.get_metrics_group().counter("seen")

    def process_element(self, value: int, ctx: ProcessFunction.Context) -> Iterator[Any]:
        self.counter.inc()
        if value > 100:
            yield BIG, value
        else:
            yield value, ctx.timestamp(), ctx.timer_service().current_watermark()


class CountThenFlush(KeyedProcessFunction[str, Event, Any]):
    """Counts by key; emits the count 10 ms of event time and 10 ms of processing time after each element."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.count = runtime_context.get_state(COUNT)

    def process_element(self, value: Event, ctx: KeyedProcessFunction.Context) -> Iterator[Any]:
        self.count.update((self.count.value() or 0) + value[1])
        timers = ctx.timer_service()
        timers.register_event_time_timer(ctx.timestamp() + 10)
        timers.register_processing_time_timer(timers.current_processing_time() + 10)
        yield BIG, value[1]

    def on_timer(self, timestamp: int, ctx: KeyedProcessFunction.OnTimerContext) -> Iterator[Any]:
        yield ctx.get_current_key(), self.count.value(), ctx.time_domain().name, timestamp


def count_then_flush() -> OperatorHarness[Any]:
    return ProcessFunctionTestHarnesses.for_keyed_process_function(CountThenFlush(), lambda event: event[0])


def test_a_function_without_keys_sees_times_and_emits_to_side_outputs() -> None:
    with ProcessFunctionTestHarnesses.for_process_function(
        Sizes(), Types.TUPLE([Types.INT(), Types.LONG(), Types.LONG()])
    ) as harness:
        harness.process_element(1)
        harness.process_element(2, 20)
        harness.process_watermark(15)
        harness.process_elements([3, 300], 30)
        assert harness.get_output() == [
            StreamRecord((1, MIN, MIN), None),
            StreamRecord((2, 20, MIN), 20),
            StreamRecord((3, 30, 15), 30),
        ]
        assert harness.extract_output_values()[-1] == (3, 30, 15)
        assert harness.get_side_output(BIG) == [300]
        assert harness.get_side_output(OutputTag("another")) == []
        assert harness.get_watermarks() == [15]
        assert harness.get_metrics().counter("seen").get_count() == 4


def test_results_are_validated_by_their_type_and_those_of_side_outputs_by_the_tags() -> None:
    with ProcessFunctionTestHarnesses.for_process_function(Sizes(), Types.INT()) as harness:
        with pytest.raises(TypeCheckError, match="is not an INT"):
            harness.process_element(1)
        harness.process_element(300)
        with pytest.raises(TypeCheckError, match="is not a STRING"):
            harness.get_side_output(OutputTag("big", Types.STRING()))


def test_timers_of_both_times_fire_when_their_time_has_come() -> None:
    with count_then_flush() as harness:
        harness.set_processing_time(1_000)
        assert harness.get_processing_time() == 1_000
        harness.process_element(("b", 1), 5)
        harness.process_element(("a", 2), 5)
        harness.process_element(("a", 3), 1)
        assert harness.get_timers() == [
            TimerRecord(11, "a", TimeDomain.EVENT_TIME),
            TimerRecord(15, "a", TimeDomain.EVENT_TIME),
            TimerRecord(15, "b", TimeDomain.EVENT_TIME),
            TimerRecord(1_010, "a", TimeDomain.PROCESSING_TIME),
            TimerRecord(1_010, "b", TimeDomain.PROCESSING_TIME),
        ]
        assert len(harness.get_timers()) == 5  # looking takes none away
        harness.process_watermark(14)
        harness.set_processing_time(1_009)
        assert harness.get_output() == [(("a", 5, "EVENT_TIME", 11), 11)]
        harness.clear_output()
        harness.process_watermark(15)
        harness.process_watermark(12)
        harness.set_processing_time(1_010)
        assert harness.get_output() == [
            (("a", 5, "EVENT_TIME", 15), 15),
            (("b", 1, "EVENT_TIME", 15), 15),
            (("a", 5, "PROCESSING_TIME", 1_010), None),
            (("b", 1, "PROCESSING_TIME", 1_010), None),
        ]
        assert harness.get_watermarks() == [15]
        assert harness.get_timers() == []


def test_the_end_of_input_fires_the_remaining_timers() -> None:
    with count_then_flush() as harness:
        harness.process_element(("a", 2), 5)
        harness.end_input()
        assert [value[2:] for value in harness.extract_output_values()] == [
            ("EVENT_TIME", 15),
            ("PROCESSING_TIME", 10),
        ]
        assert harness.get_watermarks() == [MAX]


def test_the_clock_does_not_go_back() -> None:
    with count_then_flush() as harness:
        harness.set_processing_time(10)
        with pytest.raises(ValueError, match="cannot go back from 10 to 9"):
            harness.set_processing_time(9)


def test_state_can_be_read_and_set() -> None:
    with count_then_flush() as harness:
        harness.process_element(("a", 2), 5)
        assert harness.get_keyed_state("a").get_state(COUNT).value() == 2
        assert harness.get_keyed_state("b").get_state(COUNT).value() is None
        assert harness.num_keyed_state_entries() == 1
        harness.get_keyed_state("b").get_state(COUNT).update(40)
        harness.process_element(("b", 2), 5)
        assert harness.get_keyed_state("b").get_state(COUNT).value() == 42
        assert harness.num_keyed_state_entries() == 2


def test_a_snapshot_holds_state_timers_and_times() -> None:
    with count_then_flush() as first:
        first.set_processing_time(100)
        first.process_watermark(7)
        first.process_element(("a", 2), 5)
        snapshot = first.snapshot()
        first.process_element(("a", 90), 5)
    with count_then_flush().initialize_state(snapshot) as second:
        assert second.get_output() == []
        assert second.get_processing_time() == 100
        second.process_watermark(6)
        second.process_element(("a", 1), 6)
        second.process_watermark(15)
        assert second.extract_output_values() == [("a", 3, "EVENT_TIME", 15)]
        assert second.get_watermarks() == [15]
        second.set_processing_time(110)
        assert second.extract_output_values()[1:] == [("a", 3, "PROCESSING_TIME", 110)]


class Fails(KeyedProcessFunction[str, Event, int]):
    def process_element(self, value: Event, ctx: KeyedProcessFunction.Context) -> Iterator[int]:
        ctx.timer_service().register_event_time_timer(1)
        try:
            yield 1 // value[1]
        except ZeroDivisionError as error:
            raise LookupError("no share") from error

    def on_timer(self, timestamp: int, ctx: KeyedProcessFunction.OnTimerContext) -> Iterator[int]:
        raise OverflowError("late")


def test_errors_of_a_function_are_raised_unchanged() -> None:
    with ProcessFunctionTestHarnesses.for_keyed_process_function(Fails(), lambda event: event[0]) as harness:
        with pytest.raises(LookupError, match="no share") as raised:
            harness.process_element(("a", 0))
        assert isinstance(raised.value.__cause__, ZeroDivisionError)
        with pytest.raises(OverflowError, match="late"):
            harness.process_watermark(1)


class Initial(KeySelector[Event, str]):
    def get_key(self, value: Event) -> str:
        return value[0][:1]


class OwnKey(KeyedProcessFunction[str, Event, str]):
    def process_element(self, value: Event, ctx: KeyedProcessFunction.Context) -> Iterator[str]:
        yield ctx.get_current_key()


def test_keys_come_from_selectors_and_are_validated_by_their_type() -> None:
    for_keyed = ProcessFunctionTestHarnesses.for_keyed_process_function
    with for_keyed(OwnKey(), Initial()) as harness:
        harness.process_element(("abc", 1))
        assert harness.extract_output_values() == ["a"]
    with for_keyed(OwnKey(), itemgetter(0), Types.INT()) as held, pytest.raises(TypeCheckError, match="INT"):
        held.process_element(("abc", 1))
    with pytest.raises(PlanError, match="value is String, not Integer"):
        for_keyed(OwnKey(), Initial(), Types.INT())  # type: ignore[arg-type]


class Both(CoProcessFunction[int, str, str]):
    def process_element1(self, value: int, ctx: CoProcessFunction.Context) -> Iterator[str]:
        yield f"{value:+} at {ctx.timestamp()}"

    def process_element2(self, value: str, ctx: CoProcessFunction.Context) -> Iterator[str]:
        yield f"{value} at {ctx.timer_service().current_watermark()}"


def test_two_inputs_have_two_watermarks() -> None:
    with ProcessFunctionTestHarnesses.for_co_process_function(Both()) as harness:
        harness.process_element1(1, 10)
        harness.process_watermark1(20)
        assert harness.get_watermarks() == []
        harness.process_watermark2(12)
        harness.process_element2("x", 14)
        harness.process_watermark2(40)
        harness.process_watermark(30)
        assert harness.extract_output_values() == ["+1 at 10", "x at 12"]
        assert harness.get_watermarks() == [12, 20, 30]


class Join(KeyedCoProcessFunction[int, tuple[int, str], tuple[str, int], str]):
    """Keeps names; emits a name for each number, and all names of a key at the end."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.names = runtime_context.get_list_state(ListStateDescriptor("names", Types.STRING()))

    def process_element1(
        self, value: tuple[int, str], ctx: KeyedCoProcessFunction.Context
    ) -> Iterator[str] | None:
        self.names.add(value[1])
        ctx.timer_service().register_event_time_timer(100)
        return None

    def process_element2(self, value: tuple[str, int], ctx: KeyedCoProcessFunction.Context) -> Iterator[str]:
        yield f"{value[0]}: {', '.join(self.names)}"

    def on_timer(self, timestamp: int, ctx: KeyedCoProcessFunction.OnTimerContext) -> Iterator[str]:
        yield f"{ctx.get_current_key()} has {len(list(self.names))}"


def test_two_keyed_inputs_share_state_and_timers() -> None:
    harness = ProcessFunctionTestHarnesses.for_keyed_co_process_function(
        Join(), lambda pair: pair[0], lambda pair: pair[1], Types.INT()
    )
    with harness:
        harness.process_element1((1, "Ann"))
        harness.process_element1((1, "Bob"))
        harness.process_element2(("who", 1))
        harness.process_element2(("who", 2))
        assert harness.extract_output_values() == ["who: Ann, Bob", "who: "]
        harness.process_watermark(100)
        assert harness.extract_output_values()[2:] == ["1 has 2"]


def test_a_harness_says_what_its_operator_does_not_have() -> None:
    with ProcessFunctionTestHarnesses.for_process_function(Sizes()) as harness:
        for ask in (
            harness.get_timers,
            harness.num_keyed_state_entries,
            lambda: harness.get_keyed_state("a"),
        ):
            with pytest.raises(HarnessError, match="'Sizes'"):
                ask()
        with pytest.raises(HarnessError, match="one input only"):
            harness.process_element2(1)
        with pytest.raises(HarnessError, match="one input only"):
            harness.process_watermark2(1)


def test_a_harness_is_opened_once_and_first() -> None:
    harness = count_then_flush()
    for use in (
        lambda: harness.process_element(("a", 1)),
        lambda: harness.process_watermark(1),
        lambda: harness.set_processing_time(1),
        lambda: harness.get_keyed_state("a"),
        harness.snapshot,
    ):
        with pytest.raises(HarnessError, match="not open"):
            use()
    with harness:
        with pytest.raises(HarnessError, match="once"):
            harness.open()
        with pytest.raises(HarnessError, match="before open"):
            harness.initialize_state(harness.snapshot())


class Closing(ProcessFunction[int, int]):
    def process_element(self, value: int, ctx: ProcessFunction.Context) -> Iterator[int]:
        yield value

    def close(self) -> None:
        raise ConnectionError("closed")


def test_the_function_is_closed() -> None:
    with (
        pytest.raises(ConnectionError, match="closed"),
        ProcessFunctionTestHarnesses.for_process_function(Closing()),
    ):
        pass


class HoldsALock(ProcessFunction[int, int]):
    def __init__(self) -> None:
        import threading

        self.lock = threading.Lock()

    def process_element(self, value: int, ctx: ProcessFunction.Context) -> Iterator[int]:
        yield value


def test_what_no_worker_could_run_is_refused() -> None:
    with pytest.raises(FunctionPicklingError, match="lock"):
        ProcessFunctionTestHarnesses.for_process_function(HoldsALock())
    for_anything: Any = ProcessFunctionTestHarnesses.for_process_function
    with pytest.raises(TypeError, match="a ProcessFunction"):
        for_anything(Sizes)
    with pytest.raises(TypeError, match="a ProcessFunction"):
        for_anything(CountThenFlush())
