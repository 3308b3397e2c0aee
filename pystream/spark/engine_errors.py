"""What an error of the engine means to the program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException, PythonException
from pyspark.logger import PySparkLogger

from pystream.errors import JobExecutionError, PyStreamError
from pystream.lifting import GUARD_MARK
from pystream.runtime.failure import find_report
from pystream.spark.java_process import is_dead

__all__ = ["errors_not_logged", "explained", "is_of_expression", "what_failed"]

_LOST_WORKER = ("Python worker exited unexpectedly", "Python worker process terminated")
_TRACEBACK = "Traceback (most recent call last):"
_BROKEN_CONNECTION = (Py4JError, OSError, EOFError)


def explained(job_name: str, error: BaseException) -> BaseException:
    """Return the error to report for one that ended a job: in the program's words if it is of the engine."""
    if isinstance(error, PyStreamError):
        return error
    if is_dead(just_now=isinstance(error, _BROKEN_CONNECTION)):
        failure = JobExecutionError(
            f"job {job_name!r}: Spark's Java process died, or was killed, for example for want of memory "
            "(spark.driver.memory); the next job starts a new one"
        )
        failure.__cause__ = error
    elif not isinstance(error, (PySparkException, Py4JError)):
        return error
    elif (report := find_report(str(error))) is not None:
        failure = JobExecutionError(f"job {job_name!r}: {report.message()}")
        failure.__cause__ = report.original()
    else:
        failure = JobExecutionError(f"job {job_name!r} failed in the engine: {_gist(str(error))}")
        failure.__cause__ = error
    return failure


@contextmanager
def errors_not_logged() -> Iterator[None]:
    """Keep PySpark from logging the errors of expressions, with what they say and where they were made.

    They are raised as well, and what comes of them is for the job to tell.
    """
    logger = PySparkLogger.getLogger("DataFrameQueryContextLogger")
    before, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = before


def is_of_expression(error: BaseException) -> bool:
    """Tell whether the engine failed at something that is not Python's."""
    return isinstance(error, PySparkException) and not isinstance(error, PythonException)


def what_failed(error: BaseException) -> str:
    """Return what a guard says that did not hold, or what the engine says of another failure, in a line."""
    guard = re.search(rf"{GUARD_MARK}: (.*?)(?: SQLSTATE.*)?$", str(error), re.MULTILINE)
    return guard[1] if guard else _gist(str(error))


def _gist(text: str) -> str:
    if any(sign in text for sign in _LOST_WORKER):
        return "a Python worker died (crash or out of memory), so that it cannot tell what it was doing"
    lines = text.strip().splitlines()
    last = max((i for i, line in enumerate(lines) if _TRACEBACK in line), default=None)
    if last is not None:
        lines = [line for line in lines[last + 1 :] if line and not line[0].isspace()]
    return lines[0] if lines else "it gave no reason"
