"""Interval joins: pairs, their timestamps, late elements and the elements that are kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.datastream import OutputTag, ProcessJoinFunction
from pystream.engine.events import MAX_WATERMARK
from pystream.engine.failure import TaskFailure
from pystream.engine.operators.interval_join import INTERVAL_JOIN, IntervalJoinPlan
from tests.unit.engine.driving import Driver
from typeinfo import Types

LEFT_LATE: OutputTag[Any] = OutputTag("left", Types.PICKLED_BYTE_ARRAY)
RIGHT_LATE: OutputTag[Any] = OutputTag("right", Types.PICKLED_BYTE_ARRAY)


class Pairs(ProcessJoinFunction[Any, Any, Any]):
    def process_element(self, left: Any, right: Any, ctx: ProcessJoinFunction.Context) -> Iterator[Any]:
        assert ctx.get_timestamp() == max(ctx.get_left_timestamp(), ctx.get_right_timestamp())
        yield left[1], right[1], ctx.get_left_timestamp(), ctx.get_right_timestamp()


class Tagging(ProcessJoinFunction[Any, Any, Any]):
    def process_element(self, left: Any, right: Any, ctx: ProcessJoinFunction.Context) -> Any:
        return [(LEFT_LATE, "pair")]


class Fails(ProcessJoinFunction[Any, Any, Any]):
    def process_element(self, left: Any, right: Any, ctx: ProcessJoinFunction.Context) -> Any:
        raise ValueError("no pair")


def driver(lower: int, upper: int, function: Any = None, tags: Any = (None, None), **rest: Any) -> Driver:
    plan = IntervalJoinPlan(function or Pairs(), lower, upper, tags)
    keys = [lambda value: value[0]] * 2
    return Driver(INTERVAL_JOIN, plan, keys=keys, **rest)


def remembered(d: Driver) -> int:
    tables = d.content().tables
    return sum(len(values) for table in tables.values() for b in table.values() for values in b.values())


def test_pairs_have_equal_keys_and_times_within_the_bounds() -> None:
    with driver(-2, 1) as d:
        d.feed([("k", "l"), ("x", "other")], 0, [10, 10])
        d.feed([("k", time) for time in range(6, 14)], 1, list(range(6, 14)))
    assert d.results == [("l", time, 10, time) for time in (8, 9, 10, 11)]
    assert d.times == [10, 10, 10, 11]


def test_it_does_not_matter_which_element_comes_first() -> None:
    with driver(-2, 1) as d:
        d.feed([("k", time) for time in range(13, 5, -1)], 1, list(range(13, 5, -1)))
        d.feed([("k", "l")], 0, [10])
    assert d.results == [("l", time, 10, time) for time in (8, 9, 10, 11)]


def test_equal_elements_at_one_time_pair_each_with_each() -> None:
    with driver(0, 0) as d:
        d.feed([("k", 1), ("k", 1)], 0, [5, 5])
        d.feed([("k", 2), ("k", 2)], 1, [5, 5])
    assert d.results == [(1, 2, 5, 5)] * 4


@pytest.mark.parametrize(
    ("lower", "upper", "left_kept_until", "right_kept_until"),
    [(-5, 3, 103, 105), (2, 3, 103, 100), (-5, -2, 100, 105), (0, 0, 100, 100)],
)
def test_an_element_is_kept_as_long_as_others_may_come(
    lower: int, upper: int, left_kept_until: int, right_kept_until: int
) -> None:
    for side, until in ((0, left_kept_until), (1, right_kept_until)):
        with driver(lower, upper) as d:
            d.feed([("k", 1)], side, [100])
            d.advance(until - 1)
            assert remembered(d) == 1
            d.advance(until)
            assert d.content().tables == {"left-buffer": {}, "right-buffer": {}}


def test_elements_of_both_sides_may_end_at_one_time() -> None:
    with driver(-5, 3) as d:
        d.feed([("k", 1), ("k", 2)], 0, [102, 103])
        d.feed([("k", 3), ("k", 4)], 1, [100, 101])
        d.advance(105)
        assert remembered(d) == 2
        d.advance(106)
        assert remembered(d) == 0


def test_late_elements_are_dropped_or_go_to_side_outputs() -> None:
    with driver(-9, 9) as dropping, driver(-9, 9, tags=(LEFT_LATE, RIGHT_LATE)) as d:
        for one in (dropping, d):
            one.advance(10)
            one.feed([("k", 1), ("k", 2)], 0, [9, 10])
            one.feed([("k", 3), ("k", 4)], 1, [9, 10])
            assert one.results == [(2, 4, 10, 10)]
    assert dropping.sides == {}
    assert d.sides == {"left": [("k", 1)], "right": [("k", 3)]}


def test_results_may_be_tagged() -> None:
    with driver(0, 0, Tagging()) as d:
        d.feed([("k", 1)], 0, [1])
        d.feed([("k", 1)], 1, [1])
    assert (d.results, d.sides) == ([], {"left": ["pair"]})


def test_an_element_without_a_time_fails() -> None:
    with driver(0, 0) as d, pytest.raises(TaskFailure, match=r"MissingTimestampError.*assign_timestamps"):
        d.feed([("k", 1)], 0)


def test_a_failure_names_operator_element_and_key() -> None:
    with driver(0, 0, Fails()) as d:
        d.feed([("k", 1)], 0, [1])
        with pytest.raises(TaskFailure, match=r"'Interval Join'(.|\n)*element: \('k', 2\)\n  key: 'k'"):
            d.feed([("k", 2)], 1, [1])


def test_times_at_the_end_of_all_time_are_no_error() -> None:
    with driver(-5, 5) as d:
        d.feed([("k", 1)], 0, [MAX_WATERMARK])
        d.feed([("k", 2)], 1, [MAX_WATERMARK - 5])
        d.advance(MAX_WATERMARK)
    assert d.results == [(1, 2, MAX_WATERMARK, MAX_WATERMARK - 5)]


def test_elements_survive_a_restart() -> None:
    with driver(-5, 5) as d:
        d.feed([("k", 1)], 0, [10])
        snapshot = d.snapshot()
    with driver(-5, 5, snapshot=snapshot) as d:
        d.feed([("k", 2)], 1, [15])
        d.advance(20)
        assert remembered(d) == 0
    assert d.results == [(1, 2, 10, 15)]


ELEMENTS = st.lists(st.tuples(st.integers(0, 1), st.sampled_from("ab"), st.integers(-20, 20)), max_size=25)


@given(ELEMENTS, st.integers(-8, 8), st.integers(0, 8), st.booleans())
def test_pairs_are_those_of_a_nested_loop(
    elements: list[tuple[int, str, int]], lower: int, width: int, batch: bool
) -> None:
    upper = lower + width
    with driver(lower, upper, batch=batch) as d:
        for number, (side, key, time) in enumerate(elements):
            d.feed([(key, number)], side, [time])
        d.end_group()
        d.advance(MAX_WATERMARK)
    expected = [
        (i, j, left_time, right_time)
        for i, (left, left_key, left_time) in enumerate(elements)
        for j, (right, right_key, right_time) in enumerate(elements)
        if (left, right) == (0, 1) and left_key == right_key and lower <= right_time - left_time <= upper
    ]
    assert sorted(d.results) == sorted(expected)


@given(ELEMENTS, st.integers(-8, 8), st.integers(0, 8))
def test_watermarks_lose_no_pair_of_elements_in_time(
    elements: list[tuple[int, str, int]], lower: int, width: int
) -> None:
    in_order = sorted(elements, key=lambda element: element[2])
    results = []
    for watermarks in (False, True):
        with driver(lower, lower + width) as d:
            for number, (side, key, time) in enumerate(in_order):
                if watermarks:
                    d.advance(time - 1)
                d.feed([(key, number)], side, [time])
            d.advance(MAX_WATERMARK)
            assert remembered(d) == 0
        results.append(d.results)
    assert results[0] == results[1]
