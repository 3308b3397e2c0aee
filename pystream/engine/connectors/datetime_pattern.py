"""Format dates and times by the patterns of Java's DateTimeFormatter, in its root locale."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache, partial

__all__ = ["DateTimePattern", "InvalidPatternError"]

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_TOKEN = re.compile(r"'((?:[^']|'')*)'|(([A-Za-z])\3*)|([^A-Za-z'])")
_RESERVED = "[]{}#"

Formatter = Callable[[datetime], str]


class InvalidPatternError(ValueError):
    """A date-time pattern is invalid; the message names the part at fault."""


@dataclass(frozen=True, slots=True)
class DateTimePattern:
    """A date-time pattern such as ``yyyy-MM-dd--HH``, validated when it is made.

    Letters: ``y u`` year, ``M L`` month, ``d D`` day of month and of year, ``E`` day of week, ``Q q``
    quarter, ``a`` AM/PM, ``H k K h`` hour, ``m`` minute, ``s`` second, ``S`` fraction, ``X x Z VV`` zone.
    Text in single quotes stands for itself, two single quotes for one.

    Raises:
        InvalidPatternError: a letter with no meaning, too many of one letter, or a quote that is not closed.

    Mirrors ``java.time.format.DateTimeFormatter.ofPattern``.
    """

    pattern: str

    def __post_init__(self) -> None:
        _compiled(self.pattern)

    def format(self, moment: datetime) -> str:
        """Return the text of an aware date-time."""
        return "".join(part(moment) for part in _compiled(self.pattern))


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> tuple[Formatter, ...]:
    parts: list[Formatter] = []
    position = 0
    while position < len(pattern):
        token = _TOKEN.match(pattern, position)
        if token is None:
            raise InvalidPatternError(f"{pattern!r}: the quote at {position} is not closed")
        quoted, letters, letter, other = token.groups()
        if quoted is not None:
            parts.append(partial(_literal, quoted.replace("''", "'") or "'"))
        elif letters:
            parts.append(_field(pattern, letter, len(letters)))
        elif other in _RESERVED:
            raise InvalidPatternError(f"{pattern!r}: {other!r} is reserved; quote it to write it")
        else:
            parts.append(partial(_literal, other))
        position = token.end()
    return tuple(parts)


def _field(pattern: str, letter: str, count: int) -> Formatter:
    widest, factory = _FIELDS.get(letter, (0, None))
    if factory is None:
        raise InvalidPatternError(
            f"{pattern!r}: the letter {letter!r} is not supported; use {' '.join(_FIELDS)}"
        )
    if count > widest or (letter == "V" and count != 2):
        raise InvalidPatternError(f"{pattern!r}: {letter * count!r} has the wrong number of letters")
    return factory(count)


def _literal(text: str, moment: datetime) -> str:
    return text


def _number(count: int, value: Callable[[datetime], int]) -> Formatter:
    return partial(_number_text, count, value)


def _number_text(width: int, value: Callable[[datetime], int], moment: datetime) -> str:
    return str(value(moment)).zfill(width)


def _year(count: int) -> Formatter:
    return _number(2, lambda t: t.year % 100) if count == 2 else _number(count, lambda t: t.year)


def _month(count: int) -> Formatter:
    return _number(count, lambda t: t.month) if count < 3 else _name(count, lambda t: _MONTHS[t.month - 1])


def _weekday(count: int) -> Formatter:
    return _name(max(count, 3), lambda t: _DAYS[t.weekday()])


def _name(count: int, value: Callable[[datetime], str]) -> Formatter:
    length = {3: 3, 5: 1}.get(count)
    return lambda t: value(t)[:length]


def _quarter(count: int) -> Formatter:
    return _number(count, lambda t: (t.month + 2) // 3)


def _fraction(count: int) -> Formatter:
    return lambda t: f"{t.microsecond:06d}000"[:count]


def _offset(count: int, zulu: bool) -> Formatter:
    separator = ":" if count in (3, 5) else ""
    return partial(_offset_text, separator, 1 if count == 1 else 2, zulu)


def _offset_text(separator: str, least_parts: int, zulu: bool, moment: datetime) -> str:
    offset = moment.utcoffset() or timedelta()
    if zulu and not offset:
        return "Z"
    minutes = abs(offset) // timedelta(minutes=1)
    parts = [f"{minutes // 60:02d}", f"{minutes % 60:02d}"]
    if least_parts == 1 and minutes % 60 == 0:
        parts.pop()
    return ("-" if offset < timedelta() else "+") + separator.join(parts)


_FIELDS: dict[str, tuple[int, Callable[[int], Formatter]]] = {
    "y": (9, _year),
    "u": (9, _year),
    "M": (5, _month),
    "L": (5, _month),
    "d": (2, lambda count: _number(count, lambda t: t.day)),
    "D": (3, lambda count: _number(count, lambda t: t.timetuple().tm_yday)),
    "E": (5, _weekday),
    "Q": (2, _quarter),
    "q": (2, _quarter),
    "a": (1, lambda count: lambda t: "AM" if t.hour < 12 else "PM"),
    "H": (2, lambda count: _number(count, lambda t: t.hour)),
    "k": (2, lambda count: _number(count, lambda t: t.hour or 24)),
    "K": (2, lambda count: _number(count, lambda t: t.hour % 12)),
    "h": (2, lambda count: _number(count, lambda t: t.hour % 12 or 12)),
    "m": (2, lambda count: _number(count, lambda t: t.minute)),
    "s": (2, lambda count: _number(count, lambda t: t.second)),
    "S": (9, _fraction),
    "X": (5, lambda count: _offset(count, zulu=True)),
    "x": (5, lambda count: _offset(count, zulu=False)),
    "Z": (3, lambda count: _offset(2, zulu=False)),
    "V": (2, lambda count: lambda t: str(t.tzinfo)),
}
