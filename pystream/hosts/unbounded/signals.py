"""Signal handlers that stop an unbounded job cleanly while the program waits for it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

__all__ = ["stopping_on_signals"]

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_REPLACEABLE_ROOMS = {"pystream", "pyspark"}


@contextmanager
def stopping_on_signals(stop: Callable[[], object]) -> Iterator[None]:
    """Stop a job at the first SIGINT, SIGTERM or SIGHUP within the block.

    The block lasts until the job has ended. A second SIGINT raises ``KeyboardInterrupt`` at once; further
    signals of the other kinds are ignored. Signals that the program handles or ignores are left alone, and so
    are all signals outside the main thread.

    Args:
        stop: asks the job to end after the current epoch; called once, in a thread of its own, because
            the main thread may be holding any lock.
    """
    if threading.current_thread() is not threading.main_thread():  # only that one may set handlers
        yield
        return
    is_stopping = False

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal is_stopping
        if not is_stopping:
            is_stopping = True
            threading.Thread(target=stop, name="pystream-stop", daemon=True).start()
        elif number == signal.SIGINT:
            raise KeyboardInterrupt

    before = {number: signal.getsignal(number) for number in _SIGNALS}
    replaced = {number: handler for number, handler in before.items() if _is_replaceable(handler)}
    try:
        for number in replaced:
            signal.signal(number, handle)
        yield
    finally:
        for number, handler in replaced.items():
            if signal.getsignal(number) is handle:
                signal.signal(number, handler)


def _is_replaceable(handler: Any) -> bool:
    """Return whether a handler is not the program's own, but Python's, Spark's or that of other jobs."""
    if handler in (signal.SIG_DFL, signal.default_int_handler):
        return True
    return str(getattr(handler, "__module__", "")).partition(".")[0] in _REPLACEABLE_ROOMS
