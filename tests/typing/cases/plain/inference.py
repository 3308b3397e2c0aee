"""Mistakes that are caught without the plugin, in words that name no type, or where the result is used."""

from pystream.common import Types
from pystream.datastream import (
    AggregateFunction,
    ConnectedStreams,
    KeyedCoProcessFunction,
    WindowedStream,
    WindowFunction,
)
from pystream.datastream.connected_streams import NoKey
from pystream.datastream.state import AggregatingStateDescriptor
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
    # E: expected "CoProcessFunction[str, int, Never] | KeyedCoProcessFunction[object,
    keyed.process(function)
