"""Let jobs clean up before a signal ends the program."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from types import FrameType

__all__ = ["exit_on_signals"]

_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


def exit_on_signals(is_busy: Callable[[], bool]) -> None:
    """Make SIGTERM and SIGHUP raise ``SystemExit`` while jobs run, unless the program handles them.

    Otherwise they end the process at once, without the clean-up at its exit. Python handles signals in the
    main thread; called from another one, this does nothing.

    Args:
        is_busy: returns whether this process runs a job.
    """
    if threading.current_thread() is not threading.main_thread():
        return

    def end(number: int, frame: FrameType | None) -> None:
        if is_busy():
            raise SystemExit(128 + number)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    for number in _SIGNALS:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, end)
