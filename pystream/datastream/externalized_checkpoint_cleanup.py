"""ExternalizedCheckpointCleanup: retention of the checkpoints of a cancelled job."""

from __future__ import annotations

from enum import Enum

__all__ = ["ExternalizedCheckpointCleanup"]


class ExternalizedCheckpointCleanup(Enum):
    """Choose whether checkpoints outlive the cancellation of their job; those of a failed job always stay.

    Flink 2 calls it ``ExternalizedCheckpointRetention``. Mirrors
    ``org.apache.flink.configuration.ExternalizedCheckpointRetention``.
    """

    DELETE_ON_CANCELLATION = 0
    RETAIN_ON_CANCELLATION = 1
    NO_EXTERNALIZED_CHECKPOINTS = 2
