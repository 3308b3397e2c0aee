"""Lengths of time by unit, as the static methods of Java's ``Time`` are imported."""

from __future__ import annotations

from pystream.durations import Time

__all__ = ["days", "hours", "milliseconds", "minutes", "seconds"]


def milliseconds(milliseconds: int) -> Time:
    """Return a length of milliseconds."""
    return Time.milliseconds(milliseconds)


def seconds(seconds: int) -> Time:
    """Return a length of seconds."""
    return Time.seconds(seconds)


def minutes(minutes: int) -> Time:
    """Return a length of minutes."""
    return Time.minutes(minutes)


def hours(hours: int) -> Time:
    """Return a length of hours."""
    return Time.hours(hours)


def days(days: int) -> Time:
    """Return a length of days of 24 hours."""
    return Time.days(days)
