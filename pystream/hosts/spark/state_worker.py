"""The process from which Spark learns the schema of state, with PySpark as it is installed.

Spark gives it 10 seconds to start. From Spark's archive of PySpark, it takes several times as long as from
the installed modules, whose bytecode is cached, and on a busy machine longer than that.
"""

from __future__ import annotations

import runpy
import sys

from pystream.hosts.spark.worker_daemon import without_archive

__all__: list[str] = []

if __name__ == "__main__":
    sys.path[:] = without_archive(sys.path)
    runpy.run_module("pyspark.sql.streaming.transform_with_state_driver_worker", run_name="__main__")
