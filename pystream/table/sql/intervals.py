"""The lengths of the units of intervals."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

__all__ = ["unit_milliseconds"]

_MILLISECONDS: Mapping[str, int] = {
    "MILLISECOND": 1,
    "SECOND": 1000,
    "MINUTE": 60_000,
    "HOUR": 3_600_000,
    "DAY": 86_400_000,
    "WEEK": 604_800_000,
}


def unit_milliseconds(interval: exp.Expr) -> int | None:
    """Return the length of the unit of an interval in milliseconds.

    Args:
        interval: the expression.

    Returns:
        The length; ``None`` if it has no fixed one, as months have, or the expression is not an interval.
    """
    unit = interval.unit if isinstance(interval, exp.Interval) else None
    return None if unit is None else _MILLISECONDS.get(unit.name.upper().removesuffix("S"))
