"""CheckpointingMode: the consistency of state after a failure."""

from __future__ import annotations

from pystream.settings.modes import CheckpointingMode

__all__ = ["CheckpointingMode"]
