"""Clocks and timers."""

from __future__ import annotations

from pystream.runtime.context import TimerService

__all__ = ["TimerService"]
