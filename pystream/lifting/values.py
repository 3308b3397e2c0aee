"""Abstract values of symbolic evaluation: expressions, constants and generators."""

from __future__ import annotations

import datetime
import math
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from pystream.expressions.expression import (
    LONG_BOUNDS,
    Bounds,
    Expression,
    Op,
)
from pystream.lifting.kinds import (
    NotExact,
    nullable_type,
    type_bounds,
)
from typeinfo import TypeInformation, Types
from typeinfo.collection import PrimitiveArrayTypeInfo
from typeinfo.composite import TupleTypeInfo
from typeinfo.extended import EnumTypeInfo

__all__ = [
    "COLLECTOR",
    "FALSE",
    "NONE",
    "TRUE",
    "Generator",
    "Static",
    "Value",
    "as_expression",
    "constant",
    "consumed",
]


_PLAIN: dict[type, TypeInformation[Any]] = {
    bool: Types.BOOLEAN(),
    float: Types.DOUBLE(),
    bytes: PrimitiveArrayTypeInfo(Types.BYTE()),
    datetime.date: Types.SQL_DATE(),
}


def constant(value: Any) -> Expression:
    """Return a constant as an expression.

    Raises:
        NotExact: the value is mutable or has no column type.
    """
    cls: type[Any] = type(value)
    bounds: Bounds | None = None
    if value is None:
        return Expression(Op.CONSTANT, (), Types.VOID(), True, (None, "None"))
    if cls is tuple:
        parts = tuple(map(constant, value))
        return Expression(Op.STRUCT, parts, TupleTypeInfo(map(nullable_type, parts)))
    if cls is int:
        if not LONG_BOUNDS[0] <= value <= LONG_BOUNDS[1]:
            raise NotExact(f"uses the integer {_short(value)}, which does not fit 64 bits")
        t: TypeInformation[Any] = Types.LONG()
        bounds = value, value
    elif cls is str:
        if any("\ud800" <= c <= "\udfff" for c in value):
            raise NotExact("uses text with a lone surrogate, which no column holds")
        t = Types.STRING()
    elif cls in (datetime.datetime, datetime.time):
        if value.tzinfo is not None:
            raise NotExact(f"uses the {cls.__name__} {value}, which has a time zone")
        t = Types.SQL_TIMESTAMP() if cls is datetime.datetime else Types.SQL_TIME()
    elif isinstance(value, Enum):
        t = EnumTypeInfo(cls)
    elif cls is float and value == 0.0 and math.copysign(1.0, value) < 0:
        raise NotExact("uses the constant -0.0, which Spark takes for 0.0")
    elif cls in _PLAIN:
        t = _PLAIN[cls]
    else:
        raise NotExact(f"uses a value of class {cls.__name__}, which is not known to be immutable")
    bounds = bounds or type_bounds(t)
    return Expression(Op.CONSTANT, (), t, False, (value, repr(value)), bounds)


def _short(value: int) -> str:
    return str(value) if value.bit_length() < 200 else f"of {value.bit_length()} bits"


TRUE = constant(True)
FALSE = constant(False)
NONE = constant(None)


@dataclass(frozen=True, slots=True)
class Static:
    """A constant: a value known when the plan is made.

    Attributes:
        value: the value.
        is_self: whether it is the object whose method is lifted; nothing that is lifted changes it.
    """

    value: Any
    is_self: bool = False


@dataclass(frozen=True, slots=True)
class Generator:
    """A generator, returned by a generator function or made by a generator expression.

    It has no length, index or truth value, and is empty once consumed; so it is supported only where it is
    consumed at once.

    Attributes:
        elements: its elements, as a list.
    """

    elements: Expression


class _Collector:
    """The collector argument of a flat_map function, which supports nothing but ``collect``."""


COLLECTOR = Static(_Collector())

Value: TypeAlias = Expression | Static | Generator


def as_expression(value: Value) -> Expression:
    """Return a value as an expression.

    Raises:
        NotExact: it is a constant without a column type, or a generator.
    """
    if isinstance(value, Generator):
        raise NotExact("uses a generator as a value; read it where it is made, or make a list of it")
    return constant(value.value) if isinstance(value, Static) else value


def consumed(value: Value) -> Expression:
    """Return a value that is iterated over at once as an expression, a generator as a list.

    Raises:
        NotExact: it is a constant without a column type.
    """
    return value.elements if isinstance(value, Generator) else as_expression(value)
