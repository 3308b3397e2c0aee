"""TimerService: current times, and timers."""

from __future__ import annotations

from pystream.engine.context import TimerService

__all__ = ["TimerService"]
