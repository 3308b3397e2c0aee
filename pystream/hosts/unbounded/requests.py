"""Requests: the requests of the program to a running unbounded job, from any thread."""

from __future__ import annotations

import threading
from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import NamedTuple

from pystream.errors import JobExecutionError

__all__ = ["Requests", "SavepointRequest", "Stop"]


@dataclass(frozen=True, slots=True)
class SavepointRequest:
    """A request for a savepoint at the end of the next epoch.

    Attributes:
        location: location of its directory, which does not exist yet.
        stops: whether the job ends after it.
        drains: whether event time advances to its end before.
        written: the location of the savepoint, once it is complete.
    """

    location: str
    stops: bool = False
    drains: bool = False
    written: Future[str] = field(default_factory=Future)

    def succeed(self) -> None:
        """Say that the savepoint is complete, unless the request has failed."""
        if not self.written.done():
            self.written.set_result(self.location)

    def fail(self, error: BaseException) -> None:
        """Fail the request, unless the savepoint is complete."""
        if not self.written.done():
            self.written.set_exception(error)


class Stop(NamedTuple):
    """A request to end the job after the current epoch.

    Attributes:
        finishes: whether a last epoch follows, at whose end all output becomes visible.
    """

    finishes: bool


class Requests:
    """The requests that a job has not carried out yet."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._savepoints: deque[SavepointRequest] = deque()
        self._stop: Stop | None = None
        self._has_ended = False

    def ask_for_savepoint(self, request: SavepointRequest) -> None:
        """Add a request for a savepoint, which fails if the job has ended."""
        with self._changed:
            self._savepoints.append(request)
            self._changed.notify_all()
        if self._has_ended:
            self.refuse_all()

    def ask_to_stop(self, stop: Stop) -> None:
        """Add a request to stop; the last one counts."""
        with self._changed:
            self._stop = stop
            self._changed.notify_all()

    @property
    def stop(self) -> Stop | None:
        """The request to stop, if there is one."""
        return self._stop

    def next_savepoint(self) -> SavepointRequest | None:
        """Remove and return the first request for a savepoint, if there is one."""
        with self._changed:
            return self._savepoints.popleft() if self._savepoints else None

    def wait(self, seconds: float) -> None:
        """Wait for another request or ``wake``, at most for a timeout in seconds."""
        with self._changed:
            self._changed.wait(seconds)

    def wake(self) -> None:
        """End a wait: the time may have changed."""
        with self._changed:
            self._changed.notify_all()

    def refuse_all(self) -> None:
        """Fail the requests for savepoints, later ones included, as the job has ended."""
        self._has_ended = True
        while (request := self.next_savepoint()) is not None:
            request.fail(JobExecutionError("the job ended before the savepoint was taken"))
