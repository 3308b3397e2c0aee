"""Mistakes that mypy without the plugin reports in another place, or twice, regardless of signatures.

It infers the type variables of a call from the expected result, and so reports the function in it. It checks
the result of a lambda as that of any function, and then the lambda as an argument. It names methods after the
class that defines them. ``plugin/reports.py`` has the messages of the plugin.
"""

from pystream.common import Types
from pystream.datastream import DataStream, IterativeStream, KeyedStream, OutputTag, WindowedStream
from pystream.datastream.state import ListState
from pystream.datastream.window import TimeWindow


def lambda_of_another_result(numbers: DataStream[int]) -> None:
    numbers.map(lambda number: number, Types.STRING())  # E: Incompatible return value type
    numbers.map(lambda number: number, Types.STRING())  # E: | BatchFunction[


def lambda_of_too_many_parameters(numbers: DataStream[int]) -> None:
    numbers.map(lambda one, other: one)  # E: Cannot infer type of lambda


def side_output_used_as_another_type(numbers: DataStream[int], texts: OutputTag[str]) -> None:
    # E: incompatible type "OutputTag[str]"; expected "OutputTag[int]"
    side: DataStream[int] = numbers.get_side_output(texts)
    side.print()


def keys_of_two_types(keyed: KeyedStream[int, int], words: DataStream[str]) -> None:
    keyed.connect(words.key_by(len))
    # E: "key_by" of "DataStream" has incompatible type "Callable[[str], str]"; expected "Callable[[str], int]
    keyed.connect(words.key_by(lambda word: word))


def feedback_of_another_type(loop: IterativeStream[int]) -> None:
    # E: Argument 1 to "map" of "DataStream" has incompatible type "type[str]"; expected "Callable[[int], int]
    loop.close_with(loop.map(str))


def names(
    numbers: DataStream[int], windows: WindowedStream[int, int, TimeWindow], state: ListState[int]
) -> None:
    numbers.sink_to(1)  # E: Argument 1 to "sink_to" of "StreamEnds"
    windows.trigger(1)  # E: Argument 1 to "trigger" of "_WindowOperations"
    state.add("1")  # E: Argument 1 to "add" of "AppendingState"
