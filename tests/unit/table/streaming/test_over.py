"""Functions of OVER against plain Python, for rows and watermarks in any order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from pystream.common import Row, Time
from pystream.common.typeinfo import Types
from pystream.sql_types.data_types import DataTypes
from pystream.table.algebra.aggregates import AggregateCall
from pystream.table.streaming.over_aggregation import (
    Lag,
    OverAllRows,
    OverFunctions,
    OverRecentRows,
    OverRecentTime,
)
from pystream.testing import ProcessFunctionTestHarnesses

END = 10_000
BIGINT = DataTypes.BIGINT()
FUNCTIONS = [
    AggregateCall("SUM", (2,), False, BIGINT),
    AggregateCall("COUNT", (), False, BIGINT),
    AggregateCall("MIN", (2,), False, BIGINT),
    AggregateCall("COUNT", (2,), True, BIGINT),
    AggregateCall("LAST_VALUE", (2,), False, BIGINT),
]


class Given(NamedTuple):
    """A row of a key, a time and a value."""

    key: str
    time: int
    value: int | None


Rows = Sequence[Given]

ROWS = st.builds(Given, st.sampled_from("ab"), st.integers(0, 12), st.none() | st.integers(-3, 3))
EVENTS = st.lists(ROWS | st.integers(0, 40), max_size=25)


def results_of(frame: Rows) -> tuple[Any, ...]:
    """Return the results of the functions for the rows of a frame."""
    values = [row.value for row in frame if row.value is not None]
    return (
        sum(values) if values else None,
        len(frame),
        min(values, default=None),
        len(set(values)),
        values[-1] if values else None,
    )


def results(function: Any, events: Sequence[Given | int]) -> list[tuple[Any, ...]]:
    """Return what a function emits for rows and watermarks; at last, the watermark passes all times."""
    with ProcessFunctionTestHarnesses.for_keyed_process_function(
        function, lambda row: row[0], Types.STRING()
    ) as harness:
        for event in events:
            if isinstance(event, int):
                harness.process_watermark(event)
            else:
                harness.process_element(Row(*event), event.time)
        harness.process_watermark(END)
        return [tuple(row) for row in harness.extract_output_values()]


class Model:
    """Emits rows of a key with the results for a frame of those that were emitted before them.

    Args:
        frame: returns the frame of a row of the rows up to it, and those of its time.
        span: after which all is forgotten, half as long again after the last row; ``None`` for never.
    """

    def __init__(self, frame: Callable[[Given, Rows, Rows], Rows], span: int | None = None) -> None:
        self._frame = frame
        self._span = span
        self._waiting: list[Given] = []
        self._emitted: list[Given] = []
        self._forgotten_at: int | None = None

    @property
    def last(self) -> int:
        return max((row.time for row in self._emitted), default=-1)

    def add(self, row: Given) -> None:
        self._waiting.append(row)
        if self._span is not None and (self._forgotten_at or 0) < row.time + self._span + 1:
            self._forgotten_at = row.time + self._span * 3 // 2 + 1

    def advance(self, watermark: int) -> list[tuple[Any, ...]]:
        found = []
        for time in sorted({row.time for row in self._waiting if row.time <= watermark}):
            rows = [row for row in self._waiting if row.time == time]
            self._waiting = [row for row in self._waiting if row.time != time]
            for number, row in enumerate(rows):
                self._emitted.append(row)
                before, peers = self._emitted[:], rows[number + 1 :]
                found.append((*row, *results_of(self._frame(row, before, peers))))
        if self._forgotten_at is not None and self._forgotten_at <= watermark:
            self._emitted, self._forgotten_at = [], None
        return found


def expected(
    events: Sequence[Given | int], make: Callable[[], Model], *, is_late_for_watermark: bool
) -> list[tuple[Any, ...]]:
    models: dict[str, Model] = {}
    found, watermark = [], -1
    for event in [*events, END]:
        if isinstance(event, int):
            if event > watermark:
                watermark = event
                found += [result for model in models.values() for result in model.advance(event)]
            continue
        model = models.setdefault(event.key, make())
        if event.time > (watermark if is_late_for_watermark else model.last):
            model.add(event)
    return found


def in_order_of_keys(rows: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return sorted(rows, key=lambda row: str(row[0]))


@given(EVENTS)
def test_a_range_of_all_rows(events: list[Given | int]) -> None:
    def make() -> Model:
        return Model(lambda row, before, peers: [*before, *peers])

    found = results(OverAllRows(OverFunctions(FUNCTIONS), is_of_rows=False), events)
    assert in_order_of_keys(found) == in_order_of_keys(expected(events, make, is_late_for_watermark=True))


@given(EVENTS)
def test_all_rows(events: list[Given | int]) -> None:
    def make() -> Model:
        return Model(lambda row, before, peers: before)

    found = results(OverAllRows(OverFunctions(FUNCTIONS), is_of_rows=True), events)
    assert in_order_of_keys(found) == in_order_of_keys(expected(events, make, is_late_for_watermark=True))


@given(EVENTS, st.integers(0, 3))
def test_recent_rows(events: list[Given | int], preceding: int) -> None:
    def make() -> Model:
        return Model(lambda row, before, peers: before[-preceding - 1 :])

    found = results(OverRecentRows(OverFunctions(FUNCTIONS), preceding), events)
    assert in_order_of_keys(found) == in_order_of_keys(expected(events, make, is_late_for_watermark=False))


@given(EVENTS, st.integers(0, 6))
def test_a_recent_range(events: list[Given | int], span: int) -> None:
    def make() -> Model:
        return Model(
            lambda row, before, peers: [r for r in [*before, *peers] if r.time >= row.time - span], span
        )

    found = results(OverRecentTime(OverFunctions(FUNCTIONS), span), events)
    assert in_order_of_keys(found) == in_order_of_keys(expected(events, make, is_late_for_watermark=False))


@given(st.lists(st.none() | st.integers(0, 9), max_size=8), st.integers(0, 3))
def test_values_of_earlier_rows(values: list[int | None], offset: int) -> None:
    functions = OverFunctions([], [Lag(2, offset, None), Lag(2, offset, 1)])
    rows = [Given("a", time, value) for time, value in enumerate(values)]
    found = results(OverAllRows(functions, is_of_rows=False), rows)
    assert found == [
        (*row, *((values[n - offset],) * 2 if n >= offset else (None, row.time)))
        for n, row in enumerate(rows)
    ]


def test_the_rows_of_a_range_are_forgotten_half_a_span_after_the_last_frame_that_needs_them() -> None:
    def late(watermark: int) -> list[tuple[Any, ...]]:
        events = [Given("a", 10, 1), watermark, Given("a", 9, 5)]
        return results(OverRecentTime(OverFunctions(FUNCTIONS[:1]), 4), events)

    assert late(16) == [("a", 10, 1, 1)]
    assert late(17) == [("a", 10, 1, 1), ("a", 9, 5, 5)]


def test_late_rows_are_counted_and_rows_have_their_times() -> None:
    function = OverAllRows(OverFunctions(FUNCTIONS[:1]), is_of_rows=True)
    with ProcessFunctionTestHarnesses.for_keyed_process_function(
        function, lambda row: row[0], Types.STRING()
    ) as harness:
        harness.process_element(Row("a", 5, 1), 5)
        harness.process_element(Row("a", 9, 2), 9)
        harness.process_watermark(5)
        harness.process_element(Row("a", 5, 3), 5)  # late, as the watermark has reached it
        harness.process_watermark(20)
        assert [(record.timestamp, tuple(record.value)) for record in harness.get_output()] == [
            (5, ("a", 5, 1, 1)),
            (9, ("a", 9, 2, 3)),
        ]
        assert harness.get_metrics().counter("numLateRecordsDropped").get_count() == 1


def test_what_is_known_of_earlier_rows_expires() -> None:
    function = OverRecentRows(OverFunctions(FUNCTIONS[:1]), 5, Time.milliseconds(100))
    with ProcessFunctionTestHarnesses.for_keyed_process_function(
        function, lambda row: row[0], Types.STRING()
    ) as harness:
        for now, time in ((0, 1), (50, 2), (150, 3)):
            harness.set_processing_time(now)
            harness.process_element(Row("a", time, 1), time)
            harness.process_watermark(time)
        assert [row[3] for row in harness.extract_output_values()] == [1, 2, 1]
