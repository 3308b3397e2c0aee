"""Outcome: how a run ended."""

from __future__ import annotations

from enum import Enum

__all__ = ["Outcome"]


class Outcome(Enum):
    """How a run ended."""

    PASSED = "passed"
    MISSED = "missed"
    """Equal, but a part of the disturbance did not come about."""
    FAILED = "failed"
    LEFT_OUT = "left out"
