"""Classic mistakes in programs that also run in PyFlink, with ``pyflink`` in the imports.

The docstring of each function describes its mistake. ``tests/typing/classic/table.py`` runs the functions in
PyFlink.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pystream.common import Encoder, Row, Time, Types, WatermarkStrategy
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import (
    AggregateFunction,
    CoMapFunction,
    DataStream,
    KeyedCoProcessFunction,
    KeyedProcessFunction,
    MapFunction,
    OutputTag,
    ProcessFunction,
    ProcessWindowFunction,
    RuntimeContext,
    StreamExecutionEnvironment,
)
from pystream.datastream.connectors.file_system import FileSink
from pystream.datastream.connectors.number_seq import NumberSequenceSource
from pystream.datastream.state import ListStateDescriptor, MapStateDescriptor, ValueStateDescriptor
from pystream.datastream.window import CountTumblingWindowAssigner, CountWindow


def pairs(env: StreamExecutionEnvironment) -> DataStream[tuple[str, int]]:
    declared = Types.TUPLE([Types.STRING(), Types.INT()])
    return env.from_collection([("a", 1), ("b", 2), ("a", 3)], declared)


def numbers(env: StreamExecutionEnvironment) -> DataStream[int]:
    return env.from_collection([1, 2, 3], Types.INT())


def lambda_index(env: StreamExecutionEnvironment) -> list[object]:
    """a lambda reads a field after the last"""
    stream = pairs(env).map(lambda pair: pair[2], Types.INT())  # E: Tuple index out of range
    return list(stream.execute_and_collect())


def output_type(env: StreamExecutionEnvironment) -> list[object]:
    """`output_type` differs from the result of the function"""
    # E: incompatible type "Callable[[tuple[str, int]], str]"; expected "Callable[[tuple[str, int]], int]
    stream = pairs(env).map(lambda pair: pair[0], output_type=Types.INT())
    return list(stream.execute_and_collect())


def reduce_type(env: StreamExecutionEnvironment) -> list[object]:
    """`reduce` returns another type than it takes"""
    keyed = pairs(env).key_by(lambda pair: pair[0], Types.STRING())
    # E: incompatible type "Callable[[tuple[str, int], tuple[str, int]], int]"; expected
    return list(keyed.reduce(lambda a, b: a[1] + b[1]).execute_and_collect())


def union_of_types(env: StreamExecutionEnvironment) -> list[object]:
    """`union` of streams of different types"""
    # E: incompatible type "DataStream[int]"; expected "DataStream[tuple[str, int]]"
    return list(pairs(env).union(numbers(env)).execute_and_collect())


def state_type(env: StreamExecutionEnvironment) -> list[object]:
    """a value of another type is written to a value state"""

    class Last(KeyedProcessFunction[str, tuple[str, int], int]):
        def open(self, runtime_context: RuntimeContext) -> None:
            self.last = runtime_context.get_state(ValueStateDescriptor("last", Types.INT()))

        def process_element(self, value: tuple[str, int], ctx: KeyedProcessFunction.Context) -> Iterator[int]:
            self.last.update(value[0])  # E: incompatible type "str"; expected "int | None"
            yield value[1]

    keyed = pairs(env).key_by(lambda pair: pair[0], Types.STRING())
    return list(keyed.process(Last(), Types.INT()).execute_and_collect())


def missing_state(env: StreamExecutionEnvironment) -> list[object]:
    """a value state is read as if it always had a value"""

    class Count(KeyedProcessFunction[str, tuple[str, int], int]):
        def open(self, runtime_context: RuntimeContext) -> None:
            self.count = runtime_context.get_state(ValueStateDescriptor("count", Types.INT()))

        def process_element(self, value: tuple[str, int], ctx: KeyedProcessFunction.Context) -> Iterator[int]:
            self.count.update(self.count.value() + 1)  # E: Unsupported operand types for + ("None" and "int")
            yield value[1]

    keyed = pairs(env).key_by(lambda pair: pair[0], Types.STRING())
    return list(keyed.process(Count(), Types.INT()).execute_and_collect())


def list_state(env: StreamExecutionEnvironment) -> list[object]:
    """an element of another type is added to a list state"""

    class Seen(KeyedProcessFunction[str, tuple[str, int], int]):
        def open(self, runtime_context: RuntimeContext) -> None:
            self.seen = runtime_context.get_list_state(ListStateDescriptor("seen", Types.STRING()))

        def process_element(self, value: tuple[str, int], ctx: KeyedProcessFunction.Context) -> Iterator[int]:
            self.seen.add(value[1])  # E: incompatible type "int"; expected "str"
            yield value[1]

    keyed = pairs(env).key_by(lambda pair: pair[0], Types.STRING())
    return list(keyed.process(Seen(), Types.INT()).execute_and_collect())


def map_state(env: StreamExecutionEnvironment) -> list[object]:
    """key and value of a map state are swapped"""

    class Index(KeyedProcessFunction[str, tuple[str, int], int]):
        def open(self, runtime_context: RuntimeContext) -> None:
            descriptor = MapStateDescriptor("index", Types.STRING(), Types.INT())
            self.index = runtime_context.get_map_state(descriptor)

        def process_element(self, value: tuple[str, int], ctx: KeyedProcessFunction.Context) -> Iterator[int]:
            self.index.put(value[1], value[1])  # E: incompatible type "int"; expected "str"
            yield value[1]

    keyed = pairs(env).key_by(lambda pair: pair[0], Types.STRING())
    return list(keyed.process(Index(), Types.INT()).execute_and_collect())


def side_output(env: StreamExecutionEnvironment) -> list[object]:
    """a value for a side output has another type than its tag"""
    tag = OutputTag("names", Types.STRING())

    class Split(ProcessFunction[tuple[str, int], int]):
        def process_element(
            self, value: tuple[str, int], ctx: ProcessFunction.Context
        ) -> Iterator[int | tuple[OutputTag[str], str]]:
            yield value[1]
            yield tag, value[1]  # E: actual type "tuple[OutputTag[str], int]", expected type "int | tuple[

    split = pairs(env).process(Split(), Types.INT())
    return list(split.get_side_output(tag).execute_and_collect())


def connected_keys(env: StreamExecutionEnvironment) -> list[object]:
    """the keys of connected streams have different types"""

    class Both(KeyedCoProcessFunction[str, tuple[str, int], tuple[str, int], str]):
        def process_element1(
            self, value: tuple[str, int], ctx: KeyedCoProcessFunction.Context
        ) -> Iterator[str]:
            yield value[0]

        def process_element2(
            self, value: tuple[str, int], ctx: KeyedCoProcessFunction.Context
        ) -> Iterator[str]:
            yield value[0]

    names = pairs(env).key_by(lambda pair: pair[0], Types.STRING())
    counts = pairs(env).key_by(lambda pair: pair[1], Types.INT())
    # E: incompatible type "KeyedStream[tuple[str, int], int]"; expected "KeyedStream[tuple[str, int], str]"
    return list(names.connect(counts).process(Both(), Types.STRING()).execute_and_collect())


def misspelt_field(env: StreamExecutionEnvironment) -> list[object]:
    """the name of a field is misspelt"""
    declared = Types.ROW_NAMED(["word", "count"], [Types.STRING(), Types.INT()])
    rows = env.from_collection([Row(word="a", count=1)], declared)
    # E: There is no field "wrod": the row has word, count
    stream = rows.map(lambda row: row.wrod, Types.STRING())
    return list(stream.execute_and_collect())


def misspelt_key(env: StreamExecutionEnvironment) -> list[object]:
    """the name of a key field is misspelt"""
    declared = Types.ROW_NAMED(["word", "count"], [Types.STRING(), Types.INT()])
    rows = env.from_collection([Row(word="a", count=1)], declared)
    keyed = rows.key_by(lambda row: row["wrod"], Types.STRING())  # E: There is no field "wrod"
    return list(keyed.map(lambda row: 1, Types.INT()).execute_and_collect())


def names_and_types(env: StreamExecutionEnvironment) -> list[object]:
    """a row has more names than types"""
    declared = Types.ROW_NAMED(["word", "count"], [Types.STRING()])  # E: 2 field names for 1 field types
    return list(env.from_collection([Row("a")], declared).execute_and_collect())


def collection_type(env: StreamExecutionEnvironment) -> list[object]:
    """the elements of a collection do not have its type"""
    declared = Types.TUPLE([Types.STRING(), Types.INT()])
    # E: List item 0 has incompatible type "tuple[int, str]"; expected "Row[tuple[str, int]] | tuple[str, int
    return list(env.from_collection([(1, "a")], declared).execute_and_collect())


def no_iterable(env: StreamExecutionEnvironment) -> list[object]:
    """the result of `flat_map` is not iterable"""
    # E: incompatible type "Callable[[tuple[str, int]], int]"; expected "Callable[[tuple[str, int]], Iterable[
    stream = pairs(env).flat_map(lambda pair: pair[1], Types.INT())
    return list(stream.execute_and_collect())


def text_and_number(env: StreamExecutionEnvironment) -> list[object]:
    """a string and a number are added"""
    # E: Unsupported operand types for +
    stream = pairs(env).map(lambda pair: pair[0] + pair[1], Types.STRING())
    return list(stream.execute_and_collect())


def comparison(env: StreamExecutionEnvironment) -> list[object]:
    """a filter compares a string with a number"""
    # E: Unsupported operand types for > ("str" and "int")
    return list(pairs(env).filter(lambda pair: pair[0] > 3).execute_and_collect())


def function_of_another_element(env: StreamExecutionEnvironment) -> list[object]:
    """a function class is written for other elements"""

    class Length(MapFunction[str, int]):
        def map(self, value: str) -> int:
            return len(value)

    # E: incompatible type "Length"; expected "Callable[[int], int] | MapFunction[int, int]
    return list(numbers(env).map(Length(), Types.INT()).execute_and_collect())


def function_as_a_class(env: StreamExecutionEnvironment) -> list[object]:
    """a function class is passed instead of an instance"""

    class Double(MapFunction[int, int]):
        def map(self, value: int) -> int:
            return value * 2

    # E: incompatible type "type[Double]"; expected "Callable[[int], int] | MapFunction[int, int]
    return list(numbers(env).map(Double, Types.INT()).execute_and_collect())


def swapped_inputs(env: StreamExecutionEnvironment) -> list[object]:
    """the inputs of a `CoMapFunction` are swapped"""

    class Text(CoMapFunction[tuple[str, int], int, str]):
        def map1(self, value: tuple[str, int]) -> str:
            return value[0].upper()

        def map2(self, value: int) -> str:
            return str(value + 1)

    connected = numbers(env).connect(pairs(env))
    # E: incompatible type "Text"; expected "CoMapFunction[int, tuple[str, int], str]"
    return list(connected.map(Text(), Types.STRING()).execute_and_collect())


def window_key(env: StreamExecutionEnvironment) -> list[object]:
    """a window function is written for another type of key"""

    class Label(ProcessWindowFunction[tuple[str, int], str, int, CountWindow]):
        def process(
            self,
            key: int,
            context: ProcessWindowFunction.Context[CountWindow],
            elements: Iterable[tuple[str, int]],
        ) -> Iterable[str]:
            return [f"{key + 1}"]

    keyed = pairs(env).key_by(lambda pair: pair[0], Types.STRING())
    windows = keyed.window(CountTumblingWindowAssigner.of(1))
    # E: "Label"; expected "ProcessWindowFunction[tuple[str, int], str, str, CountWindow]"
    return list(windows.process(Label(), Types.STRING()).execute_and_collect())


def aggregate(env: StreamExecutionEnvironment) -> list[object]:
    """an `AggregateFunction` is written for other elements"""

    class Total(AggregateFunction[int, int, int]):
        def create_accumulator(self) -> int:
            return 0

        def add(self, value: int, accumulator: int) -> int:
            return accumulator + value

        def get_result(self, accumulator: int) -> int:
            return accumulator

        def merge(self, acc_a: int, acc_b: int) -> int:
            return acc_a + acc_b

    keyed = pairs(env).key_by(lambda pair: pair[0], Types.STRING())
    windows = keyed.window(CountTumblingWindowAssigner.of(1))
    # E: incompatible type "Total"; expected "AggregateFunction[tuple[str, int], int, int]"
    return list(windows.aggregate(Total(), output_type=Types.INT()).execute_and_collect())


def event_time(env: StreamExecutionEnvironment) -> list[object]:
    """a timestamp assigner is written for other elements"""

    class ByField(TimestampAssigner[tuple[int, int]]):
        def extract_timestamp(self, value: tuple[int, int], record_timestamp: int) -> int:
            return value[0]

    strategy = WatermarkStrategy.for_monotonous_timestamps()
    # E: "ByField"; expected "TimestampAssigner[tuple[str, int]]"
    stream = pairs(env).assign_timestamps_and_watermarks(strategy.with_timestamp_assigner(ByField()))
    return list(stream.execute_and_collect())


def timer(env: StreamExecutionEnvironment) -> list[object]:
    """a timer is registered at a duration"""

    class Timed(KeyedProcessFunction[str, tuple[str, int], int]):
        def process_element(self, value: tuple[str, int], ctx: KeyedProcessFunction.Context) -> Iterator[int]:
            # E: incompatible type "Time"; expected "int"
            ctx.timer_service().register_processing_time_timer(Time.seconds(1))
            yield value[1]

    keyed = pairs(env).key_by(lambda pair: pair[0], Types.STRING())
    return list(keyed.process(Timed(), Types.INT()).execute_and_collect())


def source_elements(env: StreamExecutionEnvironment) -> list[object]:
    """the numbers of a source are used as strings"""
    source = NumberSequenceSource(1, 3)
    stream = env.from_source(source, WatermarkStrategy.no_watermarks(), "numbers", Types.LONG())
    # E: "int" has no attribute "upper"
    return list(stream.map(lambda number: number.upper(), Types.STRING()).execute_and_collect())


def sink_without_build(env: StreamExecutionEnvironment) -> list[object]:
    """a file sink is not built"""
    sink = FileSink.for_row_format("out", Encoder.simple_string_encoder())
    numbers(env).sink_to(sink)  # E: incompatible type "RowFormatBuilder[Any]"; expected "Sink[int]"
    env.execute()
    return []


def sum_field(env: StreamExecutionEnvironment) -> list[object]:
    """`sum` of a field after the last"""
    keyed = pairs(env).key_by(lambda pair: pair[0], Types.STRING())
    return list(keyed.sum(2).execute_and_collect())  # E: There is no field 2: the last is 1
