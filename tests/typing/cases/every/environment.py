"""Element types of the streams that an environment creates."""

from dataclasses import dataclass
from typing import assert_type

from pystream.common import JobExecutionResult, WatermarkStrategy
from pystream.datastream import DataStream, StreamExecutionEnvironment
from pystream.datastream.connectors.file_system import FileSource, StreamFormat
from pystream.datastream.connectors.number_seq import NumberSequenceSource
from typeinfo import Types


@dataclass
class User:
    name: str
    age: int


def get() -> None:
    assert_type(StreamExecutionEnvironment.get_execution_environment(), StreamExecutionEnvironment)


def setters_chain(env: StreamExecutionEnvironment) -> None:
    assert_type(env.set_parallelism(2).set_buffer_timeout(10), StreamExecutionEnvironment)


def setters_take_numbers(env: StreamExecutionEnvironment) -> None:
    env.set_parallelism("2")  # E: "str"; expected "int"


def collection_without_a_type(env: StreamExecutionEnvironment) -> None:
    assert_type(env.from_collection([1, 2, 3]), DataStream[int])
    assert_type(env.from_collection(["a"]), DataStream[str])


def collection_with_a_type(env: StreamExecutionEnvironment) -> None:
    assert_type(env.from_collection([1, 2], Types.INT()), DataStream[int])
    assert_type(env.from_collection([1, 2], type_info=Types.LONG), DataStream[int])


def collection_of_tuples(env: StreamExecutionEnvironment) -> None:
    assert_type(
        env.from_collection([(1, "a"), (2, "b")], Types.TUPLE(Types.INT(), Types.STRING())),
        DataStream[tuple[int, str]],
    )


def collection_of_a_class(env: StreamExecutionEnvironment) -> None:
    assert_type(env.from_collection([User("a", 1)], Types.of(User)), DataStream[User])


def empty_collection(env: StreamExecutionEnvironment) -> None:
    assert_type(env.from_collection([], Types.STRING()), DataStream[str])


def collection_of_a_generator(env: StreamExecutionEnvironment) -> None:
    assert_type(env.from_collection(n * n for n in range(3)), DataStream[int])


def a_number_is_not_a_collection(env: StreamExecutionEnvironment) -> None:
    env.from_collection(3)  # E: incompatible type "int"; expected "Iterable[


def elements(env: StreamExecutionEnvironment) -> None:
    assert_type(env.from_elements(1, 2, 3), DataStream[int])
    assert_type(env.from_elements("a", type_info=Types.STRING()), DataStream[str])


def sequence(env: StreamExecutionEnvironment) -> None:
    assert_type(env.generate_sequence(1, 10), DataStream[int])


def text_file(env: StreamExecutionEnvironment) -> None:
    assert_type(env.read_text_file("a.txt"), DataStream[str])


def number_source(env: StreamExecutionEnvironment) -> None:
    assert_type(
        env.from_source(NumberSequenceSource(1, 10), WatermarkStrategy.no_watermarks(), "numbers"),
        DataStream[int],
    )


def number_source_with_a_type(env: StreamExecutionEnvironment) -> None:
    assert_type(
        env.from_source(NumberSequenceSource(1, 10), WatermarkStrategy.no_watermarks(), "n", Types.LONG()),
        DataStream[int],
    )


def line_source(env: StreamExecutionEnvironment) -> None:
    source = FileSource.for_record_stream_format(StreamFormat.text_line_format(), "a.txt").build()
    assert_type(env.from_source(source, WatermarkStrategy.no_watermarks(), "lines"), DataStream[str])


def execute(env: StreamExecutionEnvironment) -> None:
    assert_type(env.execute("job"), JobExecutionResult)


def execution_plan(env: StreamExecutionEnvironment) -> None:
    assert_type(env.get_execution_plan(), str)
