"""Clean-up of this process: its jobs and temporary files when it exits, is terminated or forks."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import tempfile
import threading
import weakref
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from pystream.errors import PyStreamError

__all__ = ["ForkedProcessError", "at_exit", "new_directory", "register_job", "removed_with"]

_SIGNALS = (signal.SIGTERM, signal.SIGHUP)

_jobs: weakref.WeakSet[Future[Any]] = weakref.WeakSet()


class ForkedProcessError(PyStreamError):
    """A forked process cannot run jobs or wait for its parent's jobs."""


def at_exit(function: Callable[[], object]) -> Callable[[], object]:
    """Call a function when this process exits, but not in processes forked from it.

    Returns:
        The argument for ``atexit.unregister``.
    """
    return atexit.register(partial(_call_in, os.getpid(), function))


def new_directory(parent: Path | None = None) -> Path:
    """Create a directory for temporary files, by default below the temporary directory of this machine."""
    return Path(tempfile.mkdtemp(prefix="pystream-", dir=parent))


def removed_with(owner: object, directory: Path) -> Callable[[], object]:
    """Remove a directory when its owner is garbage-collected, at the latest when this process exits.

    A process forked from this one leaves it alone.

    Returns:
        A function that removes it immediately.
    """
    remove = partial(shutil.rmtree, directory, ignore_errors=True)
    return weakref.finalize(owner, _call_in, os.getpid(), remove)


def _call_in(process: int, function: Callable[[], object]) -> None:
    if os.getpid() == process:
        function()


def register_job(future: Future[Any]) -> None:
    """Register a job, by its future, that a thread of this process is about to run.

    While a job runs, SIGTERM and SIGHUP raise ``SystemExit``, unless the program handles them; otherwise
    they would end the process without the clean-up at its exit. In forked processes, which do not run their
    parent's jobs, the future fails.
    """
    _jobs.add(future)
    if threading.current_thread() is threading.main_thread():  # the only one that may set signal handlers
        for number in _SIGNALS:
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, _exit)


def _exit(number: int, frame: FrameType | None) -> None:
    if any(not job.done() for job in _jobs):
        raise SystemExit(128 + number)
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _fail_jobs_of_parent() -> None:
    for job in _jobs:
        job._condition = threading.Condition()  # a thread of the parent may have held the old one
        if not job.done():
            job.set_exception(ForkedProcessError("the job runs in the process this one was forked from"))


os.register_at_fork(after_in_child=_fail_jobs_of_parent)
