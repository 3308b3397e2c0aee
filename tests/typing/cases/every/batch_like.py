"""Functions of sequences and sized objects, which are functions of elements, not of batches."""

from collections.abc import Sequence, Sized
from typing import TypeVar, assert_type

from pystream.common import Types
from pystream.datastream import DataStream

V = TypeVar("V")


def first(values: Sequence[V]) -> V:
    return values[0]


def size(values: Sized) -> int:
    return len(values)


def generic_functions(numbers: DataStream[int]) -> None:
    numbers.map(first)  # E: "Callable[[Sequence[V]], V]"; expected "Callable[[int],
    numbers.map(first, Types.INT())  # E: "map" of "DataStream"
    numbers.flat_map(first, Types.INT())  # E: "flat_map" of "DataStream"
    numbers.filter(first)  # E: "filter" of "DataStream"
    numbers.key_by(first, Types.INT())  # E: "key_by" of "DataStream"


def functions_of_sizes(numbers: DataStream[int]) -> None:
    numbers.map(size, Types.INT())  # E: "Callable[[Sized], int]"; expected "Callable[[int], int]
    numbers.filter(size)  # E: "Callable[[Sized], int]"; expected "Callable[[int], object]


def elements_that_have_a_length(lists: DataStream[list[int]]) -> None:
    assert_type(lists.map(first, Types.INT()), DataStream[int])
    assert_type(lists.map(size, Types.INT()), DataStream[int])
    assert_type(lists.filter(first), DataStream[list[int]])
    assert_type(lists.filter(lambda numbers: numbers[0] > 1), DataStream[list[int]])
