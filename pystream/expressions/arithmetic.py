"""Operations on numbers: LONG with LONG, or DOUBLE with DOUBLE.

Integers that overflow raise, and so does a divisor of zero. Floats never overflow.
"""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any

from pystream.expressions.control import constant_value, is_constant
from pystream.expressions.operation import (
    BOOLEANS,
    DOUBLES,
    LONG_BOUNDS,
    LONGS,
    NUMBERS,
    Bounds,
    Kernel,
    NotComputedError,
    Operation,
)
from typeinfo.basic import LONG

if TYPE_CHECKING:
    from collections.abc import Callable

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


def _products(a: Bounds, b: Bounds) -> Bounds:
    corners = [x * y for x in a for y in b]
    return min(corners), max(corners)


def _magnitudes(a: Bounds) -> Bounds:
    low, high = a
    return 0 if low <= 0 <= high else min(abs(low), abs(high)), max(abs(low), abs(high))


def _bits(a: Bounds, b: Bounds) -> Bounds:
    if a[0] < 0 or b[0] < 0:
        return LONG_BOUNDS
    return 0, 2 ** max(a[1].bit_length(), b[1].bit_length()) - 1


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


def _arithmetic(
    text: str, name: str, compute: Callable[..., Any], bounds: Callable[..., Bounds]
) -> Operation:
    """Return an operation of an operator of Python, which Spark's columns have, too."""
    return Operation(
        (NUMBERS,) * text.count("{}"),
        NUMBERS,
        text,
        _checked(name),
        lambda sql, e, *parts: compute(*parts),
        overflows=True,
        bounds=bounds,
    )


def _extremum(pick: Callable[..., Any], name: str) -> Operation:
    return Operation(
        (LONGS,),
        LONGS,
        pick,
        Kernel(f"{pick.__name__}_element_wise"),
        name,
        variadic=True,
        bounds=lambda *parts: (pick(low for low, _ in parts), pick(high for _, high in parts)),
    )


def _bitwise(sign: str, name: str, method: str) -> Operation:
    return Operation(
        (LONGS, LONGS),
        LONGS,
        f"({{}} {sign} {{}})",
        Kernel(f"bit_wise_{name}"),
        lambda sql, e, a, b: getattr(a, method)(b),
        bounds=_bits,
    )


class Arithmetic:
    """Operations on numbers."""

    ADD = _arithmetic("({} + {})", "add", operator.add, lambda a, b: (a[0] + b[0], a[1] + b[1]))
    SUBTRACT = _arithmetic("({} - {})", "subtract", operator.sub, lambda a, b: (a[0] - b[1], a[1] - b[0]))
    MULTIPLY = _arithmetic("({} * {})", "multiply", operator.mul, _products)
    NEGATE = _arithmetic("(-{})", "negate", operator.neg, lambda a: (-a[1], -a[0]))
    ABSOLUTE = Operation((NUMBERS,), NUMBERS, abs, _checked("abs"), "abs", overflows=True, bounds=_magnitudes)
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
    LEAST = _extremum(min, "least")
    GREATEST = _extremum(max, "greatest")
    BIT_AND = _bitwise("&", "and", "bitwiseAND")
    BIT_OR = _bitwise("|", "or", "bitwiseOR")
    BIT_XOR = _bitwise("^", "xor", "bitwiseXOR")
    BIT_NOT = Operation(
        (LONGS,), LONGS, "(~{})", Kernel("bit_wise_not"), "bitwise_not", bounds=lambda a: (~a[1], ~a[0])
    )
