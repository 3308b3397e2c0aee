"""Generic functions as arguments that may also be batch functions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TypeVar, assert_type

from pystream.common import Types
from pystream.datastream import DataStream

V = TypeVar("V")


def add(one: int, other: int) -> int:
    return one + other


def same(value: V) -> V:
    return value


def first(values: Sequence[V]) -> V:
    return values[0]


def functions_that_do_not_fit(numbers: DataStream[int]) -> None:
    numbers.map(first, Types.INT())  # E: "Callable[[Sequence[V]], V]"; expected "Callable[[int], int]
    numbers.map(same, Types.STRING())  # E: "Callable[[V], V]"; expected "Callable[[int], str]
    numbers.filter(first)  # E: "Callable[[Sequence[V]], V]"; expected "Callable[[int], object]
    numbers.key_by(first, Types.INT())  # E: "Callable[[Sequence[V]], V]"; expected "Callable[[int], int]
    # E: expected "Callable[[int], Iterable[int] | None] | FlatMapFunction[int, int]"
    numbers.flat_map(same, Types.INT())


def partial_applications(numbers: DataStream[int]) -> None:
    assert_type(numbers.map(partial(add, 3)), DataStream[int])
    assert_type(numbers.map(partial(add, 3), Types.INT()), DataStream[int])
    assert_type(numbers.filter(partial(add, 3)), DataStream[int])
