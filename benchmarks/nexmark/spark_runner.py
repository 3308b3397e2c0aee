"""Run the queries on Spark: those of pystream, and plain Spark.

All use one session and read the same files; results go to Spark's ``noop`` sink, which discards every row.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

import pyspark

import pystream
from benchmarks.nexmark import plain_spark
from benchmarks.suite.runner import Request, serve
from pystream import compat
from pystream.hosts.spark.session import get_session

compat.install()  # the programs import pyflink
from benchmarks.nexmark.pystream_jobs import results  # noqa: E402


def measure(request: Request) -> dict[str, Any]:
    """Measure a query, from building the program to the last row discarded."""
    session, directory = get_session({}), Path(request.path)
    started = perf_counter()
    if request.contender == "Structured Streaming":
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as checkpoint:
            plain_spark.run_stream(session, request.operator, directory, checkpoint)
    else:
        if request.contender == "Spark SQL":
            frame = plain_spark.query(session, request.operator, directory)
        else:
            frame = results(request, "spark").to_data_frame()
        frame.write.format("noop").mode("overwrite").save()
    return {"seconds": perf_counter() - started}


if __name__ == "__main__":
    versions = {
        "pystream": pystream.__version__,
        "PySpark": pyspark.__version__,
        "Python": sys.version.split()[0],
    }
    serve(measure, versions)
