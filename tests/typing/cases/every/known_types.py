"""Programs without unknown types in pyright's strict mode, and lambdas in harnesses."""

# pyright: strict

from operator import attrgetter
from typing import Any, NamedTuple, assert_type

from pystream.common import CompletableFuture, Duration, Time, Types, WatermarkStrategy
from pystream.datastream import AsyncRetryStrategy, DataStream, KeyedStream, WindowedStream
from pystream.datastream.window import (
    CountTrigger,
    DeltaEvictor,
    DeltaTrigger,
    GlobalWindow,
    GlobalWindows,
    ProcessingTimeoutTrigger,
    PurgingTrigger,
    TimeWindow,
    TumblingEventTimeWindows,
)
from pystream.testing import (
    FunctionTestHarnesses,
    OperatorHarness,
    WindowJoinTestHarnesses,
    WindowTestHarnesses,
)
from typeinfo import Row

MINUTES = TumblingEventTimeWindows.of(Time.minutes(1))


class Order(NamedTuple):
    id: int
    user: str


def pair(number: int) -> tuple[int, str]:
    return number, str(number)


def key_by_a_getter(orders: DataStream[Order]) -> None:
    assert_type(orders.key_by(attrgetter("user"), Types.STRING()), KeyedStream[Order, str])


def nested_triggers(windows: WindowedStream[Order, str, TimeWindow]) -> None:
    purging = PurgingTrigger.of(CountTrigger.of(3))
    windows.trigger(purging).trigger(ProcessingTimeoutTrigger.of(purging, Time.seconds(1)))


def static_methods_of_generic_classes(orders: KeyedStream[Order, str]) -> None:
    far: DeltaTrigger[Order, GlobalWindow] = DeltaTrigger.of(5.0, lambda one, other: other.id - one.id)
    near: DeltaEvictor[Order, GlobalWindow] = DeltaEvictor.of(5.0, lambda one, other: other.id - one.id)
    orders.window(GlobalWindows.create()).trigger(far).evictor(near).reduce(lambda one, other: other)
    retry: AsyncRetryStrategy[str] = AsyncRetryStrategy.fixed_delay(3, 100, lambda texts: not texts, None)
    assert_type(CompletableFuture.completed(1), CompletableFuture[int])
    assert_type(retry.can_retry(1), bool)


def strategy_of_a_lambda(orders: DataStream[Order]) -> None:
    monotonous = WatermarkStrategy.for_monotonous_timestamps()
    by_id: WatermarkStrategy[Order] = monotonous.with_timestamp_assigner(lambda order, _: order.id)
    idle = by_id.with_idleness(Duration.of_seconds(1))
    assert_type(orders.assign_timestamps_and_watermarks(idle), DataStream[Order])
    orders.assign_timestamps_and_watermarks(monotonous.with_timestamp_assigner(lambda order, _: order.id))


def lambdas_in_harnesses() -> None:
    sales = WindowTestHarnesses(MINUTES, lambda sale: sale[0]).reduce(lambda a, b: (a[0], a[1] + b[1]))
    sales.process_element(("tea", 2), 10_000)
    FunctionTestHarnesses.for_filter(lambda number: number > 1).process_elements([1, 2])
    FunctionTestHarnesses.for_map(lambda number: number + 1).process_elements([1, 2])
    FunctionTestHarnesses.for_flat_map(lambda line: line.split()).process_elements(["to be"])
    FunctionTestHarnesses.for_aggregation("sum", 1, lambda sale: sale[0]).process_element(("tea", 2))
    WindowJoinTestHarnesses(MINUTES, lambda one: one[0], lambda two: two[0])
    FunctionTestHarnesses.for_map(len, element_type=Types.STRING()).process_element("word")


def results_of_harnesses() -> None:
    row = Types.ROW((Types.INT(), Types.STRING()))
    rows = FunctionTestHarnesses.for_map(pair, output_type=row)
    assert_type(rows, OperatorHarness[Row[tuple[int, str]], int, Any])
    assert_type(FunctionTestHarnesses.for_map(pair), OperatorHarness[tuple[int, str], int])
    assert_type(FunctionTestHarnesses.for_filter(str.isdigit), OperatorHarness[str, str])
