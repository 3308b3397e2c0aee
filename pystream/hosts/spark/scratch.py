"""Scratch directories: files that this process and its workers exchange while a job runs."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from pyspark.sql.utils import is_remote

from pystream.hosts.spark.master import is_local

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["has_local_workers", "new_directory", "removed_with", "shared_directory"]


def has_local_workers(spark: SparkSession) -> bool:
    """Tell whether the workers of a session are certain to run on this machine."""
    return not is_remote() and is_local(str(spark.sparkContext.master))


def shared_directory(spark: SparkSession) -> Path | None:
    """Return a directory that the workers share with this process, or ``None`` if they may be elsewhere.

    Spark's Java process removes it with all that is in it, also when this process is killed.
    """
    return Path(spark.sparkContext._temp_dir) if has_local_workers(spark) else None


def new_directory(parent: Path | None) -> Path:
    """Make a directory, in the temporary directory of this machine unless told where."""
    return Path(tempfile.mkdtemp(prefix="pystream-", dir=parent))


def removed_with(owner: object, directory: Path) -> Callable[[], object]:
    """Remove a directory once its owner is gone, at the latest when this process ends.

    Returns:
        What removes it at once.
    """
    return weakref.finalize(owner, _remove, directory, os.getpid())


def _remove(directory: Path, process: int) -> None:
    if os.getpid() == process:  # a forked one shares it with its parent
        shutil.rmtree(directory, ignore_errors=True)
