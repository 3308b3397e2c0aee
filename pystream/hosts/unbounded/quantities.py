"""Human-readable texts of numbers, sizes, durations and times."""

from __future__ import annotations

from datetime import datetime

__all__ = ["duration_text", "number_text", "rate_text", "size_text", "time_text"]

_PREFIXES = ("", "k", "M", "G", "T", "P", "E")
_SECOND = 1000
_MINUTE = 60 * _SECOND
_HOUR = 60 * _MINUTE
_DAY = 24 * _HOUR
_YEAR = 365 * _DAY


def number_text(number: int) -> str:
    """Return a count in at most six characters, such as ``9,999``, ``12.3k`` and ``1.23M``."""
    return f"{number:,}" if abs(number) < 10_000 else "{}{}".format(*_scaled(number))


def rate_text(rate: float) -> str:
    """Return a rate in at most six characters, such as ``0.5``, ``950`` and ``12.3k``."""
    if rate == 0 or rate >= 9.95:
        return number_text(round(rate))
    if rate < 0.01:
        return "<0.01"
    return f"{rate:.1f}" if rate >= 0.095 else f"{rate:.2f}"


def size_text(size: int) -> str:
    """Return a number of bytes, such as ``950 B`` and ``1.23 MB``."""
    return f"{size} B" if size < 1000 else "{} {}B".format(*_scaled(size))


def duration_text(millis: int) -> str:
    """Return a duration in its two largest units, such as ``0.25 s``, ``42 s`` and ``2 h 5 min``."""
    if millis < 0:
        return f"-{duration_text(-millis)}"
    if millis < 9_995:
        return f"{millis / _SECOND:.2f} s" if millis < 995 else f"{millis / _SECOND:.1f} s"
    seconds = round(millis / _SECOND) * _SECOND
    for unit, name, below, smaller in (
        (_YEAR, "y", _DAY, "d"),
        (_DAY, "d", _HOUR, "h"),
        (_HOUR, "h", _MINUTE, "min"),
        (_MINUTE, "min", _SECOND, "s"),
    ):
        if seconds >= unit:
            rest = seconds % unit // below
            return f"{seconds // unit} {name}" + (f" {rest} {smaller}" if rest else "")
    return f"{seconds // _SECOND} s"


def time_text(millis: int, now: int) -> str:
    """Return a local time, with the date unless it is that of ``now``, such as ``12:34:56``.

    Args:
        millis: in ms since the Unix epoch; beyond the years of Python's ``datetime``, it is returned as a
            number.
        now: in ms since the Unix epoch.
    """
    try:
        time, today = (datetime.fromtimestamp(one // 1000) for one in (millis, now))
    except (OverflowError, ValueError, OSError):
        return str(millis)
    return time.strftime("%H:%M:%S") if time.date() == today.date() else time.strftime("%Y-%m-%d %H:%M")


def _scaled(number: float) -> tuple[str, str]:
    """Return a number of at least 1,000 with three significant digits, and its metric prefix."""
    power = 0
    while abs(number) >= 999.5 and power < len(_PREFIXES) - 1:
        number /= 1000
        power += 1
    return f"{number:.3g}" if abs(number) < 100 else f"{number:.0f}", _PREFIXES[power]
