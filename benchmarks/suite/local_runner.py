"""Run programs on the local host, in this process."""

from __future__ import annotations

import sys
from time import perf_counter
from typing import Any

import pystream
from benchmarks.suite.file_jobs import run
from benchmarks.suite.runner import Request, serve


def measure(request: Request) -> dict[str, Any]:
    """Measure a job, from building the program to the last record dropped."""
    started = perf_counter()
    run(request, "local")
    return {"seconds": perf_counter() - started}


if __name__ == "__main__":
    serve(measure, {"pystream": pystream.__version__, "Python": sys.version.split()[0]})
