"""The process from which Spark forks its Python workers, with PySpark as it is installed.

Spark puts an archive of PySpark first on the workers' path. Python caches no bytecode of modules in
an archive, so it would compile PySpark again each time a program starts.

Modules that all workers need are imported before the fork, which saves a third of a second at a program's
first job and after each failure. The cyclic garbage collector, which a worker runs after each task, ignores
the objects of those modules, and of those that a task has imported: to look through them takes longer than
most tasks of short jobs.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib.machinery import PathFinder
from pathlib import Path

__all__ = ["keeping_modules", "without_archive"]

_ARCHIVE = "pyspark.zip"


def without_archive(path: list[str]) -> list[str]:
    """Return the module search path without PySpark's archive, if PySpark is importable without it."""
    others = [entry for entry in path if Path(entry).name != _ARCHIVE]
    return path if PathFinder.find_spec("pyspark", others) is None else others


def keeping_modules(task: Callable[..., int]) -> Callable[..., int]:
    """Return a function that runs tasks, and lets the garbage collector ignore the modules that they load.

    Objects of the task itself are collected first: what is ignored is never freed if it is part of a cycle.

    Args:
        task: runs a task; returns its exit code.
    """
    known = 0

    def run(*arguments: object) -> int:
        nonlocal known
        code = task(*arguments)
        if len(sys.modules) > known:
            known = len(sys.modules)
            gc.collect()
            gc.freeze()
        return code

    return run


if __name__ == "__main__":
    sys.path[:] = without_archive(sys.path)
    with suppress(ImportError):  # the worker that needs it reports the missing module
        import pystream.hosts.spark.worker  # noqa: F401
    with suppress(Exception):
        import pandas  # noqa: F401 - PyArrow imports it to convert the first list of a process
    from pyspark import daemon

    daemon.worker = keeping_modules(daemon.worker)
    gc.freeze()
    daemon.manager()
