"""Documented behaviour of keys, state, timers and windows, checked with harnesses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

import pystream.datastream.state as exported_states
import pystream.datastream.window as exported_windows
from pystream.common import Duration, Time, Types
from pystream.datastream import (
    AggregateFunction,
    CoProcessFunction,
    KeyedCoProcessFunction,
    KeyedProcessFunction,
    MapFunction,
    ProcessFunction,
    ProcessWindowFunction,
    ReduceFunction,
    RuntimeContext,
    StreamExecutionEnvironment,
)
from pystream.datastream.state import (
    AggregatingStateDescriptor,
    ListStateDescriptor,
    StateTtlConfig,
    ValueStateDescriptor,
)
from pystream.datastream.window import (
    EventTimeSessionWindows,
    EventTimeTrigger,
    SlidingEventTimeWindows,
    TimeWindow,
    Trigger,
    TriggerResult,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
)
from pystream.engine.state.errors import StateAccessError
from pystream.errors import PlanError, PlanTypeError
from pystream.testing import FunctionTestHarnesses, ProcessFunctionTestHarnesses, WindowTestHarnesses

A = (lambda value: value[0], Types.STRING())


def keyed(function: Any) -> Any:
    return ProcessFunctionTestHarnesses.for_keyed_process_function(function, *A)


class Timers(KeyedProcessFunction[Any, Any, Any]):
    """Registers a timer at each value, deletes the one at the negation of a negative value."""

    def process_element(self, value: Any, ctx: Any) -> Iterable[Any]:
        if value[1] < 0:
            ctx.timer_service().delete_event_time_timer(-value[1])
        else:
            ctx.timer_service().register_event_time_timer(value[1])
        return ()

    def on_timer(self, timestamp: int, ctx: Any) -> Iterable[Any]:
        yield ctx.get_current_key(), timestamp


@pytest.mark.promise("beh:on-timer-key-scope", "beh:timer-dedup", "beh:watermark-passes-timer")
def test_a_timer_fires_once_for_its_key_when_the_watermark_reaches_it() -> None:
    with keyed(Timers()) as harness:
        harness.process_elements([("a", 5), ("a", 5), ("b", 5), ("a", 7)])
        harness.process_watermark(4)
        assert harness.extract_output_values() == []
        harness.process_watermark(5)
        assert harness.extract_output_values() == [("a", 5), ("b", 5)]
        harness.process_watermark(7)
        assert harness.extract_output_values() == [("a", 5), ("b", 5), ("a", 7)]


@pytest.mark.promise("beh:timer-delete-noop")
def test_deleting_a_missing_timer_changes_nothing() -> None:
    with keyed(Timers()) as harness:
        harness.process_elements([("a", -5), ("a", 5), ("b", -5)])
        harness.process_watermark(5)
        harness.process_elements([("a", -5)])
        assert harness.extract_output_values() == [("a", 5)]


class Counting(MapFunction[Any, Any]):
    def open(self, runtime_context: Any) -> None:
        self._seen = runtime_context.get_state(ValueStateDescriptor("seen", Types.LONG()))

    def map(self, value: Any) -> Any:
        before = self._seen.value()
        self._seen.update(None if value[1] == 0 else value[1])
        return before


@pytest.mark.promise("beh:stateful-map-on-keyed", "beh:value-state-none-clears")
def test_a_map_on_a_keyed_stream_has_state_that_is_none_until_set() -> None:
    with FunctionTestHarnesses.for_map(Counting(), key_selector=A[0], key_type=A[1]) as harness:
        harness.process_elements([("a", 1), ("b", 2), ("a", 0), ("a", 3)])
        assert harness.extract_output_values() == [None, None, 1, None]


@pytest.mark.promise("beh:keyed-reduce-sum", "beh:streaming-reduce-rolling")
def test_reduce_is_rolling_and_per_key() -> None:
    elements = [("a", 1), ("b", 10), ("a", 2)]
    expected = [("a", 1), ("b", 10), ("a", 3)]
    add = lambda x, y: (x[0], x[1] + y[1])  # noqa: E731 - as programs write it
    with FunctionTestHarnesses.for_reduce(add, *A) as harness:
        harness.process_elements(elements)
        assert harness.extract_output_values() == expected


@pytest.mark.promise("beh:keyed-no-partitioning")
def test_a_keyed_stream_is_not_partitioned_in_another_way() -> None:
    env = StreamExecutionEnvironment.get_execution_environment()
    stream = env.from_collection([("a", 1)]).key_by(A[0])
    for method in ("shuffle", "rebalance", "rescale", "forward", "broadcast"):
        with pytest.raises(PlanError, match="partitioned by its keys"):
            getattr(stream, method)()


class Mixed(CoProcessFunction[Any, Any, Any]):
    def open(self, runtime_context: Any) -> None:
        self.seen: list[Any] = []

    def process_element1(self, value: Any, ctx: Any) -> Iterable[Any]:
        self.seen.append(value)
        yield list(self.seen)

    def process_element2(self, value: Any, ctx: Any) -> Iterable[Any]:
        self.seen.append(value)
        yield list(self.seen)


@pytest.mark.promise("beh:connect-any-types")
def test_one_function_sees_both_streams() -> None:
    with ProcessFunctionTestHarnesses.for_co_process_function(Mixed()) as harness:
        harness.process_element1(1)
        harness.process_element2("b")
        assert harness.extract_output_values() == [[1], [1, "b"]]


class Shared(KeyedCoProcessFunction[Any, Any, Any, Any]):
    def open(self, runtime_context: Any) -> None:
        self._values = runtime_context.get_list_state(ListStateDescriptor("values", Types.LONG()))

    def process_element1(self, value: Any, ctx: Any) -> Iterable[Any]:
        self._values.add(value[1])
        return ()

    def process_element2(self, value: Any, ctx: Any) -> Iterable[Any]:
        yield list(self._values.get())


@pytest.mark.promise("beh:co-keyed-state-shared")
def test_both_inputs_share_the_state_of_their_key() -> None:
    harness = ProcessFunctionTestHarnesses.for_keyed_co_process_function(
        Shared(), A[0], lambda key: key, Types.STRING()
    )
    with harness:
        harness.process_element1(("a", 1))
        harness.process_element1(("b", 2))
        harness.process_element2("a")
        assert harness.extract_output_values() == [[1]]


class WithoutKeys(ProcessFunction[Any, Any]):
    def open(self, runtime_context: Any) -> None:
        runtime_context.get_list_state(ListStateDescriptor("values", Types.LONG()))

    def process_element(self, value: Any, ctx: Any) -> Iterable[Any]:
        yield value


@pytest.mark.promise("beh:keyed-state-only")
def test_state_needs_keys() -> None:
    harness = ProcessFunctionTestHarnesses.for_process_function(WithoutKeys())
    with pytest.raises(StateAccessError, match="has no keys"):
        harness.open()


class Mean(AggregateFunction[int, tuple[int, int], float]):
    def create_accumulator(self) -> tuple[int, int]:
        return 0, 0

    def add(self, value: int, accumulator: tuple[int, int]) -> tuple[int, int]:
        return accumulator[0] + value, accumulator[1] + 1

    def get_result(self, accumulator: tuple[int, int]) -> float:
        return accumulator[0] / accumulator[1]

    def merge(self, acc_a: tuple[int, int], acc_b: tuple[int, int]) -> tuple[int, int]:
        return acc_a[0] + acc_b[0], acc_a[1] + acc_b[1]


MEAN = AggregatingStateDescriptor("mean", Mean(), Types.TUPLE([Types.LONG(), Types.LONG()]))


class Means(KeyedProcessFunction[Any, Any, Any]):
    def open(self, runtime_context: Any) -> None:
        self._mean = runtime_context.get_aggregating_state(MEAN)

    def process_element(self, value: Any, ctx: Any) -> Iterable[Any]:
        self._mean.add(value[1])
        yield self._mean.get()


@pytest.mark.promise("beh:aggregating-accumulator-type")
def test_an_aggregating_state_keeps_the_accumulator_and_gives_the_result() -> None:
    with keyed(Means()) as harness:
        harness.process_elements([("a", 1), ("a", 4)])
        assert harness.extract_output_values() == [1.0, 2.5]
        as_stored = ValueStateDescriptor("mean", Types.TUPLE([Types.LONG(), Types.LONG()]))
        with pytest.raises(StateAccessError, match="is a AggregatingState"):
            harness.get_keyed_state("a").get_state(as_stored)


class Remembering(KeyedProcessFunction[Any, Any, Any]):
    def open(self, runtime_context: Any) -> None:
        descriptor = ValueStateDescriptor("last", Types.LONG())
        descriptor.enable_time_to_live(StateTtlConfig.new_builder(Time.milliseconds(10)).build())
        self._last = runtime_context.get_state(descriptor)

    def process_element(self, value: Any, ctx: Any) -> Iterable[Any]:
        yield self._last.value()
        self._last.update(value[1])


@pytest.mark.promise("beh:ttl-read-cleanup")
def test_a_value_that_has_expired_is_gone_when_it_is_read() -> None:
    with keyed(Remembering()) as harness:
        harness.process_element(("a", 1))
        harness.set_processing_time(9)
        harness.process_element(("a", 2))
        harness.set_processing_time(19)
        harness.process_element(("a", 3))
        assert harness.extract_output_values() == [None, 1, None]


@pytest.mark.promise("beh:ttl-defaults", "beh:ttl-disable-background")
def test_the_settings_of_time_to_live() -> None:
    config = StateTtlConfig.new_builder(Time.days(1)).build()
    assert config.get_update_type() is StateTtlConfig.UpdateType.OnCreateAndWrite
    assert config.get_state_visibility() is StateTtlConfig.StateVisibility.NeverReturnExpired
    assert config.get_ttl_time_characteristic() is StateTtlConfig.TtlTimeCharacteristic.ProcessingTime
    assert config.get_cleanup_strategies().is_cleanup_in_background()
    builder = StateTtlConfig.new_builder(Time.days(1)).cleanup_incrementally(7, True)
    strategies = builder.disable_cleanup_in_background().build().get_cleanup_strategies()
    assert not strategies.is_cleanup_in_background()
    incremental = strategies.get_incremental_cleanup_strategy()
    assert incremental is not None
    assert (incremental.get_cleanup_size(), incremental.run_cleanup_for_every_record()) == (7, True)
    assert strategies.get_rocksdb_compact_filter_cleanup_strategy() is None
    for builder, age in (
        (StateTtlConfig.new_builder(Time.days(1)).cleanup_in_rocksdb_compact_filter(9), Duration.of_days(30)),
        (
            StateTtlConfig.new_builder(Time.days(1)).cleanup_in_rocksdb_compact_filter(
                9, Duration.of_days(2)
            ),
            Duration.of_days(2),
        ),
    ):
        compaction = builder.build().get_cleanup_strategies().get_rocksdb_compact_filter_cleanup_strategy()
        assert compaction is not None
        assert compaction.get_query_time_after_num_entries() == 9
        assert compaction.get_periodic_compaction_time() == age


@pytest.mark.promise("beh:env-time-characteristic-200ms")
def test_watermarks_are_emitted_every_200_ms() -> None:
    env = StreamExecutionEnvironment.get_execution_environment()
    assert env.get_config().get_auto_watermark_interval() == 200


@pytest.mark.promise("beh:exported-pyflink-datastream-state")
def test_exports_of_the_state_module() -> None:
    for kind in ("Value", "List", "Map", "Reducing", "Aggregating"):
        assert hasattr(exported_states, f"{kind}State")
        assert hasattr(exported_states, f"{kind}StateDescriptor")


@pytest.mark.promise("beh:exported-pyflink-datastream-window")
def test_exports_of_the_window_module() -> None:
    for name in ("TimeWindow", "CountWindow", "WindowAssigner", "Trigger", "TriggerResult"):
        assert hasattr(exported_windows, name)


class Extents(ProcessWindowFunction[Any, Any, Any, Any]):
    """Returns key, window and values; records cleared windows."""

    def open(self, runtime_context: Any) -> None:
        self.cleared: list[Any] = []

    def process(self, key: Any, context: Any, elements: Iterable[Any]) -> Iterable[Any]:
        yield key, context.window().start, [value for _, value in elements]

    def clear(self, context: Any) -> None:
        OVER.append(context.window().start)


OVER: list[int] = []
TENS = TumblingEventTimeWindows.of(Time.milliseconds(10))


def windows(assigner: Any = TENS, **settings: Any) -> Any:
    OVER.clear()
    return WindowTestHarnesses(assigner, A[0], key_type=A[1], **settings).process(Extents())


@pytest.mark.promise("beh:window-default-trigger", "beh:window-per-key", "beh:time-window-half-open")
def test_each_key_has_windows_that_fire_at_their_end() -> None:
    assert isinstance(TENS.get_default_trigger(None), EventTimeTrigger)
    with windows() as harness:
        for key, time in (("a", 0), ("b", 9), ("a", 10)):
            harness.process_element((key, time), time)
        harness.process_watermark(8)
        assert harness.extract_output_values() == []
        harness.process_watermark(9)
        assert harness.extract_output_values() == [("a", 0, [0]), ("b", 0, [9])]


@pytest.mark.promise("beh:late-dropped", "beh:window-clear-on-expiry")
def test_elements_after_the_allowed_lateness_are_dropped() -> None:
    with windows(allowed_lateness=5) as harness:
        harness.process_element(("a", 1), 1)
        harness.process_watermark(9)
        harness.process_element(("a", 2), 2)
        assert OVER == []
        harness.process_watermark(14)
        assert OVER == [0]
        harness.process_element(("a", 3), 3)
        assert harness.extract_output_values() == [("a", 0, [1]), ("a", 0, [1, 2])]


@pytest.mark.promise("beh:lateness-event-time-only")
def test_processing_time_windows_have_no_late_elements() -> None:
    with windows(TumblingProcessingTimeWindows.of(Time.milliseconds(10))) as harness:
        harness.process_watermark(1_000)
        harness.process_element(("a", 1), 1)
        harness.set_processing_time(9)
        assert harness.extract_output_values() == [("a", 0, [1])]


class OnEach(Trigger[Any, Any]):
    """Returns one result for each element, counted in trigger state."""

    def __init__(self, *results: TriggerResult) -> None:
        self._results = results

    def on_element(self, element: Any, timestamp: int, window: Any, ctx: Any) -> TriggerResult:
        seen = ctx.get_partitioned_state(ValueStateDescriptor("seen", Types.LONG()))
        seen.update((seen.value() or 0) + 1)
        number: int = seen.value()
        return self._results[min(number, len(self._results)) - 1]

    def on_event_time(self, time: int, window: Any, ctx: Any) -> TriggerResult:
        return TriggerResult.FIRE

    def on_processing_time(self, time: int, window: Any, ctx: Any) -> TriggerResult:
        return TriggerResult.CONTINUE

    def on_merge(self, window: Any, ctx: Any) -> None:
        """Merge nothing."""

    def clear(self, window: Any, ctx: Any) -> None:
        ctx.get_partitioned_state(ValueStateDescriptor("seen", Types.LONG())).clear()


@pytest.mark.promise("beh:fire-keeps-elements", "beh:trigger-stateless", "beh:empty-window-no-fire")
def test_firing_keeps_elements_and_purging_does_not() -> None:
    trigger = OnEach(
        TriggerResult.FIRE, TriggerResult.FIRE_AND_PURGE, TriggerResult.PURGE, TriggerResult.FIRE
    )
    with windows(trigger=trigger) as harness:
        for value in range(1, 5):
            harness.process_element(("a", value), 0)
        harness.process_element(("b", 9), 0)
        assert harness.extract_output_values() == [
            ("a", 0, [1]),
            ("a", 0, [1, 2]),
            ("a", 0, [4]),
            ("b", 0, [9]),
        ]


@pytest.mark.promise("beh:trigger-merge-required")
def test_merging_windows_need_a_trigger_that_can_merge() -> None:
    env = StreamExecutionEnvironment.get_execution_environment()
    sessions = (
        env.from_collection([("a", 1)])
        .key_by(A[0])
        .window(EventTimeSessionWindows.with_gap(Time.milliseconds(5)))
    )
    with pytest.raises(PlanTypeError, match="does not support merging"):
        sessions.trigger(OnEach(TriggerResult.FIRE))


@pytest.mark.promise("beh:multi-window-panes")
def test_an_element_may_be_in_several_windows_each_with_its_own_trigger() -> None:
    sliding = SlidingEventTimeWindows.of(Time.milliseconds(10), Time.milliseconds(5))
    with windows(sliding, trigger=OnEach(TriggerResult.CONTINUE, TriggerResult.FIRE)) as harness:
        harness.process_element(("a", 1), 6)
        harness.process_element(("a", 2), 11)
        assert harness.extract_output_values() == [("a", 5, [1, 2])]


@pytest.mark.promise("beh:window-start-formula")
@pytest.mark.parametrize(
    ("time", "offset", "start"), [(0, 0, 0), (9, 0, 0), (10, 0, 10), (12, 3, 3), (13, 3, 13), (-1, 0, -10)]
)
def test_window_starts(time: int, offset: int, start: int) -> None:
    assert TimeWindow.get_window_start_with_offset(time, offset, 10) == start


class Counted(ReduceFunction[tuple[str, int]]):
    """Adds the number of calls for the key to each result."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.calls = runtime_context.get_state(ValueStateDescriptor("fold", Types.LONG()))

    def reduce(self, value1: tuple[str, int], value2: tuple[str, int]) -> tuple[str, int]:
        self.calls.update((self.calls.value() or 0) + 1)
        return value1[0], value1[1] + value2[1] * 100 + self.calls.value()


def test_a_reduce_function_has_state_of_its_key() -> None:
    with FunctionTestHarnesses.for_reduce(Counted(), *A) as harness:
        harness.process_elements([("a", 1), ("b", 1), ("a", 1), ("a", 1), ("b", 1)])
        # as PyFlink 2.3 gives them
        assert harness.extract_output_values() == [("a", 1), ("b", 1), ("a", 102), ("a", 204), ("b", 102)]
