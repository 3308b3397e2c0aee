"""Flink 2's name of `ExternalizedCheckpointCleanup`."""

from __future__ import annotations

from pystream.settings.modes import ExternalizedCheckpointCleanup

__all__ = ["ExternalizedCheckpointRetention"]

ExternalizedCheckpointRetention = ExternalizedCheckpointCleanup
