"""The Spark work of a job: marked, stopped and counted from any thread."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pyspark.sql.utils import is_remote

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["interrupt", "interruptible", "task_counts"]


@contextmanager
def interruptible(spark: SparkSession, job_id: str) -> Iterator[None]:
    """Mark the Spark work that this thread starts within the block as a job's.

    In a session of this process the marks of ``SparkSession.addTag`` are seen by their own thread alone, so
    that those of the Spark context are used.
    """
    if is_remote():
        spark.addTag(job_id)
    else:
        spark.sparkContext.addJobTag(job_id)
    try:
        yield
    finally:
        if is_remote():
            spark.removeTag(job_id)
        else:
            spark.sparkContext.removeJobTag(job_id)


def interrupt(spark: SparkSession, job_id: str) -> None:
    """Stop the running Spark work of a job; work that it starts later is not affected."""
    if is_remote():
        spark.interruptTag(job_id)
    else:
        spark.sparkContext.cancelJobsWithTag(job_id)


def task_counts(spark: SparkSession, job_id: str) -> tuple[int, int]:
    """Return how many of a job's Spark tasks are done, and how many are known so far."""
    finished = known = 0
    if is_remote():
        return finished, known
    java_context: Any = spark.sparkContext._jsc
    tracker = java_context.sc().statusTracker()
    for job in tracker.getJobIdsForTag(job_id):
        stages = spark.sparkContext.statusTracker()
        info = stages.getJobInfo(job)
        for stage in map(stages.getStageInfo, info.stageIds if info is not None else ()):
            if stage is not None:
                finished += stage.numCompletedTasks
                known += stage.numTasks
    return finished, known
