"""The scratch directory that this process shares with the workers of a session."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pyspark.sql.utils import is_remote

from pystream.hosts.spark.master import is_local

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["has_local_workers", "shared_directory"]


def has_local_workers(spark: SparkSession) -> bool:
    """Tell whether the workers of a session are certain to run on this machine."""
    return not is_remote() and is_local(str(spark.sparkContext.master))


def shared_directory(spark: SparkSession) -> Path | None:
    """Return a directory that the workers share with this process, or ``None`` if they may be elsewhere.

    Spark's Java process removes it with all that is in it, also when this process is killed.
    """
    return Path(spark.sparkContext._temp_dir) if has_local_workers(spark) else None
