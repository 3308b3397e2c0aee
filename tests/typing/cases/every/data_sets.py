"""Data sets: functions fit the elements, and give the type of the results."""

from collections.abc import Iterable
from typing import assert_type

from pystream.dataset import (
    INT,
    CoGroupFunction,
    CoGroupOperator,
    Collector,
    CrossFunction,
    CrossOperator,
    DataSet,
    DataSink,
    Environment,
    FilterFunction,
    FlatMapFunction,
    GroupReduceFunction,
    Iterator,
    JoinFunction,
    JoinOperator,
    KeySelector,
    MapFunction,
    MapPartitionFunction,
    Max,
    ReduceFunction,
    SortedGrouping,
    Sum,
    UnsortedGrouping,
    WriteMode,
)

Pair = tuple[int, str]


class Length(MapFunction[str, int]):
    def map(self, value: str) -> int:
        assert_type(self.context.get_index_of_this_subtask(), int)
        return len(value)


class Words(FlatMapFunction[str, str]):
    def flat_map(self, value: str, collector: Collector[str]) -> None:
        collector.collect(value)
        # E: Argument 1 to "collect" of "Collector" has incompatible type "int"; expected "str"
        collector.collect(1)


class Long(FilterFunction[str]):
    def filter(self, value: str) -> bool:
        return len(value) > 3


class Sums(MapPartitionFunction[int, int]):
    def map_partition(self, iterator: Iterator[int], collector: Collector[int]) -> Iterable[int]:
        assert_type(iterator.next(), int)
        assert_type(iterator.has_next(), bool)
        return [sum(iterator)]


class Total(ReduceFunction[int]):
    def reduce(self, value1: int, value2: int) -> int:
        return value1 + value2


class Count(GroupReduceFunction[Pair, int]):
    def reduce(self, iterator: Iterator[Pair], collector: Collector[int]) -> None:
        collector.collect(len(list(iterator)))


class First(KeySelector[Pair, int]):
    def get_key(self, value: Pair) -> int:
        return value[0]


class Both(JoinFunction[Pair, str, float]):
    def join(self, value1: Pair, value2: str) -> float:
        return 0.5


class Groups(CoGroupFunction[Pair, str, float]):
    def co_group(
        self, iterator1: Iterator[Pair], iterator2: Iterator[str], collector: Collector[float]
    ) -> None:
        collector.collect(0.5)


class Product(CrossFunction[Pair, str, float]):
    def cross(self, value1: Pair, value2: str) -> float:
        return 0.5


def sources(env: Environment, pair: Pair) -> None:
    assert_type(env.from_elements(1, 2), DataSet[int])
    assert_type(env.from_elements(pair, pair), DataSet[Pair])
    assert_type(env.read_text("path"), DataSet[str])
    assert_type(env.generate_sequence(1, 2), DataSet[int])
    env.read_csv("path", (INT, INT))


def elementwise(words: DataSet[str], numbers: DataSet[int]) -> None:
    assert_type(words.map(Length()), DataSet[int])
    assert_type(words.map(lambda word: (len(word), word)), DataSet[Pair])
    assert_type(words.flat_map(Words()), DataSet[str])
    assert_type(words.flat_map(str.split), DataSet[str])
    assert_type(words.filter(Long()), DataSet[str])
    assert_type(words.filter(lambda word: word > "a").name("late").set_parallelism(2), DataSet[str])
    assert_type(numbers.map_partition(Sums()), DataSet[int])
    assert_type(numbers.zip_with_index(), DataSet[tuple[int, int]])
    assert_type(words.union(words).distinct().first(3).rebalance(), DataSet[str])
    # E: incompatible type "DataSet[int]"; expected "DataSet[str]"
    words.union(numbers)
    # E: incompatible type "Length"; expected
    numbers.map(Length())


def reductions(pairs: DataSet[Pair], numbers: DataSet[int]) -> None:
    assert_type(numbers.reduce(Total()), DataSet[int])
    assert_type(numbers.reduce(lambda a, b: a + b), DataSet[int])
    assert_type(pairs.reduce_group(Count(), combinable=True), DataSet[int])
    grouping = pairs.group_by(0)
    assert_type(grouping, UnsortedGrouping[Pair])
    assert_type(pairs.group_by(First()).reduce_group(Count()), DataSet[int])
    assert_type(pairs.group_by(lambda pair: pair[1]).reduce(lambda a, b: a), DataSet[Pair])
    assert_type(grouping.sort_group(1), SortedGrouping[Pair])
    assert_type(grouping.sort_group(1).first(2), DataSet[Pair])
    pairs.aggregate(Sum, 0).and_agg(Max, 1).output()
    # E: "DataSet[tuple[int, str]]" has no attribute "and_agg"
    pairs.and_agg(Max, 1)


def two(pairs: DataSet[Pair], words: DataSet[str]) -> None:
    joined = pairs.join(words).where(0).equal_to(lambda word: len(word))
    assert_type(joined, JoinOperator[Pair, str])
    assert_type(joined.using(Both()), DataSet[float])
    assert_type(joined.using(lambda pair, word: pair[1] + word), DataSet[str])
    groups = pairs.co_group(words).where(First()).equal_to(len)
    assert_type(groups, CoGroupOperator[Pair, str])
    assert_type(groups.using(Groups()), DataSet[float])
    crossed = pairs.cross(words)
    assert_type(crossed, CrossOperator[Pair, str])
    assert_type(crossed.using(Product()), DataSet[float])


def ends(words: DataSet[str], numbers: DataSet[int]) -> None:
    assert_type(words.write_text("path", WriteMode.OVERWRITE), DataSink)
    assert_type(words.write_csv("path", field_delimiter="|").set_parallelism(1), DataSink)
    assert_type(words.map(Length()).with_broadcast_set("numbers", numbers), DataSet[int])
    words.map(Length()).with_broadcast_set(numbers, "numbers")
