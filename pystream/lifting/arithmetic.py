"""Arithmetic with the results of Python: signs of ``//`` and ``%``, true division; overflow raises."""

from __future__ import annotations

from collections.abc import Sequence

from pystream.expressions.expression import (
    LONG_BOUNDS,
    Expression,
    Op,
    Operation,
    constant_value,
    is_constant,
)
from pystream.lifting.building import (
    all_of,
    any_of,
    call,
    guarded,
    having_evaluated,
    negation,
    not_null,
    of_kind,
    whole,
    widened,
)
from pystream.lifting.comparing import as_double, exact, less
from pystream.lifting.composites import conditional
from pystream.lifting.kinds import NUMBERS, Kind, NotExact, bounds_of, kind_of, name_of
from pystream.lifting.values import FALSE, constant

__all__ = [
    "absolute",
    "add",
    "bitwise",
    "divide",
    "extremum",
    "floor",
    "floor_divide",
    "inverted",
    "modulo",
    "multiply",
    "negative",
    "number",
    "positive",
    "power",
    "rounded",
    "square_root",
    "subtract",
    "to_float",
    "to_int",
]


def number(value: Expression, what: str) -> Expression:
    """Return a number for arithmetic, as LONG or DOUBLE.

    Raises:
        NotExact: it is not a number.
    """
    return widened(of_kind(value, what, *NUMBERS))


def is_float(value: Expression) -> bool:
    """Return whether a widened number is a DOUBLE."""
    return kind_of(value) is Kind.FLOAT


def _pair(a: Expression, b: Expression, sign: str) -> tuple[Expression, Expression]:
    if not {kind_of(a), kind_of(b)} <= set(NUMBERS):
        raise NotExact(f"uses {sign} between {name_of(a)} and {name_of(b)}, which is not lifted")
    a, b = number(a, sign), number(b, sign)
    return (as_double(a), as_double(b)) if is_float(a) or is_float(b) else (a, b)


def add(a: Expression, b: Expression) -> Expression:
    """Return ``a + b``."""
    return call(Op.ADD, *_pair(a, b, "+"))


def subtract(a: Expression, b: Expression) -> Expression:
    """Return ``a - b``."""
    return call(Op.SUBTRACT, *_pair(a, b, "-"))


def multiply(a: Expression, b: Expression) -> Expression:
    """Return ``a * b``."""
    return call(Op.MULTIPLY, *_pair(a, b, "*"))


def negative(a: Expression) -> Expression:
    """Return ``-a``."""
    return call(Op.NEGATE, number(a, "negates"))


def positive(a: Expression) -> Expression:
    """Return ``+a``, which turns a bool into an int."""
    return number(a, "uses + before")


def absolute(a: Expression) -> Expression:
    """Return ``abs(a)``."""
    return call(Op.ABSOLUTE, number(a, "uses abs() of"))


def divide(a: Expression, b: Expression) -> Expression:
    """Return ``a / b``; of whole numbers where both are doubles exactly, as Python rounds only once."""
    if kind_of(a) in NUMBERS and kind_of(b) in NUMBERS and Kind.FLOAT not in (kind_of(a), kind_of(b)):
        a, b = exact(number(a, "/")), exact(number(b, "/"))
    a, b = _pair(a, b, "/")
    a, b = as_double(a), as_double(b)
    return call(Op.DIVIDE, a, b, fails=not _is_nonzero(b))


def _is_nonzero(value: Expression) -> bool:
    if is_constant(value):
        return bool(constant_value(value) != 0)
    return value.bounds is not None and not value.bounds[0] <= 0 <= value.bounds[1]


def floor_divide(a: Expression, b: Expression) -> Expression:
    """Return ``a // b``, rounded down."""
    a, b = _pair(a, b, "//")
    if is_float(a):
        return _float_floor_divide(a, b)
    (low_a, high_a), (low_b, high_b) = bounds_of(a), bounds_of(b)
    fails = not _is_nonzero(b)
    reach = max(abs(low_a), abs(high_a))
    overflows = low_a == LONG_BOUNDS[0] and low_b <= -1 <= high_b
    bounds = (max(-reach, LONG_BOUNDS[0]), min(reach, LONG_BOUNDS[1]))
    quotient = call(Op.TRUNCATED_DIVIDE, a, b, bounds=bounds, fails=fails or overflows)
    if low_a >= 0 and low_b >= 0:
        return quotient
    rest = call(Op.REMAINDER, a, b, fails=fails)
    zero = constant(0)
    if low_b >= 0:
        inexact = call(Op.LESS, rest, zero)
    elif high_b <= 0:
        inexact = call(Op.LESS, zero, rest)
    else:
        inexact = _has_other_sign(rest, b)
    step = call(Op.WIDEN, inexact)
    return call(Op.SUBTRACT, quotient, step, bounds=bounds)


def modulo(a: Expression, b: Expression) -> Expression:
    """Return ``a % b``, which has the sign of ``b``."""
    a, b = _pair(a, b, "%")
    if is_float(a):
        return _float_modulo(a, b)
    (low_a, _), (low_b, high_b) = bounds_of(a), bounds_of(b)
    fails = not _is_nonzero(b)
    if low_b >= 0:
        op = Op.REMAINDER if low_a >= 0 else Op.MODULO
        return call(op, a, b, bounds=(0, max(high_b - 1, 0)), fails=fails)
    reach = max(-low_b, high_b) - 1
    rest = call(Op.REMAINDER, a, b, bounds=(-reach, reach), fails=fails)
    # The sum of numbers of opposite signs cannot overflow.
    bounds = (min(low_b + 1, 0), max(high_b - 1, 0))
    moved = call(Op.ADD, rest, b, bounds=bounds)
    return conditional(_has_other_sign(rest, b), moved, rest)


def _has_other_sign(rest: Expression, b: Expression) -> Expression:
    """Return whether a remainder is not zero and its sign differs from that of the divisor."""
    zero = constant(0)
    return all_of(
        negation(call(Op.EQUAL, rest, zero)),
        negation(call(Op.EQUAL, call(Op.LESS, rest, zero), call(Op.LESS, b, zero))),
    )


def _float_rest(a: Expression, b: Expression) -> Expression:
    return call(Op.REMAINDER, a, b, fails=not _is_nonzero(b))


def _float_has_other_sign(rest: Expression, b: Expression) -> Expression:
    """Return whether a nonzero remainder and the divisor have different signs; NaN has none."""
    zero = constant(0.0)
    if is_constant(b):
        return less(rest, zero) if constant_value(b) > 0 else less(zero, rest)
    return any_of(all_of(less(rest, zero), less(zero, b)), all_of(less(zero, rest), less(b, zero)))


def _zero_like(rest: Expression, b: Expression) -> Expression:
    """Return zero with the sign of a divisor; a remainder of zero yields it, as -0.0 cannot be a constant."""
    zero = call(Op.ABSOLUTE, rest)
    if not is_constant(b):
        return call(Op.DIVIDE, zero, b)
    return zero if constant_value(b) > 0 else call(Op.NEGATE, zero)


def _float_modulo(a: Expression, b: Expression) -> Expression:
    rest = _float_rest(a, b)
    moved = call(Op.ADD, rest, b)
    is_zero = call(Op.EQUAL, rest, constant(0.0))
    return conditional(is_zero, _zero_like(rest, b), conditional(_float_has_other_sign(rest, b), moved, rest))


def _float_floor_divide(a: Expression, b: Expression) -> Expression:
    """Follow CPython's own steps: the remainder first, then the quotient without it."""
    rest = _float_rest(a, b)
    quotient = call(Op.DIVIDE, call(Op.SUBTRACT, a, rest), b)
    down = call(Op.SUBTRACT, quotient, constant(1.0))
    quotient = conditional(_float_has_other_sign(rest, b), down, quotient)
    lower = call(Op.FLOOR, quotient)
    gap = call(Op.SUBTRACT, quotient, lower)
    upper = call(Op.ADD, lower, constant(1.0))
    nearest = conditional(less(constant(0.5), gap), upper, lower)
    # A quotient of zero has the sign of a / b: a zero of either sign if a is one, else positive.
    zero = conditional(call(Op.EQUAL, a, constant(0.0)), call(Op.DIVIDE, a, b), constant(0.0))
    return conditional(call(Op.EQUAL, quotient, constant(0.0)), zero, nearest)


def power(a: Expression, b: Expression) -> Expression:
    """Return ``a ** b`` of an int and a small constant."""
    exponent = constant_value(b) if is_constant(b) else None
    if kind_of(a) not in (Kind.INT, Kind.BOOL) or type(exponent) is not int or not 0 <= exponent <= 16:
        raise NotExact("uses ** other than of an int to a constant from 0 to 16")
    base = number(a, "uses ** of")
    if exponent == 0:
        raise NotExact("uses ** with exponent 0")
    result = base
    for _ in range(exponent - 1):
        result = multiply(result, base)
    return result


def bitwise(op: Operation, a: Expression, b: Expression) -> Expression:
    """Return ``a & b``, ``a | b`` or ``a ^ b`` of ints, or of booleans, whose result is one."""
    if kind_of(a) is kind_of(b) is Kind.BOOL:
        a, b = not_null(a), not_null(b)
        both = {Op.BIT_AND: all_of, Op.BIT_OR: any_of}.get(op)
        if both and not b.fails:
            return both(a, b)
        x, y = widened(a), widened(b)
        return negation(call(Op.EQUAL, call(op, x, y), constant(0)))
    if not {kind_of(a), kind_of(b)} <= {Kind.INT, Kind.BOOL}:
        raise NotExact(f"uses a bitwise operation between {name_of(a)} and {name_of(b)}, which is not lifted")
    a, b = number(a, "&"), number(b, "&")
    return call(op, a, b)


def inverted(a: Expression) -> Expression:
    """Return ``~a``."""
    return call(Op.BIT_NOT, whole(a, "uses ~ of"))


def to_int(a: Expression) -> Expression:
    """Return ``int(a)`` of a number: towards zero."""
    a = number(a, "int() of")
    return _as_long(a) if is_float(a) else a


def to_float(a: Expression) -> Expression:
    """Return ``float(a)`` of a number."""
    return as_double(number(a, "float() of"))


def _as_long(a: Expression) -> Expression:
    reach = float(2**63)
    fits = all_of(
        call(Op.LESS_OR_EQUAL, constant(-reach), a), call(Op.LESS, a, constant(reach))
    )  # NaN is greater than all
    return guarded(fits, call(Op.TO_LONG, a), "a float has no int of 64 bits")


def rounded(a: Expression) -> Expression:
    """Return ``round(a)``: halves to the even one."""
    a = number(a, "uses round() of")
    return _as_long(call(Op.ROUND_EVEN, a)) if is_float(a) else a


def floor(a: Expression, op: Operation) -> Expression:
    """Return ``math.floor(a)`` or ``math.ceil(a)``."""
    a = number(a, f"uses math.{op.name.lower()}() of")
    return _as_long(call(op, a)) if is_float(a) else a


def square_root(a: Expression) -> Expression:
    """Return ``math.sqrt(a)``, an error below zero."""
    a = as_double(number(a, "uses math.sqrt() of"))
    is_valid = negation(call(Op.LESS, a, constant(0.0)))
    return guarded(is_valid, call(Op.SQUARE_ROOT, a), "the root of a negative number")


def extremum(values: Sequence[Expression], *, least: bool) -> Expression:
    """Return ``min(*values)`` or ``max(*values)``: the first of equal ones, NaN compared as Python does."""
    values = [not_null(value) for value in values]
    kinds = {kind_of(value) for value in values}
    if len(kinds) != 1:
        classes = " and ".join(sorted(kind.value for kind in kinds)) or "nothing"
        raise NotExact(f"uses {'min' if least else 'max'}() of {classes}")
    (kind,) = kinds
    if kind is Kind.INT:
        return call(Op.LEAST if least else Op.GREATEST, *map(widened, values))
    best = values[0]
    for value in values[1:]:
        better = less(value, best) if least else less(best, value)
        best = conditional(better, value, best)
    return best


def is_nan(a: Expression) -> Expression:
    """Return ``math.isnan(a)``."""
    a = number(a, "uses math.isnan() of")
    return call(Op.IS_NAN, a) if is_float(a) else having_evaluated([a], FALSE)
