"""Types of the columns of databases, and the values that clients return for them."""

from __future__ import annotations

import math
import uuid
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from enum import Enum
from typing import Any

from typeinfo import basic, temporal
from typeinfo.collection import PrimitiveArrayTypeInfo
from typeinfo.composite import FieldsTypeInfo
from typeinfo.decimals import is_decimal
from typeinfo.errors import UnsupportedTypeError
from typeinfo.extended import OptionalTypeInfo
from typeinfo.info import TypeInformation

__all__ = ["ColumnKind", "column_kinds", "decoders_of"]

Decode = Callable[[Any], Any]

_MIDNIGHT = datetime(1970, 1, 1)
_DAY = timedelta(days=1)


class ColumnKind(Enum):
    """The kind of values of a column or a placeholder."""

    BOOLEAN = "BOOLEAN"
    SMALLINT = "SMALLINT"
    INTEGER = "INTEGER"
    BIGINT = "BIGINT"
    REAL = "REAL"
    DOUBLE = "DOUBLE PRECISION"
    TEXT = "TEXT"
    WHOLE_NUMBER = "NUMERIC without fraction"
    DECIMAL = "NUMERIC"
    UUID = "UUID"
    DATE = "DATE"
    TIME = "TIME"
    TIMESTAMP = "TIMESTAMP"
    INSTANT = "TIMESTAMP WITH TIME ZONE"
    BYTES = "BYTES"


_KINDS: dict[TypeInformation[Any], ColumnKind] = {
    basic.BOOLEAN: ColumnKind.BOOLEAN,
    basic.BYTE: ColumnKind.SMALLINT,
    basic.SHORT: ColumnKind.SMALLINT,
    basic.INT: ColumnKind.INTEGER,
    basic.LONG: ColumnKind.BIGINT,
    basic.FLOAT: ColumnKind.REAL,
    basic.DOUBLE: ColumnKind.DOUBLE,
    basic.CHAR: ColumnKind.TEXT,
    basic.STRING: ColumnKind.TEXT,
    basic.BIG_INT: ColumnKind.WHOLE_NUMBER,
    basic.UUID: ColumnKind.UUID,
    temporal.SQL_DATE: ColumnKind.DATE,
    temporal.LOCAL_DATE: ColumnKind.DATE,
    temporal.SQL_TIME: ColumnKind.TIME,
    temporal.LOCAL_TIME: ColumnKind.TIME,
    temporal.SQL_TIMESTAMP: ColumnKind.TIMESTAMP,
    temporal.LOCAL_DATE_TIME: ColumnKind.TIMESTAMP,
    temporal.INSTANT: ColumnKind.INSTANT,
}


def column_kinds(t: FieldsTypeInfo[Any], owner: str) -> tuple[ColumnKind, ...]:
    """Return the kinds of the columns that the fields of a type are.

    Raises:
        UnsupportedTypeError: databases have no columns of a field's type; the message names it.
    """
    return tuple(
        _kind(slot.type, f"{owner}: field {name!r}")
        for name, slot in zip(t.get_field_names(), t.slots(), strict=True)
    )


def _kind(t: TypeInformation[Any], owner: str) -> ColumnKind:
    if isinstance(t, OptionalTypeInfo):
        return _kind(t.value_type, owner)
    if isinstance(t, PrimitiveArrayTypeInfo) and t.is_bytes:
        return ColumnKind.BYTES
    if is_decimal(t):
        return ColumnKind.DECIMAL
    if t not in _KINDS:
        raise UnsupportedTypeError(
            f"{owner} is of type {t}, for which databases have no column; there are numbers, texts, dates, "
            "times, timestamps, instants, UUIDs and bytes: convert it to one of them before, such as to text"
        )
    return _KINDS[t]


def decoders_of(kinds: Sequence[ColumnKind]) -> list[tuple[type[Any] | None, Decode]]:
    """Return functions from the values that a client returns, other than ``None``, to those of the types.

    They raise ValueError where no value of the type is equal. Each comes with the class whose instances it
    returns as they are, or ``None``.
    """
    return [(_PLAIN.get(kind), _DECODERS[kind]) for kind in kinds]


def _boolean(value: Any) -> bool:
    if isinstance(value, bytes) and len(value) <= 8:  # BIT(n) of MySQL
        value = int.from_bytes(value)
    if isinstance(value, int) and value in (0, 1):
        return bool(value)
    raise ValueError


def _integer(value: Any) -> int:
    if isinstance(value, (int, float, Decimal)) and value == (number := int(value)):
        return number
    raise ValueError


def _whole_number(value: Any) -> int:
    return int(value) if isinstance(value, str) else _integer(value)


def _float(value: Any) -> float:
    if isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
        return float(value)
    raise ValueError


def _decimal(value: Any) -> Decimal:
    if isinstance(value, float) and math.isfinite(value):
        value = repr(value)
    if isinstance(value, (int, str, Decimal)) and not isinstance(value, bool):
        try:
            return Decimal(value)
        except InvalidOperation:
            pass
    raise ValueError


def _text(value: Any) -> str:
    if isinstance(value, (str, uuid.UUID)):
        return str(value)
    raise ValueError


def _uuid(value: Any) -> uuid.UUID:
    if isinstance(value, (str, uuid.UUID)):
        return uuid.UUID(str(value))
    raise ValueError


def _date(value: Any) -> date:
    if isinstance(value, str):
        return date.fromisoformat(value)
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    raise ValueError


def _time(value: Any) -> time:
    if isinstance(value, str):
        value = time.fromisoformat(value)
    if isinstance(value, timedelta) and timedelta() <= value < _DAY:  # TIME of MySQL
        value = (_MIDNIGHT + value).time()
    if isinstance(value, time) and value.tzinfo is None:
        return value
    raise ValueError


def _timestamp(value: Any) -> datetime:
    if isinstance(value, str):
        value = datetime.fromisoformat(value)
    if isinstance(value, datetime):
        return value if value.tzinfo is None else value.astimezone(UTC).replace(tzinfo=None)
    raise ValueError


def _instant(value: Any) -> datetime:
    return _timestamp(value).replace(tzinfo=UTC)


def _bytes(value: Any) -> bytes:
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    raise ValueError


_DECODERS: dict[ColumnKind, Decode] = {
    ColumnKind.BOOLEAN: _boolean,
    ColumnKind.SMALLINT: _integer,
    ColumnKind.INTEGER: _integer,
    ColumnKind.BIGINT: _integer,
    ColumnKind.REAL: _float,
    ColumnKind.DOUBLE: _float,
    ColumnKind.TEXT: _text,
    ColumnKind.WHOLE_NUMBER: _whole_number,
    ColumnKind.DECIMAL: _decimal,
    ColumnKind.UUID: _uuid,
    ColumnKind.DATE: _date,
    ColumnKind.TIME: _time,
    ColumnKind.TIMESTAMP: _timestamp,
    ColumnKind.INSTANT: _instant,
    ColumnKind.BYTES: _bytes,
}

_PLAIN: dict[ColumnKind, type[Any]] = {
    ColumnKind.BOOLEAN: bool,
    ColumnKind.SMALLINT: int,
    ColumnKind.INTEGER: int,
    ColumnKind.BIGINT: int,
    ColumnKind.REAL: float,
    ColumnKind.DOUBLE: float,
    ColumnKind.TEXT: str,
    ColumnKind.WHOLE_NUMBER: int,
    ColumnKind.DECIMAL: Decimal,
    ColumnKind.UUID: uuid.UUID,
    ColumnKind.DATE: date,
    ColumnKind.BYTES: bytes,
}
