"""Stopping a job's Spark work from any thread."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pyspark.sql.utils import is_remote

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["interrupt", "interruptible"]


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
