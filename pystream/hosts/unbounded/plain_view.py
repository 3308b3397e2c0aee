"""PlainView: a line per minute about an unbounded job, for use without a terminal."""

from __future__ import annotations

import sys
import threading

from pystream.hosts.unbounded.job_metrics import JobMetrics
from pystream.hosts.unbounded.summary import line

__all__ = ["PlainView"]

_INTERVAL = 60.0  # seconds


class PlainView:
    """Print a line about a job to standard error every minute, and one at its end.

    Args:
        metrics: the metrics of the job.
        interval: seconds between two lines.
    """

    def __init__(self, metrics: JobMetrics, interval: float = _INTERVAL) -> None:
        self._metrics = metrics
        self._interval = interval
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._print, name="pystream-plain-view", daemon=True)
        self._thread.start()

    def link(self, page: str) -> None:
        """Print the address of Spark's page of the job."""
        self._write(page)

    def announce(self, notice: str) -> None:
        """Print a message."""
        self._write(notice)

    def close(self, status: str) -> None:
        """Print the final metrics.

        Args:
            status: how the job ended, such as "finished after".
        """
        self._over.set()
        self._thread.join()
        self._write(line(self._metrics.snapshot(), status))

    def _print(self) -> None:
        while not self._over.wait(self._interval):
            self._write(line(self._metrics.snapshot(), "running"))

    def _write(self, text: str) -> None:
        try:
            print(f"{self._metrics.name}: {text}", file=sys.stderr, flush=True)
        except (OSError, ValueError):  # standard error is closed; the job keeps running
            self._over.set()
