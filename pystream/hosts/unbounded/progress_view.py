"""The progress of an unbounded job on standard error: a live view, a line per minute, or nothing."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import Protocol

from pystream.errors import JobCancelledError
from pystream.hosts.unbounded.job_metrics import JobMetrics
from pystream.hosts.unbounded.plain_view import PlainView
from pystream.settings.modes import ProgressMode

__all__ = ["NoView", "ProgressView", "progress_view"]

_only_live_view = threading.Lock()


class ProgressView(Protocol):
    """Interface of displays of a job's progress."""

    def link(self, page: str) -> None:
        """Show the address of Spark's page of the job."""

    def announce(self, notice: str) -> None:
        """Show a message."""

    def close(self, status: str) -> None:
        """Show the final metrics.

        Args:
            status: how the job ended, such as "finished after".
        """


class NoView:
    """Show nothing."""

    def link(self, page: str) -> None:
        pass

    def announce(self, notice: str) -> None:
        pass

    def close(self, status: str) -> None:
        pass


@contextmanager
def progress_view(metrics: JobMetrics, mode: ProgressMode) -> Iterator[ProgressView]:
    """Show the progress of an unbounded job on standard error while it runs.

    A terminal has a live view, of one job at a time. Other jobs, and those whose progress is on without a
    terminal, print a line a minute.

    Args:
        metrics: the metrics of the job.
        mode: when to show it.

    Yields:
        The display, which may show nothing.
    """
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    if mode is ProgressMode.OFF or (mode is ProgressMode.AUTO and not is_terminal):
        yield NoView()
        return
    can_draw = is_terminal and os.environ.get("TERM") not in ("dumb", "unknown")
    is_live = can_draw and _only_live_view.acquire(blocking=False)
    try:
        view = _live_view(metrics) if is_live else PlainView(metrics)
        status = "failed after"
        try:
            yield view
            status = "finished after"
        except (JobCancelledError, CancelledError):
            status = "cancelled after"
            raise
        finally:
            view.close(status)
    finally:
        if is_live:
            _only_live_view.release()


def _live_view(metrics: JobMetrics) -> ProgressView:
    from pystream.hosts.unbounded.live_view import LiveView  # rich takes a while to import

    return LiveView(metrics, sys.stderr)
