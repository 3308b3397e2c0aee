"""Programs that only pyright refuses: literal types of lambdas, and elements of unknown type."""

from collections.abc import Iterator
from typing import assert_type

from pystream.common import Duration, Types, WatermarkStrategy
from pystream.datastream import DataStream


def pair(word: str) -> tuple[str, int]:
    return word, 1


def pairs(line: str) -> Iterator[tuple[str, int]]:
    for word in line.split():
        yield word, 1


SECOND = Duration.of_seconds(1)


def strategy_of_a_lambda(events: DataStream[tuple[str, int]]) -> None:
    strategy = WatermarkStrategy.for_monotonous_timestamps()
    # E: the event is an object, because the type of elements of the strategy is unknown
    by_number = strategy.with_timestamp_assigner(lambda event, _: event[1]).with_idleness(SECOND)
    events.assign_timestamps_and_watermarks(by_number)


def without_a_type(words: DataStream[str]) -> None:
    counts = words.map(lambda word: (word, 1)).key_by(lambda pair: pair[0])
    counts.reduce(lambda a, b: (a[0], a[1] + b[1]))  # E: "int" is not Literal[1]


def list_of_types(words: DataStream[str]) -> None:
    counts = words.map(lambda word: (word, 1), Types.TUPLE([Types.STRING(), Types.INT()]))
    counts.key_by(lambda pair: pair[0]).reduce(lambda a, b: (a[0], a[1] + b[1]))


def tuple_of_types(words: DataStream[str]) -> None:
    counts = words.map(lambda word: (word, 1), Types.TUPLE((Types.STRING(), Types.INT())))
    assert_type(counts, DataStream[tuple[str, int]])
    counts.key_by(lambda pair: pair[0]).reduce(lambda a, b: (a[0], a[1] + b[1]))


def annotated_function(words: DataStream[str]) -> None:
    counts = words.map(pair, Types.TUPLE([Types.STRING(), Types.INT()]))
    counts.key_by(lambda pair: pair[0]).reduce(lambda a, b: (a[0], a[1] + b[1]))
    words.flat_map(pairs).key_by(lambda pair: pair[0]).reduce(lambda a, b: (a[0], a[1] + b[1]))
