"""Element types along a pipeline."""

# ruff: noqa: F841 - a variable's annotation is the expectation

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_type

from pystream.datastream import (
    DataStream,
    FilterFunction,
    FlatMapFunction,
    MapFunction,
    ProcessFunction,
    RuntimeContext,
)
from pystream.datastream.data_stream import CachedDataStream
from typeinfo import TypeInformation, Types


@dataclass
class User:
    name: str
    age: int


class Length(MapFunction[str, int]):
    def open(self, runtime_context: RuntimeContext) -> None: ...

    def map(self, value: str) -> int:
        return len(value)


class Words(FlatMapFunction[str, str]):
    def flat_map(self, value: str) -> Iterable[str]:
        yield from value.split()


class Long(FilterFunction[str]):
    def filter(self, value: str) -> bool:
        return len(value) > 3


class Characters(ProcessFunction[str, tuple[str, int]]):
    def process_element(self, value: str, ctx: ProcessFunction.Context) -> Iterator[tuple[str, int]]:
        for character in value:
            yield character, ctx.timestamp() or 0


def length(value: str) -> int:
    return len(value)


def words(value: str) -> Iterator[str]:
    yield from value.split()


def cache(lines: DataStream[str]) -> None:
    cached = lines.cache()
    assert_type(cached, CachedDataStream[str])
    assert_type(cached.map(length), DataStream[int])
    assert_type(cached.invalidate(), None)


def invalidate_a_stream_that_is_not_cached(lines: DataStream[str]) -> None:
    lines.invalidate()  # E: "DataStream[str]" has no attribute "invalidate"


def map_by_a_function(lines: DataStream[str]) -> None:
    assert_type(lines.map(length), DataStream[int])


def map_by_a_builtin(lines: DataStream[str]) -> None:
    assert_type(lines.map(len), DataStream[int])
    assert_type(lines.map(str.upper), DataStream[str])


def map_by_a_lambda(lines: DataStream[str]) -> None:
    assert_type(lines.map(lambda line: line.split()), DataStream[list[str]])


def map_by_a_function_object(lines: DataStream[str]) -> None:
    assert_type(lines.map(Length()), DataStream[int])


class Describe(MapFunction[object, str]):
    def map(self, value: object) -> str:
        return repr(value)


def map_by_a_function_of_any_object(numbers: DataStream[int]) -> None:
    assert_type(numbers.map(Describe()), DataStream[str])
    assert_type(numbers.map(repr), DataStream[str])


def map_to_a_wider_type(lines: DataStream[str]) -> None:
    assert_type(lines.map(Length(), Types.of(int | None)), DataStream[int | None])


def map_to_a_class(names: DataStream[str]) -> None:
    assert_type(names.map(lambda name: User(name, 1)), DataStream[User])
    assert_type(names.map(lambda name: User(name, 1), Types.of(User)), DataStream[User])


def map_with_a_type(lines: DataStream[str]) -> None:
    assert_type(lines.map(length, Types.INT()), DataStream[int])
    assert_type(lines.map(length, output_type=Types.LONG), DataStream[int])


def map_a_lambda_with_a_type(lines: DataStream[str]) -> None:
    assert_type(
        lines.map(lambda s: (s, 1), Types.TUPLE(Types.STRING(), Types.INT())), DataStream[tuple[str, int]]
    )


def map_to_pickled(lines: DataStream[str]) -> None:
    lines.map(length, Types.PICKLED_BYTE_ARRAY())


def map_requires_its_element(numbers: DataStream[int]) -> None:
    numbers.map(length)  # E: "Callable[[str], int]"; expected "Callable[[int],
    numbers.map(Length())  # E: "Length"; expected "Callable[[int],


def map_lambda_knows_its_element(numbers: DataStream[int]) -> None:
    numbers.map(lambda n: n.upper())  # E: "int" has no attribute "upper"


def map_contradicts_its_type(lines: DataStream[str]) -> None:
    # E: "Callable[[str], int]"; expected "Callable[[str], str] | MapFunction[str, str]
    lines.map(length, Types.STRING())
    # E: "Length"; expected "Callable[[str], str] | MapFunction[str, str]
    lines.map(Length(), output_type=Types.STRING())


def lambda_contradicts_its_type(lines: DataStream[str]) -> None:
    # E: "Callable[[str], str]"; expected "Callable[[str], int] | MapFunction[str, int]
    lines.map(lambda s: s, Types.INT())


def map_requires_one_parameter(lines: DataStream[str]) -> None:
    def two(a: str, b: str) -> str:
        return a + b

    lines.map(two)  # E: "Callable[[str, str], str]"; expected "Callable[[str],


def map_requires_an_instance(lines: DataStream[str]) -> None:
    # E: "type[Length]"; expected "Callable[[str], int] | MapFunction[str, int]
    lines.map(Length, Types.INT())


def output_type_is_not_a_class(lines: DataStream[str]) -> None:
    # E: matches argument types "Callable[[str], int]", "type[int]"
    lines.map(length, int)


def flat_map_by_a_generator(lines: DataStream[str]) -> None:
    assert_type(lines.flat_map(words), DataStream[str])
    assert_type(lines.flat_map(words, output_type=Types.STRING()), DataStream[str])


def flat_map_by_a_lambda(lines: DataStream[str]) -> None:
    assert_type(lines.flat_map(lambda line: line.split()), DataStream[str])
    assert_type(lines.flat_map(lambda line: range(len(line))), DataStream[int])


def flat_map_by_a_function_object(lines: DataStream[str]) -> None:
    assert_type(lines.flat_map(Words()), DataStream[str])


def flat_map_to_nothing_at_times(lines: DataStream[str]) -> None:
    def halves(value: str) -> list[str] | None:
        return value.split(",") if "," in value else None

    assert_type(lines.flat_map(halves), DataStream[str])
    assert_type(lines.flat_map(lambda s: [s] if s else None, Types.STRING()), DataStream[str])


def flat_map_requires_an_iterable(lines: DataStream[str]) -> None:
    lines.flat_map(length)  # E: "Callable[[str], int]"; expected "Callable[[str], Iterable[


def flat_map_contradicts_its_type(lines: DataStream[str]) -> None:
    # E: "Callable[[str], Iterator[str]]"; expected "Callable[[str], Iterable[int]
    lines.flat_map(words, Types.INT())


def filter_keeps_the_type(lines: DataStream[str]) -> None:
    assert_type(lines.filter(lambda line: line.startswith("a")), DataStream[str])
    assert_type(lines.filter(Long()), DataStream[str])


def filter_by_truth(lines: DataStream[str]) -> None:
    assert_type(lines.filter(len), DataStream[str])


def filter_requires_its_element(numbers: DataStream[int]) -> None:
    numbers.filter(Long())  # E: "Long"; expected "Callable[[int], object] | FilterFunction[int]
    numbers.filter(lambda n: n.startswith("a"))  # E: "int" has no attribute "startswith"


def process(lines: DataStream[str]) -> None:
    assert_type(lines.process(Characters()), DataStream[tuple[str, int]])
    assert_type(
        lines.process(Characters(), Types.TUPLE(Types.STRING(), Types.INT())), DataStream[tuple[str, int]]
    )


def process_requires_a_process_function(lines: DataStream[str]) -> None:
    lines.process(words)  # E: expected "ProcessFunction[str, Any]"


def process_requires_its_element(numbers: DataStream[int]) -> None:
    numbers.process(Characters())  # E: "Characters"; expected "ProcessFunction[int,


def union_of_one_type(a: DataStream[str], b: DataStream[str]) -> None:
    assert_type(a.union(b), DataStream[str])
    assert_type(a.union(a, b), DataStream[str])


def union_of_two_types(a: DataStream[str], b: DataStream[int]) -> None:
    a.union(b)  # E: "DataStream[int]"; expected "DataStream[str]"


def partitioning_keeps_the_type(lines: DataStream[str]) -> None:
    assert_type(lines.rebalance(), DataStream[str])
    assert_type(lines.rescale(), DataStream[str])
    assert_type(lines.shuffle(), DataStream[str])
    assert_type(lines.broadcast(), DataStream[str])
    assert_type(lines.forward(), DataStream[str])


def partition_custom(lines: DataStream[str]) -> None:
    assert_type(lines.partition_custom(lambda key, n: key % n, length), DataStream[str])


def partition_custom_requires_its_key(lines: DataStream[str]) -> None:
    def partition(key: str, n: int) -> int:
        return n

    # E: Cannot infer value of type parameter "K" of "partition_custom"
    lines.partition_custom(partition, length)


def settings_keep_the_type(lines: DataStream[str]) -> None:
    assert_type(lines.name("lines").uid("lines").set_parallelism(2), DataStream[str])
    assert_type(lines.disable_chaining().start_new_chain(), DataStream[str])


def get_type(lines: DataStream[str]) -> None:
    assert_type(lines.get_type(), TypeInformation[str])


def collect(lines: DataStream[str]) -> None:
    with lines.execute_and_collect() as results:
        for line in results:
            assert_type(line, str)


def collect_some(lines: DataStream[str]) -> None:
    assert_type(lines.execute_and_collect(limit=3), list[str])
    assert_type(lines.execute_and_collect("job", 3), list[str])
    assert_type(lines.take(3), list[str])
    assert_type(lines.key_by(len).take(3), list[str])


def long_pipeline(lines: DataStream[str]) -> None:
    assert_type(
        lines.flat_map(words)
        .filter(lambda word: len(word) > 3)
        .map(lambda word: (word, len(word)), Types.TUPLE(Types.STRING(), Types.INT()))
        .filter(lambda pair: pair[1] > 4)
        .map(lambda pair: pair[0], Types.STRING()),
        DataStream[str],
    )


def tuple_fields_are_known(pairs: DataStream[tuple[str, int]]) -> None:
    assert_type(pairs.map(lambda pair: pair[1]), DataStream[int])
    pairs.map(lambda pair: pair[1].upper())  # E: "int" has no attribute "upper"


def streams_differ(lines: DataStream[str]) -> None:
    numbers: DataStream[int] = lines  # E: has type "DataStream[str]", variable has type "DataStream[int]"


def unknown_attributes_are_errors(lines: DataStream[str]) -> None:
    lines.count()  # E: "DataStream[str]" has no attribute "count"
