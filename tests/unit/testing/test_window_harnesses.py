"""Windows driven by hand."""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from typing import Any

import pytest

from pystream.common import Time, Types
from pystream.datastream import (
    AggregateFunction,
    AllWindowFunction,
    OutputTag,
    ProcessAllWindowFunction,
    ProcessWindowFunction,
    WindowFunction,
)
from pystream.datastream.state import ValueStateDescriptor
from pystream.datastream.window import (
    CountTrigger,
    CountTumblingWindowAssigner,
    EventTimeSessionWindows,
    TimeWindow,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
)
from pystream.engine.windows.evictors import CountEvictor
from pystream.testing import HarnessError, StreamRecord, WindowTestHarnesses
from typeinfo.errors import TypeCheckError

LATE = OutputTag("late", Types.TUPLE([Types.STRING(), Types.INT()]))
FIRED = ValueStateDescriptor("fired", Types.INT())
TEN = TumblingEventTimeWindows.of(Time.milliseconds(10))

Pair = tuple[str, int]


def plus(a: Pair, b: Pair) -> Pair:
    return a[0], a[1] + b[1]


class Mean(AggregateFunction[Pair, tuple[int, int], float]):
    def create_accumulator(self) -> tuple[int, int]:
        return 0, 0

    def add(self, value: Pair, accumulator: tuple[int, int]) -> tuple[int, int]:
        return accumulator[0] + value[1], accumulator[1] + 1

    def get_result(self, accumulator: tuple[int, int]) -> float:
        return accumulator[0] / accumulator[1]

    def merge(self, acc_a: tuple[int, int], acc_b: tuple[int, int]) -> tuple[int, int]:
        return acc_a[0] + acc_b[0], acc_a[1] + acc_b[1]


class Listed(WindowFunction[Any, str, str, TimeWindow]):
    def apply(self, key: str, window: TimeWindow, inputs: Iterable[Any]) -> Iterable[str]:
        yield f"{key} {window.start}-{window.end} {list(inputs)}"


class Fired(ProcessWindowFunction[Any, str, str, TimeWindow]):
    """Counts how often windows of the key fired."""

    def process(
        self, key: str, context: ProcessWindowFunction.Context, elements: Iterable[Any]
    ) -> Iterable[str]:
        fired = context.global_state().get_state(FIRED)
        fired.update((fired.value() or 0) + 1)
        yield f"{key} fired {fired.value()} {list(elements)}"


class AllListed(AllWindowFunction[Pair, str, TimeWindow]):
    def apply(self, window: TimeWindow, inputs: Iterable[Pair]) -> Iterable[str]:
        yield f"{window.start} {list(inputs)}"


class AllProcessed(ProcessAllWindowFunction[Pair, str, TimeWindow]):
    def process(self, context: ProcessAllWindowFunction.Context, elements: Iterable[Pair]) -> Iterable[str]:
        yield f"{context.window().max_timestamp()} {list(elements)}"


def test_reduce_fires_at_the_end_of_the_window() -> None:
    with WindowTestHarnesses(TEN, itemgetter(0)).reduce(plus) as harness:
        harness.process_element(("a", 1), 3)
        harness.process_element(("b", 5), 4)
        harness.process_element(("a", 2), 9)
        harness.process_watermark(8)
        assert harness.get_output() == []
        harness.process_watermark(9)
        assert harness.get_output() == [StreamRecord(("a", 3), 9), StreamRecord(("b", 5), 9)]
        assert harness.num_keyed_state_entries() == 0


def test_late_elements_fire_again_or_go_to_the_late_output() -> None:
    windows = WindowTestHarnesses(TEN, itemgetter(0), allowed_lateness=5, late_tag=LATE)
    with windows.reduce(plus, Listed()) as harness:
        harness.process_element(("a", 1), 3)
        harness.process_watermark(13)
        harness.process_element(("a", 2), 4)
        harness.process_watermark(14)
        harness.process_element(("a", 4), 5)
        assert harness.extract_output_values() == ["a 0-10 [('a', 1)]", "a 0-10 [('a', 3)]"]
        assert harness.get_side_output(LATE) == [("a", 4)]


def test_late_elements_without_an_output_are_counted() -> None:
    with WindowTestHarnesses(TEN, itemgetter(0)).reduce(plus) as harness:
        harness.process_watermark(20)
        harness.process_element(("a", 2), 4)
        assert harness.get_metrics().counter("numLateRecordsDropped").get_count() == 1


def test_aggregate_alone_and_with_a_window_function() -> None:
    with WindowTestHarnesses(TEN, itemgetter(0)).aggregate(
        Mean(), accumulator_type=Types.TUPLE([Types.INT(), Types.INT()])
    ) as means:
        means.process_elements([("a", 1), ("a", 4)], 0)
        means.end_input()
        assert means.extract_output_values() == [2.5]
    with WindowTestHarnesses(TEN, itemgetter(0)).aggregate(Mean(), Fired()) as fired:
        fired.process_element(("a", 1), 0)
        fired.process_element(("a", 2), 10)
        fired.end_input()
        assert fired.extract_output_values() == ["a fired 1 [1.0]", "a fired 2 [2.0]"]
        assert fired.get_keyed_state("a").get_state(FIRED).value() == 2


def test_apply_and_process_get_all_elements() -> None:
    session = EventTimeSessionWindows.with_gap(Time.milliseconds(5))
    with WindowTestHarnesses(session, itemgetter(0)).apply(Listed()) as sessions:
        for time in (1, 9, 5):
            sessions.process_element(("a", time), time)
        sessions.process_watermark(13)
        assert sessions.extract_output_values() == ["a 1-14 [('a', 1), ('a', 9), ('a', 5)]"]
    with WindowTestHarnesses(TEN, itemgetter(0), key_type=Types.STRING()).process(Fired()) as processed:
        processed.process_element(("a", 1), 1)
        processed.end_input()
        assert processed.extract_output_values() == ["a fired 1 [('a', 1)]"]


def test_windows_without_keys() -> None:
    with (
        WindowTestHarnesses(TEN).apply(AllListed()) as listed,
        WindowTestHarnesses(TEN).process(AllProcessed()) as processed,
    ):
        for harness in (listed, processed):
            harness.process_element(("a", 1), 1)
            harness.process_element(("b", 2), 2)
            harness.process_watermark(9)
        assert listed.extract_output_values() == ["0 [('a', 1), ('b', 2)]"]
        assert processed.extract_output_values() == ["9 [('a', 1), ('b', 2)]"]


def test_trigger_evictor_and_counts() -> None:
    windows = WindowTestHarnesses(TEN, itemgetter(0), trigger=CountTrigger(2), evictor=CountEvictor(1))
    with windows.apply(Listed()) as triggered:
        triggered.process_elements([("a", 1), ("a", 2), ("a", 3)], 1)
        assert triggered.extract_output_values() == ["a 0-10 [('a', 2)]"]
    with WindowTestHarnesses(CountTumblingWindowAssigner.of(2), itemgetter(0)).reduce(plus) as counted:
        counted.process_elements([("a", number) for number in range(1, 6)])
        counted.end_input()
        assert counted.extract_output_values() == [("a", 3), ("a", 7)]


def test_windows_of_processing_time_follow_the_clock() -> None:
    tumbling = TumblingProcessingTimeWindows.of(Time.milliseconds(10))
    with WindowTestHarnesses(tumbling, itemgetter(0)).reduce(plus) as harness:
        harness.set_processing_time(105)
        harness.process_element(("a", 1))
        harness.set_processing_time(108)
        harness.process_element(("a", 2))
        assert harness.get_output() == []
        harness.set_processing_time(109)
        assert harness.get_output() == [StreamRecord(("a", 3), 109)]


@pytest.mark.parametrize("lateness", [0, 5])
def test_a_snapshot_holds_the_windows(lateness: int) -> None:
    windows = WindowTestHarnesses(TEN, itemgetter(0), allowed_lateness=lateness)
    with windows.reduce(plus) as first:
        first.process_element(("a", 1), 3)
        first.process_watermark(5)
        snapshot = first.snapshot()
    with windows.reduce(plus).initialize_state(snapshot) as second:
        second.process_element(("a", 2), 4)
        second.process_watermark(9)
        assert second.get_output() == [StreamRecord(("a", 3), 9)]


def test_elements_and_results_have_their_types() -> None:
    typed = WindowTestHarnesses(TEN, itemgetter(0), element_type=Types.TUPLE([Types.STRING(), Types.BYTE()]))
    with typed.reduce(plus) as harness:
        harness.process_elements([("a", 100), ("a", 100)], 1)
        with pytest.raises(TypeCheckError, match="BYTE"):
            harness.end_input()
    with typed.reduce(plus, Listed()) as called:
        called.process_elements([("a", 100), ("a", 100)], 1)
        with pytest.raises(TypeCheckError, match="BYTE"):
            called.end_input()
    with typed.apply(Listed(), Types.STRING()) as listed:
        listed.process_element(("a", 1), 1)
        listed.end_input()
        assert listed.extract_output_values() == ["a 0-10 [('a', 1)]"]


def test_a_function_of_the_other_kind_is_refused() -> None:
    with pytest.raises(TypeError, match="without a key_selector, windows take a AllWindowFunction"):
        WindowTestHarnesses(TEN).apply(Listed())
    with pytest.raises(TypeError, match="with a key_selector, windows take a WindowFunction"):
        WindowTestHarnesses(TEN, itemgetter(0)).process(AllProcessed())


def test_windows_do_not_show_their_timers() -> None:
    harness = WindowTestHarnesses(TEN, itemgetter(0)).reduce(plus)
    with harness, pytest.raises(HarnessError, match="no timers of keys"):
        harness.get_timers()
