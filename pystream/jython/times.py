"""Lengths of time by unit, as the static methods of Java's ``Time`` are imported."""

from __future__ import annotations

from pystream.durations import Time
from pystream.errors import ArgumentTypeError
from typeinfo.arguments import checks_arguments

__all__ = ["days", "hours", "milliseconds", "minutes", "seconds"]


@checks_arguments(ArgumentTypeError)
def milliseconds(milliseconds: int) -> Time:
    """Return a length of milliseconds."""
    return Time.milliseconds(milliseconds)


@checks_arguments(ArgumentTypeError)
def seconds(seconds: int) -> Time:
    """Return a length of seconds."""
    return Time.seconds(seconds)


@checks_arguments(ArgumentTypeError)
def minutes(minutes: int) -> Time:
    """Return a length of minutes."""
    return Time.minutes(minutes)


@checks_arguments(ArgumentTypeError)
def hours(hours: int) -> Time:
    """Return a length of hours."""
    return Time.hours(hours)


@checks_arguments(ArgumentTypeError)
def days(days: int) -> Time:
    """Return a length of days of 24 hours."""
    return Time.days(days)
