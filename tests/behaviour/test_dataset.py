"""The DataSet API: operators, functions, keys, broadcast sets, files and settings."""

from __future__ import annotations

import struct
import threading
from ast import literal_eval
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from pystream.dataset.aggregation import Aggregation, Max, Min, Sum
from pystream.dataset.constants import BOOL, DOUBLE, INT, LONG, STRING, Order
from pystream.dataset.environment import Environment, get_environment
from pystream.dataset.functions import (
    CoGroupFunction,
    CrossFunction,
    FilterFunction,
    FlatMapFunction,
    GroupReduceFunction,
    JoinFunction,
    KeySelector,
    MapFunction,
    MapPartitionFunction,
    ReduceFunction,
)
from pystream.dataset.sets.data_set import DataSet
from pystream.engine.connectors.write_mode import WriteMode
from pystream.errors import ConfigurationError, JobExecutionError, PlanError, PlanTypeError, SinkError

Results = Callable[[DataSet[Any]], list[Any]]


@pytest.fixture
def batch(host: str, by_value: None) -> Environment:
    """A new environment of parallelism 2."""
    environment = get_environment()
    environment.set_parallelism(2)
    return environment


@pytest.fixture
def results(batch: Environment, capsys: pytest.CaptureFixture[str]) -> Results:
    """Run the program and return the elements of a data set, which are literals."""

    def results(data_set: DataSet[Any]) -> list[Any]:
        capsys.readouterr()
        data_set.output()
        batch.execute()
        return [literal_eval(line) for line in capsys.readouterr().out.splitlines()]

    return results


# Functions


class Splitter(FlatMapFunction[str, str]):
    def __init__(self, separator: str) -> None:
        self.separator = separator
        self.opened = 0

    def open(self, context: Any) -> None:
        self.opened += 1

    def flat_map(self, value: str, collector: Any) -> Iterable[str]:
        assert self.opened == 1
        collector.collect("<")
        for part in value.split(self.separator):
            collector.collect(part)
            yield part.upper()
        collector.collect(">")


@pytest.mark.promise("beh:dataset.rich-function-init-params")
@pytest.mark.local_only("its operators are those of streams, which run on Spark elsewhere")
def test_a_flat_map_collects_and_yields(batch: Environment, results: Results) -> None:
    assert results(batch.from_elements("a-b").flat_map(Splitter("-")).map(repr)) == [
        *("<", "a", "A", "b", "B", ">")
    ]


@pytest.mark.local_only("its operators are those of streams, which run on Spark elsewhere")
def test_a_flat_map_may_take_a_collector_or_not(batch: Environment, results: Results) -> None:
    numbers = batch.from_elements(2)
    assert results(numbers.flat_map(lambda n: [n] * n)) == [2, 2]
    assert results(numbers.flat_map(lambda n, c: c.collect(n))) == [2]
    assert results(numbers.flat_map(lambda n, c: (c.collect(1), n))) == [1, None, 2]
    assert results(numbers.flat_map(lambda n, c: None)) == []


@pytest.mark.local_only("its operators are those of streams, which run on Spark elsewhere")
def test_a_collected_list_may_be_changed_later(batch: Environment, results: Results) -> None:
    def growing(n: int, collector: Any) -> None:
        values: list[int] = []
        for value in range(n):
            values.append(value)
            collector.collect(values)

    assert results(batch.from_elements(2).flat_map(growing)) == [[0], [0, 1]]


@pytest.mark.local_only("its operators are those of streams, which run on Spark elsewhere")
def test_text_is_no_collection_of_results(batch: Environment, results: Results) -> None:
    with pytest.raises(JobExecutionError, match=r"whose characters would be the results.*return a list"):
        results(batch.from_elements("ab").flat_map(lambda line, c: line))


class Over(FilterFunction[int]):
    def __init__(self, limit: int) -> None:
        self.limit = limit

    def filter(self, value: int) -> bool:
        return value > self.limit


class Tenfold(MapFunction[int, int]):
    def map(self, value: int) -> int:
        return value * 10


@pytest.mark.local_only("its operators are those of streams, which run on Spark elsewhere")
def test_function_objects_of_map_and_filter(batch: Environment, results: Results) -> None:
    assert sorted(results(batch.from_elements(1, 2, 3).filter(Over(1)).map(Tenfold()))) == [20, 30]


@pytest.mark.local_only("its operators are those of streams, which run on Spark elsewhere")
def test_the_annotation_of_a_function_types_its_results(batch: Environment) -> None:
    lengths = batch.from_elements(1).map(Tenfold())
    assert repr(lengths) == "DataSet('Map', Long)"


# Partitions


@pytest.mark.promise("beh:dataset.parallelism-override")
def test_partitions_are_those_of_the_operator(batch: Environment, results: Results) -> None:
    numbers = batch.generate_sequence(1, 90)
    sums = results(numbers.map_partition(lambda values: [sum(values)]).set_parallelism(3))
    assert len(sums) == 3
    assert sum(sums) == 4095
    assert len(results(numbers.map_partition(lambda values: [sum(values)]))) == 2


class Pairs(MapPartitionFunction[int, tuple[int, int]]):
    def map_partition(self, iterator: Any, collector: Any) -> None:
        while iterator.has_next():
            first = iterator.next()
            if iterator.has_next():
                collector.collect((first, next(iterator)))


@pytest.mark.local_only("its operators are those of streams, which run on Spark elsewhere")
def test_a_partition_is_iterated_over_by_next(batch: Environment, results: Results) -> None:
    batch.set_parallelism(1)
    pairs = results(batch.generate_sequence(1, 5_000).map_partition(Pairs()))
    assert pairs == [(n, n + 1) for n in range(1, 5_000, 2)]


@pytest.mark.local_only("its operators are those of streams, which run on Spark elsewhere")
def test_a_partition_need_not_be_read(batch: Environment, results: Results) -> None:
    numbers = batch.generate_sequence(1, 10_000)
    assert results(numbers.map_partition(lambda values: [next(values) * 0])) == [0, 0]
    assert results(numbers.map_partition(lambda values: ["none"]).map(repr)) == ["none", "none"]
    assert results(numbers.filter(lambda n: n < 0).map_partition(lambda values: [len(list(values))])) == [
        0,
        0,
    ]


def test_the_error_of_a_partition_names_the_function(batch: Environment, results: Results) -> None:
    def broken(values: Any) -> Iterable[int]:
        for value in values:
            yield 1 // (value - 4_000)

    with pytest.raises(JobExecutionError, match=r"(?s)MapPartition.*broken at .*ZeroDivisionError"):
        results(batch.generate_sequence(1, 10_000).map_partition(broken))
    assert [thread for thread in threading.enumerate() if thread.name == "partition"] == []


@pytest.mark.local_only("its operators are those of streams, which run on Spark elsewhere")
def test_results_of_a_partition_may_be_changed_later(batch: Environment, results: Results) -> None:
    def growing(values: Any) -> Iterable[list[int]]:
        seen: list[int] = []
        for value in values:
            seen.append(value)
            yield seen

    batch.set_parallelism(1)
    assert results(batch.from_elements(1, 2).map_partition(growing)) == [[1], [1, 2]]


@pytest.mark.promise("beh:dataset.zip-with-index-dense")
def test_indexes_are_dense_and_in_the_order_of_partitions(batch: Environment, results: Results) -> None:
    numbered = results(batch.generate_sequence(0, 5_000).zip_with_index())
    assert [index for index, _ in sorted(numbered)] == list(range(5_001))
    assert sorted(value for _, value in numbered) == list(range(5_001))
    # Both partitions of the sequence are in order.
    drops = [i for i in range(5_000) if sorted(numbered)[i][1] > sorted(numbered)[i + 1][1]]
    assert len(drops) <= 1


def test_indexes_are_dense_after_repartitioning(batch: Environment, results: Results) -> None:
    odd, even = batch.generate_sequence(0, 999).filter(lambda n: n % 2), batch.generate_sequence(0, 500)
    shuffled = odd.union(even).map(lambda n: (n, n)).rebalance()
    indexes = sorted(index for index, _ in results(shuffled.zip_with_index()))
    assert indexes == list(range(1_001))
    grouped = shuffled.group_by(0).reduce(lambda a, b: a).zip_with_index()
    assert sorted(index for index, _ in results(grouped)) == list(range(751))


@pytest.mark.local_only("its operators are those of streams, which run on Spark elsewhere")
def test_first(batch: Environment, results: Results) -> None:
    numbers = batch.generate_sequence(1, 100)
    assert len(set(results(numbers.first(7)))) == 7
    assert len(results(numbers.first(1_000))) == 100
    words = batch.from_elements(("a", 3), ("a", 1), ("b", 2), ("a", 2))
    assert Counter(word for word, _ in results(words.group_by(0).first(2))) == {"a": 2, "b": 1}
    smallest = words.group_by(0).sort_group(1).first(2)
    assert sorted(results(smallest)) == [("a", 1), ("a", 2), ("b", 2)]


# Reductions


class Add(ReduceFunction[Any]):
    def reduce(self, value1: Any, value2: Any) -> Any:
        return (value1[0], value1[1] + value2[1])


@pytest.mark.promise("beh:dataset.reduce-full-or-grouped", "beh:dataset.virtual-keys")
def test_reductions_of_all_elements_and_of_groups(batch: Environment, results: Results) -> None:
    sales = batch.from_elements(("tea", 1), ("tea", 2), ("milk", 5))
    assert [total for _, total in results(sales.reduce(Add()))] == [8]
    assert sorted(results(sales.group_by(0).reduce(Add()))) == [("milk", 5), ("tea", 3)]
    count = sales.reduce_group(lambda group, c: [sum(1 for _ in group)])
    assert results(count) == [3]
    counts = sales.group_by(0).reduce_group(lambda group, c: [(next(group)[0], 1 + len(list(group)))])
    assert sorted(results(counts)) == [("milk", 1), ("tea", 2)]
    assert [total for _, total in results(sales.sum(1))] == [8]
    assert sorted(results(sales.group_by(0).max(1))) == [("milk", 5), ("tea", 2)]
    by_length = sales.group_by(lambda sale: len(sale[0])).min(1)
    assert sorted(amount for _, amount in results(by_length)) == [1, 5]


@pytest.mark.local_only("its operators are those of streams, which run on Spark elsewhere")
def test_an_empty_data_set_has_no_reduction(batch: Environment, results: Results) -> None:
    none = batch.from_elements(1).filter(lambda n: n > 1)
    assert results(none.reduce(lambda a, b: a)) == []
    assert results(none.reduce_group(lambda group, c: [0])) == []
    assert results(batch.from_elements((1,)).filter(lambda n: n[0] > 1).sum(0)) == []
    assert results(batch.from_elements()) == []


@pytest.mark.local_only("its operators are those of streams, which run on Spark elsewhere")
def test_a_reduction_may_change_the_type(batch: Environment, results: Results) -> None:
    assert results(batch.from_elements(1, 2).reduce(lambda a, b: (a + b) / 2)) == [1.5]


class Average(GroupReduceFunction[Any, Any]):
    def reduce(self, iterator: Any, collector: Any) -> None:
        key, total, count = self.summed(iterator)
        collector.collect((key, total / count))

    def combine(self, iterator: Any, collector: Any) -> None:
        collector.collect(self.summed(iterator))

    def summed(self, iterator: Any) -> tuple[Any, ...]:
        elements = list(iterator)
        return elements[0][0], sum(e[1] for e in elements), sum(e[2] for e in elements)


@pytest.mark.promise("beh:dataset.combinable", "beh:dataset.combine-only-rich")
def test_combine_comes_before_reduce(batch: Environment, results: Results) -> None:
    values = batch.generate_sequence(1, 200_000).map(lambda n: (n % 3, n, 1))
    averages = sorted(results(values.group_by(0).reduce_group(Average(), combinable=True)))
    assert averages == sorted(results(values.group_by(0).reduce_group(Average())))
    assert averages == [(0, 100_000.5), (1, 100_000.0), (2, 100_001.0)]
    of_all = results(values.map(lambda v: (0, v[1], 1)).reduce_group(Average(), combinable=True))
    assert of_all == [(0, 100_000.5)]


def test_elements_with_many_keys_are_combined_in_bounded_memory(batch: Environment, results: Results) -> None:
    keys = batch.generate_sequence(1, 150_000).map(lambda n: (n // 2, n, 1)).set_parallelism(1)
    averages = (
        keys.group_by(0)
        .reduce_group(Average(), combinable=True)
        .reduce_group(lambda group, c: [len({key for key, _ in group})])
    )
    assert results(averages) == [75_001]


@pytest.mark.local_only("its operators are those of streams, which run on Spark elsewhere")
def test_groups_are_sorted(batch: Environment, results: Results) -> None:
    rows = batch.from_elements(("a", 2, "x"), ("a", 1, "y"), ("a", 2, "y"), ("b", 0, "z"))
    grouped = rows.group_by(0).sort_group(1, Order.DESCENDING).sort_group(2)
    listed = results(grouped.reduce_group(lambda group: [[row[1:] for row in group]]))
    assert sorted(listed, key=len) == [[(0, "z")], [(2, "x"), (2, "y"), (1, "y")]]


@pytest.mark.local_only("its operators are those of streams, which run on Spark elsewhere")
def test_aggregations_of_elements_with_and_without_type(batch: Environment, results: Results) -> None:
    typed = batch.from_elements((1, 5, 0.5), (2, 3, 1.5), (1, 9, 2.5))
    for rows in (typed, typed.map(lambda row: row)):
        assert sorted(results(rows.group_by(0).aggregate(Sum, 2).and_agg(Max, 1))) == [
            (1, 9, 3.0),
            (2, 3, 1.5),
        ]
        assert results(rows.min(2).and_agg(Aggregation.Sum, 0).and_agg(Min, 1)) == [(4, 3, 0.5)]


# Keys


@pytest.mark.promise("beh:dataset.nested-tuple-key")
@pytest.mark.local_only("its operators are those of streams, which run on Spark elsewhere")
def test_keys_of_fields(batch: Environment, results: Results) -> None:
    rows = batch.from_elements(((1, "a"), 1, 10), ((1, "a"), 2, 20), ((1, "b"), 1, 30))
    assert sorted(results(rows.group_by(0).sum(2))) == [((1, "a"), 1, 30), ((1, "b"), 1, 30)]
    assert sorted(total for *_, total in results(rows.group_by(1, 0).sum(2))) == [10, 20, 30]


class Parity(KeySelector[int, int]):
    def get_key(self, value: int) -> int:
        return value % 2


def test_keys_by_functions(batch: Environment, results: Results) -> None:
    numbers = batch.generate_sequence(1, 10)
    for key in (Parity(), lambda n: n % 2, lambda n: [n % 2]):
        assert sorted(results(numbers.group_by(key).reduce(lambda a, b: a + b))) == [25, 30]


def test_a_missing_key_field_is_named(batch: Environment, results: Results) -> None:
    with pytest.raises(PlanError, match=r"there is no field 2 in TupleTypeInfo.*use 0 to 1"):
        batch.from_elements((1, 2)).group_by(2)
    with pytest.raises(PlanError, match=r"there is no field 1 in TupleTypeInfo.*use 0 to 0"):
        batch.from_elements((1, 2)).co_group(batch.from_elements((1,))).where(1).equal_to(1)
    with pytest.raises(PlanError, match=r"not tuples; give a key function"):
        batch.from_elements(1).group_by(0)
    with pytest.raises(JobExecutionError, match=r"\(1,\) has no field 1, which is its key"):
        results(batch.from_elements((1, 2), (1,)).group_by(1).reduce(lambda a, b: a))


@pytest.mark.local_only("its operators are those of streams, which run on Spark elsewhere")
def test_distinct(batch: Environment, results: Results) -> None:
    rows = batch.from_elements((1, "a"), (1, "b"), (1, "a"), (2, "a"))
    assert sorted(results(rows.distinct())) == [(1, "a"), (1, "b"), (2, "a")]
    assert sorted(results(rows.map(lambda row: row).distinct())) == [(1, "a"), (1, "b"), (2, "a")]
    assert sorted(key for key, _ in results(rows.distinct(0))) == [1, 2]
    assert sorted(results(batch.from_elements(1, 1.0, 2).distinct())) == [1, 2]


# Two data sets


class Sentence(JoinFunction[Any, Any, str]):
    def join(self, value1: Any, value2: Any) -> str:
        return repr(f"{value1[1]} {value2[0]}")


def test_joins(batch: Environment, results: Results) -> None:
    one = batch.from_elements((1, "a"), (2, "b"), (3, "c"))
    two = batch.from_elements(("x", 1.0), ("y", 2.0), ("z", 1.0))
    assert sorted(results(one.join(two).where(0).equal_to(1).using(Sentence()))) == ["a x", "a z", "b y"]
    keys = one.join(two).where(lambda row: row[1]).equal_to(lambda row: {"x": "a"}.get(row[0], "-"))
    assert results(keys.using(lambda a, b: (a, b[0]))) == [((1, "a"), "x")]
    both = one.join_with_tiny(one).where(0, 1).equal_to(0, 1)
    assert sorted(results(both)) == [((n, c), (n, c)) for n, c in ((1, "a"), (2, "b"), (3, "c"))]


class Sizes(CoGroupFunction[Any, Any, Any]):
    def co_group(self, iterator1: Any, iterator2: Any, collector: Any) -> None:
        factor = self.context.get_broadcast_variable("factor")[0]
        collector.collect((factor * len(list(iterator1)), factor * len(list(iterator2))))


def test_co_groups_with_a_broadcast_set(batch: Environment, results: Results) -> None:
    one, two = batch.from_elements((1, "a"), (1, "b"), (2, "c")), batch.from_elements(("x", 1), ("y", 3))
    sizes = one.co_group(two).where(0).equal_to(1).using(Sizes())
    assert sorted(results(sizes.with_broadcast_set("factor", batch.from_elements(10)))) == [
        *((0, 10), (10, 0), (20, 10))
    ]
    lists = one.co_group(two).where(0).equal_to(1).using(lambda a, b: [(len(list(a)), len(list(b)))])
    assert sorted(results(lists)) == [(0, 1), (1, 0), (2, 1)]


class Product(CrossFunction[int, int, int]):
    def cross(self, value1: int, value2: int) -> int:
        return value1 * 10 + value2 + self.context.get_broadcast_variable("plus")[0]


@pytest.mark.local_only("its operators are those of streams, which run on Spark elsewhere")
def test_crosses(batch: Environment, results: Results) -> None:
    one, two = batch.from_elements(1, 2), batch.from_elements(3, 4, 5)
    pairs = [(a, b) for a in (1, 2) for b in (3, 4, 5)]
    assert sorted(results(one.cross_with_tiny(two))) == pairs
    assert sorted(results(one.cross_with_huge(two))) == pairs
    plus = batch.from_elements(100)
    product = one.cross(two).using(Product()).with_broadcast_set("plus", plus)
    assert sorted(results(product)) == [113, 114, 115, 123, 124, 125]


def test_unions_of_elements_of_several_types(batch: Environment, results: Results) -> None:
    union = (
        batch.from_elements(1).union(batch.from_elements((1, "a"))).union(batch.from_elements("b").map(repr))
    )
    assert sorted(map(repr, results(union))) == ["'b'", "(1, 'a')", "1"]


# Broadcast sets


class Scaled(MapFunction[int, int]):
    def open(self, context: Any) -> None:
        (self.factor,) = self.context.get_broadcast_variable("factor")

    def map(self, value: int) -> int:
        return value * self.factor


def test_every_function_may_read_broadcast_sets(batch: Environment, results: Results) -> None:
    factor, numbers = batch.from_elements(10), batch.generate_sequence(1, 4)
    scaled = numbers.map(Scaled()).with_broadcast_set("factor", factor)
    assert sorted(results(scaled)) == [10, 20, 30, 40]

    class Limited(GroupReduceFunction[int, int]):
        def reduce(self, iterator: Any, collector: Any) -> None:
            limits = self.context.get_broadcast_variable("limits")
            collector.collect(min(max(iterator), *limits))

    grouped = numbers.group_by(lambda n: n % 2).reduce_group(Limited(), combinable=True)
    assert sorted(results(grouped.with_broadcast_set("limits", batch.from_elements(3, 9)))) == [3, 3]

    class Offset(MapPartitionFunction[int, int]):
        def map_partition(self, iterator: Any, collector: Any) -> None:
            offset = sum(self.context.get_broadcast_variable("offsets"))
            for value in iterator:
                collector.collect(value + offset)

    # The guide names the arguments in this order.
    offset = numbers.map_partition(Offset()).with_broadcast_set(numbers, "offsets")
    assert sorted(results(offset)) == [11, 12, 13, 14]


def test_several_broadcast_sets_and_settings(batch: Environment, results: Results) -> None:
    class Named(FlatMapFunction[int, Any]):
        def flat_map(self, value: int, collector: Any) -> None:
            one, two = (self.context.get_broadcast_variable(name) for name in ("one", "two"))
            collector.collect(
                (value, sorted(one), sorted(two), self.context.get_number_of_parallel_subtasks())
            )

    named = batch.from_elements(0).flat_map(Named()).name("Both").set_parallelism(3)
    named = named.with_broadcast_set("one", batch.from_elements(1, 2))
    named = named.with_broadcast_set("two", batch.from_elements("a"))
    assert repr(named) == "DataSet('Both', PickledByteArrayTypeInfo)"
    assert results(named) == [(0, [1, 2], ["a"], 3)]


def test_an_unknown_broadcast_set_is_an_error(batch: Environment, results: Results) -> None:
    other = batch.from_elements(1).map(Scaled()).with_broadcast_set("other", batch.from_elements(1))
    with pytest.raises(JobExecutionError, match=r"no broadcast set 'factor'; the operator has 'other'"):
        results(other)
    with pytest.raises(JobExecutionError, match=r"the operator has none"):
        results(batch.from_elements(1).map(Scaled()))


# Types


class Account:
    def __init__(self, number: int) -> None:
        self.number = number
        self.lock = threading.Lock()  # cannot be pickled


class AccountSerializer:
    def serialize(self, value: Account) -> bytes:
        return struct.pack(">i", value.number)


class AccountDeserializer:
    def _deserialize(self, read: Callable[[int], bytes]) -> Account:
        return Account(struct.unpack(">i", read(4))[0])


def test_objects_of_a_custom_type_go_through_all_operators(batch: Environment, results: Results) -> None:
    batch.register_custom_type(Account, AccountSerializer(), AccountDeserializer())
    accounts = batch.generate_sequence(1, 6).map(Account)
    grouped = accounts.group_by(lambda account: account.number % 2).reduce(
        lambda a, b: Account(a.number + b.number)
    )
    pairs = grouped.union(batch.from_elements(Account(7))).rebalance().zip_with_index()
    assert sorted(results(pairs.map(lambda pair: pair[1].number))) == [7, 9, 12]
    joined = accounts.join(grouped).where(lambda a: a.number).equal_to(lambda a: a.number - 3)
    assert results(joined.using(lambda a, b: (a.number, b.number))) == [(6, 9)]
    assert len(results(accounts.first(2).map(lambda account: account.number))) == 2
    one, two = batch.from_elements(Account(1), Account(2)), batch.from_elements(Account(2))
    numbers = one.group_by(lambda a: a.number).reduce_group(lambda group, c: [next(group)])
    assert sorted(results(numbers.distinct(lambda a: a.number).map(lambda a: a.number))) == [1, 2]
    assert sorted(results(one.cross(two).using(lambda a, b: a.number * b.number))) == [2, 4]
    matched = (
        one.join(two).where(lambda a: a.number).equal_to(lambda a: a.number).using(lambda a, b: a.number)
    )
    assert results(matched.with_broadcast_set("accounts", one)) == [2]


@pytest.mark.promise("beh:dataset.types-primitive")
def test_elements_of_simple_types_and_tuples(batch: Environment, results: Results) -> None:
    wide = tuple(range(25))
    for element in (
        7,
        2**70,
        0.5,
        True,
        "text",
        "\udcff",
        b"bytes",
        None,
        [1],
        (1, ("a", (2.5, False))),
        wide,
    ):
        assert results(batch.from_elements(element, element).map(repr).map(repr)) == [repr(element)] * 2


# Files


def lines_in(directory: Path) -> list[str]:
    files = [path for path in sorted(directory.iterdir()) if path.name.startswith("part-")]
    return sorted(line for path in files for line in path.read_text().splitlines())


@pytest.mark.promise("beh:dataset.write-csv-str-fields")
def test_csv_files_are_written_and_read(batch: Environment, results: Results, tmp_path: Path) -> None:
    rows = batch.from_elements((1, "a b", 2.5, True), (-2, "", 1e300, False))
    rows.write_csv(str(tmp_path / "out"), line_delimiter="|\n|", field_delimiter=";;")
    batch.execute()
    read = batch.read_csv(str(tmp_path / "out"), (LONG, STRING, DOUBLE, BOOL), "|\n|", ";;")
    assert sorted(results(read)) == [(-2, "", 1e300, False), (1, "a b", 2.5, True)]
    assert sorted(results(batch.read_csv(str(tmp_path / "out"), (INT,), "|\n|", ";;"))) == [(-2,), (1,)]


@pytest.mark.parametrize(
    ("record", "reason"),
    [("1", "has 1 fields, not 2"), ("x,1", "invalid literal for int"), ("1,maybe", "neither true nor false")],
)
def test_a_csv_record_that_cannot_be_read_is_named(
    batch: Environment, results: Results, tmp_path: Path, record: str, reason: str
) -> None:
    (tmp_path / "in.csv").write_text(f"{record}\n")
    with pytest.raises(JobExecutionError, match=reason) as failure:
        results(batch.read_csv(str(tmp_path / "in.csv"), (INT, BOOL)))
    assert repr(record) in str(failure.value)


def test_a_field_beyond_its_type_is_refused(batch: Environment, results: Results, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(f"{2**40}\n")
    with pytest.raises(JobExecutionError, match="INT"):
        results(batch.read_csv(str(tmp_path / "in.csv"), (INT,)))


def test_only_tuples_are_written_as_csv(batch: Environment, tmp_path: Path) -> None:
    batch.from_elements("a").write_csv(str(tmp_path / "out"))
    with pytest.raises(JobExecutionError, match="write_csv takes tuples, not 'a'"):
        batch.execute()


def test_overwriting_replaces_all_files(batch: Environment, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_text("a file")
    for words in (("a", "b", "c"), ("d",)):
        batch.from_elements(*words).write_text(out.as_uri(), WriteMode.OVERWRITE)
        batch.execute()
        assert lines_in(out) == sorted(words)


def test_a_directory_with_more_than_text_output_is_not_overwritten(
    batch: Environment, tmp_path: Path
) -> None:
    precious = tmp_path / "home" / "letters" / "one.txt"
    precious.parent.mkdir(parents=True)
    precious.touch()
    batch.from_elements("a").write_text(str(tmp_path / "home"), WriteMode.OVERWRITE)
    with pytest.raises(SinkError, match="has a directory 'letters', which no job that writes text has made"):
        batch.execute()
    assert precious.exists()


def test_a_failed_job_leaves_what_it_would_have_overwritten(batch: Environment, tmp_path: Path) -> None:
    batch.from_elements("a").write_text(str(tmp_path / "out"))
    batch.execute()
    zero = batch.from_elements(0).map(lambda n: 1 // n)
    zero.write_text(str(tmp_path / "out"), write_mode=WriteMode.OVERWRITE)
    with pytest.raises(JobExecutionError):
        batch.execute()
    assert lines_in(tmp_path / "out") == ["a"]


@pytest.mark.promise("beh:dataset.lazy")
def test_an_existing_path_is_refused_before_anything_runs(batch: Environment, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "part-0").write_text("a\n")
    (tmp_path / "empty").mkdir()
    numbers = batch.from_elements(1)
    numbers.write_text(str(tmp_path / "empty"))
    numbers.write_text(str(tmp_path / "full"), WriteMode=WriteMode.NO_OVERWRITE)
    assert list((tmp_path / "empty").iterdir()) == []
    with pytest.raises(SinkError, match=r"full exists: remove it, or pass WriteMode.OVERWRITE"):
        batch.execute()
    assert list((tmp_path / "empty").iterdir()) == []
    assert lines_in(tmp_path / "full") == ["a"]


def test_the_parallelism_of_a_sink_is_its_number_of_files(batch: Environment, tmp_path: Path) -> None:
    batch.generate_sequence(1, 100).write_text(str(tmp_path / "out")).name("one").set_parallelism(1)
    batch.execute()
    assert len(list((tmp_path / "out").glob("part-*"))) == 1
    assert lines_in(tmp_path / "out") == sorted(map(str, range(1, 101)))


def test_output_to_standard_error(batch: Environment, capsys: pytest.CaptureFixture[str]) -> None:
    batch.from_elements((1, "a")).output(to_error=True)
    batch.from_elements(2).output()
    batch.execute(local=True)
    printed = capsys.readouterr()
    assert "(1, 'a')\n" in printed.err
    assert printed.out == "2\n"


@pytest.mark.local_only("its operators are those of streams, which run on Spark elsewhere")
def test_debugging_prints_the_plan(batch: Environment, capsys: pytest.CaptureFixture[str]) -> None:
    batch.from_elements(1).map(Tenfold()).output()
    batch.execute(debug=True)
    assert "Map (Tenfold at" in capsys.readouterr().err


# Mistakes


@pytest.mark.local_only("its operators are those of streams, which run on Spark elsewhere")
def test_mistakes_are_found_when_the_program_is_built(batch: Environment) -> None:
    numbers = batch.from_elements((1, 2))
    other = get_environment().from_elements((1, 2))
    with pytest.raises(
        PlanTypeError, match=r"takes an instance of Tenfold, not the class: write Tenfold\(\)"
    ):
        numbers.map(Tenfold)
    with pytest.raises(PlanTypeError, match="filter takes a function or a FilterFunction"):
        numbers.filter(Tenfold())  # type: ignore[arg-type]
    with pytest.raises(PlanError, match="group_by needs a key"):
        numbers.group_by()
    with pytest.raises(PlanTypeError, match="aggregate takes a class"):
        numbers.aggregate("sum", 0)  # type: ignore[arg-type]
    with pytest.raises(PlanError, match="belong to different environments"):
        numbers.union(other)
    with pytest.raises(PlanError, match="has no function that could read 'b'"):
        numbers.union(numbers).with_broadcast_set("b", numbers)
    with pytest.raises(PlanError, match="set the parallelism of the operator before"):
        numbers.zip_with_index().set_parallelism(3)
    with pytest.raises(ConfigurationError, match="runs with parallelism 1 only"):
        numbers.first(1).set_parallelism(3)
    with pytest.raises(PlanTypeError, match="read_csv takes a TypeInformation such as"):
        batch.read_csv("x", ("INT",))  # type: ignore[arg-type]
    with pytest.raises(PlanTypeError, match="has no method _deserialize"):
        batch.register_custom_type(Account, AccountSerializer(), AccountSerializer())  # type: ignore[arg-type]
    with pytest.raises(PlanError, match="nothing to run"):
        batch.execute()
