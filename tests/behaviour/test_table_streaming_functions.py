"""The functions of queries over unbounded tables, in streams on both hosts.

The expected results are those that PyFlink 2.3 printed for the query named in each test, in streaming mode.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest

from pystream.common import Duration, Instant, Row, Time, WatermarkStrategy
from pystream.common.typeinfo import Types
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import DataStream, StreamExecutionEnvironment
from pystream.datastream.functions import NullByteKeySelector
from pystream.datastream.window import (
    EventTimeSessionWindows,
    SlidingEventTimeWindows,
    TumblingEventTimeWindows,
)
from pystream.sql_types.data_types import DataTypes
from pystream.table.algebra.aggregates import AggregateCall
from pystream.table.streaming.aggregates import RowAggregation
from pystream.table.streaming.cumulative_windows import CumulativeEventTimeWindows
from pystream.table.streaming.group_aggregation import GroupAggregation
from pystream.table.streaming.interval_joins import JoinedRows
from pystream.table.streaming.joins import JoinSide, RegularJoin
from pystream.table.streaming.window_aggregation import WindowResults

INT, BIGINT, DOUBLE = DataTypes.INT(), DataTypes.BIGINT(), DataTypes.DOUBLE()
KEY = Types.ROW([Types.STRING()])
PAIR = Types.ROW([Types.STRING(), Types.INT()])
BID = Types.ROW([Types.LONG(), Types.STRING(), Types.DOUBLE()])
TIMES = [Types.SQL_TIMESTAMP()] * 3
MINUTE = 60_000
EIGHT = 1_586_937_600_000  # 2020-04-15 08:00

INTS = [Row("a", 1), Row("a", 2), Row("a", -4), Row("a", 1), Row("b", None), Row("a", -2), Row("b", None)]
BIDS = [
    Row(EIGHT + minute * MINUTE, item, price)
    for minute, item, price in [
        (5, "C", 4.0),
        (7, "A", 2.0),
        (9, "D", 5.0),
        (11, "B", 3.0),
        (13, "E", 1.0),
        (17, "F", 6.0),
        (31, "A", None),
    ]
]


class FirstField(TimestampAssigner[Row[Any]]):
    def extract_timestamp(self, value: Row[Any], record_timestamp: int) -> int:
        return int(value[0])


def key_of(row: Row[Any]) -> Row[Any]:
    return Row(row[0])


def item_of(row: Row[Any]) -> Row[Any]:
    return Row(row[1])


def tuple_of_item(row: Row[Any]) -> tuple[str]:
    return (row[1],)


def changes(stream: DataStream[Row[Any]]) -> list[tuple[Any, ...]]:
    with stream.execute_and_collect() as rows:
        return [(str(row.get_row_kind()), *row) for row in rows]


def grouped(env: StreamExecutionEnvironment, *aggregates: AggregateCall) -> list[tuple[Any, ...]]:
    rows = env.from_collection(INTS, PAIR).key_by(key_of, KEY)
    types = [Types.STRING(), *(aggregate.result.type_info for aggregate in aggregates)]
    return changes(rows.process(GroupAggregation([0], aggregates), Types.ROW(types)))


def timed(
    env: StreamExecutionEnvironment, rows: list[Row[Any]], row_type: Any, delay_minutes: int = 0
) -> DataStream[Row[Any]]:
    strategy = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_minutes(delay_minutes))
    return env.from_collection(rows, row_type).assign_timestamps_and_watermarks(
        strategy.with_timestamp_assigner(FirstField())
    )


def windowed(
    env: StreamExecutionEnvironment, assigner: Any, zone: str | None = None
) -> list[tuple[Any, ...]]:
    """Return start, end, time, SUM(price) and COUNT(*) of the windows of the bids."""
    aggregates = [AggregateCall("SUM", (2,), False, DOUBLE), AggregateCall("COUNT", (), False, BIGINT)]
    windows = timed(env, BIDS, BID).key_by(NullByteKeySelector(), Types.INT()).window(assigner)
    times = TIMES if zone is None else [*TIMES[:2], Types.INSTANT()]
    row_type = Types.ROW([Types.DOUBLE(), Types.LONG(), *times])
    results = windows.aggregate(RowAggregation(aggregates), WindowResults(0, zone), output_type=row_type)
    return [(*row[3:], *row[1:3]) for row in changes(results) if row[0] == "+I"]


def minutes(results: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return the results with start and end in minutes after 08:00; the time must be the last ms."""
    eight = datetime(2020, 4, 15, 8)
    shown = []
    for start, end, time, *others in results:
        assert (end - time).total_seconds() == 0.001
        shown.append(((start - eight).total_seconds() / 60, (end - eight).total_seconds() / 60, *others))
    return shown


def test_grouped_aggregates(env: StreamExecutionEnvironment) -> None:
    """SELECT k, COUNT(*), COUNT(v), SUM(v), AVG(v), MIN(v), …, LAST_VALUE(v) … GROUP BY k."""
    functions = ["SUM", "AVG", "MIN", "MAX", "FIRST_VALUE", "LAST_VALUE"]
    counts = [AggregateCall("COUNT", (), False, BIGINT), AggregateCall("COUNT", (1,), False, BIGINT)]
    results = grouped(env, *counts, *(AggregateCall(function, (1,), False, INT) for function in functions))
    states = [
        ("a", 1, 1, 1, 1, 1, 1, 1, 1),
        ("a", 2, 2, 3, 1, 1, 2, 1, 2),
        ("a", 3, 3, -1, 0, -4, 2, 1, -4),
        ("a", 4, 4, 0, 0, -4, 2, 1, 1),
        ("a", 5, 5, -2, 0, -4, 2, 1, -2),
    ]
    expected: list[tuple[Any, ...]] = [("+I", *states[0])]
    for before, after in pairwise(states):
        expected += [("-U", *before), ("+U", *after)]
    assert [row for row in results if row[1] == "a"] == expected
    nulls = (None,) * 6
    assert [row for row in results if row[1] == "b"] == [
        ("+I", "b", 1, 0, *nulls),
        ("-U", "b", 1, 0, *nulls),
        ("+U", "b", 2, 0, *nulls),
    ]


def test_distinct_aggregates(env: StreamExecutionEnvironment) -> None:
    """SELECT k, COUNT(DISTINCT v), AVG(DISTINCT v), MIN(DISTINCT v), SUM(DISTINCT v) … GROUP BY k."""
    distinct = [AggregateCall(function, (1,), True, INT) for function in ("AVG", "MIN", "SUM")]
    results = grouped(env, AggregateCall("COUNT", (1,), True, BIGINT), *distinct)
    assert [row for row in results if row[1] == "a"] == [
        ("+I", "a", 1, 1, 1, 1),
        ("-U", "a", 1, 1, 1, 1),
        ("+U", "a", 2, 1, 1, 3),
        ("-U", "a", 2, 1, 1, 3),
        ("+U", "a", 3, 0, -4, -1),
        ("-U", "a", 3, 0, -4, -1),
        ("+U", "a", 4, 0, -4, -3),
    ]
    assert [row for row in results if row[1] == "b"] == [("+I", "b", 0, None, None, None)]


def test_a_result_that_does_not_change_emits_nothing(env: StreamExecutionEnvironment) -> None:
    """SELECT k, MAX(v) … GROUP BY k."""
    assert Counter(grouped(env, AggregateCall("MAX", (1,), False, INT))) == Counter(
        [("+I", "a", 1), ("-U", "a", 1), ("+U", "a", 2), ("+I", "b", None)]
    )


def test_a_result_with_a_nan_emits_updates(env: StreamExecutionEnvironment) -> None:
    """SELECT MIN(d) …."""
    rows = env.from_collection([Row(d) for d in (float("nan"), 1.0, 1.0)], Types.ROW([Types.DOUBLE()]))
    function = GroupAggregation([], [AggregateCall("MIN", (0,), False, DOUBLE)])
    results = rows.key_by(NullByteKeySelector(), Types.INT()).process(function, Types.ROW([Types.DOUBLE()]))
    assert [kind for kind, _ in changes(results)] == ["+I", "-U", "+U", "-U", "+U"]


def test_distinct_rows(env: StreamExecutionEnvironment) -> None:
    """SELECT DISTINCT k …."""
    assert sorted(grouped(env)) == [("+I", "a"), ("+I", "b")]


def test_null_is_a_key(env: StreamExecutionEnvironment) -> None:
    """SELECT v, COUNT(*) … GROUP BY v."""
    rows = env.from_collection(INTS, PAIR).key_by(lambda row: Row(row[1]), Types.ROW([Types.INT()]))
    function = GroupAggregation([1], [AggregateCall("COUNT", (), False, BIGINT)])
    results = changes(rows.process(function, Types.ROW([Types.INT(), Types.LONG()])))
    assert [row for row in results if row[1] is None] == [("+I", None, 1), ("-U", None, 1), ("+U", None, 2)]


def test_aggregates_without_groups(env: StreamExecutionEnvironment) -> None:
    """SELECT SUM(d), AVG(d), MIN(d), COUNT(DISTINCT d) …."""
    values = ["1.25", "2.00", None, "0.10", "-9.99"]
    rows = [Row(value and Decimal(value)) for value in values]
    decimals = env.from_collection(rows, Types.ROW([Types.BIG_DEC()])).key_by(
        NullByteKeySelector(), Types.INT()
    )
    aggregates = [
        AggregateCall("SUM", (0,), False, DataTypes.DECIMAL(38, 2)),
        AggregateCall("AVG", (0,), False, DataTypes.DECIMAL(38, 6)),
        AggregateCall("MIN", (0,), False, DataTypes.DECIMAL(10, 2)),
        AggregateCall("COUNT", (0,), True, BIGINT),
    ]
    row_type = Types.ROW([Types.BIG_DEC(), Types.BIG_DEC(), Types.BIG_DEC(), Types.LONG()])
    results = changes(decimals.process(GroupAggregation([], aggregates), row_type))
    assert [row for row in results if row[0] != "-U"] == [
        ("+I", Decimal("1.25"), Decimal("1.250000"), Decimal("1.25"), 1),
        ("+U", Decimal("3.25"), Decimal("1.625000"), Decimal("1.25"), 2),
        ("+U", Decimal("3.35"), Decimal("1.116667"), Decimal("0.10"), 3),
        ("+U", Decimal("-6.64"), Decimal("-1.660000"), Decimal("-9.99"), 4),
    ]


def test_tumbling_windows(env: StreamExecutionEnvironment) -> None:
    """… TUMBLE(TABLE bid, DESCRIPTOR(bidtime), INTERVAL '10' MINUTES)."""
    results = windowed(env, TumblingEventTimeWindows.of(Time.minutes(10)))
    assert minutes(results) == [(0, 10, 11.0, 3), (10, 20, 10.0, 3), (30, 40, None, 1)]


def test_hopping_windows(env: StreamExecutionEnvironment) -> None:
    """… HOP(TABLE bid, DESCRIPTOR(bidtime), INTERVAL '5' MINUTES, INTERVAL '10' MINUTES)."""
    results = windowed(env, SlidingEventTimeWindows.of(Time.minutes(10), Time.minutes(5)))
    assert minutes(results) == [
        (0, 10, 11.0, 3),
        (5, 15, 15.0, 5),
        (10, 20, 10.0, 3),
        (15, 25, 6.0, 1),
        (25, 35, None, 1),
        (30, 40, None, 1),
    ]


def test_cumulative_windows(env: StreamExecutionEnvironment) -> None:
    """… CUMULATE(TABLE bid, …, INTERVAL '2' MINUTES, INTERVAL '10' MINUTES, INTERVAL '7' MINUTES)."""
    assigner = CumulativeEventTimeWindows.of(Time.minutes(10), Time.minutes(2), Time.minutes(7))
    assert minutes(windowed(env, assigner)) == [
        (-3, 7, 4.0, 1),
        (7, 9, 2.0, 1),
        (7, 11, 7.0, 2),
        (7, 13, 10.0, 3),
        (7, 15, 11.0, 4),
        (7, 17, 11.0, 4),
        (17, 19, 6.0, 1),
        (17, 21, 6.0, 1),
        (17, 23, 6.0, 1),
        (17, 25, 6.0, 1),
        (17, 27, 6.0, 1),
        (27, 33, None, 1),
        (27, 35, None, 1),
        (27, 37, None, 1),
    ]


def test_sessions(env: StreamExecutionEnvironment) -> None:
    """… SESSION(TABLE bid, DESCRIPTOR(bidtime), INTERVAL '3' MINUTES)."""
    results = windowed(env, EventTimeSessionWindows.with_gap(Time.minutes(3)))
    assert minutes(results) == [(5, 16, 15.0, 5), (17, 20, 6.0, 1), (31, 34, None, 1)]


def test_sessions_that_merge(env: StreamExecutionEnvironment) -> None:
    """SELECT MAX(item), MIN(item), COUNT(*), COUNT(DISTINCT item) … SESSION(…, INTERVAL '5' MINUTES)."""
    rows = [
        Row(EIGHT + minute * MINUTE, item, 0.0)
        for minute, item in [(0, "x1"), (8, "x2"), (4, "x3"), (20, "y1")]
    ]
    text = DataTypes.STRING()
    aggregates = [AggregateCall("MAX", (1,), False, text), AggregateCall("MIN", (1,), False, text)]
    counts = [AggregateCall("COUNT", (), False, BIGINT), AggregateCall("COUNT", (1,), True, BIGINT)]
    sessions = (
        timed(env, rows, BID, delay_minutes=10)
        .key_by(NullByteKeySelector(), Types.INT())
        .window(EventTimeSessionWindows.with_gap(Time.minutes(5)))
    )
    row_type = Types.ROW([Types.STRING(), Types.STRING(), Types.LONG(), Types.LONG(), *TIMES])
    results = sessions.aggregate(
        RowAggregation([*aggregates, *counts]), WindowResults(0), output_type=row_type
    )
    assert [row[1:6] for row in changes(results)] == [
        ("x3", "x1", 3, 3, datetime(2020, 4, 15, 8)),
        ("y1", "y1", 1, 1, datetime(2020, 4, 15, 8, 20)),
    ]


@pytest.mark.parametrize(
    ("key", "key_type"),
    [
        pytest.param(item_of, KEY, id="row"),
        pytest.param(tuple_of_item, Types.TUPLE([Types.STRING()]), id="tuple"),
    ],
)
def test_windows_of_keys(env: StreamExecutionEnvironment, key: Any, key_type: Any) -> None:
    """SELECT item, MAX(price), window_start, window_end … CUMULATE(…, INTERVAL '5' …, INTERVAL '10' …)."""
    windows = timed(env, BIDS, BID).key_by(key, key_type)
    assigner = CumulativeEventTimeWindows.of(Time.minutes(10), Time.minutes(5))
    results = windows.window(assigner).aggregate(
        RowAggregation([AggregateCall("MAX", (2,), False, DOUBLE)]),
        WindowResults(1),
        output_type=Types.ROW([Types.STRING(), Types.DOUBLE(), *TIMES]),
    )
    found = [(item, price, start.minute, end.minute) for _, item, price, start, end, _ in changes(results)]
    assert Counter(found) == Counter(
        [
            ("C", 4.0, 0, 10),
            ("A", 2.0, 0, 10),
            ("D", 5.0, 0, 10),
            ("B", 3.0, 10, 15),
            ("E", 1.0, 10, 15),
            ("B", 3.0, 10, 20),
            ("E", 1.0, 10, 20),
            ("F", 6.0, 10, 20),
            ("A", None, 30, 35),
            ("A", None, 30, 40),
        ]
    )


def test_windows_of_instants_have_bounds_in_the_zone(env: StreamExecutionEnvironment) -> None:
    """Window_start and window_end are local times of 'table.local-time-zone', window_time is an instant."""
    results = windowed(env, TumblingEventTimeWindows.of(Time.minutes(10)), "Asia/Shanghai")
    assert results[0] == (
        datetime(2020, 4, 15, 16, 0),
        datetime(2020, 4, 15, 16, 10),
        Instant.of_epoch_milli(EIGHT + 10 * MINUTE - 1),
        11.0,
        3,
    )


def test_an_inner_join(env: StreamExecutionEnvironment) -> None:
    """SELECT * FROM l JOIN r ON k = k2."""
    left = env.from_collection([Row("a", 1), Row("a", 1), Row("b", 2), Row(None, 3)], PAIR)
    right = env.from_collection([Row("a", 10), Row(None, 30), Row("a", 10), Row("c", 1), Row("b", 20)], PAIR)
    row_type = Types.ROW([Types.STRING(), Types.INT(), Types.STRING(), Types.INT()])
    connected = left.key_by(key_of, KEY).connect(right.key_by(key_of, KEY))
    joined = connected.process(RegularJoin(JoinSide(2, (0,)), JoinSide(2, (0,))), row_type)
    assert Counter(changes(joined)) == Counter([*[("+I", "a", 1, "a", 10)] * 4, ("+I", "b", 2, "b", 20)])


def test_an_interval_join(env: StreamExecutionEnvironment) -> None:
    """SELECT * FROM a JOIN b ON k = k2 AND ts2 BETWEEN ts AND ts + INTERVAL '2' SECOND."""
    event = Types.ROW([Types.LONG(), Types.STRING()])
    left = timed(env, [Row(1000, "a"), Row(1000, None), Row(5000, "a")], event)
    right = timed(env, [Row(2000, "a"), Row(2000, None), Row(3000, "a"), Row(9000, "a")], event)
    pairs = left.key_by(item_of, KEY).interval_join(right.key_by(item_of, KEY))
    joined = pairs.between(Time.seconds(0), Time.seconds(2)).process(
        JoinedRows(JoinSide(2, (1,)), JoinSide(2, (1,))),
        Types.ROW([Types.LONG(), Types.STRING(), Types.LONG(), Types.STRING()]),
    )
    assert sorted(changes(joined)) == [("+I", 1000, "a", 2000, "a"), ("+I", 1000, "a", 3000, "a")]
