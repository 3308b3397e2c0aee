"""The functions of simulated unbounded programs, with state of every kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pystream.common import Time, Types
from pystream.datastream import (
    KeyedBroadcastProcessFunction,
    KeyedProcessFunction,
    ProcessJoinFunction,
    RuntimeContext,
)
from pystream.datastream.state import (
    AggregatingStateDescriptor,
    ListStateDescriptor,
    MapStateDescriptor,
    ReducingStateDescriptor,
    StateTtlConfig,
    ValueStateDescriptor,
)
from tests.simulation.functions import SIDE, SumAndCount, Value

__all__ = ["RULES", "AllStates", "Numbered", "Paired", "Ruled"]

RULES = MapStateDescriptor("rules", Types.LONG(), Types.PICKLED_BYTE_ARRAY())
_PAIR = Types.TUPLE([Types.LONG(), Types.LONG()])


class AllStates(KeyedProcessFunction[str, Value, Any]):
    """Keeps each element in state of every kind, and gives all of it; timers of both domains clear some."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.last = runtime_context.get_state(ValueStateDescriptor("last", Types.PICKLED_BYTE_ARRAY()))
        brief = ValueStateDescriptor("brief", Types.LONG())
        brief.enable_time_to_live(StateTtlConfig.new_builder(Time.milliseconds(50)).build())
        self.brief = runtime_context.get_state(brief)
        self.ids = runtime_context.get_list_state(ListStateDescriptor("ids", Types.LONG()))
        self.by_order = runtime_context.get_map_state(
            MapStateDescriptor("by order", Types.STRING(), Types.LONG())
        )
        self.total = runtime_context.get_reducing_state(
            ReducingStateDescriptor("total", lambda a, b: a + b, Types.LONG())
        )
        self.mean = runtime_context.get_aggregating_state(
            AggregatingStateDescriptor("mean", SumAndCount(), _PAIR)
        )

    def process_element(self, value: Value, ctx: KeyedProcessFunction.Context) -> Iterator[Any]:
        key, time, order, number, id = value
        yield key, "before", self.last.value(), self.brief.value(), self.mean.get(), id
        self.last.update(value)
        self.brief.update(id)
        self.ids.add(id)
        self.by_order.put(order, number)
        self.total.add(number)
        self.mean.add(value)
        if number % 5 == 0:
            yield SIDE, (key, id)
        timers = ctx.timer_service()
        if number % 3 == 0:
            timers.register_event_time_timer(time + number)
        if number % 4 == 0:
            timers.register_processing_time_timer(timers.current_processing_time() + abs(number) + 1)

    def on_timer(self, timestamp: int, ctx: KeyedProcessFunction.OnTimerContext) -> Iterator[Any]:
        domain = ctx.time_domain().name
        content = self.total.get(), tuple(self.ids), tuple(sorted(self.by_order.items()))
        yield ctx.get_current_key(), "timer", domain, timestamp, content
        if timestamp % 2:
            self.ids.clear()
            self.by_order.clear()
        if timestamp % 5 == 0:
            self.total.clear()
            self.last.clear()


class Numbered(KeyedProcessFunction[str, Any, Any]):
    """Numbers the results of each key."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.count = runtime_context.get_state(ValueStateDescriptor("count", Types.LONG()))

    def process_element(self, value: Any, ctx: KeyedProcessFunction.Context) -> Iterator[Any]:
        count = (self.count.value() or 0) + 1
        self.count.update(count)
        yield ctx.get_current_key(), count, value


class Ruled(KeyedBroadcastProcessFunction[str, Value, Value, Any]):
    """Gives each element with the rules known, and for each rule the number of elements of each key."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.count = runtime_context.get_state(ValueStateDescriptor("count", Types.LONG()))

    def process_element(self, value: Value, ctx: Any) -> Iterator[Any]:
        self.count.update((self.count.value() or 0) + 1)
        rules = ctx.get_broadcast_state(RULES)
        yield value[0], "ruled", value[4], tuple(sorted(rules.items())), self.count.value()
        if value[3] % 4 == 0:
            ctx.timer_service().register_event_time_timer(value[1] + value[3])

    def process_broadcast_element(self, value: Value, ctx: Any) -> Iterator[Any]:
        rules = ctx.get_broadcast_state(RULES)
        if value[2] == "clear":
            rules.remove(value[3] % 4)
        else:
            rules.put(value[3] % 4, value[4])
        if value[2] == "side":
            yield SIDE, (value[0], value[4])

    def on_timer(self, timestamp: int, ctx: Any) -> Iterator[Any]:
        yield ctx.get_current_key(), "timer", timestamp, self.count.value()


class Paired(ProcessJoinFunction[Value, Value, Any]):
    def process_element(self, left: Value, right: Value, ctx: ProcessJoinFunction.Context) -> Iterator[Any]:
        yield left[0], "pair", left[4], right[4]
