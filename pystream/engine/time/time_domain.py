"""TimeDomain: event time or processing time."""

from __future__ import annotations

from enum import Enum

__all__ = ["TimeDomain"]


class TimeDomain(Enum):
    """The time domain of a timer. Mirrors ``org.apache.flink.streaming.api.TimeDomain``."""

    EVENT_TIME = 0
    PROCESSING_TIME = 1
