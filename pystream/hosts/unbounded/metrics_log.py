"""MetricsLog: the metrics of an unbounded job as lines of JSON in a file."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from pathlib import Path

from pystream.errors import ConfigurationError
from pystream.hosts.unbounded.job_metrics import JobMetrics
from pystream.settings.options import METRICS_JSON

__all__ = ["MetricsLog"]

_LOG = logging.getLogger(__name__)
_INTERVAL = 1.0  # seconds


class MetricsLog:
    """Append a line after an epoch, but at most one a second, and one at the end of the job.

    The file is opened for each line, so that it can be renamed while the job runs.

    Args:
        path: the file; created if it does not exist.
        metrics: the metrics of the job.
        monotonic: returns monotonic time in seconds.

    Raises:
        ConfigurationError: the file cannot be written.
    """

    def __init__(
        self, path: Path, metrics: JobMetrics, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._path = path
        self._metrics = metrics
        self._monotonic = monotonic
        self._due = monotonic()
        self._has_failed = False
        try:
            self._append("")
        except OSError as error:
            raise ConfigurationError(
                f"{METRICS_JSON.key}: {path} cannot be written: {error.strerror}; create its "
                "directory, or name another file"
            ) from error

    def epoch_ended(self) -> None:
        """Append a line, unless the last one is less than a second old."""
        if self._monotonic() >= self._due:
            self._write()

    def close(self) -> None:
        """Append the final metrics."""
        self._write()

    def _write(self) -> None:
        self._due = self._monotonic() + _INTERVAL
        line = json.dumps(self._metrics.as_dict(), default=repr, separators=(",", ":"))
        try:
            self._append(f"{line}\n")
        except OSError as error:
            if not self._has_failed:
                _LOG.warning(
                    "metrics cannot be written to %s: %s; the job continues without them",
                    self._path,
                    error.strerror,
                )
            self._has_failed = True
        else:
            self._has_failed = False

    def _append(self, text: str) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(text)
