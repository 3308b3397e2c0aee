"""The metrics of an unbounded job as a whole, in words."""

from __future__ import annotations

from pystream.hosts.unbounded.quantities import duration_text, number_text, rate_text, size_text
from pystream.hosts.unbounded.snapshot import JobSnapshot

__all__ = ["line", "summary"]

_LONG = 2_000  # ms; shorter epochs are not shown while they run


def summary(job: JobSnapshot, status: str) -> tuple[list[str], list[str]]:
    """Return short texts about the job as a whole: its status, and its epochs.

    Args:
        job: its metrics.
        status: such as "running".
    """
    condition = [f"{status} {duration_text(job.uptime)}"]
    if job.restarts:
        condition.append(f"{job.restarts:,} restart{'s' if job.restarts > 1 else ''}")
    progress = []
    if job.running is not None and job.time - job.running[1] >= _LONG:
        progress.append(f"epoch {job.running[0]:,} running for {duration_text(job.time - job.running[1])}")
    elif job.epoch is not None and job.epoch_duration is not None:
        progress.append(f"epoch {job.epoch:,} took {duration_text(job.epoch_duration)}")
    if job.checkpoint_age is not None and job.checkpoint_duration is not None:
        size = "" if job.checkpoint_size is None else f", {size_text(job.checkpoint_size)}"
        age, duration = duration_text(job.checkpoint_age), duration_text(job.checkpoint_duration)
        progress.append(f"checkpoint took {duration}{size}, {age} ago")
    return condition, progress


def line(job: JobSnapshot, status: str) -> str:
    """Return the metrics of the job as a whole and the rates of its stages in one line.

    Args:
        job: its metrics.
        status: such as "running".
    """
    condition, progress = summary(job, status)
    stages = [
        f"{stage.name}: {number_text(stage.records_in)} in ({rate_text(stage.records_in_per_second)}/s), "
        f"{number_text(stage.records_out)} out ({rate_text(stage.records_out_per_second)}/s)"
        for stage in job.stages
    ]
    return "; ".join([", ".join([*condition, *progress]), *stages])
