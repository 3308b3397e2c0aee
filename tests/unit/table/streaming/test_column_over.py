"""Ranks and functions of OVER by columns are those by rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pystream.engine.vectorised.columns import ColumnValues, layout_of
from pystream.sql_types.data_types import DataTypes
from pystream.table.algebra.aggregates import AggregateCall
from pystream.table.algebra.over import Frame, Lag, OverCall, RankCall
from pystream.table.algebra.ranks import RankRange
from pystream.table.algebra.sorts import SortField
from pystream.table.streaming.column_over import ColumnsOver
from pystream.table.streaming.column_top_n import FirstOfGroups
from pystream.table.streaming.partitions import OverFunction, Partition
from pystream.table.streaming.row_order import RowOrder
from typeinfo.row import Row
from typeinfo.types import Types

_INPUT = [Types.LONG(), Types.INT(), Types.DOUBLE(), Types.STRING(), Types.BOOLEAN()]
_FLOATS = [0.0, -0.0, 1.5, -2.25, 1e300, float("inf"), float("nan"), 0.1]

ROWS = st.lists(
    st.tuples(
        st.none() | st.integers(0, 2),
        st.none() | st.integers(0, 3) | st.sampled_from([2**31 - 1, -(2**31)]),
        st.none() | st.sampled_from(_FLOATS),
        st.none() | st.sampled_from(["", "a", "b", "é"]),
        st.none() | st.booleans(),
    ),
    max_size=12,
)
FIELDS = st.builds(SortField, st.sampled_from([1, 2, 3]), st.booleans(), st.booleans())
ORDERS = st.lists(FIELDS, max_size=2, unique_by=lambda field: field.position).map(tuple)
KEYS = st.sampled_from([(), (0,), (0, 4)])
BOUNDS = st.none() | st.integers(-2, 2)
OF_ROWS = st.builds(Frame, st.just(True), BOUNDS, BOUNDS)
OF_PEERS = st.builds(Frame, st.just(False), st.sampled_from([None, 0]), st.sampled_from([None, 0]))
FRAMES = OF_ROWS | OF_PEERS
FROM_START = FRAMES.map(lambda frame: frame._replace(start=None))

_CONDITION = st.sampled_from([None, 4])


def _aggregates(
    function: str, argument: int | None, result: Any, frames: st.SearchStrategy[Frame]
) -> st.SearchStrategy[OverCall]:
    arguments = () if argument is None else (argument,)
    calls = _CONDITION.map(lambda condition: AggregateCall(function, arguments, False, result, condition))
    return st.tuples(calls, frames).map(lambda pair: OverCall(*pair))


def _ranked(function: str, buckets: int = 0) -> OverCall:
    return OverCall(RankCall(function, buckets), Frame(True, None))


_NUMBER = DataTypes.BIGINT()
_CALLS = {
    "ranks": (
        st.sampled_from(["ROW_NUMBER", "RANK", "DENSE_RANK"]).map(_ranked)
        | st.integers(1, 4).map(lambda buckets: _ranked("NTILE", buckets)),
        Types.LONG(),
    ),
    "shares": (st.sampled_from(["PERCENT_RANK", "CUME_DIST"]).map(_ranked), Types.DOUBLE()),
    "lags": (
        st.tuples(st.integers(-2, 2), st.sampled_from([None, 3])).map(
            lambda one: OverCall(Lag(3, *one), Frame(True, None))
        ),
        Types.STRING(),
    ),
    "counts": (
        _aggregates("COUNT", None, _NUMBER, FRAMES) | _aggregates("COUNT", 2, _NUMBER, FRAMES),
        Types.LONG(),
    ),
    "integers": (
        _aggregates("SUM", 1, DataTypes.INT(), FRAMES)
        | _aggregates("AVG", 1, DataTypes.INT(), FRAMES)
        | _aggregates("MAX", 1, DataTypes.INT(), FROM_START)
        | _aggregates("MIN", 1, DataTypes.INT(), FROM_START)
        | _aggregates("LAST_VALUE", 1, DataTypes.INT(), FRAMES),
        Types.INT(),
    ),
    "floats": (
        _aggregates("SUM", 2, DataTypes.DOUBLE(), FROM_START)
        | _aggregates("AVG", 2, DataTypes.DOUBLE(), FROM_START)
        | _aggregates("FIRST_VALUE", 2, DataTypes.DOUBLE(), FRAMES),
        Types.DOUBLE(),
    ),
    "texts": (
        _aggregates("MAX", 3, DataTypes.STRING(), FROM_START)
        | _aggregates("MIN", 3, DataTypes.STRING(), FROM_START)
        | _aggregates("FIRST_VALUE", 3, DataTypes.STRING(), FRAMES),
        Types.STRING(),
    ),
}


def _columns(rows: Sequence[tuple[Any, ...]]) -> ColumnValues:
    return ColumnValues(layout_of(Types.ROW(_INPUT)), values=[Row(*row) for row in rows])


def _partitions(rows: Sequence[tuple[Any, ...]], keys: Sequence[int]) -> Iterator[list[tuple[Any, ...]]]:
    groups: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
    for row in rows:
        groups.setdefault(tuple(row[key] for key in keys), []).append(row)
    yield from groups.values()


@pytest.mark.parametrize("kind", _CALLS)
@settings(max_examples=60)
@given(data=st.data(), rows=ROWS, keys=KEYS, order=ORDERS)
def test_functions_of_over(
    kind: str,
    data: st.DataObject,
    rows: list[tuple[Any, ...]],
    keys: tuple[int, ...],
    order: tuple[SortField, ...],
) -> None:
    calls, result = _CALLS[kind]
    call = data.draw(calls)
    columns = ColumnsOver(keys, order, [call])
    for part in (rows[:4], rows[4:]):
        if part:
            columns.add(_columns(part).columns)
    layout = layout_of(Types.ROW([*_INPUT, result]))
    found = [tuple(row) for values in columns.results(layout) for row in values]
    expected = []
    for group in _partitions(rows, keys):
        partition = Partition(group, order)
        values = OverFunction(call).values(partition)
        expected += [(*row, value) for row, value in zip(partition.rows, values, strict=True)]
    assert repr(found) == repr(expected)


@settings(max_examples=100)
@given(
    rows=ROWS,
    keys=KEYS,
    order=ORDERS,
    ranks=st.builds(RankRange, st.integers(1, 2), st.integers(2, 3), st.booleans()),
    latest_first=st.booleans(),
    most=st.sampled_from([1, 100]),
)
def test_rows_of_some_ranks(
    rows: list[tuple[Any, ...]],
    keys: tuple[int, ...],
    order: tuple[SortField, ...],
    ranks: RankRange,
    latest_first: bool,
    most: int,
) -> None:
    columns = FirstOfGroups(keys, order, ranks, latest_first=latest_first)
    columns._most = most
    for row in rows:
        columns.add(_columns([row]).columns, 1)
    number = [Types.LONG()] if ranks.has_number else []
    layout = layout_of(Types.ROW([*_INPUT, *number]))
    found = [tuple(row) for values in columns.results(layout) for row in values]
    expected = []
    for group in _partitions(rows, keys):
        ordered = sorted(reversed(group) if latest_first else group, key=RowOrder(order).key)
        for place, row in enumerate(ordered[ranks.first - 1 : ranks.last], ranks.first):
            expected.append((*row, place) if ranks.has_number else row)
    assert repr(found) == repr(expected)
