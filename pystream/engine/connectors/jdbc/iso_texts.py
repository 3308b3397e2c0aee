"""Dates and times as text in ISO 8601, for databases that take them so."""

from __future__ import annotations

from datetime import date, datetime, time

from typeinfo.instant import Instant

__all__ = ["date_text", "instant_text", "time_text", "timestamp_text"]


def date_text(value: date) -> str:
    """Return a date as ``2020-01-31``."""
    return value.isoformat()


def time_text(value: time) -> str:
    """Return a time as ``12:34:56.789``."""
    return value.isoformat()


def timestamp_text(value: datetime) -> str:
    """Return a timestamp as ``2020-01-31 12:34:56``."""
    return value.isoformat(" ")


def instant_text(value: Instant) -> str:
    """Return an instant as a timestamp in UTC, with its offset."""
    return value.to_datetime().isoformat(" ")
