"""Function classes: their methods fit the declared type of elements."""

from collections.abc import Iterable, Iterator
from typing import assert_type

from pystream.common import Time, Types
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import (
    AggregateFunction,
    AsyncDataStream,
    AsyncFunction,
    AsyncRetryStrategy,
    CoMapFunction,
    DataStream,
    FilterFunction,
    FlatMapFunction,
    IterativeStream,
    JoinFunction,
    KeyedProcessFunction,
    KeySelector,
    MapFunction,
    Partitioner,
    ProcessFunction,
    ProcessWindowFunction,
    ReduceFunction,
    RuntimeContext,
)
from pystream.datastream.state import AggregatingStateDescriptor, ReducingStateDescriptor
from pystream.datastream.window import TimeWindow, Trigger, TriggerResult


class Ask(AsyncFunction[str, int]):
    async def async_invoke(self, value: str) -> list[int]:
        return [len(value)]


class Modulo(Partitioner[int]):
    def partition(self, key: int, num_partitions: int) -> int:
        return key % num_partitions


def asynchronous(lines: DataStream[str]) -> None:
    assert_type(AsyncDataStream.unordered_wait(lines, Ask(), Time.seconds(1)), DataStream[int])
    assert_type(AsyncDataStream.ordered_wait(lines, Ask(), Time.seconds(1), 10, Types.INT()), DataStream[int])


def asynchronous_without_a_time(lines: DataStream[str]) -> None:
    AsyncDataStream.unordered_wait(lines, Ask(), 1000)  # E: incompatible type "int"; expected "Time"


def asynchronous_by_a_function(lines: DataStream[str]) -> None:
    # E: "Callable[[Sized], int]"; expected "AsyncFunction[str, Any]"
    AsyncDataStream.unordered_wait(lines, len, Time.seconds(1))


def asynchronous_capacity_as_text(lines: DataStream[str]) -> None:
    # E: incompatible type "str"; expected "int"
    AsyncDataStream.ordered_wait(lines, Ask(), Time.seconds(1), "10")


def retries(lines: DataStream[str], strategy: AsyncRetryStrategy[int]) -> None:
    stream = AsyncDataStream.unordered_wait_with_retry(lines, Ask(), Time.seconds(1), strategy)
    assert_type(stream, DataStream[int])


def retries_of_another_result(lines: DataStream[str], strategy: AsyncRetryStrategy[str]) -> None:
    # E: Cannot infer value of type parameter "U" of "unordered_wait_with_retry"
    AsyncDataStream.unordered_wait_with_retry(lines, Ask(), Time.seconds(1), strategy)


def retries_without_a_strategy(lines: DataStream[str]) -> None:
    # E: "int"; expected "AsyncRetryStrategy[int]"
    AsyncDataStream.ordered_wait_with_retry(lines, Ask(), Time.seconds(1), 3)


def iterate(numbers: DataStream[int]) -> None:
    loop = numbers.iterate()
    assert_type(loop, IterativeStream[int])
    assert_type(loop.close_with(loop.map(lambda n: n - 1)), DataStream[int])


def iterate_with_another_type(numbers: DataStream[int]) -> None:
    loop = numbers.iterate()
    texts = loop.map(str)
    loop.close_with(texts)  # E: "DataStream[str]"; expected "DataStream[int]"


def iterate_for_a_time(numbers: DataStream[int]) -> None:
    numbers.iterate(Time.seconds(1))  # E: "Time"; expected "int"


def close_with_on_a_stream_that_is_not_a_loop(numbers: DataStream[int]) -> None:
    numbers.close_with(numbers)  # E: "DataStream[int]" has no attribute "close_with"


def partition(lines: DataStream[str]) -> None:
    assert_type(lines.partition_custom(Modulo(), len), DataStream[str])


def partition_by_keys_of_another_type(lines: DataStream[str]) -> None:
    # E: Cannot infer value of type parameter "K" of "partition_custom"
    lines.partition_custom(Modulo(), str.upper)


def partition_without_keys(lines: DataStream[str]) -> None:
    lines.partition_custom(Modulo())  # E: Missing positional argument "key_selector"


def window_without_keys(lines: DataStream[str]) -> None:
    lines.window(3)  # E: "DataStream[str]" has no attribute "window"


def fold_without_keys(lines: DataStream[str]) -> None:
    lines.reduce(lambda a, b: a + b)  # E: "DataStream[str]" has no attribute "reduce"


def sum_without_keys(numbers: DataStream[int]) -> None:
    numbers.sum(0)  # E: "DataStream[int]" has no attribute "sum"


def misspelt_operator(lines: DataStream[str]) -> None:
    lines.flatmap(str.split)  # E: "DataStream[str]" has no attribute "flatmap"


def misspelt_parameter(lines: DataStream[str]) -> None:
    lines.map(len, out_type=Types.INT())  # E: Unexpected keyword argument "out_type" for overloaded function


def operator_that_is_not_called(lines: DataStream[str]) -> None:
    lines.name.uid("a")  # E: has no attribute "uid"


def parallelism_as_text(lines: DataStream[str]) -> None:
    lines.set_parallelism("2")  # E: "str"; expected "int"


def name_as_a_number(lines: DataStream[str]) -> None:
    lines.name(3)  # E: "int"; expected "str | None"


def indexing_a_stream(lines: DataStream[str]) -> None:
    lines[0]  # E: Value of type "DataStream[str]" is not indexable


def iterating_over_a_stream(lines: DataStream[str]) -> None:
    for line in lines:  # E: "DataStream[str]" has no attribute "__iter__"
        print(line)


def limit_as_text(lines: DataStream[str]) -> None:
    # E: matches argument types "str", "str"
    lines.execute_and_collect("job", "3")


def results_of_another_type(lines: DataStream[str]) -> None:
    found: list[int] = lines.execute_and_collect(limit=3)  # E: "list[str]", variable has type "list[int]"
    print(found)


def map_returns_a_list(lines: DataStream[str]) -> None:
    words = lines.map(str.split)
    words.map(lambda word: word.upper())  # E: "list[str]" has no attribute "upper"


def field_of_a_tuple_by_name(pairs: DataStream[tuple[str, int]]) -> None:
    pairs.map(lambda pair: pair.name)  # E: "tuple[str, int]" has no attribute "name"


def unpacking_too_many(pairs: DataStream[tuple[str, int]]) -> None:
    def third(pair: tuple[str, int]) -> int:
        _, _, number = pair  # E: Need more than 2 values to unpack (3 expected)
        return int(number)

    pairs.map(third)


def optional_result(lines: DataStream[str]) -> None:
    found = lines.map(lambda line: line if line else None)
    found.map(lambda line: line.upper())  # E: Item "None" of "str | None" has no attribute "upper"


def filter_of_two(lines: DataStream[str]) -> None:
    def longer(a: str, b: str) -> bool:
        return len(a) > len(b)

    lines.filter(longer)  # E: "Callable[[str, str], bool]"; expected "Callable[[str], object]


def comparison_of_another_type(lines: DataStream[str]) -> None:
    lines.filter(lambda line: line > 3)  # E: Unsupported operand types for > ("str" and "int")


class OtherArgument(MapFunction[str, int]):
    # E: supertype defines the argument type as "str"
    def map(self, value: int) -> int:
        return value


class OtherResult(MapFunction[str, int]):
    # E: Return type "str" of "map" incompatible with return type "int"
    def map(self, value: str) -> str:
        return value


class OtherReturn(MapFunction[str, int]):
    def map(self, value: str) -> int:
        return value  # E: Incompatible return value type (got "str", expected "int")


class NoIterable(FlatMapFunction[str, int]):
    # E: Return type "int" of "flat_map" incompatible with return type "Iterable[int] | None"
    def flat_map(self, value: str) -> int:
        return len(value)


class OtherElements(FlatMapFunction[str, int]):
    # E: incompatible with return type "Iterable[int] | None"
    def flat_map(self, value: str) -> Iterable[str]:
        return value.split()


class NotBool(FilterFunction[str]):
    # E: Return type "int" of "filter" incompatible with return type "bool"
    def filter(self, value: str) -> int:
        return len(value)


class OtherKey(KeySelector[str, int]):
    # E: Return type "str" of "get_key" incompatible with return type "int"
    def get_key(self, value: str) -> str:
        return value


class OtherFold(ReduceFunction[str]):
    # E: Return type "int" of "reduce" incompatible with return type "str"
    def reduce(self, value1: str, value2: str) -> int:
        return len(value1)


class OneArgument(ProcessFunction[str, str]):
    # E: Signature of "process_element" incompatible with supertype
    def process_element(self, value: str) -> Iterator[str]:
        yield value


class NoContext(MapFunction[str, int]):
    def open(self) -> None: ...  # E: Signature of "open" incompatible with supertype

    def map(self, value: str) -> int:
        return len(value)


class NotAsync(AsyncFunction[str, int]):
    # E: Return type "list[int]" of "async_invoke" incompatible with return type "Coroutine[
    def async_invoke(self, value: str) -> list[int]:
        return [len(value)]


class OtherTimeout(AsyncFunction[str, int]):
    async def async_invoke(self, value: str) -> list[int]:
        return [len(value)]

    # E: Return type "list[str]" of "timeout" incompatible with return type "list[int]"
    def timeout(self, value: str) -> list[str]:
        return [value]


class Incomplete(MapFunction[str, int]):
    def open(self, runtime_context: RuntimeContext) -> None: ...


def incomplete_function(lines: DataStream[str]) -> None:
    lines.map(Incomplete())  # E: Cannot instantiate abstract class "Incomplete" with abstract attribute "map"


class OneTypeArgument(MapFunction[str]):  # E: "MapFunction" expects 2 type arguments, but 1 given
    def map(self, value: str) -> int:
        return len(value)


class OwnNames(MapFunction[str, str]):
    def open(self, ctx: RuntimeContext) -> None: ...

    def map(self, line: str) -> str:
        return line


class OwnNameOfAFilter(FilterFunction[str]):
    def filter(self, line: str) -> bool:
        return bool(line)


class OwnNameOfAFlatMap(FlatMapFunction[str, str]):
    def flat_map(self, line: str) -> Iterator[str]:
        yield line


class OwnNameOfAKey(KeySelector[str, int]):
    def get_key(self, line: str) -> int:
        return len(line)


class OwnNamesOfAReduce(ReduceFunction[str]):
    def reduce(self, a: str, b: str) -> str:
        return a + b


class OwnNamesOfAProcess(ProcessFunction[str, str]):
    def process_element(self, v: str, context: ProcessFunction.Context) -> Iterator[str]:
        yield v


class OwnNamesOfAKeyedProcess(KeyedProcessFunction[int, str, str]):
    def process_element(self, v: str, context: KeyedProcessFunction.Context[int]) -> Iterator[str]:
        yield v

    def on_timer(self, time: int, context: KeyedProcessFunction.OnTimerContext[int]) -> Iterator[str]:
        yield str(time)


class OwnNamesOfAnAggregate(AggregateFunction[str, list[int], float]):
    def create_accumulator(self) -> list[int]:
        return [0, 0]

    def add(self, line: str, acc: list[int]) -> list[int]:
        return [acc[0] + len(line), acc[1] + 1]

    def get_result(self, acc: list[int]) -> float:
        return acc[0] / acc[1]

    def merge(self, a: list[int], b: list[int]) -> list[int]:
        return [a[0] + b[0], a[1] + b[1]]


class OwnNamesOfACoMap(CoMapFunction[str, int, str]):
    def map1(self, line: str) -> str:
        return line

    def map2(self, n: int) -> str:
        return str(n)


class OwnNamesOfAJoin(JoinFunction[str, int, str]):
    def join(self, left: str, right: int) -> str:
        return left * right


class OwnNamesOfAWindowFunction(ProcessWindowFunction[str, str, int, TimeWindow]):
    def process(
        self, k: int, ctx: ProcessWindowFunction.Context[TimeWindow], lines: Iterable[str]
    ) -> Iterator[str]:
        yield from lines

    def clear(self, ctx: ProcessWindowFunction.Context[TimeWindow]) -> None: ...


class OwnNamesOfATrigger(Trigger[str, TimeWindow]):
    def on_element(
        self, line: str, time: int, w: TimeWindow, context: Trigger.TriggerContext
    ) -> TriggerResult:
        return TriggerResult.FIRE

    def on_processing_time(self, t: int, w: TimeWindow, context: Trigger.TriggerContext) -> TriggerResult:
        return TriggerResult.CONTINUE

    def on_event_time(self, t: int, w: TimeWindow, context: Trigger.TriggerContext) -> TriggerResult:
        return TriggerResult.CONTINUE

    def on_merge(self, w: TimeWindow, context: Trigger.OnMergeContext) -> None: ...

    def clear(self, w: TimeWindow, context: Trigger.TriggerContext) -> None: ...


class OwnNamesOfATimestampAssigner(TimestampAssigner[str]):
    def extract_timestamp(self, line: str, before: int) -> int:
        return len(line)


class OwnNamesOfAPartitioner(Partitioner[int]):
    def partition(self, k: int, n: int) -> int:
        return k % n


def state_of_an_aggregate_with_own_names(ctx: RuntimeContext) -> None:
    descriptor = AggregatingStateDescriptor("mean", OwnNamesOfAnAggregate(), Types.LIST(Types.INT()))
    state = ctx.get_aggregating_state(descriptor)
    assert_type(state.get(), float | None)


def state_of_a_reduce_with_own_names(ctx: RuntimeContext) -> None:
    state = ctx.get_reducing_state(ReducingStateDescriptor("all", OwnNamesOfAReduce(), Types.STRING()))
    assert_type(state.get(), str | None)
