"""Frames bring elements, times and watermarks to the receiver unchanged."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.engine.events import NO_TIMESTAMP, Elements, Watermark
from pystream.engine.exchange.send_buffer import SendBuffer, read_frame
from pystream.engine.vectorised.columns import ColumnValues
from tests.unit.engine.columns.orders import Order, columns
from typeinfo import Types
from typeinfo.serde import serializer_for

LONGS = serializer_for(Types.LONG())
TIME = st.integers(NO_TIMESTAMP, 2**63 - 1)

_BATCHES = st.lists(
    st.one_of(
        TIME.map(Watermark),
        st.lists(st.integers(0, 99), min_size=1, max_size=5).map(Elements),
        st.lists(st.tuples(st.integers(0, 99), TIME), min_size=1, max_size=5).map(
            lambda pairs: Elements([value for value, _ in pairs], [time for _, time in pairs])
        ),
    ),
    max_size=12,
)


def framed(events: list[Any]) -> SendBuffer:
    frame = SendBuffer()
    for event in events:
        if isinstance(event, Watermark):
            frame.mark(Watermark(event.timestamp))
        else:
            frame.add(event.values, event.timestamps)
    return frame


def flat(events: Any) -> list[Any]:
    """Elements one by one with their times, and the last of the watermarks in a row."""
    said: list[Any] = []
    for event in events:
        if isinstance(event, Watermark):
            if said and isinstance(said[-1], Watermark):
                said.pop()
            said.append(event)
        else:
            assert event.values
            times = event.timestamps or [NO_TIMESTAMP] * len(event.values)
            said += zip(event.values, times, strict=True)
    return said


def read(frame: SendBuffer) -> list[Any]:
    return list(read_frame(frame.dump(LONGS.serialize), lambda data: LONGS.deserialize(bytes(data))))


@given(_BATCHES)
def test_a_frame_comes_out_as_it_went_in(events: list[Any]) -> None:
    assert flat(event for event in read(framed(events)) if event != Elements([])) == flat(events)


@given(_BATCHES, st.integers(1, 7))
def test_frames_cut_off_and_the_rest_are_the_frame(events: list[Any], count: int) -> None:
    rest = framed(events)
    cut = list(rest.cut(count))
    assert all(len(frame) == count for frame in cut)
    assert len(rest) < count
    together = [event for frame in (*cut, rest) for event in read(frame) if event != Elements([])]
    assert flat(together) == flat(events)


def test_elements_without_times_stay_without() -> None:
    (event,) = read(framed([Elements([1, 2]), Elements([3])]))
    assert event == Elements([1, 2, 3])


def test_of_watermarks_in_a_row_the_last_is_kept() -> None:
    events = [Watermark(1), Watermark(2), Elements([5]), Watermark(3), Watermark(4)]
    assert read(framed(events)) == [Watermark(2), Elements([5]), Watermark(4)]


def test_a_frame_of_watermarks_alone_has_them() -> None:
    assert read(framed([Watermark(7)])) == [Watermark(7)]


@pytest.mark.parametrize(
    ("first", "form"), [([Order(0, None, "a")], ColumnValues), ([Order(True, None, "a")], list)]
)
def test_frames_with_columns_are_columns_if_these_keep_all_elements(first: list[Order], form: type) -> None:
    buffer = SendBuffer()
    buffer.add(first, None)
    forms = []
    for start in (1, 4, 7):
        buffer.add(columns([Order(start + n, None, "a") for n in range(3)]), None)
        forms += [(type(frame.values), [order.id for order in frame.values]) for frame in buffer.cut(3)]
    assert forms == [(form, [first[0].id, 1, 2]), (ColumnValues, [3, 4, 5]), (ColumnValues, [6, 7, 8])]
    assert type(forms[0][1][0]) is type(first[0].id)
    assert (type(buffer.values), len(buffer)) == (ColumnValues, 1)
