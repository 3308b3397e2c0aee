"""Coordinator: decides when the next epoch of an unbounded job starts, and its input."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from pystream.engine.connectors.interfaces import Poll, SplitEnumerator
from pystream.engine.epoch import Epoch
from pystream.engine.time.clock import Clock
from pystream.hosts.unbounded.pace import Pace

__all__ = ["Coordinator", "PlannedEpoch", "Rhythm", "SavepointRequest"]

_LONGEST_PAUSE = 0.05  # seconds between two looks at the clock, which a test may set


@dataclass(frozen=True, slots=True)
class Rhythm:
    """How often things happen in an unbounded job, in ms.

    Attributes:
        batch_interval: target duration of an epoch with a backlog.
        buffer_timeout: minimum time between the starts of two epochs.
        checkpoint_interval: time between two publications of sinks; 0 to publish at every epoch.
    """

    batch_interval: int
    buffer_timeout: int
    checkpoint_interval: int


@dataclass(frozen=True, slots=True)
class SavepointRequest:
    """A request of the program for a savepoint.

    Attributes:
        location: the directory to write it to.
        stops: whether the job stops after it.
        drains: whether event time advances to its end before.
        written: its location, once it is complete.
    """

    location: str
    stops: bool = False
    drains: bool = False
    written: Future[str] = field(default_factory=Future)


@dataclass(frozen=True, slots=True)
class PlannedEpoch:
    """An epoch, and the changes of the positions of sources by its input.

    Attributes:
        epoch: the epoch.
        changes: the change of each source that has input in it, by chain id.
        request: the savepoint to write at its end, or ``None``.
        is_last: whether the job ends after it.
    """

    epoch: Epoch
    changes: Mapping[int, Any] = field(default_factory=dict)
    request: SavepointRequest | None = None
    is_last: bool = False


class Coordinator:
    """Decide when the next epoch starts, and what its subtasks read.

    An epoch starts when a source has input, a timer is due, sinks are to publish, or a savepoint is requested;
    otherwise the job is idle.

    Args:
        enumerators: the source of each stage that has one, by chain id.
        pace: limits their input.
        rhythm: how often things happen.
        clock: the clock of processing time.
    """

    def __init__(
        self, enumerators: Mapping[int, SplitEnumerator], pace: Pace, rhythm: Rhythm, clock: Clock
    ) -> None:
        self._enumerators = enumerators
        self._pace = pace
        self._rhythm = rhythm
        self._clock = clock
        self._changed = threading.Condition()
        self._requests: deque[SavepointRequest] = deque()
        self._is_stopping = False
        self._ended: set[int] = set()
        self._started = 0
        self._published = clock.now()
        self._timer: int | None = 0  # unknown before the first epoch, which therefore starts at once
        self._waits_for_publication = False
        self._cut: list[int] = []

    def next_epoch(self, number: int) -> PlannedEpoch | None:
        """Wait until there is something to do, and return the next epoch; ``None`` to stop the job.

        Raises:
            PyStreamError: a source failed.
        """
        with self._changed:
            while True:
                if self._is_stopping:
                    return None
                now = self._clock.now()
                request = self._requests.popleft() if self._requests else None
                polls: dict[int, Poll] = {}
                if request is None and now >= self._started + self._rhythm.buffer_timeout:
                    polls = self._polls(now)
                if request or polls or self._newly_ended() or self._is_due(now):
                    return self._planned(number, polls, request, now)
                if self._is_over():
                    return None
                self._changed.wait(self._pause(now))

    def completed(self, millis: int, next_timer: int | None, *, waits_for_publication: bool) -> None:
        """Take note of a completed epoch.

        Args:
            millis: how long it took.
            next_timer: the earliest processing-time timer of all subtasks, ``None`` if there is none.
            waits_for_publication: whether sinks hold elements that the next publication may show.
        """
        self._pace.adapt(millis, self._cut)
        self._timer = next_timer
        self._waits_for_publication = waits_for_publication

    def snapshots(self) -> dict[int, Any]:
        """Return the position of each source after the last epoch, by chain id."""
        return {chain: enumerator.snapshot() for chain, enumerator in self._enumerators.items()}

    def request(self, request: SavepointRequest) -> None:
        """Ask for a savepoint at the end of the next epoch."""
        with self._changed:
            self._requests.append(request)
            self._changed.notify()

    def stop(self) -> None:
        """Let no further epoch start."""
        with self._changed:
            self._is_stopping = True
            self._changed.notify()

    def close(self) -> None:
        """Release the sources, and cancel savepoints that were not started."""
        for enumerator in self._enumerators.values():
            enumerator.close()
        while self._requests:
            self._requests.popleft().written.cancel()

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
        return timer or (self._waits_for_publication and self._publishes(now))

    def _publishes(self, now: int) -> bool:
        return now >= self._published + self._rhythm.checkpoint_interval

    def _planned(
        self, number: int, polls: Mapping[int, Poll], request: SavepointRequest | None, now: int
    ) -> PlannedEpoch:
        ended = self._newly_ended()
        self._ended |= ended
        stops = request is not None and request.stops
        if request is not None and request.drains:
            ended |= set(self._enumerators)
        is_last = stops or self._is_over()
        publishes = is_last or self._publishes(now)
        if publishes:
            self._published = now
        self._is_stopping = stops
        self._started = now
        self._cut = [chain for chain, poll in polls.items() if poll.is_cut]
        epoch = Epoch(
            number,
            {chain: tuple(map(tuple, poll.splits)) for chain, poll in polls.items()},
            frozenset(ended),
            publishes,
            "" if request is None else request.location,
        )
        return PlannedEpoch(epoch, {c: poll.change for c, poll in polls.items()}, request, is_last)

    def _pause(self, now: int) -> float:
        times = [enumerator.next_poll(now) for enumerator in self._enumerators.values()]
        times.append(self._timer)
        if self._waits_for_publication:
            times.append(self._published + self._rhythm.checkpoint_interval)
        due = min((time for time in times if time is not None), default=None)
        if due is None:
            return _LONGEST_PAUSE
        due = max(due, self._started + self._rhythm.buffer_timeout)
        return min(_LONGEST_PAUSE, max(0.001, (due - now) / 1000))
