"""Write times by patterns of Java."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

__all__ = ["UnknownPatternError", "Write", "formatted", "pattern_parts", "step_of", "writer_of"]

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_RESERVED = "[]{}#"

Write = Callable[[datetime], str]
"""Writes a part of a time."""


class UnknownPatternError(ValueError):
    """A pattern has parts that are not supported."""


def pattern_parts(pattern: str) -> list[tuple[str, str]]:
    """Return the parts of a pattern: letters that are the same, with an empty text, or literal text.

    Raises:
        UnknownPatternError: it has parts with a meaning that is not supported.
    """
    parts = []
    for found in re.finditer(r"([A-Za-z])\1*|''|'((?:[^']|'')*)'|(.)", pattern, re.DOTALL):
        if found[1]:
            parts.append((found[0], ""))
        elif found[3] is None:
            parts.append(("", "'" if found[2] is None else found[2].replace("''", "'")))
        elif found[3] in _RESERVED or found[3] == "'":
            raise UnknownPatternError(f"{found[3]} is not supported in {pattern!r}")
        else:
            parts.append(("", found[3]))
    return parts


def _number(width: int, part: Callable[[datetime], int], value: datetime) -> str:
    return f"{part(value):0{width}}"


def _year(value: datetime) -> int:
    return value.year


def _month(value: datetime) -> int:
    return value.month


def _day(value: datetime) -> int:
    return value.day


def _day_of_year(value: datetime) -> int:
    return value.timetuple().tm_yday


def _hour(value: datetime) -> int:
    return value.hour


def _hour_of_half(value: datetime) -> int:
    return (value.hour - 1) % 12 + 1


def _minute(value: datetime) -> int:
    return value.minute


def _second(value: datetime) -> int:
    return value.second


def _short_year(value: datetime) -> str:
    return f"{value.year % 100:02}"


def _half(value: datetime) -> str:
    return "AM" if value.hour < 12 else "PM"


def _fraction(width: int, value: datetime) -> str:
    return f"{value.microsecond:06}000"[:width]


def _name_of_day(length: int | None, value: datetime) -> str:
    return _DAYS[value.weekday()][:length]


def _name_of_month(length: int | None, value: datetime) -> str:
    return _MONTHS[value.month - 1][:length]


def _literal(text: str, value: datetime) -> str:
    return text


_NUMBERS: Mapping[str, tuple[Callable[[datetime], int], int]] = {
    "D": (_day_of_year, 3),
    "H": (_hour, 2),
    "M": (_month, 2),
    "d": (_day, 2),
    "h": (_hour_of_half, 2),
    "m": (_minute, 2),
    "s": (_second, 2),
}
"""The letters of numbers, and how often they may stand at most."""


def writer_of(pattern: str) -> tuple[Write, ...]:
    """Return the functions that write the parts of a pattern.

    Raises:
        UnknownPatternError: a part is not supported.
    """
    return tuple(
        _writer(letters) if letters else partial(_literal, text) for letters, text in pattern_parts(pattern)
    )


def _writer(letters: str) -> Write:
    letter, count = letters[0], len(letters)
    match letter, count:
        case "y", 2:
            return _short_year
        case "y", 1 | 3 | 4:
            return partial(_number, count, _year)
        case "M", 3 | 4:
            return partial(_name_of_month, 3 if count == 3 else None)
        case "E", 1 | 2 | 3 | 4:
            return partial(_name_of_day, None if count == 4 else 3)
        case "S", 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9:
            return partial(_fraction, count)
        case "a", 1:
            return _half
    if letter in _NUMBERS and count <= _NUMBERS[letter][1]:
        return partial(_number, count, _NUMBERS[letter][0])
    raise UnknownPatternError(f"{letters} is not supported in patterns of times")


def formatted(writers: Sequence[Write], value: datetime) -> str:
    """Return a timestamp as text."""
    return "".join(write(value) for write in writers)


_STEPS: Mapping[Any, int] = {
    _hour: 3_600_000_000,
    _hour_of_half: 3_600_000_000,
    _half: 3_600_000_000,
    _minute: 60_000_000,
    _second: 1_000_000,
    _fraction: 1,
}
"""The least microseconds between times that are written differently; of other parts, those of a day."""
_DAY = 86_400_000_000


def step_of(writers: Sequence[Write]) -> int:
    """Return the microseconds of a step, from the start of 1970, within which all times are the same text."""
    return min((_step_of(write) for write in writers), default=_DAY)


def _step_of(write: Any) -> int:
    if isinstance(write, partial):
        return _step_of(write.args[-1] if write.func is _number else write.func)
    return _STEPS.get(write, _DAY)
