"""JobStatus: the states of a job."""

from __future__ import annotations

from enum import Enum

__all__ = ["JobStatus"]


class JobStatus(Enum):
    """The state of a job.

    A job is RUNNING, FINISHED, FAILED or CANCELED, and an unbounded one also RESTARTING after a failure; the
    other states are Flink's and never reported. Mirrors
    ``org.apache.flink.api.common.JobStatus``.
    """

    CREATED = 0
    RUNNING = 1
    FAILING = 2
    FAILED = 3
    CANCELLING = 4
    CANCELED = 5
    FINISHED = 6
    RESTARTING = 7
    SUSPENDED = 8
    RECONCILING = 9

    def is_globally_terminal_state(self) -> bool:
        """Return whether the job is over and cannot be recovered anywhere."""
        return self in (JobStatus.FAILED, JobStatus.CANCELED, JobStatus.FINISHED)

    def is_terminal_state(self) -> bool:
        """Return whether the job is over on this host; a suspended job may be recovered elsewhere."""
        return self is JobStatus.SUSPENDED or self.is_globally_terminal_state()
