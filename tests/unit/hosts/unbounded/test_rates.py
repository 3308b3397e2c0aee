"""Records a second over the last ten seconds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.hosts.unbounded.rates import RateWindow

DAY = 24 * 3600 * 1000


@given(
    length=st.integers(1, 60_000),
    number=st.integers(1, 100),
    records=st.integers(0, 10**6),
    start=st.integers(0, DAY),
)
def test_steady_epochs_of_any_length_have_their_rate(
    length: int, number: int, records: int, start: int
) -> None:
    window = RateWindow(start)
    for epoch in range(number):
        window.add(start + epoch * length, start + (epoch + 1) * length, records, 2 * records)
    received, sent = window.rates(start + number * length)
    assert received == pytest.approx(records * 1000 / length, rel=0.06)
    assert sent == pytest.approx(2 * received)


def test_the_rate_of_a_job_that_has_just_started_is_that_since_its_start() -> None:
    window = RateWindow(1_000)
    window.add(1_000, 2_000, 500, 0)
    assert window.rates(2_000) == (500, 0)
    assert window.rates(3_000) == (250, 0)


def test_an_idle_job_has_no_rate_after_ten_seconds() -> None:
    window = RateWindow(0)
    window.add(20_000, 21_000, 500, 100)
    assert window.rates(26_000) == (50, 10)
    assert window.rates(30_500) == (25, 5)
    assert window.rates(31_000) == (0, 0)


def test_nothing_is_divided_by_zero() -> None:
    window = RateWindow(0)
    assert window.rates(0) == (0, 0)
    window.add(0, 0, 5, 0)
    assert window.rates(0)[0] > 0


def test_its_size_is_bounded() -> None:
    window = RateWindow(0)
    for epoch in range(100_000):
        window.add(epoch, epoch + 1, 1, 1)
    assert len(window._spans) <= 25
    assert window.rates(100_000)[0] == pytest.approx(1000, rel=0.06)
