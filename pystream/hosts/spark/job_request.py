"""JobRequest: a plan to run, with the settings of the job."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pystream.engine.logs import LogSettings
from pystream.engine.task_info import Execution, JobInfo
from pystream.hosts.spark.shipping import Shipped
from pystream.plan.dependencies import Dependencies
from pystream.plan.graph import Plan
from pystream.plan.options import ProgressMode

__all__ = ["JobRequest", "job_info"]


@dataclass(frozen=True, slots=True)
class JobRequest:
    """A plan to run, with the settings of the job.

    Attributes:
        plan: the optimised plan.
        without_lifting: the same plan without native steps, for values that these cannot handle.
        name: display name of the job.
        parameters: global job parameters, as text.
        spark_conf: options for the Spark session.
        dependencies: files and packages the workers need.
        restarts: whether the restart strategy may start the job again after a failure.
        pause_before_restart: returns the seconds to wait before a restart, given the times of all failures so
            far, or ``None`` to let the job fail.
        progress: when to show progress.
        logging: loggers and levels whose records the workers send.
        execution: runtime mode, watermark interval and the like.
    """

    plan: Plan
    without_lifting: Plan
    name: str
    parameters: Mapping[str, str]
    spark_conf: Mapping[str, str]
    dependencies: Dependencies
    restarts: bool
    pause_before_restart: Callable[[Sequence[float]], float | None]
    progress: ProgressMode
    logging: LogSettings
    execution: Execution


def job_info(request: JobRequest, job_id: str, shipped: Shipped) -> JobInfo:
    """Return the description of a job that its workers get."""
    return JobInfo(
        job_id,
        request.name,
        dict(request.parameters),
        shipped.cached_files,
        execution=request.execution,
        logging=request.logging,
    )
