"""Windows of columns are those that assigners of windows give to single rows."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pystream.engine.vectorised.columns import ColumnValues, layout_of
from pystream.sql_types.data_types import DataTypes
from pystream.table.algebra.aggregates import AggregateCall
from pystream.table.streaming.column_aggregation import ByColumn
from pystream.table.streaming.column_aggregators import column_aggregator
from pystream.table.streaming.column_windows import WindowGroups, windows_of
from pystream.table.streaming.window_operators import _aligned
from pystream.table.window_call import WindowCall
from typeinfo.instant import Instant
from typeinfo.row import Row
from typeinfo.types import Types

_EPOCH = datetime(1970, 1, 1)
_NO_CONTEXT: Any = None
_MILLISECOND = timedelta(milliseconds=1)
_TIMES = st.integers(-30, 30)


def _calls() -> st.SearchStrategy[WindowCall]:
    lengths, offset = st.integers(1, 6), st.lists(st.integers(-7, 7), max_size=1).map(tuple)
    tumble = st.tuples(lengths, offset).map(lambda one: ("TUMBLE", (one[0], *one[1])))
    hop = st.tuples(lengths, lengths, offset).map(lambda one: ("HOP", (*one[:2], *one[2])))
    cumulate = st.tuples(lengths, st.integers(1, 4), offset).map(
        lambda one: ("CUMULATE", (one[0], one[0] * one[1], *one[2]))
    )
    return (tumble | hop | cumulate).map(lambda one: WindowCall(one[0], "ts", (), one[1]))


@given(_calls(), st.lists(_TIMES, max_size=6))
def test_windows_of_rows(call: WindowCall, times: list[int]) -> None:
    rows, starts, ends = windows_of(call, np.array(times, np.int64))
    assigner = _aligned(call)
    expected = [
        (number, window.start, window.end)
        for number, time in enumerate(times)
        for window in sorted(assigner.assign_windows("", time, _NO_CONTEXT), key=lambda window: window.end)
    ]
    assert list(zip(rows.tolist(), starts.tolist(), ends.tolist(), strict=True)) == expected


def _sessions(times: list[int], gap: int) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for time in sorted(times):
        if found and time <= found[-1][1]:
            found[-1] = found[-1][0], time + gap
        else:
            found.append((time, time + gap))
    return found


@given(
    calls=_calls() | st.integers(1, 6).map(lambda gap: WindowCall("SESSION", "ts", (), (gap,))),
    rows=st.lists(st.tuples(st.none() | st.integers(0, 1), _TIMES, st.integers(-5, 5)), max_size=10),
    zone=st.sampled_from([None, 0, 3_600_000]),
)
def test_aggregates_of_windows(calls: WindowCall, rows: list[tuple[Any, int, int]], zone: int | None) -> None:
    time = Types.SQL_TIMESTAMP() if zone is None else Types.INSTANT
    types = [Types.LONG(), time, Types.LONG()]
    function = column_aggregator("SUM", DataTypes.BIGINT(), Types.LONG(), is_distinct=False)
    assert function is not None
    total = ByColumn(AggregateCall("SUM", (4,), False, DataTypes.BIGINT()), function)
    groups = WindowGroups(1, 1, calls, zone or 0, types, [total])
    for part in (rows[:3], rows[3:]):
        values = [Row(key, _instant(at, zone), number) for key, at, number in part]
        groups.add(ColumnValues(layout_of(Types.ROW(types)), values=values).columns, len(part))
    bound = Types.SQL_TIMESTAMP()
    result = layout_of(Types.ROW([Types.LONG(), Types.LONG(), bound, bound, time]))
    found = sorted(map(repr, (tuple(row) for part in groups.results(result) for row in part)))
    assert found == sorted(map(repr, _expected(calls, rows, zone)))


def _instant(at: int, zone: int | None) -> Any:
    return _EPOCH + at * _MILLISECOND if zone is None else Instant.of_epoch_milli(at)


def _expected(call: WindowCall, rows: list[tuple[Any, int, int]], zone: int | None) -> list[tuple[Any, ...]]:
    offset = zone or 0
    totals: dict[tuple[Any, int, int], int] = {}
    for key, at, number in rows:
        local = at + offset
        if call.function == "SESSION":
            every = _sessions([other + offset for same, other, _ in rows if same == key], call.lengths[0])
            bounds = [(start, end) for start, end in every if start <= local < end]
        else:
            windows = _aligned(call).assign_windows("", local, _NO_CONTEXT)
            bounds = [(window.start, window.end) for window in windows]
        for start, end in bounds:
            totals[key, start, end] = totals.get((key, start, end), 0) + number
    return [
        (
            key,
            total,
            _EPOCH + start * _MILLISECOND,
            _EPOCH + end * _MILLISECOND,
            _instant(end - 1 - offset, zone),
        )
        for (key, start, end), total in totals.items()
    ]
