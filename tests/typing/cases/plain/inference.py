"""Mistakes that are caught without the plugin, without the names of types or only where a result is used."""

from pystream.common import ConfigOptions, Configuration, Time, Types, WatermarkStrategy
from pystream.datastream import (
    AggregateFunction,
    AsyncDataStream,
    AsyncFunction,
    ConnectedStreams,
    DataStream,
    KeyedCoProcessFunction,
    Source,
    StreamExecutionEnvironment,
    WindowedStream,
    WindowFunction,
)
from pystream.datastream.state import AggregatingStateDescriptor
from pystream.datastream.streams.connected_streams import NoKey
from pystream.datastream.window import TimeWindow


def window_function_of_another_fold(
    windows: WindowedStream[str, str, TimeWindow],
    fold: AggregateFunction[str, int, float],
    function: WindowFunction[str, int, str, TimeWindow],
) -> None:
    windows.aggregate(fold, function)  # E: Cannot infer value of type parameter


def accumulator_of_another_type(fold: AggregateFunction[str, int, float]) -> None:
    AggregatingStateDescriptor("a", fold, Types.STRING())  # E: Cannot infer value of type parameter


def fold_contradicts_its_type(
    windows: WindowedStream[str, str, TimeWindow], fold: AggregateFunction[str, int, float]
) -> None:
    windows.aggregate(fold, output_type=Types.STRING())  # E: Cannot infer value of type parameter


def keyed_process_contradicts_its_type(
    connected: ConnectedStreams[str, int, str], function: KeyedCoProcessFunction[str, str, int, float]
) -> None:
    connected.process(function, Types.STRING())  # E: Cannot infer value of type parameter


def unequal_keys_fail_at_the_function(
    connected: ConnectedStreams[str, int, NoKey], function: KeyedCoProcessFunction[str, str, int, float]
) -> None:
    keyed = connected.key_by(lambda text: text, lambda number: number)
    # E: expected "CoProcessFunction[str, int, Any] | KeyedCoProcessFunction[object,
    keyed.process(function)


def source_contradicts_its_type(env: StreamExecutionEnvironment, source: Source[int]) -> None:
    # E: Cannot infer value of type parameter "T" of "from_source"
    env.from_source(source, WatermarkStrategy.no_watermarks(), "numbers", Types.STRING())


def watermarks_of_another_source(
    env: StreamExecutionEnvironment, source: Source[int], watermarks: WatermarkStrategy[str]
) -> None:
    # E: Cannot infer value of type parameter "T" of "from_source"
    env.from_source(source, watermarks, "numbers")


def option_of_another_type(configuration: Configuration) -> None:
    retries = ConfigOptions.key("retries").int_type().default_value(3)
    configuration.set(retries, "4")  # E: Cannot infer value of type parameter "T" of "set" of "Configuration"


def asynchronous_of_another_element(numbers: DataStream[int], ask: AsyncFunction[str, int]) -> None:
    # E: Cannot infer value of type parameter "T" of "unordered_wait"
    AsyncDataStream.unordered_wait(numbers, ask, Time.seconds(1))
