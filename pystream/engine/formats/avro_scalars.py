"""Encode scalars in Avro's binary encoding, without converting them to values of another kind."""

from __future__ import annotations

import datetime as dt
import struct
import uuid
from collections.abc import Callable
from decimal import Decimal
from enum import IntEnum
from functools import partial
from numbers import Integral
from typing import Any

from pystream.engine.formats.errors import FieldError, excerpt
from pystream.engine.formats.scalars import scaled_decimal
from typeinfo.errors import TypeCheckError
from typeinfo.info import TypeInformation
from typeinfo.types import Types

__all__ = [
    "Encode",
    "Fit",
    "WrongClassError",
    "encode_integer",
    "encode_string",
    "scalar_encoder",
    "wrong_class",
]


class Fit(IntEnum):
    """Ranks of a schema for a value, best first."""

    EXACT = 0
    CONVERTED = 1  # equal, but read as another class, or with defaults
    ROUNDED = 2  # to 32 bits


Encode = Callable[[Any, bytearray], Fit]
"""Append the encoding of a value to a buffer, or raise a FieldError; what is appended then is undefined."""


class WrongClassError(FieldError):
    """The class of a value is not that of the schema."""


def wrong_class(value: Any, kind: str, remedy: str = "") -> FieldError:
    """Return the error for a value whose class is not that of the schema."""
    if value is None:
        return FieldError("None, but the Avro schema does not allow null here")
    return WrongClassError(
        f"{excerpt(value)} ({type(value).__name__}) is not of the Avro type {kind}{remedy}"
    )


def scalar_encoder(schema: dict[str, Any]) -> Encode | None:
    """Return the encoder of a schema that is neither a composite nor a name; ``None`` for another one."""
    kind, logical = schema["type"], schema.get("logicalType")
    if logical == "decimal" and kind in ("bytes", "fixed"):
        size = schema["size"] if kind == "fixed" else None
        return partial(_encode_decimal, schema["precision"], schema.get("scale", 0), size)
    if (kind, logical) in _LOGICAL:
        return _LOGICAL[kind, logical]
    match kind:
        case "fixed":
            return partial(_encode_fixed, schema["size"])
        case "enum":
            return partial(_encode_symbol, {symbol: i for i, symbol in enumerate(schema["symbols"])})
    return _PRIMITIVES.get(kind)


def encode_integer(number: int, out: bytearray) -> None:
    """Append an integer of 64 bits, zigzag encoded with a variable length."""
    rest = (number << 1) ^ (number >> 63)
    while rest > 0x7F:
        out.append(rest & 0x7F | 0x80)
        rest >>= 7
    out.append(rest)


def encode_string(value: Any, out: bytearray) -> Fit:
    """Append a text."""
    text = value if type(value) is str else _of_class(Types.STRING, "string", value)
    try:
        data = text.encode()
    except UnicodeEncodeError:
        raise FieldError(f"{excerpt(value)} holds a lone surrogate, which is not a valid character") from None
    encode_integer(len(data), out)
    out += data
    return Fit.EXACT


def _of_class(t: TypeInformation[Any], kind: str, value: Any, remedy: str = "") -> Any:
    """Return the value of a type that an instance of a subclass or of a NumPy scalar is."""
    from typeinfo.serde import serializer_for

    try:
        (plain,) = serializer_for(t).conform([value])
    except TypeCheckError:
        raise wrong_class(value, kind, remedy) from None
    return plain


def _encode_null(value: Any, out: bytearray) -> Fit:
    if value is not None:
        raise wrong_class(value, "null")
    return Fit.EXACT


def _encode_boolean(value: Any, out: bytearray) -> Fit:
    out.append(value if type(value) is bool else _of_class(Types.BOOLEAN, "boolean", value))
    return Fit.EXACT


def _encode_whole(kind: str, bits: int, value: Any, out: bytearray) -> Fit:
    number = value if type(value) is int else _of_class(Types.LONG, kind, value)
    if not -(1 << bits - 1) <= number < 1 << bits - 1:
        raise FieldError(f"{number} does not fit the Avro type {kind}")
    encode_integer(number, out)
    return Fit.EXACT


def _encode_double(value: Any, out: bytearray) -> Fit:
    number = value if type(value) is float else _of_class(Types.DOUBLE, "double", value, _exactness(value))
    out += struct.pack("<d", number)
    return Fit.CONVERTED if isinstance(value, Integral) else Fit.EXACT


def _encode_float(value: Any, out: bytearray) -> Fit:
    number = value if type(value) is float else _of_class(Types.FLOAT, "float", value, _exactness(value))
    try:
        data = struct.pack("<f", number)
    except OverflowError:
        raise FieldError(f"{number} does not fit the Avro type float; declare double") from None
    out += data
    is_exact = struct.unpack("<f", data)[0] == value or number != number
    if not isinstance(value, Integral):
        return Fit.EXACT if is_exact else Fit.ROUNDED
    if not is_exact:
        raise wrong_class(value, "float", _exactness(value))
    return Fit.CONVERTED


def _exactness(value: Any) -> str:
    is_number = isinstance(value, Integral) and not isinstance(value, bool)
    return ", which cannot hold it exactly; declare long, or convert it with float(…)" if is_number else ""


def _encode_bytes(value: Any, out: bytearray) -> Fit:
    if not isinstance(value, (bytes, bytearray)):
        raise wrong_class(value, "bytes")
    encode_integer(len(value), out)
    out += value
    return Fit.EXACT


def _encode_fixed(size: int, value: Any, out: bytearray) -> Fit:
    if not isinstance(value, (bytes, bytearray)):
        raise wrong_class(value, "fixed")
    if len(value) != size:
        raise FieldError(f"{len(value)} bytes, but the Avro schema has exactly {size}")
    out += value
    return Fit.EXACT


def _encode_symbol(symbols: dict[str, int], value: Any, out: bytearray) -> Fit:
    symbol = value if type(value) is str else _of_class(Types.STRING, "enum", value)
    if symbol not in symbols:
        raise FieldError(f"{symbol!r} is not one of the symbols {list(symbols)}")
    encode_integer(symbols[symbol], out)
    return Fit.EXACT


def _encode_decimal(precision: int, scale: int, size: int | None, value: Any, out: bytearray) -> Fit:
    kind = f"decimal({precision}, {scale})"
    if not isinstance(value, Decimal):
        raise wrong_class(value, kind, "; convert it with Decimal(…)" if isinstance(value, int) else "")
    if not value.is_finite():
        raise FieldError(f"{value} does not fit {kind} of the Avro schema")
    sign, digits, _ = scaled_decimal(value, precision, scale, f"{kind} of the Avro schema").as_tuple()
    number = int("".join(map(str, digits))) * (-1 if sign else 1)
    length = (number if number >= 0 else ~number).bit_length() // 8 + 1
    if size is None:
        encode_integer(length, out)
    out += number.to_bytes(length if size is None else size, "big", signed=True)
    return Fit.EXACT


def _encode_uuid(value: Any, out: bytearray) -> Fit:
    if not isinstance(value, (uuid.UUID, str)):
        raise wrong_class(value, "uuid")
    try:
        text = str(uuid.UUID(str(value)))
    except ValueError:
        text = ""
    if text != str(value):
        raise FieldError(f"{value!r} is not a UUID as uuid.UUID writes it, in lower case with four hyphens")
    encode_string(text, out)
    return Fit.CONVERTED if isinstance(value, str) else Fit.EXACT


_EPOCH_DAY = dt.date(1970, 1, 1).toordinal()
_EPOCH = dt.datetime(1970, 1, 1)
_MICROSECOND = dt.timedelta(microseconds=1)
_FIRST = (dt.datetime.min - _EPOCH) // _MICROSECOND
_LAST = (dt.datetime.max - _EPOCH) // _MICROSECOND


def _encode_date(value: Any, out: bytearray) -> Fit:
    remedy = "; take its .date()" if isinstance(value, dt.datetime) else ""
    day = value if type(value) is dt.date else _of_class(Types.SQL_DATE, "date", value, remedy)
    encode_integer(day.toordinal() - _EPOCH_DAY, out)
    return Fit.EXACT


def _encode_time(kind: str, unit: int, value: Any, out: bytearray) -> Fit:
    if type(value) is not dt.time or value.tzinfo is not None:
        value = _of_class(Types.SQL_TIME, kind, value, _zone_remedy(value))
    seconds = (value.hour * 60 + value.minute) * 60 + value.second
    encode_integer(_in_units(value, seconds * 1_000_000 + value.microsecond, unit), out)
    return Fit.EXACT


def _encode_local(kind: str, unit: int, value: Any, out: bytearray) -> Fit:
    encode_integer(_in_units(value, _micros(kind, value, _zone_remedy(value)), unit), out)
    return Fit.EXACT


def _encode_instant(kind: str, unit: int, value: Any, out: bytearray) -> Fit:
    if not isinstance(value, dt.datetime):
        raise wrong_class(value, kind)
    offset = value.utcoffset()
    if not isinstance(offset, dt.timedelta):
        raise FieldError(f"{value} has no time zone, but {kind} is an instant; use value.replace(tzinfo=UTC)")
    micros = _micros(kind, value.replace(tzinfo=None)) - offset // _MICROSECOND
    if not _FIRST <= micros <= _LAST:
        raise FieldError(f"{value} is outside of the years 1 to 9999 in UTC")
    encode_integer(_in_units(value, micros, unit), out)
    return Fit.EXACT


def _zone_remedy(value: Any) -> str:
    has_zone = isinstance(value, (dt.datetime, dt.time)) and value.tzinfo is not None
    return ", which keeps no time zone; drop it with .replace(tzinfo=None)" if has_zone else ""


def _micros(kind: str, value: Any, remedy: str = "") -> int:
    if type(value) is not dt.datetime or value.tzinfo is not None:
        value = _of_class(Types.SQL_TIMESTAMP, kind, value, remedy)
    micros: int = (value - _EPOCH) // _MICROSECOND
    return micros


def _in_units(value: dt.datetime | dt.time, micros: int, unit: int) -> int:
    whole, rest = divmod(micros, unit)
    if rest:
        raise FieldError(f"{value} is finer than the millisecond of the Avro schema")
    return whole


_MILLI, _MICRO = 1000, 1  # in microseconds
_PRIMITIVES: dict[str, Encode] = {
    "null": _encode_null,
    "boolean": _encode_boolean,
    "int": partial(_encode_whole, "int", 32),
    "long": partial(_encode_whole, "long", 64),
    "float": _encode_float,
    "double": _encode_double,
    "bytes": _encode_bytes,
    "string": encode_string,
}
_LOGICAL: dict[tuple[str, str | None], Encode] = {
    ("int", "date"): _encode_date,
    ("int", "time-millis"): partial(_encode_time, "time-millis", _MILLI),
    ("long", "time-micros"): partial(_encode_time, "time-micros", _MICRO),
    ("long", "timestamp-millis"): partial(_encode_instant, "timestamp-millis", _MILLI),
    ("long", "timestamp-micros"): partial(_encode_instant, "timestamp-micros", _MICRO),
    ("long", "local-timestamp-millis"): partial(_encode_local, "local-timestamp-millis", _MILLI),
    ("long", "local-timestamp-micros"): partial(_encode_local, "local-timestamp-micros", _MICRO),
    ("string", "uuid"): _encode_uuid,
}
