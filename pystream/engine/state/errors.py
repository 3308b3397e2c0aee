"""Errors of state."""

from __future__ import annotations

from typeinfo.errors import PyStreamError

__all__ = ["StateAccessError", "TimeToLiveError"]


class StateAccessError(PyStreamError, RuntimeError):
    """Report state or timers used without a current key, or a state declared in two ways."""


class TimeToLiveError(PyStreamError, ValueError):
    """Report a time to live that is none."""
