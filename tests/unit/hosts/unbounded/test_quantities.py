"""Short texts of quantities."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.hosts.unbounded.quantities import duration_text, number_text, rate_text, size_text, time_text

SECOND, MINUTE, HOUR, DAY = 1000, 60_000, 3_600_000, 86_400_000


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (9_999, "9,999"),
        (10_000, "10k"),
        (12_345, "12.3k"),
        (999_499, "999k"),
        (999_500, "1M"),
        (1_234_567, "1.23M"),
        (-12_345, "-12.3k"),
        (10**20, "100E"),
    ],
)
def test_number(number: int, text: str) -> None:
    assert number_text(number) == text


@given(st.integers(0, 10**20))
def test_a_number_has_at_most_six_characters(number: int) -> None:
    assert len(number_text(number)) <= 6


@pytest.mark.parametrize(
    ("rate", "text"),
    [
        (0, "0"),
        (0.001, "<0.01"),
        (0.012, "0.01"),
        (0.5, "0.5"),
        (9.94, "9.9"),
        (9.99, "10"),
        (950.4, "950"),
        (12_345.6, "12.3k"),
    ],
)
def test_rate(rate: float, text: str) -> None:
    assert rate_text(rate) == text


@given(st.floats(0, 1e18))
def test_a_rate_has_at_most_six_characters(rate: float) -> None:
    assert len(rate_text(rate)) <= 6


@pytest.mark.parametrize(
    ("size", "text"), [(0, "0 B"), (999, "999 B"), (1000, "1 kB"), (1_234_567, "1.23 MB")]
)
def test_size(size: int, text: str) -> None:
    assert size_text(size) == text


@pytest.mark.parametrize(
    ("millis", "text"),
    [
        (0, "0.00 s"),
        (994, "0.99 s"),
        (995, "1.0 s"),
        (9_994, "10.0 s"),
        (9_995, "10 s"),
        (59_499, "59 s"),
        (59_500, "1 min"),
        (61 * SECOND, "1 min 1 s"),
        (2 * HOUR + 5 * MINUTE + 59 * SECOND, "2 h 5 min"),
        (3 * DAY + HOUR, "3 d 1 h"),
        (400 * DAY, "1 y 35 d"),
        (-1500, "-1.5 s"),
    ],
)
def test_duration(millis: int, text: str) -> None:
    assert duration_text(millis) == text


def test_a_time_has_its_date_unless_it_is_today() -> None:
    now = 1_700_000_000_000
    assert len(time_text(now, now)) == len("12:34:56")
    assert time_text(now - 3 * DAY, now).startswith("2023-11-1")
    assert time_text(10**17, now) == str(10**17)
