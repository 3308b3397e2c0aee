"""The two kinds of time."""

from __future__ import annotations

from pystream.runtime.time_domain import TimeDomain

__all__ = ["TimeDomain"]
