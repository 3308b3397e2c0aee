"""Waits that signals can end, in whichever moment they come.

Python runs the handlers of signals in the main thread, between two of its steps. A signal that comes just
before that thread starts to wait, or that the system gives to another thread, does not end the wait: the
handler runs when the wait is over. So a wait of unknown length is made of short ones.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

__all__ = ["ended", "in_slices", "joined", "result_of"]

T = TypeVar("T")

_SLICE = 0.1


def in_slices(wait: Callable[[float], object], seconds: float = math.inf) -> bool:
    """Wait in slices until there is nothing more to wait for, or the time is over.

    Args:
        wait: waits for a time in seconds at most; returns whether there is nothing more to wait for.
        seconds: the longest time to wait.

    Returns:
        Whether there is nothing more to wait for.
    """
    deadline = time.monotonic() + seconds
    while not wait(max(0.0, min(_SLICE, deadline - time.monotonic()))):
        if time.monotonic() >= deadline:
            return False
    return True


def ended(future: Future[Any], seconds: float = math.inf) -> bool:
    """Wait until a future has ended, or the time is over; return whether it has ended."""
    # A lock of its own: an interrupt within `Future.result` could leave that of the future locked for ever.
    lock = threading.Lock()
    lock.acquire()
    future.add_done_callback(lambda _: lock.release())
    return in_slices(lambda each: lock.acquire(timeout=each), seconds)


def result_of(future: Future[T]) -> T:
    """Wait for the result of a future and return it, or raise its error."""
    ended(future)
    return future.result()


def joined(thread: threading.Thread, seconds: float) -> bool:
    """Wait until a thread has ended, or the time is over; return whether it has ended."""

    def join(each: float) -> bool:
        thread.join(each)
        return not thread.is_alive()

    return in_slices(join, seconds)
