"""Functions that join two streams, driven by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Any

import pytest

from pystream.common import Time, Types
from pystream.datastream import (
    CoGroupFunction,
    FlatJoinFunction,
    JoinFunction,
    OutputTag,
    ProcessJoinFunction,
    RuntimeContext,
)
from pystream.datastream.time_domain import TimeDomain
from pystream.datastream.window import CountTrigger, TumblingEventTimeWindows
from pystream.engine.windows.evictors import CountEvictor
from pystream.errors import PlanError, PlanTypeError
from pystream.testing import (
    HarnessError,
    JoinTestHarnesses,
    OperatorHarness,
    StreamRecord,
    TimerRecord,
    WindowJoinTestHarnesses,
)
from typeinfo.errors import TypeCheckError

KEY = itemgetter(0)
LATE: OutputTag[Any] = OutputTag("late", Types.PICKLED_BYTE_ARRAY())
TEN = TumblingEventTimeWindows.of(Time.milliseconds(10))

Pair = tuple[str, int]


class Delays(ProcessJoinFunction[Pair, Pair, Any]):
    """Gives how long after the left element the right one is."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.counter = runtime_context.get_metrics_group().counter("pairs")

    def process_element(self, left: Pair, right: Pair, ctx: ProcessJoinFunction.Context) -> Iterator[Any]:
        self.counter.inc()
        yield left[1], right[1], ctx.get_right_timestamp() - ctx.get_left_timestamp()


class Added(JoinFunction[Pair, Pair, int]):
    def join(self, first: Pair, second: Pair) -> int:
        return first[1] + second[1]


class Both(FlatJoinFunction[Pair, Pair, int]):
    def join(self, first: Pair, second: Pair) -> Iterable[int]:
        return first[1], second[1]


class Outer(CoGroupFunction[Pair, Pair, Any]):
    def co_group(self, first: Iterable[Pair], second: Iterable[Pair]) -> Iterator[Any]:
        yield [value[1] for value in first], [value[1] for value in second]


def delays(**settings: Any) -> OperatorHarness[Any]:
    return JoinTestHarnesses.for_interval_join(
        Delays(), KEY, KEY, Time.milliseconds(-2), Time.milliseconds(5), key_type=Types.STRING(), **settings
    )


def windows(**settings: Any) -> WindowJoinTestHarnesses:
    return WindowJoinTestHarnesses(TEN, KEY, KEY, **settings)


def test_an_interval_join_emits_pairs_within_its_bounds_with_the_later_time() -> None:
    with delays() as harness:
        harness.process_element1(("a", 1), 10)
        for time in (7, 8, 15, 16):
            harness.process_element2(("a", time), time)
        harness.process_element2(("b", 0), 10)
        assert harness.get_output() == [StreamRecord((1, 8, -2), 10), StreamRecord((1, 15, 5), 15)]
        assert harness.get_metrics().counter("pairs").get_count() == 2


def test_an_interval_join_drops_elements_that_nothing_can_match_any_more() -> None:
    with delays() as harness:
        harness.process_element1(("a", 1), 10)
        assert harness.get_timers() == [TimerRecord(15, "a", TimeDomain.EVENT_TIME)]
        harness.process_watermark(14)
        assert harness.num_keyed_state_entries() == 1
        harness.process_watermark1(15)
        assert harness.num_keyed_state_entries() == 1
        harness.process_watermark2(15)
        assert harness.num_keyed_state_entries() == 0
        assert harness.get_timers() == []


def test_late_elements_of_an_interval_join_go_where_they_shall() -> None:
    with delays(right_late_tag=LATE) as harness:
        harness.process_watermark(10)
        harness.process_element1(("a", 1), 9)
        harness.process_element2(("a", 2), 9)
        assert harness.get_side_output(LATE) == [("a", 2)]
        assert harness.extract_output_values() == []


def test_an_interval_join_resumes_where_a_snapshot_was_taken() -> None:
    with delays() as harness:
        harness.process_element1(("a", 1), 10)
        snapshot = harness.snapshot()
    with delays().initialize_state(snapshot) as harness:
        harness.process_element2(("a", 2), 12)
        assert harness.extract_output_values() == [(1, 2, 2)]


def test_an_interval_join_has_a_function_and_bounds_of_its_own() -> None:
    function: Any = Added()
    with pytest.raises(PlanTypeError, match="a ProcessJoinFunction, not"):
        JoinTestHarnesses.for_interval_join(function, KEY, KEY, Time.milliseconds(0), Time.milliseconds(1))
    with pytest.raises(PlanError, match="from 2 ms to 1 ms is empty"):
        JoinTestHarnesses.for_interval_join(Delays(), KEY, KEY, Time.milliseconds(2), Time.milliseconds(1))


@pytest.mark.parametrize(
    ("function", "expected"),
    [(lambda one, two: one[1] + two[1], [11, 12]), (Added(), [11, 12]), (Both(), [1, 10, 2, 10])],
)
def test_a_window_join_emits_the_pairs_of_a_window(function: Any, expected: list[int]) -> None:
    with windows().join(function, Types.INT()) as harness:
        harness.process_element1(("a", 1), 0)
        harness.process_element2(("a", 10), 9)
        harness.process_element1(("a", 2), 5)
        harness.process_element2(("b", 20), 5)
        harness.process_element2(("a", 30), 10)
        harness.process_watermark1(30)
        assert harness.extract_output_values() == []
        harness.process_watermark2(9)
        assert harness.get_output() == [StreamRecord(value, 9) for value in expected]
        harness.end_input()
        assert harness.extract_output_values() == expected
        assert harness.num_keyed_state_entries() == 0


def test_a_co_group_emits_windows_without_elements_of_one_stream() -> None:
    with windows().co_group(Outer()) as harness:
        harness.process_element1(("a", 1), 0)
        harness.process_element2(("b", 2), 0)
        harness.process_element2(("b", 3), 0)
        harness.process_watermark(9)
        assert harness.extract_output_values() == [([1], []), ([], [2, 3])]


def test_windows_of_two_streams_take_trigger_evictor_and_lateness() -> None:
    settings = {"trigger": CountTrigger.of(2), "evictor": CountEvictor.of(2), "allowed_lateness": 5}
    with windows(**settings).co_group(Outer()) as harness:
        for number in range(3):
            harness.process_element1(("a", number), 0)
        harness.process_watermark(13)
        harness.process_element2(("a", 3), 0)
        harness.process_watermark(14)
        harness.process_element2(("a", 4), 0)
        harness.process_element2(("a", 5), 0)
        assert harness.extract_output_values() == [([0, 1], []), ([2], [3])]


def test_windows_of_two_streams_resume_where_a_snapshot_was_taken() -> None:
    with windows().join(Added()) as harness:
        harness.process_element1(("a", 1), 0)
        harness.process_watermark2(5)
        snapshot = harness.snapshot()
    with windows().join(Added()).initialize_state(snapshot) as harness:
        harness.process_element2(("a", 2), 0)
        harness.process_watermark1(9)
        assert harness.get_watermarks() == [5]
        harness.process_watermark2(9)
        assert harness.extract_output_values() == [3]


def test_results_of_a_window_join_are_validated_by_their_type_and_it_is_opened_first() -> None:
    harness = windows().join(lambda one, two: one[1] + two[1], Types.STRING())
    with pytest.raises(HarnessError, match="'<lambda>' is not open"):
        harness.process_element2(("a", 1), 0)
    with harness:
        harness.process_element1(("a", 1), 0)
        harness.process_element2(("a", 2), 0)
        with pytest.raises(TypeCheckError, match="is not a STRING"):
            harness.process_watermark(9)
