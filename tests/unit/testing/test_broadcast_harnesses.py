"""Broadcast process functions driven by hand: both streams, both kinds of state, timers, restarts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pystream.common import Types
from pystream.datastream import (
    BroadcastProcessFunction,
    KeyedBroadcastProcessFunction,
    OutputTag,
    RuntimeContext,
)
from pystream.datastream.state import MapStateDescriptor, ValueStateDescriptor
from pystream.datastream.time_domain import TimeDomain
from pystream.engine.state.errors import StateAccessError
from pystream.errors import PlanTypeError
from pystream.testing import (
    BroadcastOperatorHarness,
    HarnessError,
    ProcessFunctionTestHarnesses,
    StreamRecord,
    TimerRecord,
)
from typeinfo.errors import TypeCheckError

PRICES = MapStateDescriptor("prices", Types.STRING(), Types.INT())
SPENT = ValueStateDescriptor("spent", Types.INT())
UNKNOWN = OutputTag("unknown", Types.STRING())

Sale = tuple[str, str]  # customer, item
Price = tuple[str, int]


class Priced(BroadcastProcessFunction[str, Price, int]):
    """Gives the price of each item."""

    def process_element(self, value: str, ctx: BroadcastProcessFunction.ReadOnlyContext) -> Iterator[Any]:
        price = ctx.get_broadcast_state(PRICES).get(value)
        yield (UNKNOWN, value) if price is None else price

    def process_broadcast_element(self, value: Price, ctx: BroadcastProcessFunction.Context) -> None:
        ctx.get_broadcast_state(PRICES).put(*value)


class Spending(KeyedBroadcastProcessFunction[str, Sale, Price, tuple[str, int]]):
    """Adds up the spending of each customer, and emits it at the end of the minute."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.spent = runtime_context.get_state(SPENT)

    def process_element(self, value: Sale, ctx: KeyedBroadcastProcessFunction.ReadOnlyContext) -> None:
        price = ctx.get_broadcast_state(PRICES).get(value[1]) or 0
        self.spent.update((self.spent.value() or 0) + price)
        ctx.timer_service().register_event_time_timer(ctx.timestamp() // 60 * 60 + 59)

    def process_broadcast_element(
        self, value: Price, ctx: KeyedBroadcastProcessFunction.Context
    ) -> Iterator[Any]:
        ctx.get_broadcast_state(PRICES).put(*value)
        seen: list[tuple[str, int]] = []
        ctx.apply_to_keyed_state(SPENT, lambda key, state: seen.append((key, state.value())))
        yield from seen

    def on_timer(
        self, timestamp: int, ctx: KeyedBroadcastProcessFunction.OnTimerContext
    ) -> Iterator[tuple[str, int]]:
        yield ctx.get_current_key(), self.spent.value() or 0
        self.spent.clear()


def priced() -> BroadcastOperatorHarness[int]:
    return ProcessFunctionTestHarnesses.for_broadcast_process_function(
        Priced(), PRICES, output_type=Types.INT()
    )


def spending() -> BroadcastOperatorHarness[tuple[str, int]]:
    return ProcessFunctionTestHarnesses.for_keyed_broadcast_process_function(
        Spending(), lambda sale: sale[0], PRICES, key_type=Types.STRING()
    )


def test_elements_of_one_stream_read_what_those_of_the_broadcast_one_have_put() -> None:
    with priced() as harness:
        harness.process_element("tea", 1)
        harness.process_broadcast_element(("tea", 3))
        harness.process_element("tea", 2)
        harness.process_broadcast_element(("tea", 4))
        harness.process_element("tea")
        assert harness.get_output() == [StreamRecord(3, 2), StreamRecord(4, None)]
        assert harness.get_side_output(UNKNOWN) == ["tea"]


def test_broadcast_state_can_be_read_and_set() -> None:
    with priced() as harness:
        harness.get_broadcast_state(PRICES).put("milk", 1)
        harness.process_broadcast_element(("tea", 3))
        assert list(harness.get_broadcast_state(PRICES).items()) == [("milk", 1), ("tea", 3)]
        harness.process_element("milk")
        assert harness.extract_output_values() == [1]
        with pytest.raises(TypeCheckError, match="is not an INT"):
            harness.process_broadcast_element(("tea", "cheap"))
        with pytest.raises(StateAccessError, match="there is no broadcast state 'others'"):
            harness.get_broadcast_state(MapStateDescriptor("others", Types.STRING(), Types.INT()))
        with pytest.raises(HarnessError, match="no keys"):
            harness.get_keyed_state("tea")


def test_event_time_is_the_lower_of_both_streams() -> None:
    with spending() as harness:
        harness.process_broadcast_element(("tea", 3))
        harness.process_element(("Ann", "tea"), 10)
        assert harness.get_timers() == [TimerRecord(59, "Ann", TimeDomain.EVENT_TIME)]
        harness.process_watermark1(100)
        harness.process_broadcast_watermark(58)
        assert harness.get_output() == []
        harness.process_broadcast_watermark(59)
        assert harness.get_output() == [StreamRecord(("Ann", 3), 59)]
        assert harness.get_watermarks() == [58, 59]
        assert harness.num_keyed_state_entries() == 0


def test_elements_of_the_broadcast_stream_visit_the_state_of_all_keys() -> None:
    with spending() as harness:
        harness.get_keyed_state("Bob").get_state(SPENT).update(7)
        harness.process_element(("Ann", "tea"), 10)
        harness.process_broadcast_element(("tea", 3), 20)
        assert harness.get_output() == [StreamRecord(("Bob", 7), 20), StreamRecord(("Ann", 0), 20)]


def test_a_snapshot_holds_broadcast_and_keyed_state_and_timers() -> None:
    with spending() as harness:
        harness.process_broadcast_element(("tea", 3))
        harness.process_element(("Ann", "tea"), 10)
        snapshot = harness.snapshot()
        harness.process_element(("Ann", "tea"), 10)
    with spending().initialize_state(snapshot) as harness:
        harness.process_element(("Ann", "tea"), 10)
        harness.process_watermark(59)
        assert harness.extract_output_values() == [("Ann", 6)]


def test_functions_and_descriptors_of_another_class_are_refused() -> None:
    function: Any = Priced()
    with pytest.raises(PlanTypeError, match="a KeyedBroadcastProcessFunction, not"):
        ProcessFunctionTestHarnesses.for_keyed_broadcast_process_function(function, str, PRICES)
    descriptor: Any = SPENT
    with pytest.raises(PlanTypeError, match="a MapStateDescriptor as broadcast state, not"):
        ProcessFunctionTestHarnesses.for_broadcast_process_function(function, descriptor)
