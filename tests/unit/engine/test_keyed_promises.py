"""Documented behaviour of keys, state, timers and windows, checked with harnesses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

import pystream.datastream.state as exported_states
import pystream.datastream.window as exported_windows
from pystream.common import Duration, Time, Types
from pystream.datastream import (
    CoProcessFunction,
    ProcessFunction,
    ReduceFunction,
    RuntimeContext,
    StreamExecutionEnvironment,
)
from pystream.datastream.state import (
    ListStateDescriptor,
    StateTtlConfig,
    ValueStateDescriptor,
)
from pystream.datastream.window import (
    EventTimeSessionWindows,
)
from pystream.engine.state.errors import StateAccessError
from pystream.engine.windows.builtin_triggers import NeverTrigger
from pystream.errors import PlanError, PlanTypeError
from pystream.testing import FunctionTestHarnesses, ProcessFunctionTestHarnesses

A = (lambda value: value[0], Types.STRING())


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


@pytest.mark.promise("beh:trigger-merge-required")
def test_merging_windows_need_a_trigger_that_can_merge() -> None:
    env = StreamExecutionEnvironment.get_execution_environment()
    sessions = (
        env.from_collection([("a", 1)])
        .key_by(A[0])
        .window(EventTimeSessionWindows.with_gap(Time.milliseconds(5)))
    )
    with pytest.raises(PlanTypeError, match="does not support merging"):
        sessions.trigger(NeverTrigger())


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
