"""Kinds of types: the Python class of their values, as far as operations distinguish them."""

from __future__ import annotations

from enum import Enum
from typing import Any

from pystream.expressions.expression import LONG_BOUNDS, Bounds, Expression
from typeinfo import TypeInformation, Types
from typeinfo.collection import ArrayTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import RecordTypeInfo, RowTypeInfo, TupleTypeInfo
from typeinfo.extended import EnumTypeInfo, LiteralTypeInfo, OptionalTypeInfo, optional_of
from typeinfo.scalar import ScalarTypeInfo

__all__ = [
    "NUMBERS",
    "Kind",
    "NotExact",
    "bounds_of",
    "kind_of",
    "name_of",
    "nullable_type",
    "unwrapped",
    "type_bounds",
]


class NotExact(Exception):  # noqa: N818 - no error of the user's: the function is run in Python then
    """Report that a function cannot be an exact expression, with the reason.

    Attributes:
        place: the file and line of the user's code, once known.
    """

    def __init__(self, reason: str, place: str = "") -> None:
        super().__init__(reason)
        self.place = place


class Kind(Enum):
    """Class of values; the value is its name."""

    NONE = "None"
    BOOL = "bool"
    INT = "int"
    FLOAT = "float"
    STR = "str"
    BYTES = "bytes"
    DATE = "date"
    TIME = "time"
    DATETIME = "datetime"
    TUPLE = "tuple"
    ROW = "Row"
    RECORD = "record"
    LIST = "list"
    ENUM = "Enum"
    OTHER = "other"


NUMBERS = (Kind.BOOL, Kind.INT, Kind.FLOAT)
"""Kinds that arithmetic takes; a bool counts as 0 or 1."""

_SCALARS: dict[TypeInformation[Any], Kind] = {
    Types.VOID: Kind.NONE,
    Types.BOOLEAN: Kind.BOOL,
    Types.BYTE: Kind.INT,
    Types.SHORT: Kind.INT,
    Types.INT: Kind.INT,
    Types.LONG: Kind.INT,
    Types.FLOAT: Kind.FLOAT,
    Types.DOUBLE: Kind.FLOAT,
    Types.STRING: Kind.STR,
    Types.CHAR: Kind.STR,
    Types.SQL_DATE: Kind.DATE,
    Types.LOCAL_DATE: Kind.DATE,
    Types.SQL_TIME: Kind.TIME,
    Types.LOCAL_TIME: Kind.TIME,
    Types.SQL_TIMESTAMP: Kind.DATETIME,
    Types.LOCAL_DATE_TIME: Kind.DATETIME,
}


def kind_of(value: Expression | TypeInformation[Any]) -> Kind:
    """Return the kind of an expression's values, or of a type's, ``None`` aside."""
    t = value.type if isinstance(value, Expression) else value
    match t:
        case EnumTypeInfo():
            return Kind.ENUM
        case ScalarTypeInfo():
            return _SCALARS.get(t, Kind.OTHER)
        case PrimitiveArrayTypeInfo() if t.is_bytes:
            return Kind.BYTES
        case ArrayTypeInfo():
            return Kind.LIST
        case TupleTypeInfo():
            return Kind.TUPLE
        case RowTypeInfo():
            return Kind.ROW
        case RecordTypeInfo():
            return Kind.RECORD
    return Kind.OTHER


def name_of(value: Expression | TypeInformation[Any]) -> str:
    """Return the name of the class of values in messages: ``int``, ``str``, ``tuple``, ``Point``."""
    t = value.type if isinstance(value, Expression) else value
    if isinstance(t, RecordTypeInfo):
        return t.record_class.__name__
    if isinstance(t, EnumTypeInfo):
        return t.enum_class.__name__
    kind = kind_of(t)
    return str(t) if kind is Kind.OTHER else kind.value


def unwrapped(t: TypeInformation[Any]) -> tuple[TypeInformation[Any], bool]:
    """Return a type without the ``Optional`` and ``Literal`` around it, and whether it admits ``None``."""
    nullable = t.admits_none()
    while isinstance(t, (OptionalTypeInfo, LiteralTypeInfo)):
        t = t.value_type
    return t, nullable


def nullable_type(expression: Expression) -> TypeInformation[Any]:
    """Return the type of an expression's values, ``None`` included if they may be null."""
    return optional_of(expression.type) if expression.nullable else expression.type


def is_exactly(expression: Expression, t: TypeInformation[Any], *, nullable: bool) -> bool:
    """Return whether the values of an expression are values of a type, or ``None`` where that is allowed."""
    return nullable_type(expression) in (t, optional_of(t) if nullable else t)


def type_bounds(t: TypeInformation[Any]) -> Bounds | None:
    """Return the least and greatest value of an integer type, ``None`` for other types."""
    if isinstance(t, ScalarTypeInfo) and t.traits.bounds is not None:
        return t.traits.bounds
    return (0, 1) if t == Types.BOOLEAN() else None


def bounds_of(value: Expression) -> Bounds:
    """Return the least and greatest value of a whole number."""
    return value.bounds or LONG_BOUNDS
