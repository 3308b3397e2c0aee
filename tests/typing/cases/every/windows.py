"""Windows: functions, folds, triggers and evictors fit the stream's elements, keys and windows."""

from collections.abc import Iterable
from typing import assert_type

from pystream.common import Time, Types
from pystream.datastream import (
    AggregateFunction,
    AllWindowedStream,
    AllWindowFunction,
    DataStream,
    KeyedStream,
    OutputTag,
    ProcessAllWindowFunction,
    ProcessWindowFunction,
    WindowedStream,
    WindowFunction,
)
from pystream.datastream.window import (
    CountEvictor,
    CountTrigger,
    CountWindow,
    EventTimeSessionWindows,
    EventTimeTrigger,
    GlobalWindow,
    GlobalWindows,
    PurgingTrigger,
    TimeWindow,
    Trigger,
    TumblingEventTimeWindows,
)

Pair = tuple[str, int]
Windowed = WindowedStream[Pair, str, TimeWindow]
AllWindowed = AllWindowedStream[Pair, TimeWindow]


class Mean(AggregateFunction[Pair, list[int], float]):
    def create_accumulator(self) -> list[int]:
        return [0, 0]

    def add(self, value: Pair, accumulator: list[int]) -> list[int]:
        return [accumulator[0] + value[1], accumulator[1] + 1]

    def get_result(self, accumulator: list[int]) -> float:
        return accumulator[0] / accumulator[1]

    def merge(self, acc_a: list[int], acc_b: list[int]) -> list[int]:
        return [a + b for a, b in zip(acc_a, acc_b, strict=True)]


class Length(AggregateFunction[str, int, int]):
    def create_accumulator(self) -> int:
        return 0

    def add(self, value: str, accumulator: int) -> int:
        return accumulator + len(value)

    def get_result(self, accumulator: int) -> int:
        return accumulator

    def merge(self, acc_a: int, acc_b: int) -> int:
        return acc_a + acc_b


class Count(WindowFunction[Pair, int, str, TimeWindow]):
    def apply(self, key: str, window: TimeWindow, inputs: Iterable[Pair]) -> Iterable[int]:
        return [len(list(inputs))]


class CountByNumber(WindowFunction[Pair, int, int, TimeWindow]):
    def apply(self, key: int, window: TimeWindow, inputs: Iterable[Pair]) -> Iterable[int]:
        return [len(list(inputs))]


class CountWindows(WindowFunction[Pair, int, str, CountWindow]):
    def apply(self, key: str, window: CountWindow, inputs: Iterable[Pair]) -> Iterable[int]:
        return [window.id]


class Spread(ProcessWindowFunction[Pair, Pair, str, TimeWindow]):
    def process(
        self, key: str, context: ProcessWindowFunction.Context[TimeWindow], elements: Iterable[Pair]
    ) -> Iterable[Pair]:
        assert_type(context.window(), TimeWindow)
        assert_type(context.current_watermark(), int)
        return elements


class Labelled(ProcessWindowFunction[float, str, str, TimeWindow]):
    def process(
        self, key: str, context: ProcessWindowFunction.Context[TimeWindow], elements: Iterable[float]
    ) -> Iterable[str]:
        return [f"{key}: {mean}" for mean in elements]


class CountAll(AllWindowFunction[Pair, int, TimeWindow]):
    def apply(self, window: TimeWindow, inputs: Iterable[Pair]) -> Iterable[int]:
        return [len(list(inputs))]


class SpreadAll(ProcessAllWindowFunction[Pair, Pair, TimeWindow]):
    def process(
        self, context: ProcessAllWindowFunction.Context[TimeWindow], elements: Iterable[Pair]
    ) -> Iterable[Pair]:
        return elements


def tumbling(pairs: KeyedStream[Pair, str]) -> None:
    assigner = TumblingEventTimeWindows.of(Time.seconds(1))
    assert_type(pairs.window(assigner), WindowedStream[Pair, str, TimeWindow])
    assert_type(pairs.window_all(assigner), AllWindowedStream[Pair, TimeWindow])


def sessions(pairs: KeyedStream[Pair, str]) -> None:
    windows = pairs.window(EventTimeSessionWindows.with_gap(Time.seconds(1)))
    assert_type(windows, WindowedStream[Pair, str, TimeWindow])


def global_windows(pairs: KeyedStream[Pair, str]) -> None:
    assert_type(pairs.window(GlobalWindows.create()), WindowedStream[Pair, str, GlobalWindow])


def assigner_as_a_class(pairs: KeyedStream[Pair, str]) -> None:
    # E: "type[TumblingEventTimeWindows[T]]"; expected "WindowAssigner[tuple[str, int],
    pairs.window(TumblingEventTimeWindows)


def length_of_time_as_text() -> None:
    TumblingEventTimeWindows.of("1s")  # E: "str"; expected "_Time |


def a_time_for_an_assigner(pairs: KeyedStream[Pair, str]) -> None:
    pairs.window(Time.seconds(1))  # E: incompatible type "Time"; expected "WindowAssigner[


def trigger_of_the_window(windows: Windowed) -> None:
    assert_type(windows.trigger(PurgingTrigger.of(EventTimeTrigger.create())), Windowed)


def count_trigger(windows: Windowed, pairs: KeyedStream[Pair, str]) -> None:
    assert_type(windows.trigger(CountTrigger.of(3)), Windowed)
    assert_type(windows.trigger(PurgingTrigger.of(CountTrigger.of(3))), Windowed)
    pairs.window(GlobalWindows.create()).trigger(CountTrigger.of(3)).reduce(lambda a, b: a)
    pairs.window(GlobalWindows.create()).trigger(PurgingTrigger.of(CountTrigger.of(3)))


def trigger_of_other_windows(windows: Windowed, trigger: Trigger[object, CountWindow]) -> None:
    # E: "Trigger[object, CountWindow]"; expected "Trigger[tuple[str, int], TimeWindow]"
    windows.trigger(trigger)


def trigger_as_a_class(windows: Windowed) -> None:
    windows.trigger(EventTimeTrigger)  # E: expected "Trigger[tuple[str, int], TimeWindow]"


def evictor(windows: Windowed) -> None:
    assert_type(windows.evictor(CountEvictor.of(3)), Windowed)


def trigger_for_an_evictor(windows: Windowed) -> None:
    windows.evictor(EventTimeTrigger.create())  # E: expected "Evictor[tuple[str, int], TimeWindow]"


def lateness_in_ms(windows: Windowed) -> None:
    assert_type(windows.allowed_lateness(100), Windowed)


def lateness_as_a_time(windows: Windowed) -> None:
    windows.allowed_lateness(Time.seconds(1))  # E: incompatible type "Time"; expected "int"


def late_elements(windows: Windowed, tag: OutputTag[Pair]) -> None:
    assert_type(windows.side_output_late_data(tag), Windowed)


def late_elements_of_another_type(windows: Windowed, tag: OutputTag[str]) -> None:
    # E: incompatible type "OutputTag[str]"; expected "OutputTag[tuple[str, int]]"
    windows.side_output_late_data(tag)


def reduce(windows: Windowed) -> None:
    assert_type(windows.reduce(lambda a, b: (a[0], a[1] + b[1])), DataStream[Pair])


def reduce_and_process(windows: Windowed) -> None:
    assert_type(windows.reduce(lambda a, b: max(a, b), Spread()), DataStream[Pair])
    assert_type(windows.reduce(lambda a, b: max(a, b), Count(), Types.INT()), DataStream[int])


def reduce_changes_the_type(windows: Windowed) -> None:
    # E: "Callable[[tuple[str, int], tuple[str, int]], int]"; expected "Callable[[tuple[str, int],
    windows.reduce(lambda a, b: a[1] + b[1])


def reduce_out_of_range(windows: Windowed) -> None:
    windows.reduce(lambda a, b: a if a[2] > b[1] else b)  # E: Tuple index out of range


def reduce_with_a_function_of_another_element(windows: Windowed) -> None:
    # E: incompatible type "Labelled"; expected "WindowFunction[tuple[str, int]
    windows.reduce(lambda a, b: max(a, b), Labelled())


def reduce_with_a_function_of_another_key(windows: Windowed) -> None:
    # E: incompatible type "CountByNumber"; expected "WindowFunction[tuple[str, int]
    windows.reduce(lambda a, b: max(a, b), CountByNumber())


def aggregate(windows: Windowed) -> None:
    assert_type(windows.aggregate(Mean()), DataStream[float])
    assert_type(windows.aggregate(Mean(), output_type=Types.DOUBLE()), DataStream[float])
    assert_type(windows.aggregate(Mean(), accumulator_type=Types.LIST(Types.INT())), DataStream[float])


def aggregate_and_process(windows: Windowed) -> None:
    assert_type(windows.aggregate(Mean(), Labelled()), DataStream[str])
    assert_type(windows.aggregate(Mean(), Labelled(), output_type=Types.STRING()), DataStream[str])


def aggregate_of_another_element(windows: Windowed) -> None:
    # E: incompatible type "Length"; expected "AggregateFunction[tuple[str, int], int, int]"
    windows.aggregate(Length())


def aggregate_by_a_lambda(windows: Windowed) -> None:
    windows.aggregate(lambda a, b: a)  # E: No overload variant of "aggregate" of "WindowedStream"


def aggregate_as_a_class(windows: Windowed) -> None:
    windows.aggregate(Mean)  # E: matches argument type "type[Mean]"


def aggregate_with_a_function_of_another_key(windows: WindowedStream[Pair, int, TimeWindow]) -> None:
    windows.aggregate(Mean(), Labelled())  # E: incompatible type "Labelled"; expected "WindowFunction[float


def apply(windows: Windowed) -> None:
    assert_type(windows.apply(Count()), DataStream[int])
    assert_type(windows.apply(Count(), Types.INT()), DataStream[int])


def apply_with_another_key(windows: Windowed) -> None:
    # E: "CountByNumber"; expected "WindowFunction[tuple[str, int], int, str, TimeWindow]"
    windows.apply(CountByNumber())


def apply_with_other_windows(windows: Windowed) -> None:
    # E: "CountWindows"; expected "WindowFunction[tuple[str, int], int, str, TimeWindow]"
    windows.apply(CountWindows())


def apply_of_another_element(windows: WindowedStream[str, str, TimeWindow]) -> None:
    windows.apply(Count())  # E: "Count"; expected "WindowFunction[str, int, str, TimeWindow]"


def apply_without_keys(windows: AllWindowed) -> None:
    assert_type(windows.apply(CountAll()), DataStream[int])
    windows.apply(Count())  # E: "Count"; expected "AllWindowFunction[


def apply_with_keys(windows: Windowed) -> None:
    windows.apply(CountAll())  # E: "CountAll"; expected "WindowFunction[


def process(windows: Windowed) -> None:
    assert_type(windows.process(Spread()), DataStream[Pair])


def process_takes_another_function(windows: Windowed) -> None:
    windows.process(Count())  # E: "Count"; expected "ProcessWindowFunction[


def process_of_another_element(windows: Windowed) -> None:
    # E: "Labelled"; expected "ProcessWindowFunction[tuple[str, int], str, str, TimeWindow]"
    windows.process(Labelled())


def process_without_keys(windows: AllWindowed) -> None:
    assert_type(windows.process(SpreadAll()), DataStream[Pair])
    windows.process(Spread())  # E: "Spread"; expected "ProcessAllWindowFunction[


WrongWindow = ProcessWindowFunction.Context[CountWindow]


class WrongContext(ProcessWindowFunction[Pair, int, str, TimeWindow]):
    # E: supertype defines the argument type as "Context[TimeWindow]"
    def process(self, key: str, context: WrongWindow, elements: Iterable[Pair]) -> Iterable[int]:
        return []


class WrongKey(WindowFunction[Pair, int, str, TimeWindow]):
    # E: WindowFunction"; supertype defines the argument type as "str"
    def apply(self, key: int, window: TimeWindow, inputs: Iterable[Pair]) -> Iterable[int]:
        return [key]


class WrongResult(WindowFunction[Pair, int, str, TimeWindow]):
    # E: incompatible with return type "Iterable[int]"
    def apply(self, key: str, window: TimeWindow, inputs: Iterable[Pair]) -> Iterable[str]:
        return [key]


class OneElement(WindowFunction[Pair, int, str, TimeWindow]):
    # E: Argument 3 of "apply" is incompatible with supertype
    def apply(self, key: str, window: TimeWindow, inputs: Pair) -> Iterable[int]:
        return [inputs[1]]


class OneAccumulator(AggregateFunction[str, int, int]):
    def create_accumulator(self) -> int:
        return 0

    # E: Return type "str" of "add" incompatible with return type "int"
    def add(self, value: str, accumulator: int) -> str:
        return value

    def get_result(self, accumulator: int) -> int:
        return accumulator

    # E: Return type "None" of "merge" incompatible with return type "int"
    def merge(self, acc_a: int, acc_b: int) -> None: ...
