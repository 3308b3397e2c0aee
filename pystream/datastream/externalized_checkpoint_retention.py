"""ExternalizedCheckpointRetention: the name of `ExternalizedCheckpointCleanup` in Flink 2."""

from __future__ import annotations

from pystream.settings.modes import ExternalizedCheckpointCleanup

__all__ = ["ExternalizedCheckpointRetention"]

ExternalizedCheckpointRetention = ExternalizedCheckpointCleanup
