"""Functions of OVER of bounded rows, against plain Python for each row by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.sql_types.data_types import DataTypes
from pystream.table.algebra.aggregates import AggregateCall
from pystream.table.algebra.over import Frame, Lag, OverCall, RankCall
from pystream.table.algebra.sorts import SortField
from pystream.table.streaming.partitions import OverFunction, Partition

ASCENDING, DESCENDING = SortField(0, False, True), SortField(0, True, False)
SUM = AggregateCall("SUM", (1,), False, DataTypes.BIGINT())
ALL = Frame(is_of_rows=False, start=None, end=None)

Rows = list[tuple[Any, ...]]

NUMBERED = st.lists(st.tuples(st.integers(0, 9), st.none() | st.integers(-3, 3)), max_size=12)
OFFSETS = st.none() | st.integers(-3, 3)
ORDERS = st.sampled_from([ASCENDING, DESCENDING])


def values_over(partition: Partition, call: OverCall) -> list[Any]:
    return OverFunction(call).values(partition)


def sums(rows: Sequence[tuple[Any, ...]], is_in: Callable[[int, int], bool]) -> list[int | None]:
    """Return the sums of the values of those rows that are in the frame of each one."""
    frames = [[n for n in range(len(rows)) if is_in(current, n)] for current in range(len(rows))]
    values = [[rows[n][1] for n in frame if rows[n][1] is not None] for frame in frames]
    return [sum(frame) if frame else None for frame in values]


@given(NUMBERED, ORDERS, OFFSETS, OFFSETS)
def test_rows(rows: Rows, order: SortField, start: int | None, end: int | None) -> None:
    partition = Partition(rows, [order])
    assert partition.rows == sorted(rows, key=lambda row: row[0] * (-1 if order.is_descending else 1))
    found = values_over(partition, OverCall(SUM, Frame(is_of_rows=True, start=start, end=end)))
    assert found == sums(
        partition.rows,
        lambda current, n: (start is None or n >= current + start) and (end is None or n <= current + end),
    )


@given(NUMBERED, ORDERS, OFFSETS, OFFSETS)
def test_ranges(rows: Rows, order: SortField, start: int | None, end: int | None) -> None:
    partition = Partition(rows, [order])
    sign = -1 if order.is_descending else 1

    def is_in(current: int, n: int) -> bool:
        distance = sign * (partition.rows[n][0] - partition.rows[current][0])
        return (start is None or distance >= start) and (end is None or distance <= end)

    found = values_over(partition, OverCall(SUM, Frame(is_of_rows=False, start=start, end=end)))
    assert found == sums(partition.rows, is_in)


def test_ranges_of_nulls_are_the_nulls() -> None:
    partition = Partition([(None, 1), (5, 2), (None, 3), (6, 4)], [ASCENDING])
    frame = Frame(is_of_rows=False, start=-1, end=1)
    assert values_over(partition, OverCall(SUM, frame)) == [4, 4, 6, 6]


def test_ranges_of_times() -> None:
    start = datetime(2024, 1, 1)
    rows = [(start + timedelta(seconds=second), second) for second in (0, 4, 5, 11)]
    frame = Frame(is_of_rows=False, start=-timedelta(seconds=5))
    assert values_over(Partition(rows, [ASCENDING]), OverCall(SUM, frame)) == [0, 4, 9, 11]


@given(st.lists(st.tuples(st.integers(0, 4)), max_size=12), ORDERS)
def test_ranks(rows: Rows, order: SortField) -> None:
    partition = Partition(rows, [order])
    places = [row[0] * (-1 if order.is_descending else 1) for row in partition.rows]
    expected: dict[str, list[Any]] = {
        "ROW_NUMBER": list(range(1, len(rows) + 1)),
        "RANK": [1 + sum(other < place for other in places) for place in places],
        "DENSE_RANK": [1 + len({other for other in places if other < place}) for place in places],
        "CUME_DIST": [sum(other <= place for other in places) / len(rows) for place in places],
        "PERCENT_RANK": [
            sum(other < place for other in places) / (len(rows) - 1) if len(rows) > 1 else 0.0
            for place in places
        ],
    }
    for name, values in expected.items():
        assert values_over(partition, OverCall(RankCall(name), ALL)) == values


@pytest.mark.parametrize(
    ("count", "buckets", "expected"),
    [(7, 3, [1, 1, 1, 2, 2, 3, 3]), (2, 3, [1, 2]), (4, 2, [1, 1, 2, 2]), (0, 3, [])],
)
def test_ntile_has_the_larger_buckets_first(count: int, buckets: int, expected: list[int]) -> None:
    partition = Partition([(number,) for number in range(count)], [ASCENDING])
    assert values_over(partition, OverCall(RankCall("NTILE", buckets), ALL)) == expected


@given(st.lists(st.tuples(st.integers(), st.just("x")), max_size=6), st.integers(-3, 3))
def test_neighbours(rows: Rows, offset: int) -> None:
    partition = Partition(rows, [])
    assert partition.rows == rows
    expected = [
        rows[n - offset][0] if 0 <= n - offset < len(rows) else default for n, (_, default) in enumerate(rows)
    ]
    assert values_over(partition, OverCall(Lag(0, offset, 1), ALL)) == expected


def test_rows_that_are_equal_in_the_order_share_a_frame_of_range() -> None:
    partition = Partition([(1, 1), (1, 2), (2, 3)], [ASCENDING])
    assert values_over(partition, OverCall(SUM, Frame(is_of_rows=False, start=None))) == [3, 3, 6]
    assert values_over(partition, OverCall(SUM, Frame(is_of_rows=True, start=None))) == [1, 3, 6]
