"""Duration and Time; texts and sums are those of PyFlink 2.3."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest

from pystream.common.time import Duration, Time
from pystream.errors import ConfigurationError


@pytest.mark.parametrize(
    ("duration", "text"),
    [
        (Duration.of_days(1), "PT24H"),
        (Duration.of_days(0), "PT0S"),
        (Duration.of_hours(2), "PT2H"),
        (Duration.of_minutes(90), "PT1H30M"),
        (Duration.of_seconds(3), "PT3S"),
        (Duration.of_millis(1500), "PT1.5S"),
        (Duration.of_millis(-1500), "PT-1.5S"),
        (Duration.of_seconds(-90), "PT-1M-30S"),
        (Duration.of_nanos(5), "PT0.000000005S"),
    ],
)
def test_iso_text(duration: Duration, text: str) -> None:
    assert str(duration) == text


def test_equal_lengths_are_equal() -> None:
    assert Duration.of_seconds(60) == Duration.of_minutes(1)
    assert hash(Duration.of_hours(24)) == hash(Duration.of_days(1))
    assert Duration.of_seconds(1) != Duration.of_millis(1)
    assert Duration.of_millis(999) < Duration.of_seconds(1)


def test_millis_are_rounded_down() -> None:
    assert Duration.of_nanos(1_999_999).to_millis() == 1
    assert Duration.of_seconds(2).to_millis() == 2000


def test_durations_are_pickled() -> None:
    assert pickle.loads(pickle.dumps(Duration.of_millis(7))) == Duration.of_millis(7)


@pytest.mark.parametrize("bad", [1.5, "1", None, True])
@pytest.mark.parametrize("factory", [Duration.of_seconds, Duration.of_days, Duration.of_nanos])
def test_durations_take_integers(factory: Callable[[int], Duration], bad: object) -> None:
    with pytest.raises(ConfigurationError, match=r"Duration\.of_\w+ takes an int of 64 bits, not"):
        factory(bad)  # type: ignore[arg-type]


def test_time_sums_and_text() -> None:
    assert Time.days(1).to_milliseconds() == 86_400_000
    assert Time.hours(1) == Time.minutes(60) == Time.seconds(3600) == Time.milliseconds(3_600_000)
    assert str(Time.seconds(3)) == "3000 ms"
    assert Time(5).to_milliseconds() == 5
    assert {Time.seconds(1): "x"}[Time(1000)] == "x"


def test_fractions_of_larger_units_are_whole_milliseconds() -> None:
    assert Time.hours(1.5) == Time.minutes(90)
    with pytest.raises(ConfigurationError, match=r"Time: 0\.5 ms is not allowed"):
        Time(0.5)
    with pytest.raises(ConfigurationError, match="Time takes a number, not 'x'"):
        Time("x")  # type: ignore[arg-type]


def test_a_time_never_equals_a_duration() -> None:
    duration: object = Duration.of_seconds(1)
    assert Time.seconds(1) != duration


def test_instant_is_exported_by_the_module_time() -> None:
    from pystream.common import Instant, time

    assert time.Instant is Instant
