"""Run the queries on the local host, in this process; results become an Arrow table."""

from __future__ import annotations

import sys
from time import perf_counter
from typing import Any

import pystream
from benchmarks.suite.runner import Request, serve
from pystream import compat

compat.install()  # the programs import pyflink
from benchmarks.nexmark.pystream_jobs import results  # noqa: E402


def measure(request: Request) -> dict[str, Any]:
    """Measure a query, from building the program to its last result."""
    started = perf_counter()
    results(request, "local").to_arrow()
    return {"seconds": perf_counter() - started}


if __name__ == "__main__":
    serve(measure, {"pystream": pystream.__version__, "Python": sys.version.split()[0]})
