"""The kinds of data types, which decide what operators and functions do."""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

from pystream.sql_types.data_types import ArrayType, AtomicType, DataType, DecimalType, MapType, RowType

__all__ = [
    "BEYOND",
    "EXACT",
    "FLOATING",
    "INTEGERS",
    "NUMBERS",
    "Kind",
    "digits_of",
    "fraction_digits",
    "kind_of",
    "length_of",
]


class Kind(Enum):
    """A kind of data types whose values are handled alike."""

    NULL = auto()
    BOOLEAN = auto()
    TINYINT = auto()
    SMALLINT = auto()
    INT = auto()
    BIGINT = auto()
    DECIMAL = auto()
    FLOAT = auto()
    DOUBLE = auto()
    TEXT = auto()
    BYTES = auto()
    DATE = auto()
    TIME = auto()
    TIMESTAMP = auto()
    TIMESTAMP_LTZ = auto()
    ARRAY = auto()
    MAP = auto()
    ROW = auto()

    @property
    def is_integer(self) -> bool:
        """Whether values are integers."""
        return self in _DIGITS


_DIGITS: Final = {Kind.TINYINT: 3, Kind.SMALLINT: 5, Kind.INT: 10, Kind.BIGINT: 19}
BEYOND: Final = {Kind.TINYINT: 1 << 7, Kind.SMALLINT: 1 << 15, Kind.INT: 1 << 31, Kind.BIGINT: 1 << 63}
"""The least positive integer that is out of the range of each type."""

FLOATING: Final = (Kind.FLOAT, Kind.DOUBLE)
INTEGERS: Final = tuple(_DIGITS)
EXACT: Final = (*INTEGERS, Kind.DECIMAL)
NUMBERS: Final = (*EXACT, *FLOATING)

_TEXTS: Final = ("CHAR", "VARCHAR", "STRING")
_BYTES: Final = ("BINARY", "VARBINARY", "BYTES")


def kind_of(data_type: DataType) -> Kind | None:
    """Return the kind of a data type, ``None`` if it is none of SQL."""
    match data_type:
        case DecimalType():
            return Kind.DECIMAL
        case ArrayType():
            return Kind.ARRAY
        case MapType():
            return Kind.MAP
        case RowType():
            return Kind.ROW
        case AtomicType(name=name):
            base = name.partition("(")[0]
            if base in _TEXTS:
                return Kind.TEXT
            return Kind.BYTES if base in _BYTES else Kind.__members__.get(base)
    return None


def digits_of(data_type: DataType) -> tuple[int, int]:
    """Return the precision and the scale of an exact number."""
    if isinstance(data_type, DecimalType):
        return data_type.precision, data_type.scale
    kind = kind_of(data_type)
    assert kind is not None
    return _DIGITS.get(kind, 38), 0


def fraction_digits(data_type: DataType) -> int:
    """Return the digits after the second of a type of times."""
    _, _, digits = str(data_type.nullable()).partition("(")
    return int(digits.rstrip(")")) if digits else 0


def length_of(data_type: DataType) -> tuple[int | None, bool]:
    """Return the length of a type of text or bytes, ``None`` if it has none, and whether it is fixed."""
    name, _, length = str(data_type.nullable()).partition("(")
    return int(length.rstrip(")")) if length else None, name in ("CHAR", "BINARY")
