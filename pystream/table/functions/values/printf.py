"""Texts in formats of Java's ``Formatter``."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Callable, Iterator, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any, NamedTuple

from pystream.table.functions.errors import ConversionError
from pystream.table.functions.values.writing import double_text
from typeinfo.instant import Instant

__all__ = ["JavaValue", "boolean_text", "date_text", "instant_text", "printed", "time_text", "timestamp_text"]

_SPECIFIER = re.compile(r"%(?:(\d+)\$)?([-#+ 0,(<]*)([1-9]\d*)?(?:\.(\d+))?([tT]?[a-zA-Z%])")
_EXACT = Context(prec=10**6, rounding=ROUND_HALF_UP)
_FLAGS = {"s": "-<", "b": "-<", "c": "-<", "%": "-", "n": "", "d": "-+ 0,(<", "x": "-#+ 0(<", "o": "-#+ 0(<"}
_FLAGS_OF_FLOATS = {"f": "-#+ 0,(<", "e": "-#+ 0(<", "g": "-+ 0,(<"}
_ALLOWED = _FLAGS | _FLAGS_OF_FLOATS
_UPPER = "SBCXEG"
_FIRST_DAY = datetime.date(1970, 1, 1).toordinal()
_GREATEST_CHARACTER = 0x10FFFF


class JavaValue(NamedTuple):
    """How PRINTF formats the values of an argument.

    Attributes:
        text: returns the text of a value.
        bits: the size of an integer; 0 for other values.
        is_floating: whether the values are of FLOAT or DOUBLE.
    """

    text: Callable[[Any], str]
    bits: int = 0
    is_floating: bool = False


class _FormatError(ValueError):
    """A format is malformed or does not fit its arguments; the result is null, as in Flink."""


class _Specifier(NamedTuple):
    flags: str
    width: int
    precision: int | None
    conversion: str
    is_upper: bool = False

    def padded(self, text: str) -> str:
        """Return a text filled up with blanks to the width, in characters of Java's."""
        text = text.upper() if self.is_upper else text
        blanks = " " * (self.width - len(_units(text)) // 2)
        return text + blanks if "-" in self.flags else blanks + text

    def signed(self, text: str, *, is_negative: bool, has_digits: bool = True) -> str:
        """Return the text of the size of a number with its sign, filled up with zeros or blanks."""
        flags = self.flags
        in_parentheses = is_negative and "(" in flags
        sign = (
            "(" if in_parentheses else "-" if is_negative else "+" if "+" in flags else " " * (" " in flags)
        )
        end = ")" * in_parentheses
        zeros = self.width - len(sign) - len(end) if "0" in flags and has_digits else 0
        return self.padded(f"{sign}{text.rjust(zeros, '0')}{end}")


def boolean_text(value: bool) -> str:
    """Return true or false."""
    return str(value).lower()


def date_text(value: datetime.date) -> str:
    """Return the number of a day since 1970."""
    return str(value.toordinal() - _FIRST_DAY)


def time_text(value: datetime.time) -> str:
    """Return the milliseconds since midnight."""
    seconds = (value.hour * 60 + value.minute) * 60 + value.second
    return str(seconds * 1000 + value.microsecond // 1000)


def timestamp_text(value: datetime.datetime) -> str:
    """Return a time in the shortest text of ISO 8601."""
    if value.microsecond:
        return value.isoformat(timespec="microseconds" if value.microsecond % 1000 else "milliseconds")
    return value.isoformat(timespec="seconds" if value.second else "minutes")


def instant_text(value: Instant) -> str:
    """Return an instant as the time in UTC."""
    return timestamp_text(value.to_datetime().replace(tzinfo=None))


def printed(values: Sequence[JavaValue], text: str | None, *given: Any) -> str | None:
    """Return values in a format; ``None`` for a format that is null or wrong, or not one for the values.

    Raises:
        ConversionError: a conversion is not supported: of hash codes, times or hexadecimal floats.
    """
    if text is None:
        return None
    try:
        found = "".join(_parts(values, text, given))
    except _FormatError:
        return None
    return _text(_units(found)).encode(errors="replace").decode()  # half a character becomes a question mark


def _parts(values: Sequence[JavaValue], text: str, given: Sequence[Any]) -> Iterator[str]:
    place, ordinary, last = 0, 0, -1
    while place < len(text):
        if text[place] != "%":
            plain = text[place:].partition("%")[0]
            yield plain
            place += len(plain)
            continue
        found = _SPECIFIER.match(text, place)
        if found is None:
            raise _FormatError
        place = found.end()
        index, flags, width, precision, conversion = found.groups()
        if index and not int(index):
            raise _FormatError
        specifier = _checked(
            _Specifier(flags, int(width or 0), None if precision is None else int(precision), conversion)
        )
        if conversion == "n":
            yield "\n"
            continue
        if conversion == "%":
            yield specifier.padded("%")
            continue
        if "<" not in flags:
            last = int(index) - 1 if index else ordinary
            ordinary += not index
        if not 0 <= last < len(given):
            raise _FormatError
        yield _converted(specifier, values[last], given[last])


def _units(text: str) -> bytes:
    """Return the characters of Java's in a text, two bytes each."""
    return text.encode("utf-16-le", "surrogatepass")


def _text(units: bytes) -> str:
    return units.decode("utf-16-le", "surrogatepass")


def _checked(specifier: _Specifier) -> _Specifier:
    flags, conversion = specifier.flags, specifier.conversion
    kind = conversion.lower() if conversion in _UPPER else conversion
    if kind in ("h", "H", "a", "A") or len(kind) > 1:
        raise ConversionError(f"PRINTF: the conversion %{conversion} is not supported; use %s with a text")
    allowed = _ALLOWED.get(kind)
    is_fixed = specifier.precision is not None and kind in "dxoc%n"
    if allowed is None or is_fixed or set(flags) - set(allowed) or len(set(flags)) < len(flags):
        raise _FormatError
    has_no_width = not specifier.width and set(flags) & {"-", "0"}
    if has_no_width or {"-", "0"} <= set(flags) or {"+", " "} <= set(flags):
        raise _FormatError
    if kind == "n" and specifier.width:
        raise _FormatError
    return specifier._replace(conversion=kind, is_upper=kind != conversion)


def _converted(specifier: _Specifier, kind: JavaValue, value: Any) -> str:
    conversion = specifier.conversion
    if conversion == "b":
        text = "false" if value is None or value is False else "true"
        return specifier.padded(text[: specifier.precision])
    if value is None:
        return specifier.padded("null"[: specifier.precision])
    if conversion == "s":
        text = kind.text(value)
        if specifier.precision is not None:
            text = _text(_units(text)[: 2 * specifier.precision])
        return specifier.padded(text)
    if conversion in _FLAGS_OF_FLOATS and kind.is_floating:
        return _floating(specifier, value)
    if conversion == "c" and kind.bits in (8, 16, 32) and 0 <= value <= _GREATEST_CHARACTER:
        return specifier.padded(chr(value))
    if conversion == "d" and kind.bits:
        digits = f"{abs(value):,}" if "," in specifier.flags else str(abs(value))
        return specifier.signed(digits, is_negative=value < 0)
    if conversion in ("x", "o") and kind.bits and not set(specifier.flags) & set("+ ("):
        digits = format(value % (1 << kind.bits), conversion)
        prefix = {"x": "0x", "o": "0"}[conversion] * ("#" in specifier.flags)
        zeros = specifier.width - len(prefix) if "0" in specifier.flags else 0
        return specifier.padded(prefix + digits.rjust(zeros, "0"))
    raise _FormatError


def _floating(specifier: _Specifier, value: float) -> str:
    is_negative = math.copysign(1, value) < 0
    if not math.isfinite(value):
        if math.isnan(value):
            return specifier.padded("NaN")
        return specifier.signed("Infinity", is_negative=is_negative, has_digits=False)
    digits = 6 if specifier.precision is None else specifier.precision
    size, kind = abs(Decimal(double_text(value))), specifier.conversion
    if kind == "g":
        kind, digits = _general(size, max(digits, 1))
    text = _scientific(size, digits) if kind == "e" else _fixed(size, digits, "," in specifier.flags)
    point = "." if "#" in specifier.flags and not digits else ""
    return specifier.signed(
        text.replace("e", f"{point}e") if kind == "e" else text + point, is_negative=is_negative
    )


def _general(size: Decimal, digits: int) -> tuple[str, int]:
    """Return the conversion that ``%g`` uses for a number, and its digits after the point."""
    if not size:
        return "f", digits - 1
    rounded = _rounded(size, digits)
    if Decimal("0.0001") <= rounded < Decimal(10) ** digits:
        return "f", max(digits - 1 - rounded.adjusted(), 0)
    return "e", digits - 1


def _rounded(size: Decimal, digits: int) -> Decimal:
    return size.quantize(Decimal(1).scaleb(size.adjusted() - digits + 1), context=_EXACT)


def _fixed(size: Decimal, digits: int, is_grouped: bool) -> str:
    rounded = size.quantize(Decimal(1).scaleb(-digits), context=_EXACT)
    return f"{rounded:,f}" if is_grouped else f"{rounded:f}"


def _scientific(size: Decimal, digits: int) -> str:
    rounded = _rounded(size, digits + 1) if size else Decimal(0)
    exponent = rounded.adjusted() if size else 0
    scaled = rounded.scaleb(-exponent, context=_EXACT)
    return f"{_fixed(scaled, digits, is_grouped=False)}e{'-' if exponent < 0 else '+'}{abs(exponent):02}"
