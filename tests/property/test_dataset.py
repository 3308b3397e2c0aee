"""Operators of data sets have the results that plain Python has, on random elements."""

from __future__ import annotations

import contextlib
import io
import operator
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pystream.dataset.aggregation import AggregationFunction, Max, Min, Sum
from pystream.dataset.constants import Order
from pystream.dataset.environment import Environment
from pystream.dataset.functions import GroupReduceFunction
from pystream.dataset.sets.data_set import DataSet
from pystream.testing import local_environment

KEYS = st.one_of(
    st.integers(-2, 2),
    st.booleans(),
    st.sampled_from(["", "a", "b"]),
    st.tuples(st.integers(0, 1), st.booleans()),
)
UNLIKE = st.lists(st.tuples(KEYS, KEYS, st.integers(-100, 100)), max_size=12)
ALIKE = st.lists(st.tuples(st.integers(-2, 2), st.sampled_from("ab"), st.integers(-100, 100)), max_size=12)
ROWS = st.one_of(UNLIKE, ALIKE)
PARALLELISM = st.integers(1, 3)
examples = settings(max_examples=25)


@pytest.fixture(scope="module")
def run() -> Callable[..., Counter[str]]:
    """Return the texts of the results of a program, with their numbers."""

    def run(parallelism: int, program: Callable[[Callable[..., DataSet[Any]]], DataSet[Any]]) -> Counter[str]:
        batch = Environment(local_environment())
        batch.set_parallelism(parallelism)
        printed = io.StringIO()
        program(lambda rows: batch.from_elements(*rows)).output()
        with contextlib.redirect_stdout(printed):
            batch.execute()
        return Counter(printed.getvalue().splitlines())

    return run


Run = Callable[..., Counter[str]]


def texts(values: Iterable[Any]) -> Counter[str]:
    return Counter(map(str, values))


def groups(rows: Iterable[Any], key: Callable[[Any], Any]) -> dict[Any, list[Any]]:
    found: dict[Any, list[Any]] = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return found


KEY_FIELDS = st.sampled_from([(0,), (1,), (0, 1), (1, 0)])


@examples
@given(rows=ROWS, parallelism=PARALLELISM)
def test_elementwise(run: Run, rows: list[Any], parallelism: int) -> None:
    def program(elements: Callable[..., DataSet[Any]]) -> DataSet[Any]:
        return (
            elements(rows)
            .filter(lambda row: row[2] > 0)
            .flat_map(lambda row, c: [row[:2]] * (row[2] % 3))
            .map(lambda pair: (pair, 1))
            .rebalance()
        )

    expected = [(row[:2], 1) for row in rows if row[2] > 0 for _ in range(row[2] % 3)]
    assert run(parallelism, program) == texts(expected)


@examples
@given(rows=ROWS, fields=KEY_FIELDS, parallelism=PARALLELISM)
def test_grouped_reductions(run: Run, rows: list[Any], fields: tuple[int, ...], parallelism: int) -> None:
    key = operator.itemgetter(*fields)
    total = lambda a, b: (*a[:2], a[2] + b[2])  # noqa: E731 - as in a program
    by_key = groups(rows, key)

    reduced = run(parallelism, lambda e: e(rows).group_by(*fields).reduce(total).map(lambda row: row[2]))
    assert reduced == texts(sum(row[2] for row in group) for group in by_key.values())
    counted = run(
        parallelism, lambda e: e(rows).group_by(*fields).reduce_group(lambda group, c: [len(list(group))])
    )
    assert counted == texts(map(len, by_key.values()))


class Extremes(GroupReduceFunction[Any, Any]):
    def reduce(self, iterator: Any, collector: Any) -> None:
        values = [row[2] for row in iterator]
        collector.collect(("extremes", min(values), max(values)))

    def combine(self, iterator: Any, collector: Any) -> None:
        rows = sorted(iterator, key=lambda row: row[2])
        collector.collect(rows[0])
        collector.collect(rows[-1])


@examples
@given(rows=ROWS, fields=KEY_FIELDS, parallelism=PARALLELISM)
def test_combining_changes_nothing(
    run: Run, rows: list[Any], fields: tuple[int, ...], parallelism: int
) -> None:
    values = [[row[2] for row in group] for group in groups(rows, operator.itemgetter(*fields)).values()]
    expected = texts(("extremes", min(group), max(group)) for group in values)
    for combinable in (False, True):
        program = lambda e: e(rows).group_by(*fields).reduce_group(Extremes(), combinable)  # noqa: B023, E731
        assert run(parallelism, program) == expected


AGGREGATIONS: dict[type[AggregationFunction], Callable[[list[int]], int]] = {Sum: sum, Min: min, Max: max}


@examples
@given(
    rows=ROWS,
    fields=KEY_FIELDS,
    aggregation=st.sampled_from([Sum, Min, Max]),
    parallelism=PARALLELISM,
)
def test_aggregations(
    run: Run, rows: list[Any], fields: tuple[int, ...], aggregation: Any, parallelism: int
) -> None:
    aggregate = AGGREGATIONS[aggregation]
    by_key = groups(rows, operator.itemgetter(*fields))
    grouped = run(
        parallelism, lambda e: e(rows).group_by(*fields).aggregate(aggregation, 2).map(lambda row: row[2])
    )
    assert grouped == texts(aggregate([row[2] for row in group]) for group in by_key.values())
    numbers = [(row[2], -row[2], 0) for row in rows]
    both = run(parallelism, lambda e: e(numbers).aggregate(aggregation, 0).and_agg(Max, 1))
    assert both == texts(
        [(aggregate([row[0] for row in numbers]), max(row[1] for row in numbers), 0)] if rows else []
    )


@examples
@given(rows=ROWS, parallelism=PARALLELISM)
def test_reductions_of_all_elements(run: Run, rows: list[Any], parallelism: int) -> None:
    numbers = [row[2] for row in rows]
    total = run(parallelism, lambda e: e(numbers).reduce(operator.add))
    assert total == texts([reduce(operator.add, numbers)] if numbers else [])
    count = run(parallelism, lambda e: e(rows).reduce_group(lambda all_rows, c: [len(list(all_rows))]))
    assert count == texts([len(rows)] if rows else [])


@examples
@given(
    left=ROWS,
    right=ROWS,
    fields=st.sampled_from([((0,), (1,)), ((1,), (1,)), ((0, 1), (1, 0))]),
    parallelism=PARALLELISM,
)
def test_joins_and_co_groups(
    run: Run, left: list[Any], right: list[Any], fields: tuple[Any, Any], parallelism: int
) -> None:
    first, second = (operator.itemgetter(*positions) for positions in fields)
    joined = run(parallelism, lambda e: e(left).join(e(right)).where(*fields[0]).equal_to(*fields[1]))
    assert joined == texts((a, b) for a in left for b in right if first(a) == second(b))

    sizes = run(
        parallelism,
        lambda e: (
            e(left)
            .co_group(e(right))
            .where(*fields[0])
            .equal_to(*fields[1])
            .using(lambda a, b, c: [(len(list(a)), len(list(b)))])
        ),
    )
    lefts, rights = groups(left, first), groups(right, second)
    assert sizes == texts((len(lefts.get(key, [])), len(rights.get(key, []))) for key in {**lefts, **rights})


@examples
@given(left=ROWS, right=ROWS, parallelism=PARALLELISM, holds_second=st.booleans())
def test_crosses_and_unions(
    run: Run, left: list[Any], right: list[Any], parallelism: int, holds_second: bool
) -> None:
    method = "cross" if holds_second else "cross_with_huge"
    crossed = run(parallelism, lambda e: getattr(e(left), method)(e(right)))
    assert crossed == texts((a, b) for a in left for b in right)
    assert run(parallelism, lambda e: e(left).union(e(right))) == texts(left + right)


@examples
@given(rows=ROWS, parallelism=PARALLELISM)
def test_indexes_and_distinct_elements(run: Run, rows: list[Any], parallelism: int) -> None:
    indexed = run(
        parallelism, lambda e: e(rows).rebalance().map(lambda row: row).zip_with_index().map(lambda p: p[0])
    )
    assert indexed == texts(range(len(rows)))
    values = run(parallelism, lambda e: e(rows).zip_with_index().map(lambda pair: pair[1]))
    assert values == texts(rows)
    count = run(parallelism, lambda e: e(rows).distinct().map(lambda _: 1))
    assert count.total() == len(set(rows))
    assert run(parallelism, lambda e: e(rows).distinct(0).map(lambda _: 1)).total() == len(
        {r[0] for r in rows}
    )


@examples
@given(
    rows=ALIKE,
    parallelism=PARALLELISM,
    n=st.integers(1, 3),
    order=st.sampled_from([Order.ASCENDING, Order.DESCENDING]),
)
def test_sorted_groups(run: Run, rows: list[Any], parallelism: int, n: int, order: Order) -> None:
    program = lambda e: e(rows).group_by(1).sort_group(2, order).sort_group(0).first(n)  # noqa: E731
    expected = []
    for group in groups(rows, operator.itemgetter(1)).values():
        sign = -1 if order is Order.DESCENDING else 1
        expected += sorted(group, key=lambda row: (sign * row[2], row[0]))[:n]
    assert run(parallelism, program) == texts(expected)


@examples
@given(rows=ROWS, parallelism=PARALLELISM)
def test_partitions(run: Run, rows: list[Any], parallelism: int) -> None:
    def program(elements: Callable[..., DataSet[Any]]) -> DataSet[Any]:
        return elements(rows).rebalance().map_partition(lambda values, c: [len(list(values))])

    sizes = run(parallelism, program)
    assert sizes.total() == parallelism
    assert sum(int(size) * number for size, number in sizes.items()) == len(rows)
