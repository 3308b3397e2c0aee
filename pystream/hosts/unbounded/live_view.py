"""LiveView: the metrics of an unbounded job on the terminal, redrawn in place while it runs."""

from __future__ import annotations

import threading
from io import StringIO
from typing import TextIO

from rich.console import Console
from rich.text import Text

from pystream.hosts.unbounded.job_metrics import JobMetrics
from pystream.hosts.unbounded.metrics_table import metrics_table
from pystream.hosts.unbounded.screen import Screen

__all__ = ["LiveView"]

_REFRESH = 0.5  # seconds


class LiveView:
    """Show a job's metrics below all other output of the program, refreshed twice a second.

    Args:
        metrics: the metrics of the job.
        terminal: where to draw.
    """

    def __init__(self, metrics: JobMetrics, terminal: TextIO) -> None:
        self._metrics = metrics
        self._console = Console(file=StringIO(), force_terminal=True, highlight=False)
        self._screen = Screen(terminal)
        self._page = ""
        self._notice = ""
        self._status = "running"
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._show, name="pystream-live-view", daemon=True)
        self._thread.start()

    def link(self, page: str) -> None:
        """Show the address of Spark's page of the job."""
        self._page = page

    def announce(self, notice: str) -> None:
        """Show a message until the next one."""
        self._notice = notice

    def close(self, status: str) -> None:
        """Show the final metrics, and leave them on the terminal.

        Args:
            status: how the job ended, such as "finished after".
        """
        self._over.set()
        self._thread.join()
        self._status, self._notice = status, ""
        self._draw()
        self._screen.close()

    def _show(self) -> None:
        self._draw()
        while not self._over.wait(_REFRESH):
            self._draw()

    def _draw(self) -> None:
        columns, rows = self._screen.size()
        width = columns - 1  # terminals differ in what they do at the end of a full line
        job = self._metrics.snapshot()
        with self._console.capture() as capture:
            table = metrics_table(job, self._status, (width, rows), page=self._page, notice=self._notice)
            self._console.print(table, width=width)
        lines = capture.get().splitlines()
        self._screen.draw([(line, Text.from_ansi(line).cell_len) for line in lines])
