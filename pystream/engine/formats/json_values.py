"""Write conformed values of a type as JSON text."""

from __future__ import annotations

import base64
import datetime
import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial
from json.encoder import encode_basestring
from typing import Any

from pystream.engine.formats.fields import MISSING, fields_of, opener_of, without_optional
from pystream.engine.formats.scalars import decimal_text, exponential_text, has_text
from pystream.engine.formats.times import TimeStyle, without_trailing_zeros
from typeinfo.basic import FLOAT
from typeinfo.carried import CarriedTypeInfo
from typeinfo.collection import ArrayTypeInfo, MapTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import FieldsTypeInfo
from typeinfo.errors import UnsupportedTypeError
from typeinfo.extended import LiteralTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.instant import Instant
from typeinfo.number_text import float_text
from typeinfo.scalar import ScalarTypeInfo

__all__ = ["ValueCompiler", "Write"]

Write = Callable[[Any], str]


class ValueCompiler:
    """Compile a type to a function that writes its values.

    Args:
        time_style: how times and timestamps are written.
        skips_nulls: whether fields of objects that are null are left out.
        has_exponents: whether decimals are written with the exponent that is left without trailing zeros.
    """

    def __init__(self, time_style: TimeStyle, skips_nulls: bool = False, has_exponents: bool = False) -> None:
        self._by_class = _BY_CLASS | _TIMES[time_style]
        if has_exponents:
            self._by_class[Decimal] = exponential_text
        self._skipped = (MISSING, None) if skips_nulls else (MISSING,)

    def writer(self, t: TypeInformation[Any], path: str) -> Write:
        """Return the function for values that are not null.

        Raises:
            UnsupportedTypeError: JSON cannot represent a part of the type; the message names it.
        """
        match t:
            case FieldsTypeInfo():
                entries = [
                    (f"{encode_basestring(f.name)}:", self.slot(f.type, f.nullable, f"{path}.{f.name}"))
                    for f in fields_of(t)
                ]
                return partial(_object, opener_of(t), entries, self._skipped)
            case MapTypeInfo():
                key, value = t.slots()
                if not has_text(key.type):
                    raise UnsupportedTypeError(
                        f"JSON has no map with keys of type {key.type} (field {path[1:]})"
                    )
                write_value = self.slot(value.type, value.nullable, f"{path}[]")
                return partial(_map, self.writer(key.type, path), write_value)
            case PrimitiveArrayTypeInfo() if t.is_bytes:
                return _bytes
            case ArrayTypeInfo():
                (element,) = t.slots()
                return partial(_array, self.slot(element.type, element.nullable, f"{path}[]"))
            case CarriedTypeInfo():
                from typeinfo.serde.registry import canonical_unwrap

                return partial(_carried, canonical_unwrap(t), self.writer(t.carrier, path))
            case LiteralTypeInfo():
                return self.writer(t.value_type, path)
            case ScalarTypeInfo():
                if t == FLOAT:
                    return _float
                return self._by_class.get(t.value_class) or partial(_text, t.traits.text)
        raise UnsupportedTypeError(f"JSON has no values of type {t} (field {path[1:]})")

    def slot(self, t: TypeInformation[Any], nullable: bool, path: str) -> Write:
        """Return the function for values that may be null."""
        t, nullable = without_optional(t, nullable)
        write = self.writer(t, path)
        return partial(_null_or, write) if nullable else write


def _null_or(write: Write, value: Any) -> str:
    return "null" if value is None else write(value)


def _object(
    open_element: Callable[[Any], Sequence[Any]],
    entries: list[tuple[str, Write]],
    skipped: tuple[Any, ...],
    element: Any,
) -> str:
    members = [
        key + write(value)
        for (key, write), value in zip(entries, open_element(element), strict=True)
        if not any(value is other for other in skipped)
    ]
    return "{" + ",".join(members) + "}"


def _map(write_key: Write, write: Write, entries: dict[Any, Any]) -> str:
    return "{" + ",".join(f"{_quoted(write_key(key))}:{write(value)}" for key, value in entries.items()) + "}"


def _carried(unwrap: Callable[[Any], Any], write: Write, value: Any) -> str:
    return write(unwrap(value))


def _quoted(text: str) -> str:
    return text if text.startswith('"') else f'"{text}"'


def _array(write: Write, values: list[Any]) -> str:
    return "[" + ",".join(map(write, values)) + "]"


def _bytes(value: bytes) -> str:
    return f'"{base64.b64encode(value).decode()}"'


def _text(text_of: Write, value: Any) -> str:
    return encode_basestring(text_of(value))


def _boolean(value: bool) -> str:
    return "true" if value else "false"


def _double(value: float) -> str:
    return repr(value) if math.isfinite(value) else _not_finite(value)


def _float(value: float) -> str:
    return float_text(value) if math.isfinite(value) else _not_finite(value)


def _not_finite(value: float) -> str:
    return '"NaN"' if math.isnan(value) else '"Infinity"' if value > 0 else '"-Infinity"'


def _quoted_str(value: Any) -> str:
    return f'"{value}"'


def _time(value: datetime.time | datetime.datetime) -> str:
    return f'"{without_trailing_zeros(value.isoformat())}Z"'


def _instant(value: Instant) -> str:
    moment = value.to_datetime().replace(tzinfo=None)
    # java.time.Instant writes its fraction in groups of three digits.
    has_micros = moment.microsecond % 1000
    precision = "microseconds" if has_micros else "milliseconds" if moment.microsecond else "seconds"
    return f'"{moment.isoformat(timespec=precision)}Z"'


def _standard_time(value: datetime.time) -> str:
    return f'"{without_trailing_zeros(value.isoformat())}"'


def _standard_timestamp(separator: str, value: datetime.datetime) -> str:
    return f'"{without_trailing_zeros(value.isoformat(separator))}"'


def _standard_instant(separator: str, value: Instant) -> str:
    moment = value.to_datetime().replace(tzinfo=None)
    return f'"{without_trailing_zeros(moment.isoformat(separator))}Z"'


def _void(value: None) -> str:
    return "null"


_BY_CLASS: dict[type[Any], Write] = {
    type(None): _void,
    str: encode_basestring,
    bool: _boolean,
    int: str,
    float: _double,
    Decimal: decimal_text,
    datetime.date: _quoted_str,
}


def _standard_times(separator: str) -> dict[type[Any], Write]:
    return {
        datetime.time: _standard_time,
        datetime.datetime: partial(_standard_timestamp, separator),
        Instant: partial(_standard_instant, separator),
    }


_TIMES: dict[TimeStyle, dict[type[Any], Write]] = {
    "RFC-3339": {datetime.time: _time, datetime.datetime: _time, Instant: _instant},
    "SQL": _standard_times(" "),
    "ISO-8601": _standard_times("T"),
}
