"""Streaming or batch semantics."""

from __future__ import annotations

from enum import Enum

__all__ = ["RuntimeExecutionMode"]


class RuntimeExecutionMode(Enum):
    """Choose the semantics a program runs with.

    ``STREAMING`` works in arrival order and emits rolling results; ``BATCH`` needs bounded sources, works
    key by key and emits final results only; ``AUTOMATIC`` is ``BATCH`` when all sources are bounded, else
    ``STREAMING``. Mirrors ``org.apache.flink.api.common.RuntimeExecutionMode``.
    """

    STREAMING = 0
    BATCH = 1
    AUTOMATIC = 2
