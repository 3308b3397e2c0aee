"""Durations and points in time."""

from __future__ import annotations

from pystream.durations import Duration, Time
from typeinfo.instant import Instant

__all__ = ["Duration", "Instant", "Time"]
