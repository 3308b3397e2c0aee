"""Lengths of time, and points on the time line."""

from __future__ import annotations

from pystream.durations import Duration, Time
from typeinfo.instant import Instant

__all__ = ["Duration", "Instant", "Time"]
