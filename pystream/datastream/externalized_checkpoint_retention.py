"""Flink 2's name of `ExternalizedCheckpointCleanup`."""

from __future__ import annotations

from pystream.datastream.externalized_checkpoint_cleanup import ExternalizedCheckpointCleanup

__all__ = ["ExternalizedCheckpointRetention"]

ExternalizedCheckpointRetention = ExternalizedCheckpointCleanup
