"""Columns of times are parsed to what their texts are parsed to one by one."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, get_args

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.engine.formats.scalars import text_reader
from pystream.engine.formats.time_columns import time_columns
from pystream.engine.formats.times import TimeStyle
from typeinfo import Instant, Types
from typeinfo.serde.registry import codec_for

STYLES = get_args(TimeStyle)
TYPES = [Types.SQL_DATE(), Types.SQL_TIMESTAMP(), Types.INSTANT()]
FRACTIONS, ZONES = st.sampled_from(["", ".5"]), st.sampled_from(["", "Z"])
USUAL = st.tuples(st.just("2020-02-29"), st.sampled_from(" T"), st.just("12:34:56"), FRACTIONS, ZONES)
OTHERS = [
    ["2021-02-29", "0000-01-01", "0001-01-01", "9999-12-31", "1-1-1", "\uff12020-01-01"],
    ["", "t", "  "],
    ["", "12:34", "24:00:00", "23:59:60", "1:2:3", "12:34:5"],
    [".", ".123456", ".1234567", ".000000000"],
    ["z", "+01:00", "+00:00", " ", "\n"],
]


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Return a strategy of usual times, most of them with one part that is not usual."""
    parts = list(draw(USUAL))
    at = draw(st.integers(0, len(parts)))
    if at < len(parts):
        parts[at] = draw(st.sampled_from(OTHERS[at]))
    return "".join(parts)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("t", TYPES, ids=str)
@given(given_texts=st.lists(texts() | st.none(), min_size=1, max_size=2))
def test_times_are_those_of_each_text(t: Any, style: TimeStyle, given_texts: list[str | None]) -> None:
    times, read = time_columns(t, style), text_reader(t, style)
    assert times is not None
    assert read is not None
    found = times.read(pa.array(given_texts, pa.string()))
    if found is not None:
        values = codec_for(t, nullable=True).decode(found)
        assert values == [None if text is None else read(text) for text in given_texts]


@pytest.mark.parametrize(
    ("t", "style", "text", "expected"),
    [
        (Types.SQL_DATE(), "CSV", "2020-02-29", date(2020, 2, 29)),
        (Types.SQL_TIMESTAMP(), "SQL", "2020-02-29 12:34:56.5", datetime(2020, 2, 29, 12, 34, 56, 500_000)),
        (Types.SQL_TIMESTAMP(), "RFC-3339", "2020-02-29T00:00:00Z", datetime(2020, 2, 29)),
        (Types.INSTANT(), "ISO-8601", "1970-01-01T00:00:01.000001Z", Instant(1, 1_000)),
    ],
)
def test_usual_forms_are_parsed_at_once(t: Any, style: TimeStyle, text: str, expected: Any) -> None:
    times = time_columns(t, style)
    assert times is not None
    assert codec_for(t).decode(times.read(pa.array([text]))) == [expected]
    slice_of_others = pa.array(["?", text, text[:10]]).slice(1, 1)
    assert codec_for(t).decode(times.read(slice_of_others)) == [expected]


def test_other_types_have_no_such_columns() -> None:
    assert [time_columns(t, "SQL") for t in (Types.SQL_TIME(), Types.STRING(), Types.LONG())] == [None] * 3
