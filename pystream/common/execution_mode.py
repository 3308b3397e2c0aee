"""ExecutionMode: data exchange between the operators of a batch program."""

from __future__ import annotations

from enum import Enum

__all__ = ["ExecutionMode"]


class ExecutionMode(Enum):
    """Choose between pipelined and batched data exchange.

    It has no effect on Spark, whose exchanges are always batched in a bounded job. Mirrors
    ``org.apache.flink.api.common.ExecutionMode``.
    """

    PIPELINED = 0
    PIPELINED_FORCED = 1
    BATCH = 2
    BATCH_FORCED = 3
