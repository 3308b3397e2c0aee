"""The progress display of running jobs, on the terminal or below the cell of a notebook."""

from __future__ import annotations

import shutil
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from tqdm import tqdm

from pystream.engine.task.progress import Progress
from pystream.settings.modes import ProgressMode
from typeinfo.notebook import CellLine, in_kernel

__all__ = ["JobDisplay", "job_display"]

_REFRESH = 0.25  # seconds
_MESSAGE_BYTES = 1024
_WITH_TOTAL = "{desc}: {percentage:3.0f}%|{bar:20}| [{elapsed}<{remaining}{postfix}]"
_WITHOUT_TOTAL = "{desc}: [{elapsed}{postfix}]"


class JobDisplay:
    """Show the duration of a job, its elements and tasks so far, and the share of the input.

    Args:
        name: the prefix of the line.
        total: the size of the sources; 0 if unknown, which shows no bar.
        inbox: receives the reports of workers.
    """

    def __init__(self, name: str, total: int, inbox: socket.socket) -> None:
        self.address: tuple[str, int] = inbox.getsockname()
        self._inbox = inbox
        self._done = Progress()
        self._tasks: Callable[[], tuple[int, int]] | None = None
        self._over = threading.Event()
        size = (
            shutil.get_terminal_size()
        )  # 80 by 24 if the terminal reports 0 by 0, for which tqdm shows nothing
        self._bar: tqdm[Any] = tqdm(
            total=total or None,
            desc=name,
            file=CellLine() if in_kernel() else sys.stderr,
            ncols=size.columns,
            nrows=size.lines,
            bar_format=_WITH_TOTAL if total else _WITHOUT_TOTAL,
            postfix="starting",
        )
        self._thread = threading.Thread(target=self._show, name="pystream-progress", daemon=True)
        self._thread.start()

    def follow(self, tasks: Callable[[], tuple[int, int]]) -> None:
        """Show how many tasks of Spark are done as well.

        Args:
            tasks: returns the numbers of completed and of known tasks.
        """
        self._tasks = tasks

    def close(self) -> None:
        """Show the final state, and end the line."""
        self._over.set()
        self._thread.join()
        self._bar.close()

    def _show(self) -> None:
        self._inbox.settimeout(_REFRESH)
        due = time.monotonic()
        while not self._over.is_set():
            self._listen()
            if time.monotonic() >= due:
                self._draw()
                due = time.monotonic() + _REFRESH
        self._inbox.setblocking(False)
        while self._listen():
            pass
        self._draw()

    def _listen(self) -> bool:
        """Receive a message, if one arrives in time."""
        with suppress(BlockingIOError, TimeoutError):
            self._done = self._done.plus(Progress.decode(self._inbox.recv(_MESSAGE_BYTES)))
            return True
        return False

    def _draw(self) -> None:
        done = self._done
        parts = [
            f"{_number(count)} {what}"
            for count, what in ((done.read, "read"), (done.received, "received"))
            if count
        ]
        if self._tasks is not None:
            # Spark may be stopped at any time; then there are no tasks to show.
            with suppress(Exception):
                finished, known = self._tasks()
                parts += [f"{finished}/{known} tasks"] if known else []
        self._bar.set_postfix_str(", ".join(parts) or "starting", refresh=False)
        if self._bar.total is not None:
            self._bar.n = min(done.measured, self._bar.total)
        self._bar.refresh()


@contextmanager
def job_display(name: str, total: int, mode: ProgressMode) -> Iterator[JobDisplay | None]:
    """Show the progress of a job on standard error while it runs.

    Args:
        name: the prefix of the line.
        total: the size of the sources; 0 if unknown.
        mode: when to show it.

    Yields:
        The display, or ``None`` if nothing is shown.
    """
    if mode is ProgressMode.OFF or (mode is ProgressMode.AUTO and not (sys.stderr.isatty() or in_kernel())):
        yield None
        return
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as inbox:
        inbox.bind(("127.0.0.1", 0))
        display = JobDisplay(name, total, inbox)
        try:
            yield display
        finally:
            display.close()


def _number(count: int) -> str:
    return str(count) if count < 1000 else str(tqdm.format_sizeof(count))
