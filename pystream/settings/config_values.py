"""The types of option values, and their text form.

Text is the common form: values from a file, the command line and a program must mean the same, so every
value can be written as text and is parsed from it.
"""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, TypeVar

from pystream.durations import Duration, iso_nanos
from pystream.settings.memory_size import MemorySize

__all__ = [
    "BOOLEAN",
    "BYTES",
    "DOUBLE",
    "DURATION",
    "INT",
    "LONG",
    "MAP",
    "MEMORY",
    "STRING",
    "STRING_LIST",
    "ValueType",
    "checked",
    "enum_of",
    "named",
    "parse_list",
    "to_text",
]

T = TypeVar("T")
E = TypeVar("E", bound=Enum)

_BINARY_TAG = "!!binary"
_QUOTED = r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\""


@dataclass(frozen=True, slots=True)
class ValueType(Generic[T]):
    """The type of an option's values.

    Attributes:
        allowed: the values in words, for error messages.
        accepts: the classes of values that a program may pass, besides text.
        parse: text to value; raises ValueError.
    """

    allowed: str
    accepts: tuple[type, ...]
    parse: Callable[[str], T]

    def read(self, value: object) -> T:
        """Parse a stored value, through its text.

        Raises:
            ValueError: the text does not have this kind's form.
        """
        return self.parse(to_text(value))

    def accept(self, value: object) -> T:
        """Convert a value from a program, or its text, to this type.

        Raises:
            ValueError: the value is of another class, or out of range.
        """
        if not isinstance(value, (str, *self.accepts)):
            raise ValueError(f"{type(value).__name__} is not {self.allowed}")
        return self.read(value)


def to_text(value: object) -> str:
    """Return the text of an option's value, as in Flink's configuration files."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return value
        case int():
            return int.__repr__(value)
        case float():
            return float.__repr__(value)
        case bytes() | bytearray():
            return f"{_BINARY_TAG} |-\n  {base64.b64encode(value).decode()}"
        case Enum():
            return value.name
        case Duration():
            return _duration_text(value)
        case list() | tuple():
            return _flow_text(list(value))
        case dict():
            return _flow_text(value)
        case _:
            return str(value)


def enum_of(enum: type[E]) -> ValueType[E]:
    """Return the type whose values are the members of ``enum``, by case-insensitive name."""
    names = {name.upper(): member for name, member in enum.__members__.items()}

    def parse(text: str) -> E:
        if text.upper() not in names:
            raise ValueError(text)
        return names[text.upper()]

    return ValueType(f"one of {', '.join(member.name for member in enum)}", (enum,), parse)


def named(*names: str) -> ValueType[str]:
    """Return the type whose values are these names, ignoring case and hyphens."""
    known = {_folded(name) for name in names}

    def parse(text: str) -> str:
        if _folded(text) not in known:
            raise ValueError(text)
        return text

    return ValueType(f"one of {', '.join(names)}", (), parse)


def checked(kind: ValueType[T], allowed: str, check: Callable[[T], object]) -> ValueType[T]:
    """Return a type with fewer values.

    Args:
        kind: the type of all values.
        allowed: those that are allowed, in words.
        check: raises ValueError for others.
    """

    def parse(text: str) -> T:
        value = kind.parse(text)
        check(value)
        return value

    return ValueType(allowed, kind.accepts, parse)


def _folded(name: str) -> str:
    return name.lower().replace("-", "")


def parse_list(text: str) -> list[str]:
    """Parse a YAML list, or else text separated by semicolons outside of quotes."""
    loaded = _yaml(text)
    if isinstance(loaded, list):
        return [_flow_item(item) for item in loaded]
    return [_unquote(part) for part in _split(text, ";")]


def _parse_map(text: str) -> dict[str, str]:
    loaded = _yaml(text)
    if isinstance(loaded, dict):
        return {key: _flow_item(item) for key, item in loaded.items()}
    result = {}
    for part in _split(text, ","):
        pair = [_unquote(half) for half in _split(part, ":")]
        if len(pair) != 2:
            raise ValueError(part)
        result[pair[0]] = pair[1]
    return result


def _parse_boolean(text: str) -> bool:
    lowered = text.lower()
    if lowered not in ("true", "false"):
        raise ValueError(text)
    return lowered == "true"


def _integer_between(minimum: int, maximum: int) -> ValueType[int]:
    def parse(text: str) -> int:
        if not re.fullmatch(r"[+-]?[0-9]+", text) or not minimum <= int(text) <= maximum:
            raise ValueError(text)
        return int(text)

    return ValueType(f"an integer from {minimum} to {maximum}", (int,), parse)


def _parse_float(text: str) -> float:
    if "_" in text:
        raise ValueError(text)
    return float(text)


def _parse_bytes(text: str) -> bytearray:
    if not text.startswith(_BINARY_TAG):
        raise ValueError(text)
    return bytearray(base64.b64decode(text.removeprefix(_BINARY_TAG).strip(" |-\n")))


_MEMORY_UNITS = {
    "": 0,
    **dict.fromkeys(("b", "bytes"), 0),
    **dict.fromkeys(("k", "kb", "kibibytes"), 10),
    **dict.fromkeys(("m", "mb", "mebibytes"), 20),
    **dict.fromkeys(("g", "gb", "gibibytes"), 30),
    **dict.fromkeys(("t", "tb", "tebibytes"), 40),
}


def _parse_memory(text: str) -> MemorySize:
    number, unit = _number_and_unit(text)
    if unit not in _MEMORY_UNITS:
        raise ValueError(text)
    return MemorySize(number << _MEMORY_UNITS[unit])


# Names and nanoseconds, largest first; the first name of each unit is used in output.
_DURATION_UNITS: tuple[tuple[tuple[str, ...], int], ...] = (
    (("d", "day", "days"), 86_400_000_000_000),
    (("h", "hour", "hours"), 3_600_000_000_000),
    (("min", "m", "minute", "minutes"), 60_000_000_000),
    (("s", "sec", "secs", "second", "seconds"), 1_000_000_000),
    (("ms", "milli", "millis", "millisecond", "milliseconds", ""), 1_000_000),
    (("µs", "micro", "micros", "microsecond", "microseconds"), 1_000),
    (("ns", "nano", "nanos", "nanosecond", "nanoseconds"), 1),
)
_DURATION_NANOS = {name: nanos for names, nanos in _DURATION_UNITS for name in names}


def _parse_duration(text: str) -> Duration:
    nanos = iso_nanos(text.strip())
    if nanos is not None:
        return Duration(nanos)
    number, unit = _number_and_unit(text)
    if unit not in _DURATION_NANOS:
        raise ValueError(text)
    return Duration(number * _DURATION_NANOS[unit])


def _duration_text(duration: Duration) -> str:
    if duration.nanos < 0:
        return str(duration)
    if not duration.nanos:
        return "0 ms"
    names, nanos = next(unit for unit in _DURATION_UNITS if duration.nanos % unit[1] == 0)
    return f"{duration.nanos // nanos} {names[0]}"


def _number_and_unit(text: str) -> tuple[int, str]:
    match = re.fullmatch(r"\s*([0-9]+)\s*(\S*)\s*", text)
    if match is None:
        raise ValueError(text)
    return int(match[1]), match[2].lower()


def _split(text: str, delimiter: str) -> Sequence[str]:
    return [part for part in re.findall(f"(?:{_QUOTED}|[^{delimiter}])+", text) if part.strip()]


def _unquote(text: str) -> str:
    stripped = text.strip()
    if re.fullmatch(_QUOTED, stripped):
        quote = stripped[0]
        return stripped[1:-1].replace(quote * 2, quote)
    return stripped


def _flow_item(item: Any) -> str:
    return item if isinstance(item, str) else _flow_text(item)


def _flow_text(value: list[Any] | dict[str, Any]) -> str:
    text = _dumped(value, allow_unicode=True)
    # Unescaped, these three would be read back as line breaks, i.e. as blanks.
    return _dumped(value, allow_unicode=False) if re.search("[\x85\u2028\u2029]", text) else text


def _dumped(value: list[Any] | dict[str, Any], allow_unicode: bool) -> str:
    import yaml  # only lists and maps need it

    return yaml.safe_dump(
        value, default_flow_style=True, width=math.inf, allow_unicode=allow_unicode, sort_keys=False
    ).strip()


def _yaml(text: str) -> Any:
    """Parse YAML to lists, dicts and strings; ``None`` if it is not valid."""
    import yaml  # only lists and maps need it

    try:
        return yaml.load(text, Loader=yaml.BaseLoader)
    except yaml.YAMLError:
        return None


BOOLEAN = ValueType("true or false", (bool,), _parse_boolean)
INT = _integer_between(-(2**31), 2**31 - 1)
LONG = _integer_between(-(2**63), 2**63 - 1)
DOUBLE: ValueType[float] = ValueType("a number", (int, float), _parse_float)
STRING: ValueType[str] = ValueType("text", (), str)
BYTES: ValueType[bytearray] = ValueType("bytes", (bytes, bytearray), _parse_bytes)
DURATION = ValueType("a duration such as '5 min', '200 ms' or 'PT1H'", (Duration,), _parse_duration)
MEMORY = ValueType("a memory size such as '64 mb' or '20 kb'", (MemorySize,), _parse_memory)
STRING_LIST = ValueType("a list such as 'a;b' or '[a, b]'", (list, tuple), parse_list)
MAP = ValueType("a map such as 'a:1,b:2' or '{a: 1, b: 2}'", (dict,), _parse_map)
