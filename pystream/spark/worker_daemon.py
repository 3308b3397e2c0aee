"""The process that Spark forks its Python workers from, with PySpark as it is installed.

Spark puts an archive of PySpark first on the workers' path. Python keeps no bytecode of what it imports from
an archive, so it would compile PySpark anew each time a program starts.
"""

from __future__ import annotations

import sys
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
    from pyspark.daemon import manager

    manager()
