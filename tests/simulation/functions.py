"""The functions of simulated programs. Elements are of the form of ``models.Value``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pystream.common import Types
from pystream.datastream import (
    AggregateFunction,
    AllWindowFunction,
    KeyedCoProcessFunction,
    KeyedProcessFunction,
    OutputTag,
    ProcessFunction,
    RuntimeContext,
    WindowFunction,
)
from pystream.datastream.state import ListStateDescriptor, MapStateDescriptor

__all__ = [
    "LATE",
    "SIDE",
    "CoInterpreter",
    "Gather",
    "GatherAll",
    "Interpreter",
    "Stamp",
    "SumAndCount",
    "combined",
    "joined",
]

Value = tuple[str, int, str, int, int]

SIDE: OutputTag[Any] = OutputTag("side")
LATE: OutputTag[Any] = OutputTag("late")


class Stamp(ProcessFunction[Any, Any]):
    """Gives each element with its event time."""

    def process_element(self, value: Any, ctx: ProcessFunction.Context) -> Iterator[Any]:
        yield value, ctx.timestamp()


class _Orders:
    """Follows the instructions in elements, with state and timers of their key.

    Args:
        shows_watermarks: whether the results of timers have the watermark, else 0. An exchange keeps the last
            one of watermarks between which a receiver gets no element of its epoch.
    """

    def __init__(self, *, shows_watermarks: bool = True) -> None:
        self.shows_watermarks = shows_watermarks

    def open(self, runtime_context: RuntimeContext) -> None:
        self.numbers = runtime_context.get_list_state(ListStateDescriptor("numbers", Types.LONG()))
        self.entries = runtime_context.get_map_state(
            MapStateDescriptor("entries", Types.LONG(), Types.LONG())
        )

    def obey(self, side: int, value: Value, ctx: Any) -> Iterator[Any]:
        key, time, order, number, id = value
        assert ctx.get_current_key() == key
        timers = ctx.timer_service()
        match order:
            case "note":
                self.numbers.add(number)
                yield key, "note", side, tuple(self.numbers)
            case "put":
                self.entries.put(number % 3, id)
                yield key, "map", side, tuple(sorted(self.entries.items()))
            case "clear":
                self.numbers.clear()
                self.entries.clear()
            case "side":
                yield SIDE, (key, id)
                yield key, "sent", side, id
            case "time":
                yield key, "time", ctx.timestamp(), timers.current_watermark()
            case "event timer":
                timers.register_event_time_timer(time + number)
            case "clock timer":
                timers.register_processing_time_timer(timers.current_processing_time() + number)
            case "drop timers":
                timers.delete_event_time_timer(time + number)
                timers.delete_processing_time_timer(timers.current_processing_time() + number)

    def on_timer(self, timestamp: int, ctx: KeyedProcessFunction.OnTimerContext) -> Iterator[Any]:
        domain, timers = ctx.time_domain().name, ctx.timer_service()
        if timestamp % 7 == 0 and domain == "EVENT_TIME":
            timers.register_event_time_timer(timestamp + 5)
        total = sum(self.numbers)
        watermark = timers.current_watermark() if self.shows_watermarks else 0
        yield ctx.get_current_key(), "timer", domain, timestamp, total, watermark


class Interpreter(_Orders, KeyedProcessFunction[str, Value, Any]):
    """Obeys the elements of one stream."""

    def process_element(self, value: Value, ctx: KeyedProcessFunction.Context) -> Iterator[Any]:
        return self.obey(0, value, ctx)


class CoInterpreter(_Orders, KeyedCoProcessFunction[str, Value, Value, Any]):
    """Obeys the elements of two streams."""

    def process_element1(self, value: Value, ctx: KeyedCoProcessFunction.Context) -> Iterator[Any]:
        return self.obey(0, value, ctx)

    def process_element2(self, value: Value, ctx: KeyedCoProcessFunction.Context) -> Iterator[Any]:
        return self.obey(1, value, ctx)


def joined(a: Value, b: Value) -> Value:
    """Fold two elements so that their order can be seen."""
    return a[0], max(a[1], b[1]), f"{a[2]} {b[4]}", a[3] + b[3], b[4]


def combined(a: Value, b: Value) -> Value:
    """Fold two elements so that their order does not matter."""
    return min(a[0], b[0]), 0, "", a[3] + b[3], min(a[4], b[4])


class SumAndCount(AggregateFunction[Value, tuple[int, int], tuple[int, int]]):
    def create_accumulator(self) -> tuple[int, int]:
        return 0, 0

    def add(self, value: Value, accumulator: tuple[int, int]) -> tuple[int, int]:
        return accumulator[0] + value[3], accumulator[1] + 1

    def get_result(self, accumulator: tuple[int, int]) -> tuple[int, int]:
        return accumulator

    def merge(self, acc_a: tuple[int, int], acc_b: tuple[int, int]) -> tuple[int, int]:
        return acc_a[0] + acc_b[0], acc_a[1] + acc_b[1]


class Gather(WindowFunction[Any, Any, str, Any]):
    """Gives key, window and all that the window holds."""

    def apply(self, key: str, window: Any, inputs: Iterable[Any]) -> Iterator[Any]:
        yield key, window.start, window.end, tuple(inputs)


class GatherAll(AllWindowFunction[Any, Any, Any]):
    """Gives window and all that the window holds."""

    def apply(self, window: Any, inputs: Iterable[Any]) -> Iterator[Any]:
        yield "all", window.start, window.end, tuple(inputs)
