"""The process that Spark forks its Python workers from, with PySpark as it is installed.

Spark puts an archive of PySpark first on the workers' path. Python keeps no bytecode of what it imports from
an archive, so it would compile PySpark again each time a program starts.

What all workers need is imported before they are forked: they start with a program's first job, and again
after each failure, and would take a third of a second longer. A worker looks for cycles after each task:
it need not look among the objects of those modules.
"""

from __future__ import annotations

import gc
import sys
from contextlib import suppress
from importlib.machinery import PathFinder
from pathlib import Path

__all__ = ["without_archive"]

_ARCHIVE = "pyspark.zip"


def without_archive(path: list[str]) -> list[str]:
    """Return a module search path without PySpark's archive, if PySpark is found without it."""
    others = [entry for entry in path if Path(entry).name != _ARCHIVE]
    return path if PathFinder.find_spec("pyspark", others) is None else others


if __name__ == "__main__":
    sys.path[:] = without_archive(sys.path)
    with suppress(ImportError):  # the worker that needs it says what is missing
        import pystream.hosts.spark.worker  # noqa: F401
    from pyspark.daemon import manager

    gc.freeze()
    manager()
