"""Translate Spark's errors into errors of the job."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from pyspark.errors import PySparkException, PythonException
from pyspark.logger import PySparkLogger

from pystream.engine.failure import TaskFailure, find_report
from pystream.errors import JobExecutionError, PyStreamError
from pystream.hosts.spark.jvm import Py4JError, cause_of_death, is_dead
from pystream.lifting import GUARD_MARK

__all__ = ["errors_not_logged", "error_to_report", "expression_failure", "gist", "is_slow_start"]

_LOG = logging.getLogger(__name__)
_TRACEBACK = "Traceback (most recent call last):"
_OF_FRAME = f"{TaskFailure.__module__}.{TaskFailure.__qualname__}: "  # returned by to_data_frame
_NO_REASON = "it gave no reason"
_FRAME = re.compile(r"\s|An error occurred while calling ")
_TASK = re.compile(r"most recent failure: Lost task .*?executor \S+\): (.*)")
_CLASS = re.compile(r"^(?:[a-z]\w*\.)+(?=[A-Z])")  # the package of a Java class
_BROKEN_CONNECTION = (Py4JError, OSError, EOFError)


def error_to_report(job_name: str, error: BaseException) -> BaseException:
    """Return the error to report, given the error that ended a job.

    Spark's own error, which ends in a stack trace of the JVM, is logged at DEBUG and not set as the cause.
    """
    if isinstance(error, PyStreamError):
        return error
    of_engine = isinstance(error, (PySparkException, Py4JError))
    text = _text(error) if of_engine else ""
    if text is None or is_dead(just_now=isinstance(error, _BROKEN_CONNECTION)):
        failure = JobExecutionError(
            f"job {job_name!r}: Spark's Java process {cause_of_death()}. The next job starts a new one"
        )
    elif not of_engine:
        return error
    elif (report := find_report(text)) is not None:
        failure = JobExecutionError(f"job {job_name!r}: {report.message()}")
        failure.__cause__ = report.original()
    else:
        failure = JobExecutionError(f"job {job_name!r} failed in Spark: {gist(text)}")
        _LOG.debug("Spark's own error of job %r", job_name, exc_info=error)
    return failure


def _text(error: BaseException) -> str | None:
    """Return the message of a Spark error, ``None`` if its JVM has ended."""
    try:
        return str(error)
    except (*_BROKEN_CONNECTION, AssertionError):  # PySpark asserts that it knows a Java process
        return None


@contextmanager
def errors_not_logged() -> Iterator[None]:
    """Keep PySpark from logging the errors of expressions.

    PySpark raises them, too, and the job handles them.
    """
    loggers = [PySparkLogger.getLogger(f"{kind}QueryContextLogger") for kind in ("DataFrame", "SQL")]
    before = [logger.disabled for logger in loggers]
    for logger in loggers:
        logger.disabled = True
    try:
        yield
    finally:
        for logger, was_disabled in zip(loggers, before, strict=True):
            logger.disabled = was_disabled


def expression_failure(error: BaseException) -> str | None:
    """Return the guard that failed, or the message of another failed expression, in one line.

    ``None`` if Python code failed, or if the JVM has ended, so that any error may be the cause.
    """
    if not isinstance(error, PySparkException) or isinstance(error, PythonException):
        return None
    text = _text(error)
    if text is None:
        return None
    message = text.partition("\n== ")[0]  # what follows is the part of the query, with all its guards
    guard = re.search(rf"{GUARD_MARK}: (.*?)(?: SQLSTATE.*)?$", message, re.MULTILINE)
    return guard[1] if guard else gist(text)


def is_slow_start(error: BaseException) -> bool:
    """Return whether Spark gave up waiting for a Python process to start."""
    text = _text(error) if isinstance(error, (PySparkException, Py4JError)) else None
    return text is not None and re.search(_NO_CONNECTION, text) is not None


_NO_CONNECTION: Final = "Python worker failed to connect back|waiting for the Python worker to connect back"
_KNOWN: Final = {
    _NO_CONNECTION: (
        "a Python worker did not start in the time that Spark gives it; the machine is too busy, or has too "
        "little memory: give it less other work, or use fewer subtasks"
    ),
    r"java\.lang\.OutOfMemoryError(?:: (?P<what>[^\n]*))?": (
        "Java ran out of memory ({what}); before the session starts, set spark.driver.memory higher, or "
        "spark.executor.memory on a cluster"
    ),
    r"java\.lang\.StackOverflowError": (
        "the plan is nested too deeply for Java's stack; write the data frame to a file and read it back "
        "halfway, or set spark.driver.defaultJavaOptions to -Xss64m before the session starts"
    ),
    r"No space left on device|Failed to create (?:any )?local dir|There is not enough space": (
        "the disk with Spark's temporary data is full; free some space, or set spark.local.dir to a "
        "directory with more before the session starts"
    ),
    r'Cannot run program "(?P<program>[^"]+)"[^:\n]*: (?P<reason>[^\n]*)': (
        "the Python of the workers, {program}, cannot be started ({reason}); set PYSPARK_PYTHON, or "
        "python.executable, to an interpreter that exists on every machine"
    ),
    r"ModuleNotFoundError: No module named '(?P<module>pystream|typeinfo|pyspark|pyarrow)'": (
        "the Python of the workers has no module {module}; install pystream for it, or set PYSPARK_PYTHON to "
        f"{sys.executable} before the session starts"
    ),
    r"ExecutorLostFailure \((?P<what>[^\n]*?)\) Reason: (?P<reason>[^\n]*)": (
        "an executor was lost ({reason}); if it was killed for using too much memory, set "
        "spark.executor.memory or spark.executor.memoryOverhead higher"
    ),
    r"Could not parse Master URL": (
        "spark.master is not a master URL; write local[2], spark://HOST:PORT or yarn"
    ),
    r"Python worker (?:exited unexpectedly|process terminated)": (
        "a Python worker died; the current element is unknown. If it ran out of memory, use fewer subtasks "
        "or smaller elements; if a native library crashed, its message is on standard error"
    ),
}
"""Known failures of Spark: a pattern in the message, and the cause and remedy with the pattern's groups."""


def gist(text: str) -> str:
    """Summarise a failure of Spark in one line: its message, or the meaning and remedy if known."""
    for pattern, meaning in _KNOWN.items():
        if (match := re.search(pattern, text)) is not None:
            return meaning.format(**match.groupdict(""))
    if _OF_FRAME in text:
        return text.partition(_OF_FRAME)[2].partition("\n\tat ")[0].rstrip()
    lines = text.splitlines()
    last = max((i for i, line in enumerate(lines) if _TRACEBACK in line), default=None)
    if last is not None:
        lines = [line for line in lines[last + 1 :] if line and not line[0].isspace()]
        return lines[0] if lines else _NO_REASON
    causes = [line.removeprefix("Caused by: ") for line in lines if line.startswith("Caused by: ")]
    raised = [line.removeprefix(": ") for line in lines if not _FRAME.match(line)]
    message = causes[-1] if causes else next((line for line in raised if line.strip()), _NO_REASON)
    if (task := _TASK.search(message)) is not None:
        message = task[1]
    return _CLASS.sub("", message)
