"""Coordinator: decides when the next epoch of an unbounded job starts, and its input."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pystream.engine.connectors.interfaces import Poll, SplitEnumerator
from pystream.engine.epoch import Epoch
from pystream.engine.time.clock import Clock
from pystream.hosts.unbounded.pace import Pace
from pystream.hosts.unbounded.requests import Requests, SavepointRequest
from pystream.hosts.unbounded.settings import UnboundedSettings

__all__ = ["Coordinator", "PlannedEpoch"]

_LONGEST_PAUSE = 0.05  # seconds between two looks at the clock, which a test may advance


@dataclass(frozen=True, slots=True)
class PlannedEpoch:
    """An epoch, and the changes that its input makes to the positions of sources.

    Attributes:
        epoch: the epoch.
        changes: the change of each source that has input in it, by chain id.
        request: the savepoint to write at its end, or ``None``.
        ends: whether the job ends after it in any case, because its input has ended or it is stopped.
    """

    epoch: Epoch
    changes: Mapping[int, Any] = field(default_factory=dict)
    request: SavepointRequest | None = None
    ends: bool = False

    @property
    def is_last(self) -> bool:
        """Whether the job ends after it."""
        return self.ends or (self.request is not None and self.request.stops)


class Coordinator:
    """Decide when the next epoch starts, and what its subtasks read.

    An epoch starts when a source has input, a timer is due, sinks are to publish, or a savepoint is
    requested; otherwise the job is idle.

    Args:
        enumerators: the source of each stage that has one, by chain id.
        pace: limits their input.
        settings: the intervals of epochs and publications.
        clock: the clock of processing time.
        requests: those of the program.

    Attributes:
        idle_at: the time at which there was nothing left to do; ``None`` while an epoch runs.
    """

    def __init__(
        self,
        enumerators: Mapping[int, SplitEnumerator],
        pace: Pace,
        settings: UnboundedSettings,
        clock: Clock,
        requests: Requests,
    ) -> None:
        self._enumerators = enumerators
        self._pace = pace
        self._settings = settings
        self._clock = clock
        self._requests = requests
        self._ended: set[int] = set()
        self._started = 0
        self._publication_began = self._publication_ended = clock.now()
        self._publishes = False
        self._timer: int | None = 0  # unknown before the first epoch, which therefore starts at once
        self._publication: int | None = None
        self._cut: list[int] = []
        self.idle_at: int | None = None

    def next_epoch(self, number: int) -> PlannedEpoch | None:
        """Wait until there is something to do, and return the next epoch; ``None`` to stop the job.

        Raises:
            PyStreamError: a source failed.
        """
        while True:
            now = self._clock.now()
            stop = self._requests.stop
            if stop is not None:
                return self._planned(number, {}, None, now) if stop.finishes else None
            request = self._requests.next_savepoint()
            polls: dict[int, Poll] = {}
            if request is None and now >= self._started + self._settings.buffer_timeout:
                polls = self._polls(now)
            if request or polls or self._newly_ended() or self._is_due(now):
                return self._planned(number, polls, request, now)
            if self._is_over():
                return None
            self.idle_at = now
            self._requests.wait(self._pause(now))

    def completed(self, millis: int, next_timer: int | None) -> None:
        """Record a completed epoch.

        Args:
            millis: how long it took.
            next_timer: the earliest processing-time timer of all subtasks, ``None`` if there is none.
        """
        self._pace.adapt(millis, self._cut)
        self._timer = next_timer
        if self._publishes:
            self._publication_ended = self._clock.now()

    def plan_publication(self, time: int | None) -> None:
        """Schedule an epoch in which sinks publish, even without input; ``None`` cancels it."""
        self._publication = time

    def committed(self) -> None:
        """Tell the sources that all their input so far is processed, durably."""
        for enumerator in self._enumerators.values():
            enumerator.completed()

    def close(self) -> None:
        """Release the sources."""
        for enumerator in self._enumerators.values():
            enumerator.close()

    def _polls(self, now: int) -> dict[int, Poll]:
        polls = {}
        for chain, enumerator in self._enumerators.items():
            if not enumerator.is_ended:
                poll = enumerator.poll(now, self._pace.limit(chain))
                if poll is not None:
                    polls[chain] = poll
        return polls

    def _newly_ended(self) -> set[int]:
        ended = {chain for chain, enumerator in self._enumerators.items() if enumerator.is_ended}
        return ended - self._ended

    def _is_over(self) -> bool:
        return len(self._ended) == len(self._enumerators)

    def _is_due(self, now: int) -> bool:
        timer = self._timer is not None and self._timer <= now
        publication = self._publication is not None and self._publication <= now
        return timer or (publication and self._is_publishing(now))

    def _is_publishing(self, now: int) -> bool:
        return self._settings.publishes(now, self._publication_began, self._publication_ended)

    def _planned(
        self, number: int, polls: Mapping[int, Poll], request: SavepointRequest | None, now: int
    ) -> PlannedEpoch:
        self.idle_at = None
        ended = self._newly_ended()
        self._ended |= ended
        stop = self._requests.stop
        ends = self._is_over() or (stop is not None and stop.finishes)
        stops = request is not None and request.stops
        self._publishes = ends or stops or self._is_publishing(now)
        if self._publishes:
            self._publication_began = now
        self._started = now
        self._cut = [chain for chain, poll in polls.items() if poll.is_cut]
        epoch = Epoch(
            number,
            {chain: tuple(map(tuple, poll.splits)) for chain, poll in polls.items()},
            frozenset(ended),
            drains=request is not None and request.drains,
            publishes=self._publishes,
            savepoint="" if request is None else request.location,
        )
        return PlannedEpoch(epoch, {c: poll.change for c, poll in polls.items()}, request, ends)

    def _pause(self, now: int) -> float:
        """Return the seconds to wait before the next look."""
        times = [enumerator.next_poll(now) for enumerator in self._enumerators.values()]
        times.append(self._timer)
        if self._publication is not None:
            times.append(self._publication)
        due = min((time for time in times if time is not None), default=now + 1_000)
        due = max(due, self._started + self._settings.buffer_timeout)
        return min(_LONGEST_PAUSE, max(0.001, (due - now) / 1000))
