"""Fields of dates and times."""

from __future__ import annotations

from pystream.lifting.building import call, constant, not_null
from pystream.lifting.expression import Expression, Op
from pystream.lifting.kinds import Kind, NotExact, kind_of, name_of
from typeinfo import Types

__all__ = ["part", "to_date", "weekday"]

_DAY = {"year": (1, 9999), "month": (1, 12), "day": (1, 31)}
_CLOCK = {"hour": (0, 23), "minute": (0, 59), "second": (0, 59), "microsecond": (0, 999_999)}
_PARTS = {Kind.DATE: _DAY, Kind.DATETIME: _DAY | _CLOCK, Kind.TIME: _CLOCK}


def part(value: Expression, name: str) -> Expression:
    """Return a field such as ``year`` or ``microsecond``."""
    bounds = _PARTS.get(kind_of(value), {}).get(name)
    if bounds is None:
        raise NotExact(f"uses .{name} of {name_of(value)}, which is not lifted")
    return call(Op.PART, not_null(value), type=Types.LONG(), data=(name,), bounds=bounds)


def weekday(value: Expression, first: int) -> Expression:
    """Return the day of the week, Monday being ``first``."""
    _only(value, Kind.DATE, Kind.DATETIME)
    day = call(Op.PART, not_null(value), type=Types.LONG(), data=("weekday",), bounds=(0, 6))
    if not first:
        return day
    return call(Op.ADD, day, constant(first), type=Types.LONG(), bounds=(first, first + 6))


def to_date(value: Expression) -> Expression:
    """Return ``value.date()``."""
    _only(value, Kind.DATETIME)
    return call(Op.TO_DATE, not_null(value), type=Types.SQL_DATE())


def _only(value: Expression, *kinds: Kind) -> None:
    if kind_of(value) not in kinds:
        raise NotExact(f"uses a method of dates on {name_of(value)}")
