"""Outer interval joins: against joins of all rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.common import Row
from pystream.common.typeinfo import Types
from pystream.sql_types.data_types import DataTypes
from pystream.table.evaluation import Evaluation
from pystream.table.streaming.interval_joins import OuterIntervalJoin
from pystream.table.streaming.joins import JoinSide
from pystream.testing import OperatorHarness, ProcessFunctionTestHarnesses

KEY = Types.STRING()
INTERVALS = st.tuples(st.integers(-6, 6), st.integers(0, 6)).map(lambda pair: (pair[0], sum(pair)))


class Arrival(NamedTuple):
    """A row, or a watermark of both inputs.

    Attributes:
        side: the number of the input of a row; ``None`` for a watermark.
        key: the key of the row.
        time: the event time.
    """

    side: int | None
    key: str | None
    time: int


@st.composite
def arrivals(draw: st.DrawFn, *, may_be_late: bool = False) -> list[Arrival]:
    watermark = -1
    result = []
    for _ in range(draw(st.integers(0, 14))):
        side = draw(st.sampled_from([0, 1, None]))
        if side is None:
            watermark += draw(st.integers(1, 5))
            result.append(Arrival(None, None, watermark))
        else:
            least = -2 if may_be_late else watermark + 1
            time = draw(st.integers(least, watermark + 10))
            result.append(Arrival(side, draw(st.sampled_from(["a", "b", None])), time))
    return result


def first(row: Row[Any]) -> str:
    return str(row[0])


def is_odd(row: Sequence[Any]) -> bool | None:
    """Return whether the sum of the numbers of both rows is odd."""
    return None if row[1] == 0 else bool((row[1] + row[3]) % 2)


ODD = Evaluation(is_odd, DataTypes.BOOLEAN())


def harness_of(
    outer: tuple[bool, bool], interval: tuple[int, int], condition: Evaluation | None = None
) -> OperatorHarness[Any, Any, Any]:
    sides = [JoinSide(2, (0,), is_outer) for is_outer in outer]
    function = OuterIntervalJoin(sides[0], sides[1], interval, condition)
    return ProcessFunctionTestHarnesses.for_keyed_co_process_function(function, first, first, KEY)


def process(harness: OperatorHarness[Any, Any, Any], arrivals: Iterable[tuple[int, Arrival]]) -> None:
    """Process arrivals, each with its number, which is the second field of a row."""
    for number, (side, key, time) in arrivals:
        match side:
            case 0:
                harness.process_element1(Row(key, number), time)
            case 1:
                harness.process_element2(Row(key, number), time)
            case _:
                harness.process_watermark(time)


Outer = st.sampled_from([(True, False), (False, True), (True, True)])


@given(arrivals(), Outer, INTERVALS, st.sampled_from([None, ODD]), st.integers(0, 14))
def test_rows_that_are_not_late_are_joined_with_all_in_the_interval(
    given_rows: list[Arrival],
    outer: tuple[bool, bool],
    interval: tuple[int, int],
    condition: Evaluation | None,
    resumed_at: int,
) -> None:
    numbered = list(enumerate(given_rows))
    with harness_of(outer, interval, condition) as harness:
        process(harness, numbered[:resumed_at])
        results, snapshot = harness.extract_output_values(), harness.snapshot()
    with harness_of(outer, interval, condition).initialize_state(snapshot) as resumed:
        process(resumed, numbered[resumed_at:])
        resumed.end_input()
        results += resumed.extract_output_values()
        assert resumed.num_keyed_state_entries() == 0
    assert Counter(map(tuple, results)) == Counter(joined(given_rows, outer, interval, condition))


def joined(
    given_rows: Sequence[Arrival],
    outer: tuple[bool, bool],
    interval: tuple[int, int],
    condition: Evaluation | None,
) -> list[tuple[Any, ...]]:
    lefts, rights = ([(n, row) for n, row in enumerate(given_rows) if row.side == side] for side in (0, 1))
    pairs = [
        (number, other)
        for number, one in lefts
        for other, two in rights
        if one.key == two.key is not None and interval[0] <= two.time - one.time <= interval[1]
        if condition is None or condition((None, number, None, other)) is True
    ]
    keys = [row.key for row in given_rows]
    result: list[tuple[Any, ...]] = [(keys[a], a, keys[b], b) for a, b in pairs]
    if outer[0]:
        found = {a for a, _ in pairs}
        result += [(keys[a], a, None, None) for a, _ in lefts if a not in found]
    if outer[1]:
        found = {b for _, b in pairs}
        result += [(None, None, keys[b], b) for b, _ in rights if b not in found]
    return result


@given(arrivals(may_be_late=True), INTERVALS)
def test_each_row_has_a_result_even_if_it_is_late(
    given_rows: list[Arrival], interval: tuple[int, int]
) -> None:
    with harness_of((True, True), interval) as harness:
        process(harness, enumerate(given_rows))
        harness.end_input()
        results = harness.extract_output_values()
    lone = [row[1] for row in results if row[3] is None] + [row[3] for row in results if row[1] is None]
    joined_rows = {n for row in results if None not in (row[1], row[3]) for n in (row[1], row[3])}
    assert len(lone) == len({*lone})
    assert {*lone} | joined_rows == {n for n, row in enumerate(given_rows) if row.side is not None}
    assert not {*lone} & joined_rows
    assert {*map(tuple, results)} >= {
        row for row in joined(given_rows, (False, False), interval, None) if is_on_time(given_rows, row)
    }


def is_on_time(given_rows: Sequence[Arrival], row: tuple[Any, ...]) -> bool:
    """Return whether no row of a pair is late when it comes."""
    return all(
        not any(before.side is None and before.time >= given_rows[n].time for before in given_rows[:n])
        for n in (row[1], row[3])
    )


@pytest.mark.parametrize(
    ("interval", "watermark", "is_known"),
    [((-2, 4), 13, False), ((-2, 4), 14, True), ((-8, -3), 6, False), ((-8, -3), 7, True)],
)
def test_a_row_is_without_partner_when_the_watermark_says_that_none_can_come(
    interval: tuple[int, int], watermark: int, is_known: bool
) -> None:
    with harness_of((True, False), interval) as harness:
        harness.process_element1(Row("a", 0), 10)
        harness.process_watermark(watermark)
        assert bool(harness.extract_output_values()) == is_known
        assert bool(harness.num_keyed_state_entries()) == (not is_known)


def test_a_row_that_is_too_late_for_a_partner_is_not_kept() -> None:
    with harness_of((True, True), (0, 4)) as harness:
        harness.process_watermark(14)
        harness.process_element1(Row("a", 0), 10)
        harness.process_element2(Row("a", 1), 12)
        assert [tuple(row) for row in harness.extract_output_values()] == [
            ("a", 0, None, None),
            (None, None, "a", 1),
        ]
        assert harness.num_keyed_state_entries() == 0


def test_a_late_row_is_joined_with_one_that_is_kept() -> None:
    with harness_of((True, True), (0, 4)) as harness:
        harness.process_element1(Row("a", 0), 10)
        harness.process_watermark(13)
        harness.process_element2(Row("a", 1), 12)
        harness.end_input()
        assert [tuple(row) for row in harness.extract_output_values()] == [("a", 0, "a", 1)]
