"""TimeDomain: event time or processing time."""

from __future__ import annotations

from pystream.engine.time.timers import TimeDomain

__all__ = ["TimeDomain"]
