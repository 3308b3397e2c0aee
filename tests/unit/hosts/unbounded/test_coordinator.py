"""Coordinator: when epochs start, and their input."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from pystream.engine.connectors.interfaces import Poll
from pystream.engine.time.clock import ManualClock
from pystream.errors import SourceError
from pystream.hosts.unbounded.coordinator import Coordinator, PlannedEpoch
from pystream.hosts.unbounded.pace import Pace
from pystream.hosts.unbounded.requests import Requests, SavepointRequest, Stop
from pystream.hosts.unbounded.settings import UnboundedSettings

SOURCE, OTHER = 4, 7


@dataclass
class Numbers:
    """An enumerator that gives as many numbers as the limit allows of those there are at the time."""

    arrivals: list[int] = field(default_factory=list)  # the time of each number
    ends: bool = False
    position: int = 0
    limits: list[int] = field(default_factory=list)
    is_closed: bool = False

    @property
    def is_ended(self) -> bool:
        return self.ends and self.position == len(self.arrivals)

    def poll(self, now: int, limit: int) -> Poll | None:
        self.limits.append(limit)
        due = sum(time <= now for time in self.arrivals)
        start, self.position = self.position, min(due, self.position + limit)
        if start == self.position:
            return None
        return Poll([[(start, self.position)]], self.position - start, self.position, self.position < due)

    def next_poll(self, now: int) -> int | None:
        return (
            None if self.is_ended else next((time for time in self.arrivals[self.position :]), now + 10_000)
        )

    def backlog(self, now: int) -> None:
        pass

    def snapshot(self) -> int:
        return self.position

    def completed(self) -> None:
        pass

    def close(self) -> None:
        self.is_closed = True


class Idle(Exception):  # noqa: N818 - nothing is wrong
    """The coordinator waits."""


class Impatient(Requests):
    """Requests for which nobody waits; instead of waiting, something happens."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float] = []
        self.meanwhile: Callable[[], object] | None = None

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        if self.meanwhile is None:
            raise Idle
        happens, self.meanwhile = self.meanwhile, None
        happens()


class Driver:
    """A job whose epochs take no time unless stated otherwise."""

    def __init__(self, *sources: Numbers, limit: int = 100, **settings: Any) -> None:
        self.clock = ManualClock()
        self.requests = Impatient()
        self.sources = dict(zip((SOURCE, OTHER), sources, strict=False))
        limits = dict.fromkeys(self.sources, limit)
        self.coordinator = Coordinator(
            self.sources, Pace(1_000, limits), UnboundedSettings(**settings), self.clock, self.requests
        )
        self.number = 0

    def run(self, *, took: int = 1_000, timer: int | None = None) -> PlannedEpoch | None:
        """Run the next epoch."""
        planned = self.coordinator.next_epoch(self.number)
        if planned is not None:
            assert planned.epoch.number == self.number
            self.number += 1
            self.coordinator.completed(took, timer)
        return planned

    def splits(self) -> dict[int, Any]:
        planned = self.run()
        assert planned is not None
        return dict(planned.epoch.splits)

    def is_idle(self) -> bool:
        try:
            self.run()
        except Idle:
            return True
        return False

    def begin(self) -> Driver:
        """Run the first epoch, which starts at once, as timers are not known."""
        self.run()
        return self


def test_the_first_epoch_starts_at_once_as_timers_are_unknown() -> None:
    driver = Driver(Numbers())
    assert driver.splits() == {}
    assert driver.is_idle()


def test_an_epoch_starts_when_input_arrives() -> None:
    driver = Driver(Numbers([50, 70]), Numbers([70])).begin()
    assert driver.is_idle()
    driver.clock.set(50)
    planned = driver.run()
    assert planned is not None
    assert planned.epoch.splits == {SOURCE: (((0, 1),),)}
    assert planned.changes == {SOURCE: 1}
    assert (planned.is_last, planned.request, planned.epoch.ended) == (False, None, frozenset())
    driver.clock.set(70)
    assert driver.splits() == {SOURCE: (((1, 2),),), OTHER: (((0, 1),),)}
    assert driver.is_idle()


def test_it_waits_until_something_may_be_due() -> None:
    driver = Driver(Numbers([20])).begin()
    assert driver.is_idle()
    assert driver.requests.waits == [0.02]
    assert driver.coordinator.idle_at == 0
    driver.clock.set(19)
    assert driver.is_idle()
    assert driver.requests.waits[-1] == 0.001
    driver.clock.set(20)
    driver.run()
    assert driver.coordinator.idle_at is None
    assert driver.is_idle()
    assert driver.requests.waits[-1] == 0.05  # to look at the clock again


def test_timers_fire_on_an_idle_stream() -> None:
    driver = Driver(Numbers())
    driver.run(timer=500)
    assert driver.is_idle()
    driver.clock.set(499)
    assert driver.is_idle()
    driver.clock.set(500)
    assert driver.splits() == {}
    assert driver.is_idle()


def test_input_waits_for_more_until_the_buffer_timeout() -> None:
    driver = Driver(Numbers([10, 90, 120]), buffer_timeout=100).begin()
    driver.clock.set(99)
    assert driver.is_idle()
    driver.clock.set(100)
    assert driver.splits() == {SOURCE: (((0, 2),),)}
    driver.clock.set(199)
    assert driver.is_idle()
    driver.clock.set(200)
    assert driver.splits() == {SOURCE: (((2, 3),),)}


def test_timers_do_not_wait_for_the_buffer_timeout() -> None:
    driver = Driver(Numbers([10]), buffer_timeout=100)
    driver.run(timer=50)
    driver.clock.set(50)
    assert driver.splits() == {}


def test_a_backlog_is_taken_in_pieces_that_adapt_to_their_time() -> None:
    numbers = Numbers([0] * 1_000)
    driver = Driver(numbers, limit=10)
    for took in (500, 4_000, 1_000, 1):
        driver.run(took=took)
    driver.run()
    assert numbers.limits == [10, 20, 5, 5, 20]
    assert numbers.position == sum(numbers.limits)


def test_only_sources_with_a_backlog_adapt() -> None:
    small, large = Numbers([0, 5]), Numbers([0] * 1_000)
    driver = Driver(small, large, limit=10)
    driver.run(took=2_000)
    driver.run()
    assert (small.limits, large.limits) == ([10, 10], [10, 5])


def test_an_ended_source_is_in_the_epoch_of_its_last_input() -> None:
    driver = Driver(Numbers([0, 10], ends=True), Numbers([20], ends=True)).begin()
    driver.clock.set(10)
    planned = driver.run()
    assert planned is not None
    assert (planned.epoch.ended, planned.is_last) == (frozenset({SOURCE}), False)
    driver.clock.set(20)
    planned = driver.run()
    assert planned is not None
    assert (planned.epoch.ended, planned.is_last, planned.epoch.publishes) == (frozenset({OTHER}), True, True)
    assert driver.run() is None


def test_sources_that_had_ended_before_a_restart_end_again() -> None:
    driver = Driver(Numbers(ends=True), Numbers([10], ends=True))
    planned = driver.run()
    assert planned is not None
    assert planned.epoch.ended == {SOURCE}


def test_publications_keep_their_interval() -> None:
    driver = Driver(Numbers(list(range(0, 500, 50))), publish_interval=120, min_pause=50)
    published = []
    for now in range(0, 500, 50):
        driver.clock.set(now)
        planned = driver.run()
        assert planned is not None
        published.append(planned.epoch.publishes)
    assert [now * 50 for now, publishes in enumerate(published) if publishes] == [150, 300, 450]


def test_every_epoch_publishes_without_an_interval() -> None:
    driver = Driver(Numbers([0, 1]))
    for now in (0, 1):
        driver.clock.set(now)
        planned = driver.run()
        assert planned is not None
        assert planned.epoch.publishes


def test_an_epoch_without_input_publishes_what_waits_for_it() -> None:
    driver = Driver(Numbers(), publish_interval=100).begin()
    driver.coordinator.plan_publication(40)
    driver.clock.set(99)
    assert driver.is_idle()  # the output is complete, but it is not the time for a checkpoint
    driver.clock.set(100)
    planned = driver.run()
    assert planned is not None
    assert planned.epoch.publishes
    driver.coordinator.plan_publication(None)
    driver.clock.set(1_000)
    assert driver.is_idle()


def test_a_savepoint_is_written_at_once_without_input() -> None:
    driver = Driver(Numbers([5])).begin()
    request = SavepointRequest("file:/savepoint")
    driver.clock.set(5)
    driver.requests.ask_for_savepoint(request)
    planned = driver.run()
    assert planned is not None
    assert (planned.request, planned.epoch.savepoint) == (request, "file:/savepoint")
    assert (planned.epoch.splits, planned.is_last) == ({}, False)
    assert driver.splits() == {SOURCE: (((0, 1),),)}


@pytest.mark.parametrize("drains", [False, True])
def test_a_job_stops_with_a_savepoint(drains: bool) -> None:
    driver = Driver(Numbers([5]), Numbers()).begin()
    driver.requests.ask_for_savepoint(SavepointRequest("file:/savepoint", stops=True, drains=drains))
    planned = driver.run()
    assert planned is not None
    assert (planned.is_last, planned.epoch.publishes) == (True, True)
    assert (planned.epoch.drains, planned.epoch.ended) == (drains, frozenset())


def test_a_request_ends_the_waiting() -> None:
    driver = Driver(Numbers()).begin()
    driver.requests.meanwhile = lambda: driver.requests.ask_to_stop(Stop(finishes=True))
    planned = driver.run()
    assert planned is not None
    assert (planned.is_last, planned.epoch.publishes, planned.epoch.ended) == (True, True, frozenset())


def test_a_job_that_can_resume_stops_without_a_last_epoch() -> None:
    driver = Driver(Numbers([0]))
    driver.requests.ask_to_stop(Stop(finishes=False))
    assert driver.run() is None


def test_a_stop_while_a_source_is_polled_leaves_the_job_resumable() -> None:
    class Slow(Numbers):
        def poll(self, now: int, limit: int) -> Poll | None:
            driver.requests.ask_to_stop(Stop(finishes=False))
            return super().poll(now, limit)

    driver = Driver(Slow([0]))
    planned = driver.run()
    assert planned is not None
    assert not planned.is_last
    assert driver.run() is None


def test_a_source_that_fails_is_reported() -> None:
    class Failing(Numbers):
        def poll(self, now: int, limit: int) -> Poll | None:
            raise SourceError("cannot list /in")

    with pytest.raises(SourceError, match="cannot list /in"):
        Driver(Failing()).run()


def test_sources_are_released() -> None:
    first, second = Numbers(), Numbers()
    Driver(first, second).coordinator.close()
    assert first.is_closed
    assert second.is_closed
