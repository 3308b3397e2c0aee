"""Failures of requests to Kafka that are made again and again."""

from __future__ import annotations

import pytest

from pystream.engine.connectors.kafka import failures
from pystream.engine.connectors.kafka.cluster import PermanentSourceError
from pystream.engine.connectors.kafka.failures import Failures
from pystream.errors import SourceError

GONE = PermanentSourceError("no such topic")
AWAY = SourceError("no answer")


class Clock:
    """Monotonic time in seconds."""

    now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(failures, "time", clock)
    return clock


def after(seconds: float, clock: Clock, found: Failures, error: SourceError | None) -> bool:
    """Return whether failures are final after an error, or a success, at a later time."""
    clock.now += seconds
    if error is None:
        found.clear()
    else:
        found.add(error)
    assert found.is_failing is (error is not None)
    return found.is_final


def test_a_permanent_error_is_final_when_it_has_lasted(clock: Clock) -> None:
    found = Failures("again")
    assert [after(each, clock, found, GONE) for each in (0, 29, 1, 1)] == [False, False, True, True]


def test_other_errors_are_never_final(clock: Clock) -> None:
    found = Failures("again")
    assert not any(after(60, clock, found, AWAY) for _ in range(10))


@pytest.mark.parametrize("between", [None, AWAY])
def test_a_permanent_error_must_last_without_another_answer_between(
    clock: Clock, between: SourceError | None
) -> None:
    found = Failures("again")
    errors = [(0, GONE), (20, between), (20, GONE), (29, GONE), (1, GONE)]
    assert [after(seconds, clock, found, error) for seconds, error in errors] == [*4 * [False], True]


def test_a_failure_that_lasts_is_logged_from_time_to_time(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    found = Failures("it is asked again")
    for seconds in (0, 30, 29, 1, 59):
        after(seconds, clock, found, AWAY)
    assert [record.getMessage() for record in caplog.records] == 2 * ["no answer; it is asked again"]
    after(0, clock, found, None)
    after(0, clock, found, AWAY)
    assert len(caplog.records) == 3
