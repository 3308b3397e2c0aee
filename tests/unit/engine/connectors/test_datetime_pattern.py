"""Java's date-time patterns; every expected text is what java.time.format.DateTimeFormatter writes."""

from __future__ import annotations

import pickle
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from pystream.engine.connectors.datetime_pattern import DateTimePattern

MOMENT = datetime(2020, 1, 2, 3, 4, 5, 123456, tzinfo=UTC)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("yyyy-MM-dd--HH", "2020-01-02--03"),
        ("yy", "20"),
        ("y", "2020"),
        ("yyy", "2020"),
        ("yyyyy", "02020"),
        ("uuuu", "2020"),
        ("M", "1"),
        ("MMM", "Jan"),
        ("MMMM", "January"),
        ("MMMMM", "J"),
        ("L", "1"),
        ("d", "2"),
        ("D", "2"),
        ("DDD", "002"),
        ("E", "Thu"),
        ("EEEE", "Thursday"),
        ("EEEEE", "T"),
        ("a", "AM"),
        ("h", "3"),
        ("hh", "03"),
        ("H", "3"),
        ("k", "3"),
        ("K", "3"),
        ("m", "4"),
        ("mm", "04"),
        ("s", "5"),
        ("ss", "05"),
        ("S", "1"),
        ("SSS", "123"),
        ("SSSSSSSSS", "123456000"),
        ("Z", "+0000"),
        ("X", "Z"),
        ("XXX", "Z"),
        ("x", "+00"),
        ("VV", "UTC"),
        ("Q", "1"),
        ("QQ", "01"),
        ("q", "1"),
        ("'year='yyyy/'m='MM", "year=2020/m=01"),
        ("yyyy''MM", "2020'01"),
        ("'it''s'", "it's"),
        ("yyyyMMdd", "20200102"),
        ("", ""),
    ],
)
def test_letters_are_parts_of_the_moment(pattern: str, text: str) -> None:
    assert pickle.loads(pickle.dumps(DateTimePattern(pattern))).format(MOMENT) == text


@pytest.mark.parametrize(
    ("hour", "text"),
    [(0, "0 24 0 12 AM"), (11, "11 11 11 11 AM"), (12, "12 12 0 12 PM"), (23, "23 23 11 11 PM")],
)
def test_hours_are_counted_in_four_ways(hour: int, text: str) -> None:
    assert DateTimePattern("H k K h a").format(MOMENT.replace(hour=hour)) == text


@pytest.mark.parametrize(
    ("offset", "text"),
    [
        (timedelta(hours=-8), "-08 -0800 -08:00 -08 -0800"),
        (timedelta(hours=5, minutes=30), "+0530 +0530 +05:30 +0530 +0530"),
        (timedelta(hours=-3, minutes=-30), "-0330 -0330 -03:30 -0330 -0330"),
    ],
)
def test_offsets_are_written_as_java_does(offset: timedelta, text: str) -> None:
    assert DateTimePattern("X XX XXX x Z").format(MOMENT.replace(tzinfo=timezone(offset))) == text


def test_a_region_is_written_by_its_id() -> None:
    moment = MOMENT.astimezone(ZoneInfo("Europe/Rome"))
    assert DateTimePattern("HH VV xxx").format(moment) == "04 Europe/Rome +01:00"


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("yyyy-bb", "the letter 'b' is not supported"),
        ("ddd", "'ddd' has the wrong number of letters"),
        ("V", "'V' has the wrong number of letters"),
        ("aa", "'aa' has the wrong number of letters"),
        ("yyyy'open", "the quote at 4 is not closed"),
        ("yyyy[MM]", r"'\[' is reserved"),
        ("{", "'{' is reserved"),
        ("#", "'#' is reserved"),
    ],
)
def test_an_invalid_pattern_is_refused(pattern: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        DateTimePattern(pattern)
