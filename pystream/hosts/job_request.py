"""JobRequest: a plan to run and the settings of the job."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pystream.engine.task_info import Execution, JobInfo
from pystream.engine.worker.logs import LogSettings
from pystream.hosts.shipping import Shipped
from pystream.hosts.unbounded.settings import UnboundedSettings
from pystream.plan.cache import CachedElements
from pystream.plan.dependencies import Dependencies
from pystream.plan.graph import Plan
from pystream.settings.modes import ProgressMode

__all__ = ["JobRequest"]


@dataclass(frozen=True, slots=True)
class JobRequest:
    """A plan to run and the settings of the job.

    Attributes:
        plan: the optimised plan.
        without_lifting: returns the same plan without native steps, for values that these cannot handle.
        cached: the elements of caches that the plan reads.
        name: display name of the job.
        parameters: global job parameters, as text.
        spark_conf: options for the Spark session.
        dependencies: files and packages the workers need.
        restarts: whether the restart strategy may restart the job after a failure.
        new_backoff: returns a function that is called with the time of each failure, in seconds, and returns
            the seconds to wait before the restart, or ``None`` to let the job fail.
        progress: when to show progress.
        logging: loggers and levels whose records the workers send.
        execution: runtime mode, watermark interval and the like.
        unbounded: the settings of unbounded jobs.
        metrics_file: the file for the metrics of an unbounded job, or ``None``.
    """

    plan: Plan
    without_lifting: Callable[[], Plan]
    cached: tuple[CachedElements, ...]
    name: str
    parameters: Mapping[str, str]
    spark_conf: Mapping[str, str]
    dependencies: Dependencies
    restarts: bool
    new_backoff: Callable[[], Callable[[float], float | None]]
    progress: ProgressMode
    logging: LogSettings
    execution: Execution
    unbounded: UnboundedSettings
    metrics_file: str | None

    def job_info(
        self, job_id: str, shipped: Shipped, attempt: int = 0, progress: tuple[str, int] | None = None
    ) -> JobInfo:
        """Return the description of the job for its subtasks.

        Args:
            job_id: its hexadecimal id.
            shipped: its dependencies.
            attempt: number of the attempt, 0 for the first.
            progress: host and port to report progress to.
        """
        return JobInfo(
            job_id,
            self.name,
            dict(self.parameters),
            shipped.cached_files,
            execution=self.execution,
            logging=self.logging,
            attempt=attempt,
            progress=progress,
        )
