"""Handle forks of a process that has running jobs."""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any
from weakref import WeakSet

from pystream.errors import PyStreamError

__all__ = ["ForkedProcessError", "at_exit", "fail_in_forked"]

_awaited: WeakSet[Future[Any]] = WeakSet()


class ForkedProcessError(PyStreamError):
    """A forked process cannot run jobs or wait for its parent's jobs."""


def at_exit(function: Callable[[], object]) -> Callable[[], object]:
    """Call a function when this process exits, but not in processes forked from it.

    Returns:
        The argument for ``atexit.unregister``.
    """
    return atexit.register(partial(_call_in, os.getpid(), function))


def fail_in_forked(future: Future[Any]) -> None:
    """Let a future fail in processes forked before a thread of this process completes it."""
    _awaited.add(future)


def _call_in(process: int, function: Callable[[], object]) -> None:
    if os.getpid() == process:
        function()


def _fail_awaited() -> None:
    for future in _awaited:
        future._condition = threading.Condition()  # a thread of the parent may have held the old one
        if not future.done():
            future.set_exception(ForkedProcessError("the job runs in the process this one was forked from"))


os.register_at_fork(after_in_child=_fail_awaited)
