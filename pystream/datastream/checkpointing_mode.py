"""Consistency of state after a failure."""

from __future__ import annotations

from enum import Enum

__all__ = ["CheckpointingMode"]


class CheckpointingMode(Enum):
    """Guarantee of how often a record is reflected in the state after recovery.

    Spark recovers exactly once whichever is chosen. Mirrors
    ``org.apache.flink.core.execution.CheckpointingMode``.
    """

    EXACTLY_ONCE = 0
    AT_LEAST_ONCE = 1
