"""JobControl: the requests of a client to a running unbounded job."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any, Protocol

__all__ = ["JobControl"]


class JobControl(Protocol):
    """Interface of a running unbounded job for its client; all methods may be called from any thread."""

    @property
    def is_restarting(self) -> bool:
        """Whether the job has failed and is about to restart."""
        ...

    def trigger_savepoint(self, directory: str) -> Future[str]:
        """Request a savepoint at the end of the next epoch.

        Args:
            directory: location of the directory of savepoints.

        Returns:
            A future of the location of the savepoint in it.
        """
        ...

    def stop_with_savepoint(self, drain: bool, directory: str) -> Future[str]:
        """Request a savepoint at the end of the next epoch, after which the job ends.

        Args:
            drain: whether event time first advances to its end, so that all windows and timers fire.
            directory: location of the directory of savepoints.

        Returns:
            A future of the location of the savepoint in it.
        """
        ...

    def accumulators(self) -> Mapping[str, Any]:
        """Return the accumulators after the last epoch."""
        ...

    def metrics(self) -> Mapping[str, Any]:
        """Return the metrics of the job and its functions after the last epoch."""
        ...
