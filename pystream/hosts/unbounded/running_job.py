"""RunningJob: the control of an unbounded job by its client."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any

from pystream.errors import PyStreamError, UnsupportedOperationError
from pystream.hosts.unbounded.job_metrics import JobMetrics
from pystream.hosts.unbounded.requests import Requests, SavepointRequest
from pystream.hosts.unbounded.savepoint import new_savepoint_location
from pystream.hosts.unbounded.savepoint_files import SavepointFiles

__all__ = ["RunningJob"]


class RunningJob:
    """Control an unbounded job from any thread.

    Args:
        metrics: its metrics.
        requests: where it finds what it is asked for.
        obstacle: why it cannot take savepoints; empty if it can.

    Attributes:
        is_restarting: whether the job has failed and is about to restart.
    """

    def __init__(self, metrics: JobMetrics, requests: Requests, obstacle: str = "") -> None:
        self._metrics = metrics
        self._requests = requests
        self._obstacle = obstacle
        self.is_restarting: bool = False

    def trigger_savepoint(self, directory: str) -> Future[str]:
        """Request a savepoint at the end of the next epoch."""
        return self._requested(SavepointRequest(self._location(directory)))

    def stop_with_savepoint(self, drain: bool, directory: str) -> Future[str]:
        """Request a savepoint at the end of the next epoch, after which the job ends."""
        return self._requested(SavepointRequest(self._location(directory), stops=True, drains=drain))

    def _location(self, directory: str) -> str:
        return new_savepoint_location(directory, self._metrics.job_id)

    def _requested(self, request: SavepointRequest) -> Future[str]:
        if self._obstacle:
            request.fail(UnsupportedOperationError(f"job {self._metrics.name!r}: {self._obstacle}"))
            return request.written
        try:
            SavepointFiles(request.location).check_location()
        except PyStreamError as error:
            request.fail(error)
        else:
            self._requests.ask_for_savepoint(request)
        return request.written

    def accumulators(self) -> Mapping[str, Any]:
        """Return the accumulators after the last epoch."""
        return self._metrics.snapshot().metrics

    def metrics(self) -> Mapping[str, Any]:
        """Return the metrics of the job and its functions after the last epoch."""
        return self._metrics.as_dict()
