"""Window operators: functions, state, late elements, life cycle and errors."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from pystream.engine.events import Elements
from pystream.engine.failure import TaskFailure
from pystream.engine.output_tag import OutputTag
from pystream.engine.state.aggregating_state import AggregatingStateDescriptor
from pystream.engine.state.list_state import ListStateDescriptor
from pystream.engine.state.map_state import MapStateDescriptor
from pystream.engine.state.reducing_state import ReducingStateDescriptor
from pystream.engine.state.state import StateDescriptor
from pystream.engine.state.value_state import ValueStateDescriptor
from pystream.engine.windows.aligned_operator import AlignedWindowOperator
from pystream.engine.windows.assigners import WindowAssigner
from pystream.engine.windows.builtin_triggers import CountTrigger, EventTimeTrigger, NeverTrigger
from pystream.engine.windows.count_windows import CountTumblingWindowAssigner
from pystream.engine.windows.evicting_operator import EvictingWindowOperator
from pystream.engine.windows.evictors import CountEvictor
from pystream.engine.windows.factory import window_operator
from pystream.engine.windows.nesting_triggers import PurgingTrigger
from pystream.engine.windows.operator import WindowOperator
from pystream.engine.windows.plan import WindowCall
from pystream.engine.windows.session_operator import SessionWindowOperator
from pystream.engine.windows.session_windows import (
    DynamicEventTimeSessionWindows,
    EventTimeSessionWindows,
    ProcessingTimeSessionWindows,
)
from pystream.engine.windows.time_windows import (
    GlobalWindows,
    SlidingEventTimeWindows,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
)
from pystream.engine.windows.triggers import Trigger, TriggerResult
from pystream.engine.windows.windows import TimeWindow, Window, WindowSerializer
from tests.unit.engine.windows.driving import Driver, Result, gather, plan, results
from typeinfo import Types

END = 2**63 - 1
TUMBLING: TumblingEventTimeWindows[Any] = TumblingEventTimeWindows(10, 0)
BOTH = pytest.mark.parametrize("make", [window_operator, WindowOperator], ids=["fast", "general"])


def values(found: list[Result]) -> list[Any]:
    return [result.value for result in found]


def failure(run: Any) -> Any:
    with pytest.raises(TaskFailure) as caught:
        run()
    return caught.value.report


@pytest.mark.parametrize(
    ("described", "kind"),
    [
        (gather(TUMBLING), AlignedWindowOperator),
        (gather(SlidingEventTimeWindows(10, 5, 0)), AlignedWindowOperator),
        (gather(TUMBLING, allowed_lateness=1), WindowOperator),
        (gather(TUMBLING, PurgingTrigger(EventTimeTrigger())), WindowOperator),
        (gather(TumblingProcessingTimeWindows(10, 0)), WindowOperator),
        (gather(EventTimeSessionWindows(10)), SessionWindowOperator),
        (gather(DynamicEventTimeSessionWindows(lambda value: 1)), SessionWindowOperator),
        (gather(EventTimeSessionWindows(10), allowed_lateness=1), WindowOperator),
        (gather(ProcessingTimeSessionWindows(10)), WindowOperator),
        (gather(TUMBLING, evictor=CountEvictor(1)), EvictingWindowOperator),
    ],
)
def test_choice_of_the_operator(described: Any, kind: type[Any]) -> None:
    assert type(Driver(described).operator) is kind


class Named:
    """Returns its arguments."""

    def apply(self, *arguments: Any) -> Any:
        return [("apply", *arguments)]

    def process(self, *arguments: Any) -> Any:
        *key, context, elements = arguments
        times = hasattr(context, "current_watermark")
        yield "process", *key, context.window(), elements, times


def second(one: Any, other: Any) -> Any:
    return other


@BOTH
@pytest.mark.parametrize("fold", [None, second])
def test_arguments_of_window_functions(make: Any, fold: Any) -> None:
    window, elements = TimeWindow(0, 10), [("a", 2)] if fold else [("a", 1), ("a", 2)]
    expected = {
        (WindowCall.APPLY, False): ("apply", "a", window, elements),
        (WindowCall.APPLY, True): ("apply", window, elements),
        (WindowCall.PROCESS, False): ("process", "a", window, elements, True),
        (WindowCall.PROCESS, True): ("process", window, elements, False),
    }
    for (call, all_windows), result in expected.items():
        described = plan(TUMBLING, reduce=fold, call=call, function=Named(), all_windows=all_windows)
        driver = Driver(described, make)
        driver.add((("a", 1), 1), (("a", 2), 2))
        assert driver.advance(END) == [Result(result, 9)]


class Tagging:
    """Emits to a side output, and emits nothing for odd keys."""

    def apply(self, key: int, window: Any, inputs: Any) -> Any:
        return None if key % 2 else [key, (OutputTag("side"), -key)]


@BOTH
def test_side_outputs_and_empty_results(make: Any) -> None:
    driver = Driver(plan(TUMBLING, call=WindowCall.APPLY, function=Tagging()), make)
    driver.add(*(((key, 0), 1) for key in (4, 1, 2)))
    assert driver.advance(9) == [Result(2, 9), Result(4, 9), Result(-2, 9, "side"), Result(-4, 9, "side")]


MINE = ValueStateDescriptor("calls", Types.LONG())


class Remembering:
    """Counts its calls in the state of the window and, by the same name, in that of the key."""

    forgets = True

    def process(self, key: Any, context: Any, elements: Any) -> Any:
        mine, both = context.window_state().get_state(MINE), context.global_state().get_state(MINE)
        mine.update((mine.value() or 0) + 1)
        both.update((both.value() or 0) + 1)
        yield key, mine.value(), both.value(), context.current_watermark(), context.current_processing_time()

    def clear(self, context: Any) -> None:
        if self.forgets:
            context.window_state().get_state(MINE).clear()


@pytest.mark.promise("beh:window-clear-on-expiry")
@pytest.mark.parametrize("lateness", [0, 20])
def test_state_of_windows_and_of_keys(lateness: int) -> None:
    described = plan(TUMBLING, call=WindowCall.PROCESS, function=Remembering(), allowed_lateness=lateness)
    driver = Driver(described)
    driver.clock.set(77)
    driver.add((("a", 1), 1), (("a", 2), 11), (("b", 3), 1))
    assert values(driver.advance(9)) == [("a", 1, 1, 9, 77), ("b", 1, 1, 9, 77)]
    if lateness:
        assert values(driver.add((("a", 4), 2))) == [("a", 2, 2, 9, 77)]
    assert values(driver.advance(40)) == [("a", 1, 2 + (lateness > 0), 40, 77)]
    tables = driver.operator.content().tables
    assert [table for name, table in tables.items() if name.startswith("window:")] == [{}]


def test_processing_time_windows_clear_their_state() -> None:
    described = plan(TumblingProcessingTimeWindows(10, 0), call=WindowCall.PROCESS, function=Remembering())
    driver = Driver(described)
    driver.add((("a", 1), 1))
    assert values(driver.tick(9)) == [("a", 1, 1, -(2**63), 9)]
    tables = driver.operator.content().tables
    assert [table for name, table in tables.items() if name.startswith("window:")] == [{}]


class Adding:
    def create_accumulator(self) -> int:
        return 100

    def add(self, value: int, accumulator: int) -> int:
        return accumulator + value

    def get_result(self, accumulator: int) -> int:
        return accumulator

    def merge(self, acc_a: int, acc_b: int) -> int:
        return acc_a + acc_b


STATES = {
    "get_state": MINE,
    "get_list_state": ListStateDescriptor("calls", Types.LONG()),
    "get_map_state": MapStateDescriptor("calls", Types.STRING(), Types.LONG()),
    "get_reducing_state": ReducingStateDescriptor("calls", int.__add__, Types.LONG()),
    "get_aggregating_state": AggregatingStateDescriptor("calls", Adding(), Types.LONG()),
}


@pytest.mark.parametrize("method", STATES)
def test_merging_windows_have_no_state(method: str) -> None:
    driver = Driver(plan(EventTimeSessionWindows(10), call=WindowCall.PROCESS, function=Asking(method)))
    driver.add((("a", 1), 1))
    report = failure(lambda: driver.advance(END))
    assert "StateAccessError" in report.summary
    assert "global_state()" in report.summary
    assert report.key == "'a'"


class Asking:
    def __init__(self, method: str) -> None:
        self._method = method

    def process(self, key: Any, context: Any, elements: Any) -> Any:
        return getattr(context.window_state(), self._method)(STATES[self._method])


@BOTH
def test_life_cycle(make: Any) -> None:
    Living.seen.clear()
    described = plan(TUMBLING, reduce=Living("reduce"), call=WindowCall.APPLY, function=Living("apply"))
    driver = Driver(described, make)
    driver.operator.close()
    assert Living.seen == [("reduce", "open"), ("apply", "open"), ("reduce", "close"), ("apply", "close")]


class Living:
    seen: ClassVar[list[tuple[str, str]]] = []

    def __init__(self, name: str) -> None:
        self._name = name

    def open(self, context: Any) -> None:
        assert context.get_task_name() == "Window"
        self.seen.append((self._name, "open"))

    def close(self) -> None:
        self.seen.append((self._name, "close"))

    def reduce(self, value1: Any, value2: Any) -> Any:
        return value2

    def apply(self, key: Any, window: Any, inputs: Any) -> Any:
        return inputs


class FailsToClose(Living):
    def close(self) -> None:
        super().close()
        raise LookupError(self._name)


def test_all_functions_are_closed_even_if_one_fails() -> None:
    Living.seen.clear()
    described = plan(TUMBLING, reduce=FailsToClose("reduce"), call=WindowCall.APPLY, function=Living("apply"))
    report = failure(Driver(described).operator.close)
    assert "LookupError: reduce" in report.summary
    assert Living.seen[2:] == [("reduce", "close"), ("apply", "close")]


@BOTH
def test_late_elements_keep_their_timestamps(make: Any) -> None:
    driver = Driver(gather(TUMBLING, late_tag=OutputTag("late")), make)
    driver.advance(25)
    found = driver.add((("a", 1), 19), (("a", 2), 20), (("a", 3), -1))
    assert found == [Result(("a", 1), 19, "late"), Result(("a", 3), -1, "late")]
    assert values(driver.advance(END)) == [("a", TimeWindow(20, 30), [("a", 2)])]


@BOTH
def test_elements_in_gaps_between_windows_are_late_only_after_the_watermark(make: Any) -> None:
    driver = Driver(gather(SlidingEventTimeWindows(2, 10, 0), late_tag=OutputTag("late")), make)
    driver.advance(20)
    assert driver.add((("a", 1), 15), (("a", 2), 25), (("a", 3), 31)) == [Result(("a", 1), 15, "late")]
    assert values(driver.advance(END)) == [("a", TimeWindow(30, 32), [("a", 3)])]


def test_elements_in_gaps_are_not_late_within_lateness() -> None:
    driver = Driver(gather(SlidingEventTimeWindows(2, 10, 0), allowed_lateness=5))
    driver.advance(20)
    driver.add((("a", 1), 15), (("a", 2), 16))
    assert driver.dropped() == 1


@pytest.mark.promise("beh:lateness-event-time-only")
def test_allowed_lateness_has_no_effect_in_processing_time() -> None:
    driver = Driver(gather(TumblingProcessingTimeWindows(10, 0), allowed_lateness=50))
    driver.add((("a", 1), 1))
    assert len(driver.tick(9)) == 1
    assert driver.is_empty()


@pytest.mark.promise("beh:window-per-key")
@BOTH
def test_windows_fire_in_order_of_time_then_key(make: Any) -> None:
    driver = Driver(gather(TUMBLING), make)
    driver.add(*(((key, 0), time) for key, time in [(3, 11), (2, 1), (1, 11), (9, 2)]))
    assert [(key, window.start) for key, window, _ in values(driver.advance(END))] == [
        (2, 0),
        (9, 0),
        (1, 10),
        (3, 10),
    ]


@BOTH
def test_windows_of_unorderable_keys_fire_in_order_of_arrival(make: Any) -> None:
    driver = Driver(gather(TUMBLING), make)
    driver.add(*(((key, 0), 1) for key in ["b", 7, ("x",), "a"]))
    assert [key for key, _, _ in values(driver.advance(END))] == ["b", 7, ("x",), "a"]


def test_many_results_are_emitted_in_batches() -> None:
    driver = Driver(gather(TUMBLING))
    driver.add(*(((key, 0), 1) for key in range(20_000)))
    batches = [event for event in driver.operator.advance(END) if isinstance(event, Elements)]
    assert len(batches) > 2
    assert sum(len(batch.values) for batch in batches) == 20_000


def test_the_end_of_a_key_fires_and_discards_its_windows() -> None:
    for described in (
        gather(TUMBLING),
        gather(EventTimeSessionWindows(10)),
        gather(TUMBLING, NeverTrigger()),
    ):
        driver = Driver(described)
        fired = []
        for key in "ba":
            driver.add(((key, 1), 1), ((key, 2), 100))
            fired += values(results(driver.operator.end_of_key()))
            assert driver.is_empty()
        expected = ["b", "b", "a", "a"] if not isinstance(described.trigger, NeverTrigger) else []
        assert [key for key, _, _ in fired] == expected
        assert driver.dropped() == 0


def test_full_count_windows_are_purged() -> None:
    driver = Driver(gather(CountTumblingWindowAssigner(2)))
    driver.add(*(((key, number), 0) for key in "ab" for number in range(6)))
    tables = driver.operator.content().tables
    assert tables["window-contents"] == {}


def test_functions_receive_a_copy_of_the_contents() -> None:
    driver = Driver(plan(GlobalWindows(), CountTrigger(1), call=WindowCall.APPLY, function=Taking()))
    assert values(driver.add((("a", 1), 0), (("a", 2), 0))) == [[("a", 1)], [("a", 1), ("a", 2)]]


class Taking:
    def apply(self, key: Any, window: Any, inputs: list[Any]) -> Any:
        taken = list(inputs)
        inputs.clear()
        return [taken]


# Windows that users define


class Labelled(Window):
    """A window with a name, without ``__eq__``."""

    def __init__(self, name: str) -> None:
        self.name = name

    def max_timestamp(self) -> int:
        return 10


class LabelledSerializer(WindowSerializer[Labelled]):
    def serialize(self, element: Labelled, stream: Any) -> None:
        stream.write(element.name.encode())

    def deserialize(self, stream: Any) -> Labelled:
        return Labelled(stream.read().decode())


class ByName(WindowAssigner[Any, Labelled]):
    def assign_windows(self, element: Any, timestamp: int, context: Any) -> list[Labelled]:
        return [Labelled(element[1])] if element[1] else []

    def get_default_trigger(self, env: Any) -> Trigger[Any, Any]:
        return EventTimeTrigger()

    def get_window_serializer(self) -> WindowSerializer[Labelled]:
        return LabelledSerializer()

    def is_event_time(self) -> bool:
        return True


def test_windows_without_equality_are_compared_by_their_bytes() -> None:
    driver = Driver(gather(ByName()))
    driver.add((("a", "x"), 1), (("a", "y"), 2), (("a", ""), 3), (("a", "x"), 4))
    found = [(window.name, inputs) for _, window, inputs in values(driver.advance(END))]
    assert found == [("x", [("a", "x"), ("a", "x")]), ("y", [("a", "y")])]
    assert driver.is_empty()
    assert driver.dropped() == 0


def test_an_element_without_windows_is_late_if_its_time_is() -> None:
    driver = Driver(gather(ByName()))
    driver.advance(5)
    driver.add((("a", ""), 5), (("a", ""), 6))
    assert driver.dropped() == 1


# State of triggers


class Merging(EventTimeTrigger[Any]):
    """Keeps the numbers seen in a state."""

    def __init__(self, descriptor: StateDescriptor[Any]) -> None:
        self._descriptor = descriptor

    def on_element(self, element: Any, timestamp: int, window: Any, ctx: Any) -> TriggerResult:
        super().on_element(element, timestamp, window, ctx)
        state = ctx.get_partitioned_state(self._descriptor)
        state.add(element[1])
        held = state.get()
        ctx.get_metric_group().counter(f"{window.start} holds {held}").inc()
        return TriggerResult.CONTINUE

    def on_merge(self, window: Any, ctx: Any) -> None:
        super().on_merge(window, ctx)
        ctx.merge_partitioned_state(self._descriptor)

    def clear(self, window: Any, ctx: Any) -> None:
        super().clear(window, ctx)
        ctx.get_partitioned_state(self._descriptor).clear()


@pytest.mark.promise("beh:trigger-stateless")
@pytest.mark.parametrize(
    ("descriptor", "held"),
    [
        (ListStateDescriptor("n", Types.LONG()), "[1, 2, 4]"),
        (ReducingStateDescriptor("n", int.__add__, Types.LONG()), "7"),
        (AggregatingStateDescriptor("n", Adding(), Types.LONG()), "207"),
    ],
)
def test_trigger_state_is_merged(descriptor: Any, held: str) -> None:
    driver = Driver(gather(EventTimeSessionWindows(10), Merging(descriptor)))
    driver.add((("a", 1), 0), (("b", 9), 5), (("a", 2), 15), (("a", 4), 7))
    assert f"0 holds {held}" in driver.registry.snapshot()
    driver.advance(END)
    assert driver.is_empty()


@pytest.mark.parametrize(
    "descriptor",
    [ValueStateDescriptor("n", Types.LONG()), MapStateDescriptor("n", Types.LONG(), Types.LONG())],
)
def test_trigger_state_that_cannot_be_merged(descriptor: Any) -> None:
    driver = Driver(gather(EventTimeSessionWindows(10), MergingOnly(descriptor)))
    report = failure(lambda: driver.add((("a", 1), 0), (("a", 2), 5)))
    assert "StateAccessError" in report.summary
    assert "list, reducing or aggregating" in report.summary
    assert (report.element, report.key) == ("('a', 2)", "'a'")


class MergingOnly(EventTimeTrigger[Any]):
    def __init__(self, descriptor: StateDescriptor[Any]) -> None:
        self._descriptor = descriptor

    def on_merge(self, window: Any, ctx: Any) -> None:
        ctx.merge_partitioned_state(self._descriptor)


# Errors name the operator, the element and the key


class Returns(ByName):
    """Returns the second field of an element."""

    def assign_windows(self, element: Any, timestamp: int, context: Any) -> Any:
        return element[1]


class Says(EventTimeTrigger[Any]):
    def on_element(self, element: Any, timestamp: int, window: Any, ctx: Any) -> Any:
        return element[1]


def test_an_assigner_that_returns_none() -> None:
    report = failure(lambda: Driver(gather(Returns())).add((("a", []), 1), (("b", None), 1)))
    assert "WindowTypeError" in report.summary
    assert "returned None: it must return a collection" in report.summary
    assert (report.element, report.key) == ("('b', None)", "'b'")
    assert "'Window'" in report.operator


@pytest.mark.parametrize("said", [None, True, "FIRE"])
def test_a_trigger_must_return_a_trigger_result(said: Any) -> None:
    report = failure(lambda: Driver(gather(TUMBLING, Says())).add((("a", said), 1)))
    assert "Says() must return a TriggerResult" in report.summary
    assert report.key == "'a'"


@BOTH
@pytest.mark.parametrize(
    "assigner", [TUMBLING, SlidingEventTimeWindows(10, 5, 0)], ids=["tumbling", "sliding"]
)
def test_elements_without_timestamps_are_refused(make: Any, assigner: Any) -> None:
    report = failure(lambda: Driver(gather(assigner), make).add_untimed(("a", 1)))
    assert "WindowError" in report.summary
    assert "assign_timestamps_and_watermarks" in report.summary
    assert (report.element, report.key) == ("('a', 1)", "'a'")


def test_elements_without_timestamps_share_one_session() -> None:
    driver = Driver(gather(EventTimeSessionWindows(10)))
    driver.add_untimed(("a", 1), ("a", 2))
    assert values(driver.advance(END)) == [("a", TimeWindow(-(2**63), 10 - 2**63), [("a", 1), ("a", 2)])]


@BOTH
@pytest.mark.parametrize(
    "assigner", [TUMBLING, SlidingEventTimeWindows(10, 5, 0)], ids=["tumbling", "sliding"]
)
def test_windows_that_end_too_late_are_refused(make: Any, assigner: Any) -> None:
    driver = Driver(gather(assigner), make)
    report = failure(lambda: driver.add((("a", 1), 5), (("a", 2), END)))
    assert "TimerError" in report.summary
    assert "2^63 - 1" in report.summary
    assert (report.element, report.key) == ("('a', 2)", "'a'")


def test_sessions_that_end_too_late_are_refused() -> None:
    report = failure(lambda: Driver(gather(EventTimeSessionWindows(10))).add((("a", 2), END)))
    assert "TimerError" in report.summary


def test_lateness_beyond_the_last_watermark_keeps_windows() -> None:
    driver = Driver(gather(TUMBLING, allowed_lateness=END))
    driver.add((("a", 1), 1))
    assert len(driver.advance(END - 1)) == 1
    assert len(driver.add((("a", 2), 2))) == 1
    assert driver.dropped() == 0


@BOTH
def test_a_function_that_raises(make: Any) -> None:
    driver = Driver(plan(TUMBLING, call=WindowCall.APPLY, function=Failing()), make)
    driver.add((("a", 1), 1), (("b", 2), 1))
    report = failure(lambda: driver.advance(END))
    assert "KeyError: 'b'" in report.summary
    assert report.key == "'b'"


class Failing:
    def apply(self, key: Any, window: Any, inputs: Any) -> Any:
        if key == "b":
            raise KeyError(key)


@BOTH
def test_a_fold_that_raises(make: Any) -> None:
    driver = Driver(plan(TUMBLING, reduce=divide), make)
    report = failure(lambda: driver.add((("a", 1), 1), (("b", 0), 1), (("a", 0), 1), (("a", 7), 1)))
    assert "ZeroDivisionError" in report.summary
    assert (report.element, report.key) == ("('a', 0)", "'a'")


def divide(one: Any, other: Any) -> Any:
    return one[0], one[1] // other[1]


@BOTH
def test_accumulators_are_validated(make: Any) -> None:
    pair = Types.TUPLE((Types.STRING(), Types.LONG()))
    for described in (
        plan(TUMBLING, reduce=spoilt, element_type=pair),
        plan(TUMBLING, aggregate=Wrong(), accumulator_type=Types.LONG()),
    ):
        driver = Driver(described, make)
        driver.add((("a", 1), 1), (("a", 2), 1))
        report = failure(lambda driver=driver: driver.advance(END))
        assert "TypeCheckError" in report.summary
        assert report.key == "'a'"


def spoilt(one: Any, other: Any) -> Any:
    return one[0], str(other[1])


class Wrong(Adding):
    def add(self, value: Any, accumulator: Any) -> Any:
        return str(value)


class Backwards(EventTimeSessionWindows[Any]):
    """Merges windows into one that is over."""

    def merge_windows(self, windows: Any, callback: Any) -> None:
        callback.merge(list(windows), TimeWindow(0, 1))


class BackwardsNow(ProcessingTimeSessionWindows[Any]):
    def merge_windows(self, windows: Any, callback: Any) -> None:
        callback.merge(list(windows), TimeWindow(0, 1))


@pytest.mark.parametrize(
    ("assigner", "reached"),
    [(Backwards(10), "the watermark is 5"), (BackwardsNow(10), "the processing time is 6")],
)
def test_a_merge_result_that_is_over_is_refused(assigner: Any, reached: str) -> None:
    driver = Driver(gather(assigner))
    driver.clock.set(5)
    driver.advance(5)
    driver.add((("a", 1), 6))
    driver.clock.set(6)
    report = failure(lambda: driver.add((("a", 2), 7)))
    assert f"TimeWindow(start=0, end=1), which is over: {reached}" in report.summary


class Chosen(EventTimeSessionWindows[Any]):
    """Puts an element into the windows that it holds."""

    def assign_windows(self, element: Any, timestamp: int, context: Any) -> Any:
        return [TimeWindow(*window) for window in element[1]]


def test_a_key_without_windows_is_forgotten() -> None:
    driver = Driver(gather(Chosen(10)))
    driver.advance(5)
    driver.add((("a", ()), 7), (("b", ((0, 3),)), 1))
    assert driver.is_empty()


def test_a_late_window_does_not_affect_other_windows_of_its_element() -> None:
    driver = Driver(gather(Chosen(10)))
    driver.advance(5)
    element = ("a", ((0, 3), (4, 20)))
    driver.add((element, 7))
    driver.add((("a", ((18, 30),)), 18))
    found = [(window, inputs) for _, window, inputs in values(driver.advance(END))]
    assert found == [(TimeWindow(4, 30), [element, ("a", ((18, 30),))])]
    assert driver.is_empty()


@BOTH
def test_a_key_function_that_fails(make: Any) -> None:
    driver = Driver(gather(TUMBLING), make)
    report = failure(lambda: driver.add((5, 1)))
    assert "TypeError" in report.summary
    assert report.element == "5"
