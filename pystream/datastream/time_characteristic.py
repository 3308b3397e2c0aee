"""The notions of time."""

from __future__ import annotations

from enum import Enum

__all__ = ["TimeCharacteristic"]


class TimeCharacteristic(Enum):
    """Name the clock a program goes by: the machine's, the arrival's, or the one in its elements.

    Mirrors ``org.apache.flink.streaming.api.TimeCharacteristic``.
    """

    ProcessingTime = 0
    IngestionTime = 1
    EventTime = 2
