"""Failures: those of requests to a cluster that are made again and again."""

from __future__ import annotations

import logging
import time

from pystream.engine.connectors.kafka.cluster import PermanentSourceError
from pystream.errors import SourceError

__all__ = ["Failures"]

_LOG = logging.getLogger(__name__)

_SECONDS_BETWEEN_WARNINGS = 60.0
_SECONDS_TO_PASS = 30.0  # brokers that start may say that a topic is missing or forbidden


class Failures:
    """The failures of a request since it last succeeded; logs them from time to time.

    Args:
        remark: what is done about them, for the log.
    """

    def __init__(self, remark: str) -> None:
        self._remark = remark
        self._logged: float | None = None
        self._permanent_since: float | None = None

    @property
    def is_failing(self) -> bool:
        """Whether the last request has failed."""
        return self._logged is not None

    @property
    def is_final(self) -> bool:
        """Whether requests have failed with permanent errors for longer than brokers take to restart."""
        since = self._permanent_since
        return since is not None and time.monotonic() >= since + _SECONDS_TO_PASS

    def add(self, error: SourceError) -> None:
        """Note that a request has failed."""
        now = time.monotonic()
        if not isinstance(error, PermanentSourceError):
            self._permanent_since = None
        elif self._permanent_since is None:
            self._permanent_since = now
        if self._logged is None or now >= self._logged + _SECONDS_BETWEEN_WARNINGS:
            _LOG.warning("%s; %s", error, self._remark)
            self._logged = now

    def clear(self) -> None:
        """Note that a request has succeeded."""
        self._logged = self._permanent_since = None
