"""Activation: the environment of user functions that run in this process, and the errors of their jobs."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from pystream.engine.failure import TaskFailure
from pystream.engine.worker.environment import activate
from pystream.errors import DependencyError, JobExecutionError
from pystream.hosts.job_request import JobRequest
from pystream.hosts.local.logs import log_levels
from pystream.hosts.shipping import Shipped, ship

__all__ = ["activated", "error_to_report"]

_WORKING_DIRECTORY = threading.Lock()
"""Held by the job that has changed the working directory of this process."""


@contextmanager
def activated(request: JobRequest) -> Iterator[Shipped]:
    """Make the dependencies of a job available to its functions, and apply its log levels, within the block.

    Raises:
        DependencyError: the job needs another interpreter.
    """
    shipped = ship(request.dependencies)
    if shipped.executable not in (None, sys.executable):
        raise DependencyError(
            f"the local host runs functions in this process, not in {shipped.executable}; leave out the "
            "interpreter, or set pystream.runner to spark"
        )
    environment = shipped.environment
    with ExitStack() as stack:
        if environment.working_directory:
            stack.enter_context(_WORKING_DIRECTORY)
        if environment.python_path or environment.working_directory:
            stack.enter_context(activate(environment))
        stack.enter_context(log_levels(request.logging))
        yield shipped


def error_to_report(job_name: str, error: BaseException) -> BaseException:
    """Return the error to report, given the error that ended a job."""
    if not isinstance(error, TaskFailure):
        return error
    failure = JobExecutionError(f"job {job_name!r}: {error.report.message()}")
    failure.__cause__ = error.report.original()
    return failure
