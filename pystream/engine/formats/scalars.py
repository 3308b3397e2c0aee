"""Parse and format atomic values as text: CSV cells, and strings and keys in JSON."""

from __future__ import annotations

import base64
import binascii
import math
import re
import struct
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation
from functools import partial
from pathlib import PurePath
from typing import Any

from pystream.engine.formats.errors import FieldError
from pystream.engine.formats.times import TimeStyle, parse_duration, time_parser
from typeinfo.basic import CHAR, FLOAT
from typeinfo.carried import CarriedTypeInfo, TextTypeInfo
from typeinfo.collection import PrimitiveArrayTypeInfo
from typeinfo.extended import EnumTypeInfo, LiteralTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.instant import Instant
from typeinfo.scalar import ScalarTypeInfo

__all__ = [
    "checked_integer",
    "decimal_text",
    "exponential_text",
    "literal_value",
    "rounded_decimal",
    "rounded_float",
    "scaled_decimal",
    "text_reader",
    "from_carrier",
    "has_text",
]

_INTEGER = re.compile(r"[+-]?\d+", re.ASCII)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_NOT_FINITE = {"NaN", "Infinity", "+Infinity", "-Infinity"}
_MAX_DIGITS = 4000
_EXACT = Context(prec=100)
_HALF_UP = Context(prec=100, rounding=ROUND_HALF_UP)


def has_text(t: TypeInformation[Any]) -> bool:
    """Return whether a type is atomic, so that its values have a text."""
    return text_reader(t, "SQL") is not None


def text_reader(t: TypeInformation[Any], time_style: TimeStyle) -> Callable[[str], Any] | None:
    """Return a function that parses an atomic type from text, or ``None`` for any other type.

    The function raises `FieldError` where the text is not such a value. Blanks around numbers, booleans and
    durations are ignored.
    """
    match t:
        case EnumTypeInfo():
            return partial(_member, t)
        case ScalarTypeInfo() if t.value_class is int:
            return partial(_integer, t)
        case ScalarTypeInfo():
            parse = t.traits.parse
            read = _NARROW.get(t) or _BY_CLASS.get(t.value_class) or _time_reader(t, time_style)
            return partial(_parsed, t, parse) if read is None and parse is not None else read
        case PrimitiveArrayTypeInfo() if t.is_bytes:
            return _bytes
        case LiteralTypeInfo():
            inner = text_reader(t.value_type, time_style)
            return None if inner is None else partial(literal_value, t, inner)
        case TextTypeInfo():
            return partial(_carried_text, t)
    return None


def _time_reader(t: ScalarTypeInfo[Any], style: TimeStyle) -> Callable[[str], Any] | None:
    parser = time_parser(style)
    by_class: dict[type[Any], Callable[[str], Any]] = {
        date: parser.read_date,
        time: parser.read_time,
        datetime: parser.read_timestamp,
        Instant: parser.read_instant,
    }
    return by_class.get(t.value_class)


def from_carrier(t: CarriedTypeInfo[Any], carried: Any) -> Any:
    """Convert a carrier value to a value of the type.

    Raises:
        FieldError: no value of the type has it as its carried form.
    """
    try:
        return t.wrap(carried)
    except ValueError as error:
        raise FieldError(f"{carried!r} is not of type {t}: {error}") from None


def _carried_text(t: TextTypeInfo[Any], text: str) -> Any:
    return from_carrier(t, text if issubclass(t.value_class, PurePath) else text.strip())


def _text(text: str) -> str:
    return text


def _char(text: str) -> str:
    if len(text) != 1:
        raise FieldError(f"{text!r} is not a single character")
    return text


def _integer(t: ScalarTypeInfo[Any], text: str) -> int:
    digits = text.strip()
    if _INTEGER.fullmatch(digits) is None or len(digits) > _MAX_DIGITS:
        raise FieldError(f"{text!r} is not a whole number")
    return checked_integer(t, int(digits))


def checked_integer(t: ScalarTypeInfo[Any], number: int) -> int:
    """Return a number, checked against the bounds of an integer type.

    Raises:
        FieldError: it is out of bounds.
    """
    bounds = t.traits.bounds
    if bounds is not None and not bounds[0] <= number <= bounds[1]:
        raise FieldError(f"{number} does not fit {t.display_name()} ({bounds[0]}..{bounds[1]})")
    return number


def _double(text: str) -> float:
    digits = text.strip()
    if digits in _NOT_FINITE:
        return float(digits)
    if _NUMBER.fullmatch(digits) is None:
        raise FieldError(f"{text!r} is not a number")
    number = float(digits)
    if math.isinf(number):
        raise FieldError(f"{text!r} does not fit DOUBLE")
    return number


def _float(text: str) -> float:
    return rounded_float(_double(text))


def rounded_float(number: float) -> float:
    """Round a number to 32-bit floating point.

    Raises:
        FieldError: it is too large.
    """
    try:
        (rounded,) = struct.unpack("<f", struct.pack("<f", number))
    except OverflowError:
        raise FieldError(f"{number} does not fit FLOAT; declare DOUBLE") from None
    return float(rounded)


def _decimal(text: str) -> Decimal:
    digits = text.strip()
    try:
        if _NUMBER.fullmatch(digits):
            return Decimal(digits)
    except InvalidOperation:
        pass  # an exponent beyond what Decimal holds
    raise FieldError(f"{text!r} is not a decimal number")


def scaled_decimal(value: Decimal, precision: int, scale: int, kind: str) -> Decimal:
    """Return a decimal with exactly ``scale`` digits after the decimal point, without rounding.

    Raises:
        FieldError: it has more of them, or more than ``precision`` digits altogether.
    """
    try:
        scaled = _EXACT.quantize(value, Decimal(1).scaleb(-scale))
    except InvalidOperation:
        scaled = None
    if scaled is None or scaled != value or len(scaled.as_tuple().digits) > precision:
        raise FieldError(f"{value} does not fit {kind}")
    return scaled


def rounded_decimal(value: Decimal, precision: int, scale: int) -> Decimal:
    """Round a decimal to ``scale`` digits after the decimal point as Flink does.

    Raises:
        FieldError: it has more than ``precision`` digits altogether, or is not finite.
    """
    try:
        rounded = _HALF_UP.quantize(value, Decimal(1).scaleb(-scale))
    except InvalidOperation:
        rounded = None
    if rounded is None or len(rounded.as_tuple().digits) > precision:
        raise FieldError(f"{value} does not fit DECIMAL({precision}, {scale})")
    return rounded


def decimal_text(value: Decimal) -> str:
    """Format a decimal without exponent and without trailing zeros of its scale."""
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def exponential_text(value: Decimal) -> str:
    """Format a decimal without trailing zeros, with the exponent that is left: 1200 is ``1.2E+3``."""
    return str(_EXACT.normalize(value)) if value else "0"


def _boolean(text: str) -> bool:
    match text.strip().lower():
        case "true":
            return True
        case "false":
            return False
    raise FieldError(f"{text!r} is neither true nor false")


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise FieldError(f"{text!r} is not Base64: {error}") from None


def _void(text: str) -> None:
    raise FieldError(f"{text!r} is not null, the only allowed value")


def _member(t: EnumTypeInfo[Any], text: str) -> Any:
    try:
        return t.enum_class[text]
    except KeyError:
        raise FieldError(f"{text!r} is not one of {[member.name for member in t.enum_class]}") from None


def literal_value(t: LiteralTypeInfo[Any], convert: Callable[[Any], Any], source: Any) -> Any:
    """Convert text, or a part of a message, to a value of a literal type.

    Raises:
        FieldError: it is another value.
    """
    value = convert(source)
    if value not in t.values:
        raise FieldError(f"{value!r} is not one of {list(t.values)}")
    return value


def _parsed(t: ScalarTypeInfo[Any], parse: Callable[[str], Any], text: str) -> Any:
    try:
        return parse(text.strip())
    except ValueError as error:
        raise FieldError(f"{text!r} is not of type {t}: {error}") from None


_NARROW: dict[TypeInformation[Any], Callable[[str], Any]] = {CHAR: _char, FLOAT: _float}
_BY_CLASS: dict[type[Any], Callable[[str], Any]] = {
    type(None): _void,
    str: _text,
    bool: _boolean,
    float: _double,
    Decimal: _decimal,
    timedelta: parse_duration,
}
