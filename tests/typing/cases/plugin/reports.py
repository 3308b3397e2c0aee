"""Errors of the plugin: one per mistake, at the argument of the user, with public names."""

from collections.abc import Iterator
from typing import Any

from pystream.common import Duration, Time, Types, WatermarkStrategy
from pystream.datastream import (
    AggregateFunction,
    AllWindowedStream,
    ConnectedStreams,
    DataStream,
    IterativeStream,
    KeyedProcessFunction,
    KeyedStream,
    OutputTag,
    RuntimeContext,
    WindowedStream,
)
from pystream.datastream.state import (
    AggregatingState,
    AggregatingStateDescriptor,
    ListState,
    ReducingState,
)
from pystream.datastream.window import TimeWindow
from pystream.testing import FunctionTestHarnesses


def lambda_of_another_result(numbers: DataStream[int], keyed: KeyedStream[int, int]) -> None:
    # E: "map" of "DataStream" has incompatible type "Callable[[int], int]"; expected "Callable[[int], str]
    numbers.map(lambda number: number, Types.STRING())
    # E: "flat_map" of "DataStream" has incompatible type "Callable[[int], int]"; expected "Callable[[int], It
    numbers.flat_map(lambda number: number)
    # E: Argument 1 to "key_by" of "DataStream" has incompatible type "Callable[[int], list[int]]"; expected
    numbers.key_by(lambda number: [number], Types.STRING())
    # E: Argument 1 to "reduce" of "KeyedStream" has incompatible type "Callable[[int, int], str]"; expected
    keyed.reduce(lambda one, other: str(one + other))
    # E: "for_map" of "FunctionTestHarnesses" has incompatible type "Callable[[Any], str]"; expected
    FunctionTestHarnesses.for_map(lambda number: str(number), output_type=Types.INT())


def lambda_of_too_many_parameters(numbers: DataStream[int]) -> None:
    numbers.map(lambda one, other: one)  # E: incompatible type "Callable[[Any, Any], Any]"; expected
    numbers.filter(lambda one, other: one)  # E: incompatible type "Callable[[Any, Any], Any]"; expected
    numbers.key_by(lambda: 1)  # E: incompatible type "Callable[[], int]"; expected


def mistakes_inside_of_lambdas(numbers: DataStream[int]) -> None:
    numbers.map(lambda number: number.name)  # E: "int" has no attribute "name"
    numbers.map(lambda number: number + "1", Types.INT())  # E: Unsupported operand types for +
    numbers.connect(numbers.map(lambda number: number.name))  # E: "int" has no attribute "name"


def expected_type_of_the_result(numbers: DataStream[int]) -> DataStream[str]:
    texts: DataStream[str] = numbers.map(lambda number: number)  # E: expression has type "DataStream[int]"
    assert texts
    return numbers.map(lambda number: number)  # E: got "DataStream[int]", expected "DataStream[str]"


def side_output_used_as_another_type(numbers: DataStream[int], texts: OutputTag[str]) -> None:
    # E: expression has type "DataStream[str]", variable has type "DataStream[int]"
    side: DataStream[int] = numbers.get_side_output(texts)
    side.print()


def expected_type_determines_the_result_if_it_fits(numbers: DataStream[int]) -> DataStream[int | None]:
    floats: DataStream[float] = numbers.map(lambda number: number)
    lists: DataStream[list[str]] = numbers.map(lambda number: [])
    assert floats, lists
    return numbers.map(lambda number: number)


def keys_of_two_types(numbers: DataStream[int], words: DataStream[str]) -> None:
    keyed = numbers.key_by(lambda number: number)
    # E: "connect" of "KeyedStream" has incompatible type "KeyedStream[str, str]"; expected "KeyedStream[str,
    keyed.connect(words.key_by(lambda word: word))
    # E: "interval_join" of "KeyedStream" has incompatible type "KeyedStream[str, str]"; expected
    keyed.interval_join(words.key_by(lambda word: word))


def declared_key_of_connected_streams(connected: ConnectedStreams[int, str, Any]) -> None:
    # E: Argument 2 to "key_by" of "ConnectedStreams" has incompatible type "Callable[[str], str]"; expected
    connected.key_by(lambda number: number, lambda word: word, Types.INT())


def feedback_of_another_type(loop: IterativeStream[int]) -> None:
    # E: "close_with" of "IterativeStream" has incompatible type "DataStream[str]"; expected "DataStream[int]"
    loop.close_with(loop.map(lambda number: str(number)))
    # E: "close_with" of "IterativeStream" has incompatible type "DataStream[str]"; expected "DataStream[int]"
    loop.close_with(loop.map(str))
    # E: "union" of "IterativeStream" has incompatible type "DataStream[str]"; expected "DataStream[int]"
    loop.union(loop.map(str))


def timestamps(events: DataStream[tuple[str, int]]) -> None:
    strategy = WatermarkStrategy.for_monotonous_timestamps()
    # E: "with_timestamp_assigner" of "WatermarkStrategy" has incompatible type "Callable[[tuple[str, int], in
    events.assign_timestamps_and_watermarks(strategy.with_timestamp_assigner(lambda event, _: event[0]))


SECOND = Duration.of_seconds(1)


def strategy_of_a_lambda(events: DataStream[tuple[str, int]]) -> None:
    strategy = WatermarkStrategy.for_monotonous_timestamps()
    by_number = strategy.with_timestamp_assigner(lambda event, _: event[1]).with_idleness(SECOND)
    events.assign_timestamps_and_watermarks(by_number)


def public_names(
    numbers: DataStream[int],
    windows: WindowedStream[int, int, TimeWindow],
    all_windows: AllWindowedStream[int, TimeWindow],
) -> None:
    numbers.sink_to(1)  # E: Argument 1 to "sink_to" of "DataStream"
    numbers.print(1)  # E: Argument 1 to "print" of "DataStream"
    numbers.name(1)  # E: Argument 1 to "name" of "DataStream"
    numbers.filter("word")  # E: expected "Callable[[int], object] | FilterFunction[int]"
    windows.trigger(1)  # E: Argument 1 to "trigger" of "WindowedStream"
    all_windows.allowed_lateness("1")  # E: Argument 1 to "allowed_lateness" of "AllWindowedStream"


def names_of_states(
    numbers: ListState[int], total: ReducingState[int], mean: AggregatingState[int, float]
) -> None:
    numbers.add("1")  # E: Argument 1 to "add" of "ListState"
    total.add("1")  # E: Argument 1 to "add" of "ReducingState"
    mean.add("1")  # E: Argument 1 to "add" of "AggregatingState"


def accumulator_of_another_type(
    fold: AggregateFunction[str, int, float], context: RuntimeContext
) -> AggregatingState[str, float]:
    # E: expected "AggregateFunction[str, str, float]"
    descriptor = AggregatingStateDescriptor("mean", fold, Types.STRING())
    assert descriptor
    # E: incompatible type "AggregateFunction[str, int, float]"; expected "AggregateFunction[str, str, float]"
    return context.get_aggregating_state(AggregatingStateDescriptor("mean", fold, Types.STRING()))


class Timers(KeyedProcessFunction[str, int, int]):
    def process_element(self, value: int, ctx: KeyedProcessFunction.Context) -> Iterator[int]:
        # E: Argument 1 to "register_event_time_timer" of "TimerService"
        ctx.timer_service().register_event_time_timer(Time.seconds(1))
        yield value
