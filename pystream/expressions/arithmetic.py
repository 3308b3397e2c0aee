"""Operations on numbers: LONG with LONG, or DOUBLE with DOUBLE.

Integers that overflow raise, and so does a divisor of zero. Floats never overflow.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from pystream.expressions.control import constant_value, is_constant
from pystream.expressions.operation import (
    BOOLEANS,
    DOUBLES,
    LONGS,
    NUMBERS,
    Kernel,
    NotComputedError,
    Operation,
)
from typeinfo.basic import LONG

if TYPE_CHECKING:
    from pystream.expressions.expression import Expression

__all__ = ["Arithmetic"]


def _truncated_divide(a: int, b: int) -> int:
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def _remainder(a: float, b: float) -> float:
    if isinstance(a, int) and isinstance(b, int):
        return a - b * _truncated_divide(a, b)
    if not b:
        raise ZeroDivisionError("float modulo")
    return math.nan if math.isinf(a) else math.fmod(a, b)


def _round_even(a: float) -> float:
    return math.copysign(float(round(a)), a) if math.isfinite(a) else a


def _floor(a: float) -> float:
    return float(math.floor(a)) if math.isfinite(a) else a


def _ceil(a: float) -> float:
    return float(math.ceil(a)) if math.isfinite(a) else a


def _checked(name: str) -> Kernel:
    """Return a kernel that raises where integers overflow; floats never do."""
    return Kernel(lambda pc, e, *parts: getattr(pc, name + "_checked" * (e.type == LONG))(*parts))


def _divided(pc: Any, e: Expression, a: Any, b: Any) -> Any:
    zero = pc.equal(b, 0.0)
    if (pc.any(zero) if hasattr(b, "null_count") else zero).as_py():
        raise NotComputedError("division by zero")
    return pc.divide(a, b)


def _kernel_of_remainder(pc: Any, e: Expression, a: Any, b: Any) -> Any:
    return pc.subtract(a, pc.multiply(pc.divide_checked(a, b), b))


def _kernel_of_modulo(pc: Any, e: Expression, a: Any, b: Any) -> Any:
    if is_constant(e.parts[1]) and constant_value(e.parts[1]) and hasattr(a, "null_count"):
        import numpy as np
        import pyarrow as pa

        numbers, divisor = a.to_numpy(), constant_value(e.parts[1])  # whose kernel divides slowly
        rest = np.floor_divide(numbers, divisor)
        rest *= divisor
        return pa.array(np.subtract(numbers, rest, out=rest))
    rest = _kernel_of_remainder(pc, e, a, b)
    return pc.if_else(pc.less(rest, 0), pc.add(rest, b), rest)


def _whole(name: str) -> Any:
    """Return a rounding function of Spark as one that returns a double; Spark's return a bigint."""

    def rounded(sql: Any, e: Expression, value: Any) -> Any:
        # A double beyond 2**52 has no fractional part.
        small = sql.abs(value) < sql.lit(2.0**52)
        return sql.when(small, getattr(sql, name)(value).cast("double")).otherwise(value)

    return rounded


class Arithmetic:
    """Operations on numbers."""

    ADD = Operation(
        (NUMBERS, NUMBERS), NUMBERS, "({} + {})", _checked("add"), lambda sql, e, a, b: a + b, overflows=True
    )
    SUBTRACT = Operation(
        (NUMBERS, NUMBERS),
        NUMBERS,
        "({} - {})",
        _checked("subtract"),
        lambda sql, e, a, b: a - b,
        overflows=True,
    )
    MULTIPLY = Operation(
        (NUMBERS, NUMBERS),
        NUMBERS,
        "({} * {})",
        _checked("multiply"),
        lambda sql, e, a, b: a * b,
        overflows=True,
    )
    NEGATE = Operation((NUMBERS,), NUMBERS, "(-{})", _checked("negate"), lambda sql, e, a: -a, overflows=True)
    ABSOLUTE = Operation((NUMBERS,), NUMBERS, abs, _checked("abs"), "abs", overflows=True)
    DIVIDE = Operation((DOUBLES, DOUBLES), DOUBLES, "({} / {})", Kernel(_divided), lambda sql, e, a, b: a / b)
    TRUNCATED_DIVIDE = Operation(
        (LONGS, LONGS),
        LONGS,
        _truncated_divide,
        Kernel("divide_checked"),
        lambda sql, e, a, b: sql.call_function("div", a, b),
        overflows=True,
    )
    # With the sign of the first part, as in C.
    REMAINDER = Operation(
        (NUMBERS, NUMBERS),
        NUMBERS,
        _remainder,
        Kernel(_kernel_of_remainder, lambda e: e.type == LONG),
        lambda sql, e, a, b: a % b,
    )
    # By a positive part; never negative.
    MODULO = Operation((LONGS, LONGS), LONGS, "({} % {})", Kernel(_kernel_of_modulo), "pmod")
    # To the nearest whole DOUBLE, halves to the even one.
    ROUND_EVEN = Operation(
        (DOUBLES,),
        DOUBLES,
        _round_even,
        Kernel(lambda pc, e, a: pc.round(a, round_mode="half_to_even")),
        "rint",
    )
    # From DOUBLE to DOUBLE; -0.0 may become 0.0.
    FLOOR = Operation((DOUBLES,), DOUBLES, _floor, Kernel("floor"), _whole("floor"))
    CEIL = Operation((DOUBLES,), DOUBLES, _ceil, Kernel("ceil"), _whole("ceil"))
    SQUARE_ROOT = Operation((DOUBLES,), DOUBLES, math.sqrt, Kernel("sqrt"), "sqrt")
    IS_NAN = Operation((DOUBLES,), BOOLEANS, math.isnan, Kernel("is_nan"), "isnan")
    LEAST = Operation((LONGS,), LONGS, min, Kernel("min_element_wise"), "least", variadic=True)
    GREATEST = Operation((LONGS,), LONGS, max, Kernel("max_element_wise"), "greatest", variadic=True)
    BIT_AND = Operation(
        (LONGS, LONGS), LONGS, "({} & {})", Kernel("bit_wise_and"), lambda sql, e, a, b: a.bitwiseAND(b)
    )
    BIT_OR = Operation(
        (LONGS, LONGS), LONGS, "({} | {})", Kernel("bit_wise_or"), lambda sql, e, a, b: a.bitwiseOR(b)
    )
    BIT_XOR = Operation(
        (LONGS, LONGS), LONGS, "({} ^ {})", Kernel("bit_wise_xor"), lambda sql, e, a, b: a.bitwiseXOR(b)
    )
    BIT_NOT = Operation((LONGS,), LONGS, "(~{})", Kernel("bit_wise_not"), "bitwise_not")
