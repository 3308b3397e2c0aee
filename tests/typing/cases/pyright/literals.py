"""What pyright alone refuses: it keeps the literals of a lambda, unless a tuple of types widens them."""

from collections.abc import Iterator
from typing import assert_type

from pystream.common import Types
from pystream.datastream import DataStream


def pair(word: str) -> tuple[str, int]:
    return word, 1


def pairs(line: str) -> Iterator[tuple[str, int]]:
    for word in line.split():
        yield word, 1


def without_a_type(words: DataStream[str]) -> None:
    counts = words.map(lambda word: (word, 1)).key_by(lambda pair: pair[0])
    counts.reduce(lambda a, b: (a[0], a[1] + b[1]))  # E: "int" is no Literal[1]


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
