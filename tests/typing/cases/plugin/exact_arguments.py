"""Arguments that must agree with a source, stream or option."""

from typing import assert_type

from pystream.common import ConfigOptions, Configuration, Time, Types, WatermarkStrategy
from pystream.datastream import AsyncDataStream, AsyncFunction, DataStream, Source, StreamExecutionEnvironment


def source_contradicts_its_type(env: StreamExecutionEnvironment, source: Source[int]) -> None:
    # E: has incompatible type "Source[int]"; expected "Source[str]"
    env.from_source(source, WatermarkStrategy.no_watermarks(), "numbers", Types.STRING())


def source_of_a_narrower_element(env: StreamExecutionEnvironment, source: Source[int]) -> None:
    declared = Types.of(int | None)
    stream = env.from_source(source, WatermarkStrategy.no_watermarks(), "numbers", declared)
    assert_type(stream, DataStream[int | None])


def watermarks_of_another_source(
    env: StreamExecutionEnvironment, source: Source[int], watermarks: WatermarkStrategy[str]
) -> None:
    # E: has incompatible type "WatermarkStrategy[str]"; expected "WatermarkStrategy[int]"
    env.from_source(source, watermarks, "numbers")


def watermarks_of_any_object(
    env: StreamExecutionEnvironment, source: Source[int], watermarks: WatermarkStrategy[object]
) -> None:
    assert_type(env.from_source(source, watermarks, "numbers"), DataStream[int])


def option_of_another_type(configuration: Configuration) -> None:
    retries = ConfigOptions.key("retries").int_type().default_value(3)
    # E: Argument 2 to "set" of "Configuration" has incompatible type "str"; expected "int"
    configuration.set(retries, "4")


def asynchronous_of_another_element(numbers: DataStream[int], ask: AsyncFunction[str, int]) -> None:
    # E: "AsyncFunction[str, int]"; expected "AsyncFunction[int, int]"
    AsyncDataStream.unordered_wait(numbers, ask, Time.seconds(1))
