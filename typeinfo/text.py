"""The text of an element, as Flink's print sink and its string encoder write it."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Iterable
from decimal import Decimal
from functools import partial
from typing import Any, Literal

import numpy as np

from typeinfo.basic import BIG_DEC, BasicType, BasicTypeInfo
from typeinfo.carried import CarriedTypeInfo, SetTypeInfo, UnionTypeInfo, VariadicTupleTypeInfo
from typeinfo.collection import ArrayTypeInfo, MapTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import RecordKind, RecordTypeInfo, RowTypeInfo, TupleTypeInfo
from typeinfo.custom import CustomTypeInfo
from typeinfo.errors import UnsupportedTypeError
from typeinfo.extended import EnumTypeInfo, LiteralTypeInfo, OptionalTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.instant import Instant
from typeinfo.pickled import PickledBytesTypeInfo
from typeinfo.row import Row
from typeinfo.temporal import InstantTypeInfo, LocalTimeTypeInfo, SqlTimeTypeInfo, TimeKind

__all__ = ["Style", "Text", "double_text", "float_text", "text_of"]

Text = Callable[[Any], str]
Style = Literal["print", "encoder"]


def text_of(t: TypeInformation[Any], style: Style) -> Text:
    """Return the function that writes an element of a type as text.

    Strings stand bare, numbers as Java writes them (``1.0E10``), a tuple is ``(a,1)``, a list ``[0, 7]``, a
    map ``{a=1}``, a row ``+I[1, a, null]`` with its kind in front, an element of unknown type as by
    ``str``. Arrays are written like lists; bytes as a list of signed numbers. Beyond Flink, a record is
    ``Point(x=1, y=null)``, an enum member its name, a duration ``PT1H0.5S``.

    Args:
        t: the type of the elements.
        style: ``print`` writes a row as PyFlink's print sink does, each field by ``str`` and without
            spaces: ``+I[1,a,None]``. In all else it is ``encoder``, the string encoder of file sinks.

    Raises:
        UnsupportedTypeError: ``t`` is of a class unknown here.
    """
    if style == "print":
        if isinstance(t, RowTypeInfo):
            return partial(_printed_row, [_printed_field(field) for field in t.field_types])
        if isinstance(t, OptionalTypeInfo):
            return partial(_or_null, text_of(t.value_type, style))
    return _text(t)


def _printed_row(parts: list[Text], row: Row[Any]) -> str:
    return f"{row.get_row_kind()}[{','.join(part(value) for part, value in zip(parts, row, strict=True))}]"


def _printed_field(t: TypeInformation[Any]) -> Text:
    return _decimal_or_none if t == BIG_DEC else str


def _text(t: TypeInformation[Any]) -> Text:
    match t:
        case BasicTypeInfo():
            return _BASIC.get(t.basic_type, str)
        case SqlTimeTypeInfo():
            return _SQL[t.kind]
        case LocalTimeTypeInfo():
            return _LOCAL[t.kind]
        case InstantTypeInfo():
            return _instant
        case UnionTypeInfo():
            return partial(_member_text, t, [_text(member) for member in t.member_types])
        case VariadicTupleTypeInfo():
            return partial(_any_tuple, _text(t.element_type))
        case SetTypeInfo():
            return partial(_set, t, _text(t.element_type))
        case PickledBytesTypeInfo() | CustomTypeInfo() | CarriedTypeInfo():
            return str
        case EnumTypeInfo():
            return _member
        case LiteralTypeInfo():
            return _text(t.value_type)
        case OptionalTypeInfo():
            return partial(_or_null, _text(t.value_type))
        case PrimitiveArrayTypeInfo() if t.is_bytes:
            return _bytes
        case ArrayTypeInfo():
            return partial(_list, _parts(t)[0])
        case MapTypeInfo():
            key, value = _parts(t)
            return partial(_map, key, value)
        case TupleTypeInfo():
            return partial(_tuple, _parts(t))
        case RowTypeInfo():
            return partial(_row, _parts(t))
        case RecordTypeInfo():
            write = _typed_dict if t.kind is RecordKind.TYPED_DICT else _record
            return partial(write, t.record_class.__name__, list(zip(t.field_names, _parts(t), strict=True)))
    raise UnsupportedTypeError(f"{t!r} has no text")


def _parts(t: TypeInformation[Any]) -> list[Text]:
    return [partial(_or_null, _text(slot.type)) if slot.nullable else _text(slot.type) for slot in t.slots()]


def _or_null(text: Text, value: Any) -> str:
    return "null" if value is None else text(value)


def _null(value: None) -> str:
    return "null"


def _boolean(value: bool) -> str:
    return "true" if value else "false"


def _decimal(value: Decimal) -> str:
    return str(value or abs(value))  # Java has no -0


def _decimal_or_none(value: Decimal | None) -> str:
    return "None" if value is None else _decimal(value)


def _member(member: Any) -> str:
    return str(member.name)


def _bytes(value: bytes) -> str:
    return f"[{', '.join(str(byte - 256 if byte > 127 else byte) for byte in value)}]"


def _list(element: Text, values: Iterable[Any]) -> str:
    return f"[{', '.join(map(element, values))}]"


def _set(t: SetTypeInfo[Any], element: Text, values: Iterable[Any]) -> str:
    return _list(element, t.unwrap_in_order(values))


def _any_tuple(element: Text, values: Iterable[Any]) -> str:
    return f"({','.join(map(element, values))})"


def _member_text(t: UnionTypeInfo[Any], members: list[Text], value: Any) -> str:
    return members[t.member_of(value) or 0](value)


def _map(key: Text, value: Text, entries: dict[Any, Any]) -> str:
    return f"{{{', '.join(f'{key(k)}={value(v)}' for k, v in entries.items())}}}"


def _tuple(parts: list[Text], values: tuple[Any, ...]) -> str:
    return f"({','.join(part(value) for part, value in zip(parts, values, strict=True))})"


def _row(parts: list[Text], row: Row[Any]) -> str:
    fields = (part(value) for part, value in zip(parts, row, strict=True))
    return f"{row.get_row_kind()}[{', '.join(fields)}]"


def _record(name: str, fields: list[tuple[str, Text]], value: Any) -> str:
    return f"{name}({', '.join(f'{field}={part(getattr(value, field))}' for field, part in fields)})"


def _typed_dict(name: str, fields: list[tuple[str, Text]], value: dict[str, Any]) -> str:
    present = (f"{field}={part(value[field])}" for field, part in fields if field in value)
    return f"{name}({', '.join(present)})"


def double_text(value: float) -> str:
    """Return a 64-bit float as ``java.lang.Double.toString`` writes it, with the fewest digits."""
    if not math.isfinite(value):
        return _not_finite(value)
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return repr(value)  # just what Java writes, in this range
    two_digits = f"{value:.1e}"
    return _scientific(repr(value), two_digits if float(two_digits) == value else None)


def float_text(value: float) -> str:
    """Return a float of 32 bits as ``java.lang.Float.toString`` writes it, with the fewest digits.

    Args:
        value: a float that 32 bits hold exactly.
    """
    if not math.isfinite(value):
        return _not_finite(value)
    narrow = np.float32(value)
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return np.format_float_positional(narrow, trim="0")
    two_digits = f"{value:.1e}"
    return _scientific(str(narrow), two_digits if np.float32(two_digits) == narrow else None)


def _not_finite(value: float) -> str:
    return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"


def _scientific(shortest: str, two_digits: str | None) -> str:
    """Write a number as Java does outside 1e-3..1e7.

    Args:
        shortest: the fewest digits that identify the number.
        two_digits: the nearest two digits, if they do as well: one digit alone is not given the preference.
    """
    number = Decimal(shortest).normalize()
    if len(number.as_tuple().digits) == 1 and two_digits is not None:
        number = Decimal(two_digits)
    digits = "".join(map(str, number.as_tuple().digits))
    sign = "-" if number.is_signed() else ""
    return f"{sign}{digits[0]}.{digits[1:] or '0'}E{number.adjusted()}"


def _fraction(micros: int) -> str:
    """Return parts of a second as java.time writes them: three digits, or six if it takes those."""
    if not micros:
        return ""
    return f".{micros // 1000:03}" if micros % 1000 == 0 else f".{micros:06}"


def _local_time(value: datetime.time | datetime.datetime) -> str:
    seconds = f":{value.second:02}" if value.second or value.microsecond else ""
    return f"{value.hour:02}:{value.minute:02}{seconds}{_fraction(value.microsecond)}"


def _local_date_time(value: datetime.datetime) -> str:
    return f"{value.date().isoformat()}T{_local_time(value)}"


def _sql_time(value: datetime.time) -> str:
    """Write a time as java.sql.Time does; parts of a second, which that cannot hold, where there are any."""
    return f"{value.replace(microsecond=0).isoformat()}{_fraction(value.microsecond)}"


def _sql_timestamp(value: datetime.datetime) -> str:
    fraction = f"{value.microsecond:06}".rstrip("0") or "0"
    return f"{value.replace(microsecond=0).isoformat(' ')}.{fraction}"


_DAYS_PER_ERA, _YEARS_PER_ERA = 146_097, 400
"""After 400 years the calendar repeats, so any year has a twin among those that Python knows."""


def _instant(value: Instant) -> str:
    days, second = divmod(value.seconds, 86_400)
    eras, day = divmod(days, _DAYS_PER_ERA)
    date = datetime.date(1970, 1, 1) + datetime.timedelta(day)
    year = date.year + eras * _YEARS_PER_ERA
    sign = "+" if year > 9999 else "-" if year < 0 else ""
    minute, second = divmod(second, 60)
    time = f"{minute // 60:02}:{minute % 60:02}:{second:02}{_fraction(value.nanos // 1000)}"
    return f"{sign}{abs(year):04}-{date.month:02}-{date.day:02}T{time}Z"


def _duration(value: datetime.timedelta) -> str:
    """Write a duration as java.time does: hours, minutes and seconds, each with the sign of the whole."""
    seconds, micros = divmod(abs(value) // datetime.timedelta(microseconds=1), 1_000_000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    sign = "-" if value < datetime.timedelta() else ""
    fraction = f".{micros:06}".rstrip("0") if micros else ""
    text = (f"{sign}{hours}H" if hours else "") + (f"{sign}{minutes}M" if minutes else "")
    if seconds or micros or not text:
        text += f"{sign}{seconds}{fraction}S"
    return f"PT{text}"


_BASIC: dict[BasicType, Text] = {
    BasicType.VOID: _null,
    BasicType.BOOLEAN: _boolean,
    BasicType.FLOAT: float_text,
    BasicType.DOUBLE: double_text,
    BasicType.BIG_DEC: _decimal,
    BasicType.DURATION: _duration,
}
_SQL: dict[TimeKind, Text] = {
    TimeKind.DATE: str,
    TimeKind.TIME: _sql_time,
    TimeKind.TIMESTAMP: _sql_timestamp,
}
_LOCAL: dict[TimeKind, Text] = {
    TimeKind.DATE: str,
    TimeKind.TIME: _local_time,
    TimeKind.TIMESTAMP: _local_date_time,
}
