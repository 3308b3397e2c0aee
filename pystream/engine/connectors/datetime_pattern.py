"""Format dates and times by the patterns of Java's DateTimeFormatter, in its root locale."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache, partial

__all__ = ["DateTimePattern"]

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_TOKEN = re.compile(r"'((?:[^']|'')*)'|(([A-Za-z])\3*)|([^A-Za-z'])")
_RESERVED = "[]{}#"


@dataclass(frozen=True, slots=True)
class DateTimePattern:
    """A date-time pattern such as ``yyyy-MM-dd--HH``, validated when it is made.

    Letters: ``y u`` year, ``M L`` month, ``d D`` day of month and of year, ``E`` day of week, ``Q q``
    quarter, ``a`` AM/PM, ``H k K h`` hour, ``m`` minute, ``s`` second, ``S`` fraction, ``X x Z VV`` zone.
    Text in single quotes is written unchanged, two single quotes as one.

    Raises:
        ValueError: a letter with no meaning, too many of one letter, or a quote that is not closed.

    Mirrors ``java.time.format.DateTimeFormatter.ofPattern``.
    """

    pattern: str

    def __post_init__(self) -> None:
        _compiled(self.pattern)

    def format(self, moment: datetime) -> str:
        """Return the text of an aware date-time."""
        return "".join(write(moment) for write in _compiled(self.pattern))


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> tuple[Callable[[datetime], str], ...]:
    parts: list[Callable[[datetime], str]] = []
    position = 0
    while position < len(pattern):
        token = _TOKEN.match(pattern, position)
        if token is None:
            raise ValueError(f"{pattern!r}: the quote at {position} is not closed")
        quoted, letters, letter, other = token.groups()
        if quoted is not None:
            parts.append(partial(_literal, quoted.replace("''", "'") or "'"))
        elif letters:
            parts.append(_field(pattern, letter, len(letters)))
        elif other in _RESERVED:
            raise ValueError(f"{pattern!r}: {other!r} is reserved; quote it to write it")
        else:
            parts.append(partial(_literal, other))
        position = token.end()
    return tuple(parts)


def _literal(text: str, moment: datetime) -> str:
    return text


def _field(pattern: str, letter: str, count: int) -> Callable[[datetime], str]:
    if letter not in _FIELDS:
        raise ValueError(f"{pattern!r}: the letter {letter!r} is not supported; use {' '.join(_FIELDS)}")
    most, write = _FIELDS[letter]
    if count > most or (letter == "V" and count != 2):
        raise ValueError(f"{pattern!r}: {letter * count!r} has the wrong number of letters")
    return partial(write, count)


def _number(value: Callable[[datetime], int]) -> Callable[[int, datetime], str]:
    return lambda count, t: str(value(t)).zfill(count)


def _year(count: int, t: datetime) -> str:
    return str(t.year % 100 if count == 2 else t.year).zfill(count)


def _month(count: int, t: datetime) -> str:
    return str(t.month).zfill(count) if count < 3 else _name(count, _MONTHS[t.month - 1])


def _name(count: int, name: str) -> str:
    return name[: {4: None, 5: 1}.get(count, 3)]


def _offset(count: int, t: datetime) -> str:
    offset = t.strftime("%z")
    hours, minutes = offset[:3], offset[3:5]
    if count in (3, 5):
        return f"{hours}:{minutes}"
    return hours if count == 1 and minutes == "00" else hours + minutes


def _offset_or_z(count: int, t: datetime) -> str:
    return _offset(count, t) if t.utcoffset() else "Z"


_FIELDS: dict[str, tuple[int, Callable[[int, datetime], str]]] = {
    "y": (9, _year),
    "u": (9, _year),
    "M": (5, _month),
    "L": (5, _month),
    "d": (2, _number(lambda t: t.day)),
    "D": (3, _number(lambda t: t.timetuple().tm_yday)),
    "E": (5, lambda count, t: _name(count, _DAYS[t.weekday()])),
    "Q": (2, _number(lambda t: (t.month + 2) // 3)),
    "q": (2, _number(lambda t: (t.month + 2) // 3)),
    "a": (1, lambda count, t: "AM" if t.hour < 12 else "PM"),
    "H": (2, _number(lambda t: t.hour)),
    "k": (2, _number(lambda t: t.hour or 24)),
    "K": (2, _number(lambda t: t.hour % 12)),
    "h": (2, _number(lambda t: t.hour % 12 or 12)),
    "m": (2, _number(lambda t: t.minute)),
    "s": (2, _number(lambda t: t.second)),
    "S": (9, lambda count, t: f"{t.microsecond:06}000"[:count]),
    "X": (5, _offset_or_z),
    "x": (5, _offset),
    "Z": (3, lambda count, t: _offset(2, t)),
    "V": (2, lambda count, t: str(t.tzinfo)),
}
"""By letter: how often it may be repeated, and the text for a number of letters."""
