"""Values accepted as rows and tuples: also tuples and lists, in collections and as results of functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar, assert_type

from pystream.common import Types
from pystream.datastream import (
    DataStream,
    FlatMapFunction,
    KeyedProcessFunction,
    KeyedStream,
    MapFunction,
    ProcessFunction,
    StreamExecutionEnvironment,
)
from typeinfo import Row, TypeInformation

Pair = Row[tuple[int, str]]
PAIR = Types.ROW((Types.INT(), Types.STRING()))
PAIRS = Types.LIST(PAIR)
COUNT = Types.TUPLE((Types.STRING(), Types.INT()))
U = TypeVar("U")
V = TypeVar("V")


class Order(NamedTuple):
    id: int
    user: str


@dataclass
class User:
    id: int
    name: str


class Swap(MapFunction[Pair, tuple[int, str]]):
    def map(self, value: Pair) -> tuple[int, str]:
        return value[0], value[1]


class Split(FlatMapFunction[str, tuple[int, str]]):
    def flat_map(self, value: str) -> Iterator[tuple[int, str]]:
        yield len(value), value


class Both(ProcessFunction[str, "tuple[int, str] | list[Any]"]):
    def process_element(
        self, value: str, ctx: ProcessFunction.Context
    ) -> Iterator[tuple[int, str] | list[Any]]:
        yield len(value), value
        yield [len(value), value]


class Count(KeyedProcessFunction[str, str, "tuple[str, int]"]):
    def process_element(self, value: str, ctx: KeyedProcessFunction.Context) -> Iterable[tuple[str, int]]:
        return [(value, 1)]


def collections_of_rows(env: StreamExecutionEnvironment) -> None:
    assert_type(env.from_collection([(1, "a"), (2, "b")], PAIR), DataStream[Pair])
    assert_type(env.from_collection([(1, "a"), [2, "b"], Row(3, "c")], type_info=PAIR), DataStream[Pair])
    assert_type(env.from_collection([(1, None)], PAIR), DataStream[Pair])
    assert_type(env.from_collection({(1, "a")}, PAIR), DataStream[Pair])
    assert_type(env.from_collection([Order(1, "a")], PAIR), DataStream[Pair])
    assert_type(env.from_elements((1, "a"), (2, "b"), type_info=PAIR), DataStream[Pair])
    assert_type(env.from_collection([[(1, "a")], [[2, "b"]]], PAIRS), DataStream[list[Pair]])


def collections_of_tuples(env: StreamExecutionEnvironment) -> None:
    assert_type(env.from_collection([["a", 1]], COUNT), DataStream[tuple[str, int]])
    assert_type(env.from_collection([Row("a", 1), ("b", 2)], COUNT), DataStream[tuple[str, int]])


def lists_of_types(env: StreamExecutionEnvironment) -> None:
    rows = env.from_collection([(1, "a")], type_info=Types.ROW([Types.INT(), Types.STRING()]))
    rows.map(lambda row: row[1])
    env.from_collection([["a", 1]], Types.TUPLE([Types.STRING(), Types.INT()]))
    env.from_collection(
        [(1, "a"), {"id": 2, "name": "b"}], Types.ROW_NAMED(["id", "name"], [Types.INT(), Types.STRING()])
    )


def variables(env: StreamExecutionEnvironment, some: list[tuple[int, str]], more: Iterator[Order]) -> None:
    assert_type(env.from_collection(some, PAIR), DataStream[Pair])
    assert_type(env.from_collection(more, PAIR), DataStream[Pair])
    assert_type(env.from_collection(((n, name) for n, name in some), PAIR), DataStream[Pair])


def collections_that_do_not_fit(env: StreamExecutionEnvironment, some: list[tuple[str, int]]) -> None:
    env.from_collection([("a", 1)], PAIR)  # E: List item 0 has incompatible type "tuple[str, int]"
    env.from_collection([(1, "a", 2)], PAIR)  # E: List item 0 has incompatible type "tuple[int, str, int]"
    env.from_collection([{1, 2}], PAIR)  # E: List item 0 has incompatible type "set[int]"
    env.from_collection(["ab"], PAIR)  # E: List item 0 has incompatible type "str"
    env.from_collection([("a", None)], COUNT)  # E: List item 0 has incompatible type "tuple[str, None]"
    env.from_collection([None], PAIR)  # E: List item 0 has incompatible type "None"
    env.from_collection(some, PAIR)  # E: "list[tuple[str, int]]"; expected "Iterable[
    env.from_collection([(1, "a")], Types.of(User))  # E: "tuple[int, str]"; expected "User"


def results(lines: DataStream[str]) -> None:
    assert_type(lines.map(lambda line: (len(line), line), PAIR), DataStream[Pair])
    assert_type(lines.map(lambda line: [len(line), line], output_type=PAIR), DataStream[Pair])
    assert_type(lines.map(lambda line: [line, len(line)], COUNT), DataStream[tuple[str, int]])
    assert_type(lines.flat_map(lambda line: [(len(line), line)], PAIR), DataStream[Pair])
    assert_type(lines.flat_map(Split(), PAIR), DataStream[Pair])
    assert_type(lines.process(Both(), PAIR), DataStream[Pair])
    assert_type(lines.key_by(lambda line: line).process(Count(), COUNT), DataStream[tuple[str, int]])
    assert_type(lines.map(lambda line: [(1, line)], PAIRS), DataStream[list[Pair]])
    assert_type(lines.map(lambda line: (1, line), PAIR).map(Swap(), PAIR), DataStream[Pair])
    assert_type(lines.map(lambda line: (1, line), PAIR).map(lambda pair: pair[1]), DataStream[str])
    assert_type(lines.key_by(lambda line: (1, line), PAIR), KeyedStream[str, Pair])


def results_that_do_not_fit(lines: DataStream[str]) -> None:
    lines.map(lambda line: (line, line), PAIR)  # E: "Callable[[str], tuple[str, str]]"
    lines.map(lambda line: {line}, PAIR)  # E: "Callable[[str], set[str]]"
    lines.flat_map(lambda line: (len(line), line), PAIR)  # E: "Callable[[str], tuple[int, str]]"
    lines.flat_map(Split(), COUNT)  # E: "Split"; expected "Callable[[str], Iterable[
    lines.map(len, PAIR)  # E: "Callable[[Sized], int]"; expected "Callable[[str],


def type_of_a_row(type_info: TypeInformation[Pair]) -> None: ...


def type_infos_as_arguments_and_variables() -> None:
    type_of_a_row(PAIR)
    type_of_a_row(COUNT)  # E: Argument 1 to "type_of_a_row"
    plain: TypeInformation[tuple[str, int]] = COUNT
    several: list[TypeInformation[Any]] = [PAIR, COUNT, plain]
    assert several


def declared_result(numbers: DataStream[int]) -> DataStream[str]:
    return numbers.map(lambda number: number)  # E: Incompatible return value type


def arguments_with_type_variables(
    lines: DataStream[str], func: Callable[[str], U], to: TypeInformation[U] | None
) -> None:
    assert_type(lines.map(func, to), DataStream[U])


def same(value: V) -> V:
    return value


def first(values: Sequence[V]) -> V:
    return values[0]


def generic_functions_that_do_not_fit(numbers: DataStream[int]) -> None:
    numbers.map(first)  # E: "Callable[[Sequence[V]], V]"
    numbers.key_by(first)  # E: "Callable[[Sequence[V]], V]"
    numbers.flat_map(same)  # E: "Callable[[V], V]"


def generic_functions(numbers: DataStream[int], lines: DataStream[str]) -> None:
    assert_type(numbers.map(same), DataStream[int])
    assert_type(numbers.map(same, Types.INT()), DataStream[int])
    assert_type(numbers.key_by(same), KeyedStream[int, int])
    assert_type(lines.map(first), DataStream[str])
    numbers.map(same).map(lambda number: number.nonsense)  # E: "int" has no attribute "nonsense"
