"""Descriptions of a job and a subtask, shown to user code by a RuntimeContext."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pystream.engine.worker.logs import LogSettings

__all__ = ["AsyncCallSettings", "Execution", "JobInfo", "SubtaskInfo"]


@dataclass(frozen=True, slots=True)
class AsyncCallSettings:
    """Settings of the calls of asynchronous functions in queries.

    Attributes:
        at_once: the maximum number of calls that wait at the same time.
        timeout: the seconds that a call may take, with its retries.
        attempts: how often a function is called for a row before its error fails the job.
        delay: the seconds before a call is made again.
    """

    at_once: int = 10
    timeout: float = 180.0
    attempts: int = 3
    delay: float = 0.1


@dataclass(frozen=True, slots=True)
class Execution:
    """Runtime mode and watermark interval of a job.

    Attributes:
        batch: whether keyed operators process one key after another, and event time advances only at the end.
        watermark_interval: interval of periodic watermarks in ms; 0 emits one after every element.
        fires_timers_at_end: whether processing-time timers that are not yet due fire at the end of the input.
        bundle_size: the maximum number of elements processed between two checks of the clock.
        async_calls: how queries call asynchronous functions.
        time_zone: the name of the time zone in which queries give instants to functions of the program.
    """

    batch: bool = False
    watermark_interval: int = 200
    fires_timers_at_end: bool = True
    bundle_size: int = 1_000
    async_calls: AsyncCallSettings = AsyncCallSettings()
    time_zone: str = "Z"


@dataclass(frozen=True, slots=True)
class JobInfo:
    """Description of a job, the same for all its tasks.

    Attributes:
        job_id: hexadecimal id of the job.
        job_name: display name.
        parameters: the global job parameters, as text.
        cached_files: local path of each registered file, by its name.
        attempt: how often the job was started before.
        progress: host and port to report progress to, or ``None``.
        execution: runtime mode and watermark interval.
        logging: levels of the log records to send.
        in_process: whether it runs in the process of the driver, which takes results from memory.
    """

    job_id: str
    job_name: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    cached_files: Mapping[str, str] = field(default_factory=dict)
    attempt: int = 0
    progress: tuple[str, int] | None = None
    execution: Execution = Execution()
    logging: LogSettings = field(default_factory=LogSettings)
    in_process: bool = False


@dataclass(frozen=True, slots=True)
class SubtaskInfo:
    """Description of one subtask.

    Attributes:
        job: the job.
        index: 0 to parallelism - 1.
        parallelism: number of subtasks of the task.
        max_parallelism: upper bound of the parallelism, the number of key groups.
        attempt_number: 0 for the first attempt.
    """

    job: JobInfo
    index: int
    parallelism: int
    max_parallelism: int
    attempt_number: int

    def owns(self, group: int) -> bool:
        """Return whether a key group belongs to the subtask."""
        return group * self.parallelism // self.max_parallelism == self.index
