"""Snapshots of some subtasks, restored in others: each key goes to the subtask that owns its group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from pystream.common import Time, Types
from pystream.datastream import (
    KeyedBroadcastProcessFunction,
    KeyedProcessFunction,
    OutputTag,
    ProcessJoinFunction,
    ProcessWindowFunction,
    RuntimeContext,
)
from pystream.datastream.state import MapStateDescriptor, ValueStateDescriptor
from pystream.datastream.window import (
    ContinuousEventTimeTrigger,
    CountTumblingWindowAssigner,
    EventTimeSessionWindows,
    SlidingEventTimeWindows,
    TumblingEventTimeWindows,
)
from pystream.engine.keys import KeyGroups
from pystream.testing import (
    FunctionTestHarnesses,
    HarnessError,
    JoinTestHarnesses,
    OperatorHarness,
    ProcessFunctionTestHarnesses,
    WindowTestHarnesses,
)

KEYS = [f"key {number}" for number in range(20)]
GROUPS = 7
SEEN = ValueStateDescriptor("seen", Types.INT())
RULES = MapStateDescriptor("rules", Types.STRING(), Types.INT())
TEN = Time.milliseconds(10)

Make = Callable[[], OperatorHarness[Any]]
Pair = tuple[str, int]


class Remembers(KeyedProcessFunction[str, Pair, Any]):
    """Adds up by key, and emits the sum at 100 ms of event time and of processing time."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.seen = runtime_context.get_state(SEEN)

    def process_element(self, value: Pair, ctx: KeyedProcessFunction.Context) -> None:
        self.seen.update((self.seen.value() or 0) + value[1])
        ctx.timer_service().register_event_time_timer(100)
        ctx.timer_service().register_processing_time_timer(100)

    def on_timer(self, timestamp: int, ctx: KeyedProcessFunction.OnTimerContext) -> Iterator[Any]:
        yield ctx.get_current_key(), ctx.time_domain().name, self.seen.value()


class Where(KeyedProcessFunction[str, Pair, Any]):
    """Emits its information about its subtask."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.told = (
            runtime_context.get_index_of_this_subtask(),
            runtime_context.get_number_of_parallel_subtasks(),
            runtime_context.get_max_number_of_parallel_subtasks(),
        )

    def process_element(self, value: Pair, ctx: KeyedProcessFunction.Context) -> Any:
        return [(*self.told, ctx.timer_service().current_watermark())]


class Ruled(KeyedBroadcastProcessFunction[float, tuple[float, int], Pair, Any]):
    """Remembers elements by key; elements of the broadcast stream set rules, and emit the remembered ones."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.seen = runtime_context.get_state(SEEN)

    def process_element(
        self, value: tuple[float, int], ctx: KeyedBroadcastProcessFunction.ReadOnlyContext
    ) -> Any:
        self.seen.update((self.seen.value() or 0) + value[1])
        return [(value[0], dict(ctx.get_broadcast_state(RULES).items()))]

    def process_broadcast_element(self, value: Pair, ctx: KeyedBroadcastProcessFunction.Context) -> Any:
        ctx.get_broadcast_state(RULES).put(*value)
        found: list[Any] = []
        ctx.apply_to_keyed_state(SEEN, lambda key, state: found.append((key, state.value())))
        return found


class Pairs(ProcessJoinFunction[Pair, Pair, Any]):
    def process_element(self, left: Pair, right: Pair, ctx: ProcessJoinFunction.Context) -> Any:
        return [(left[0], left[1], right[1])]


class Listed(ProcessWindowFunction[Pair, Any, str, Any]):
    """Emits the elements of a window, how often it fired, and how often the windows of its key fired."""

    def process(self, key: str, context: Any, elements: Iterable[Pair]) -> Any:
        counts = []
        for state in (context.window_state().get_state(SEEN), context.global_state().get_state(SEEN)):
            state.update((state.value() or 0) + 1)
            counts.append(state.value())
        return [(key, [value[1] for value in elements], *counts)]

    def clear(self, context: Any) -> None:
        context.window_state().get_state(SEEN).clear()


class Counted(ProcessWindowFunction[Pair, Any, str, Any]):
    """Emits the elements of a window, and how often the windows of its key fired."""

    def process(self, key: str, context: Any, elements: Iterable[Pair]) -> Any:
        fired = context.global_state().get_state(SEEN)
        fired.update((fired.value() or 0) + 1)
        return [(key, sorted(value[1] for value in elements), fired.value())]


def first(value: Any) -> Any:
    return value[0]


def remembers(key: Any = first, key_type: Any = None) -> OperatorHarness[Any]:
    return ProcessFunctionTestHarnesses.for_keyed_process_function(Remembers(), key, key_type)


def where() -> OperatorHarness[Any]:
    return ProcessFunctionTestHarnesses.for_keyed_process_function(Where(), first)


def ruled() -> OperatorHarness[Any]:
    return ProcessFunctionTestHarnesses.for_keyed_broadcast_process_function(
        Ruled(), first, RULES, key_type=Types.DOUBLE()
    )


def added() -> OperatorHarness[Any]:
    return FunctionTestHarnesses.for_reduce(lambda a, b: (a[0], a[1] + b[1]), first)


def joined() -> OperatorHarness[Any]:
    return JoinTestHarnesses.for_interval_join(Pairs(), first, first, Time.milliseconds(-10), TEN)


def windows(assigner: Any, function: Any = None, **settings: Any) -> Make:
    def make() -> OperatorHarness[Any]:
        return WindowTestHarnesses(assigner, first, **settings).process(function or Listed())

    return make


def summed() -> OperatorHarness[Any]:
    tumbling = TumblingEventTimeWindows.of(TEN)
    return WindowTestHarnesses(tumbling, first).reduce(lambda a, b: (a[0], a[1] + b[1]))


class Subtasks:
    """Harnesses of one operator, one a subtask."""

    def __init__(self, make: Make, parallelism: int, snapshots: Iterable[bytes] = ()) -> None:
        self.harnesses = [make().as_subtask(index, parallelism, GROUPS) for index in range(parallelism)]
        taken = list(snapshots)
        for harness in self.harnesses:
            if taken:
                harness.initialize_state(*taken)
            harness.open()

    def push(self, value: tuple[Any, int], timestamp: int, side: int = 0) -> None:
        harness = self.harnesses[self.harnesses[0].subtask_of(value[0])]
        (harness.process_element2 if side else harness.process_element1)(value, timestamp)

    def each(self, act: Callable[[OperatorHarness[Any]], Any]) -> list[Any]:
        return [act(harness) for harness in self.harnesses]

    def rescaled(self, make: Make, parallelism: int) -> Subtasks:
        return Subtasks(make, parallelism, self.each(OperatorHarness.snapshot))

    def results(self) -> list[Any]:
        return sorted(value for harness in self.harnesses for value in harness.extract_output_values())


MAKES: dict[str, tuple[Make, int]] = {
    "process": (remembers, 1),
    "reduce": (added, 1),
    "interval join": (joined, 2),
    "tumbling windows": (windows(TumblingEventTimeWindows.of(TEN)), 1),
    "sliding windows": (windows(SlidingEventTimeWindows.of(TEN, Time.milliseconds(5))), 1),
    "folding windows": (summed, 1),
    "session windows": (windows(EventTimeSessionWindows.with_gap(TEN), Counted()), 1),
    "count windows": (windows(CountTumblingWindowAssigner.of(3)), 1),
    "windows with a trigger": (
        windows(
            TumblingEventTimeWindows.of(Time.milliseconds(40)),
            trigger=ContinuousEventTimeTrigger.of(TEN),
            allowed_lateness=10,
        ),
        1,
    ),
}


@pytest.mark.parametrize("name", MAKES)
@pytest.mark.parametrize(("before", "after"), [(1, 3), (3, 2), (2, 5), (7, 1)])
def test_it_makes_no_difference_to_results_how_many_subtasks_there_are(
    name: str, before: int, after: int
) -> None:
    make, sides = MAKES[name]
    alone, several = Subtasks(make, 1), Subtasks(make, before)
    given: list[Any] = []
    for time in range(0, 60, 4):
        if time == 28:
            given += several.results()
            several = several.rescaled(make, after)
        for subtasks in (alone, several):
            for number, key in enumerate(KEYS):
                if (time + number) % 5 < 2:
                    for side in range(sides):
                        subtasks.push((key, time), time + number % 7, side)
            if time % 3 == 0:
                for harness in subtasks.harnesses:
                    harness.process_watermark(time - 2)
                    harness.set_processing_time(10 * time)
    for subtasks in (alone, several):
        subtasks.each(OperatorHarness.end_input)
    assert sorted(given + several.results()) == alone.results() != []


def test_keys_and_their_timers_lie_where_their_group_belongs() -> None:
    several = Subtasks(remembers, 3)
    for key in KEYS:
        several.push((key, 1), 0)
    several = several.rescaled(remembers, 2)
    groups = KeyGroups(GROUPS)
    for index, harness in enumerate(several.harnesses):
        own = [key for key in KEYS if groups[key] * 2 // GROUPS == index]
        assert own == [key for key in KEYS if harness.subtask_of(key) == index]
        assert sorted(timer.key for timer in harness.get_timers()) == sorted(own * 2)
        assert harness.num_keyed_state_entries() == len(own) > 0
        for key in own:
            assert harness.get_keyed_state(key).get_state(SEEN).value() == 1


def test_keys_that_are_not_their_own_slots_are_found_again() -> None:
    def make() -> OperatorHarness[Any]:
        return remembers(lambda value: float(value[1]), Types.DOUBLE())

    several = Subtasks(make, 2)
    for number in range(10):
        several.harnesses[several.harnesses[0].subtask_of(float(number))].process_element(("", number))
    several = several.rescaled(make, 3)
    several.each(lambda harness: harness.process_watermark(100))
    assert several.results() == [(float(number), "EVENT_TIME", number) for number in range(10)]


def test_every_subtask_has_the_whole_broadcast_state_and_visits_its_own_keys() -> None:
    several = Subtasks(ruled, 2)
    several.each(lambda harness: harness.process_element2(("rule", 5)))
    for number in range(20):
        several.push((number + 0.5, number), 0)
    several = several.rescaled(ruled, 3)
    several.each(lambda harness: harness.process_element2(("another", 6)))
    assert several.results() == [(number + 0.5, number) for number in range(20)]
    several.each(OperatorHarness.clear_output)
    for number in range(20):
        several.push((number + 0.5, 0), 0)
    assert [value for _, value in several.results()] == [{"rule": 5, "another": 6}] * 20


def test_times_continue_from_the_least_watermark_and_the_latest_clock() -> None:
    several = Subtasks(where, 2)
    for index, harness in enumerate(several.harnesses):
        harness.set_processing_time(10 + index)
        harness.process_watermark(20 + index)
    (alone,) = several.rescaled(where, 1).harnesses
    assert alone.get_processing_time() == 11
    alone.process_element(("a", 1))
    assert alone.extract_output_values() == [(0, 1, GROUPS, 20)]
    alone.process_watermark(21)
    assert alone.get_watermarks() == [21]


def test_elements_of_other_subtasks_are_refused() -> None:
    harness = remembers().as_subtask(0, 2)
    key = next(key for key in KEYS if harness.subtask_of(key) == 1)
    with harness, pytest.raises(HarnessError, match="belongs to subtask 1 of 'Remembers', and this one is 0"):
        harness.process_element((key, 1))


def test_functions_see_which_subtask_they_are() -> None:
    harness = where().as_subtask(2, 3, 10)
    mine = next(key for key in KEYS if harness.subtask_of(key) == 2)
    with harness:
        harness.process_element((mine, 1))
        assert harness.extract_output_values() == [(2, 3, 10, -(2**63))]


def test_a_subtask_is_one_of_those_there_are_and_chosen_first() -> None:
    for index, parallelism, groups in [(2, 2, 128), (-1, 2, 128), (0, 5, 4)]:
        with pytest.raises(HarnessError, match="there is no subtask"):
            remembers().as_subtask(index, parallelism, groups)
    with pytest.raises(HarnessError, match="at least one snapshot"):
        remembers().initialize_state()
    with remembers() as harness, pytest.raises(HarnessError, match="call as_subtask\\(\\) before open"):
        harness.as_subtask(0, 2)


def test_operators_without_keys_have_no_subtasks_to_choose_from() -> None:
    harness = FunctionTestHarnesses.for_map(str).as_subtask(1, 2)
    with pytest.raises(HarnessError, match="has no keys"):
        harness.subtask_of("a")
    with harness:
        harness.process_element(1)
        assert harness.extract_output_values() == ["1"]
        assert harness.get_side_output(OutputTag("none")) == []
