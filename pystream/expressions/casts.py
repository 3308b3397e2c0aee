"""Conversions between types."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from pystream.expressions.operation import ANY, DOUBLES, LONGS, TEXTS, Kernel, Nulls, Operation, TypeSet
from typeinfo.basic import BOOLEAN, BYTE, FLOAT, INT, LONG, SHORT

if TYPE_CHECKING:
    from collections.abc import Callable

    from pystream.expressions.expression import Expression

__all__ = ["Casts"]

_INTEGERS = TypeSet((BYTE, SHORT, INT, LONG))


def _to_float(value: float) -> float:
    try:
        (rounded,) = struct.unpack("f", struct.pack("f", value))
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
    return float(rounded)


def _in_arrow(*, safe: bool = True) -> Kernel:
    """Return a kernel that casts to the type of the expression; an unsafe one rounds."""

    def cast(pc: Any, e: Expression, value: Any) -> Any:
        from typeinfo.formats.arrow import to_arrow

        return pc.cast(value, to_arrow(e.type), safe=safe)

    return Kernel(cast)


def _parsed_long(pc: Any, e: Expression, value: Any) -> Any:
    return pc.cast(pc.ascii_trim_whitespace(value), "int64")


def _in_spark(name: str) -> Callable[..., Any]:
    return lambda sql, e, value: value.cast(name)


def _narrowed(sql: Any, e: Expression, value: Any) -> Any:
    from typeinfo.formats.spark import to_spark

    return value.cast(to_spark(e.type))


class Casts:
    """Conversions between types."""

    WIDEN = Operation(
        (TypeSet((BYTE, SHORT, INT, LONG, BOOLEAN)),),
        LONGS,
        int,
        _in_arrow(),
        _in_spark("bigint"),
        Nulls.KEPT,
        bounds=lambda a: a,
    )
    # A FLOAT exactly, or a LONG rounded half to even.
    TO_DOUBLE = Operation(
        (TypeSet((FLOAT, LONG)),), DOUBLES, float, _in_arrow(safe=False), _in_spark("double"), Nulls.KEPT
    )
    # Towards zero; it is in range.
    TO_LONG = Operation(
        (DOUBLES,),
        LONGS,
        int,
        Kernel(lambda pc, e, a: pc.cast(pc.trunc(a), "int64", safe=False)),
        _in_spark("bigint"),
    )
    NARROW = Operation((LONGS,), _INTEGERS, "{}", _in_arrow(), _narrowed, overflows=True)
    TO_FLOAT = Operation((DOUBLES,), TypeSet((FLOAT,)), _to_float, _in_arrow(safe=False), _in_spark("float"))
    TO_TEXT = Operation((LONGS,), TEXTS, str, _in_arrow(), _in_spark("string"))
    # Text of an optional sign and digits, blanks around them.
    PARSE_LONG = Operation((TEXTS,), LONGS, int, Kernel(_parsed_long), _in_spark("bigint"))
    PARSE_DOUBLE = Operation((TEXTS,), DOUBLES, float, _in_arrow(), _in_spark("double"))
    # Bytes in UTF-8; raises where they are not.
    DECODE = Operation(
        (ANY,), TEXTS, "{}.decode()", spark=lambda sql, e, value: sql.validate_utf8(value.cast("string"))
    )
