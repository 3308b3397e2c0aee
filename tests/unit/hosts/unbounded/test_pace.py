"""Pace: the size of epochs adapts to the time that they take."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.hosts.local.interleaving import RandomPace
from pystream.hosts.unbounded.pace import Pace

SOURCE, OTHER = 4, 7


def test_the_limit_follows_the_time_of_an_epoch() -> None:
    pace = Pace(1_000, {SOURCE: 100, OTHER: 100})
    pace.adapt(500, [SOURCE])
    assert (pace.limit(SOURCE), pace.limit(OTHER)) == (200, 100)
    pace.adapt(4_000, [SOURCE])
    assert pace.limit(SOURCE) == 50


def test_a_single_epoch_changes_the_limit_by_a_factor_of_four_at_most() -> None:
    pace = Pace(1_000, {SOURCE: 100})
    pace.adapt(0, [SOURCE])
    assert pace.limit(SOURCE) == 400
    pace.adapt(1_000_000, [SOURCE])
    assert pace.limit(SOURCE) == 100


@given(st.lists(st.integers(0, 10**6)), st.integers(1, 1_000))
def test_there_is_always_something_to_read(times: list[int], first: int) -> None:
    pace = Pace(1_000, {SOURCE: first})
    for millis in times:
        pace.adapt(millis, [SOURCE])
        assert pace.limit(SOURCE) >= 1


@pytest.mark.parametrize(
    ("fixed", "reached"),
    [
        pytest.param(0, 1_000, id="nothing"),
        pytest.param(300, 1_000, id="less than half of the interval"),
        pytest.param(900, 1_800, id="nearly the interval"),
        pytest.param(3_000, 6_000, id="longer than the interval"),
    ],
)
@pytest.mark.parametrize("first", [10_000, 1_000_000])
def test_half_of_an_epoch_is_spent_on_input_at_least_nearly(fixed: int, reached: int, first: int) -> None:
    pace = Pace(1_000, {SOURCE: first})

    def took() -> int:
        return fixed + pace.limit(SOURCE) // 10

    for _ in range(20):
        pace.adapt(took(), [SOURCE])
    assert reached * 0.75 <= took() <= reached * 1.1


def test_epochs_of_other_sources_tell_nothing_of_the_fixed_time() -> None:
    pace = Pace(1_000, {SOURCE: 100, OTHER: 100})
    pace.adapt(4_000, [SOURCE])
    pace.adapt(4_000, [OTHER])  # as long with a fourth of the input of the other source
    pace.adapt(4_000, [SOURCE])
    assert (pace.limit(SOURCE), pace.limit(OTHER)) == (6, 25)


def test_epochs_without_a_backlog_tell_nothing_of_the_fixed_time() -> None:
    pace = Pace(1_000, {SOURCE: 100})
    for _ in range(5):
        pace.adapt(4_000, [])
    pace.adapt(4_000, [SOURCE])
    assert pace.limit(SOURCE) == 25


def test_a_single_slow_epoch_is_forgotten() -> None:
    pace = Pace(1_000, {SOURCE: 20_000})
    for extra in (0, 2_000, *[0] * 20):
        took = pace.limit(SOURCE) // 10 + extra
        pace.adapt(took, [SOURCE])
    assert 900 <= took <= 1_100


def test_an_epoch_of_a_single_slow_element_is_not_taken_for_a_fixed_time() -> None:
    pace = Pace(200, {SOURCE: 10})
    for _ in range(20):
        pace.adapt(pace.limit(SOURCE) * 1_000, [SOURCE])
    assert pace.limit(SOURCE) == 1


@given(st.integers(1, 10_000))
def test_epochs_reach_the_target_time(millis_per_thousand: int) -> None:
    pace = Pace(1_000, {SOURCE: 1_000})
    for _ in range(30):
        pace.adapt(pace.limit(SOURCE) * millis_per_thousand // 1_000, [SOURCE])
    assert 500 <= pace.limit(SOURCE) * millis_per_thousand / 1_000 <= 2_000


def test_random_limits_are_those_of_the_seed_whatever_epochs_take() -> None:
    def limits(seed: int, millis: int) -> list[int]:
        pace = RandomPace(Random(seed), {SOURCE: 1_000})
        found = []
        for _ in range(50):
            assert pace.limit(SOURCE) == pace.limit(SOURCE)
            found.append(pace.limit(SOURCE))
            pace.adapt(millis, [])
        return found

    assert limits(1, 0) == limits(1, 10_000)
    assert limits(1, 0) != limits(2, 0)
    assert 1 <= min(limits(1, 0)) < 10 < 100 < max(limits(1, 0)) <= 1_000
