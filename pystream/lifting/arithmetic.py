"""Arithmetic with the results of Python: signs of ``//`` and ``%``, true division; overflow raises."""

from __future__ import annotations

from pystream.expressions.expression import (
    LONG_BOUNDS,
    Expression,
    Op,
    Operation,
    constant_value,
    is_constant,
)
from pystream.lifting.building import (
    FALSE,
    all_of,
    any_of,
    boolean,
    call,
    conditional,
    constant,
    guarded,
    having_evaluated,
    negation,
    not_null,
    widened,
)
from pystream.lifting.comparing import as_double, exact, less
from pystream.lifting.kinds import NUMBERS, Kind, NotExact, bounds_of, fits_long, kind_of, name_of
from typeinfo import Types

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
    if kind_of(value) not in NUMBERS:
        raise NotExact(f"{what} {name_of(value)}, which is not lifted")
    return widened(not_null(value))


def is_float(value: Expression) -> bool:
    """Return whether a widened number is a DOUBLE."""
    return kind_of(value) is Kind.FLOAT


def _pair(a: Expression, b: Expression, sign: str) -> tuple[Expression, Expression]:
    kinds = {kind_of(a), kind_of(b)}
    if not kinds <= set(NUMBERS):
        raise NotExact(f"uses {sign} between {name_of(a)} and {name_of(b)}, which is not lifted")
    a, b = number(a, sign), number(b, sign)
    return (as_double(a), as_double(b)) if is_float(a) or is_float(b) else (a, b)


def whole(op: Operation, *parts: Expression, bounds: tuple[int, int], fails: bool = False) -> Expression:
    """Return an operation on whole numbers, which fails if its result may not fit 64 bits."""
    low, high = max(bounds[0], LONG_BOUNDS[0]), min(bounds[1], LONG_BOUNDS[1])
    return call(op, *parts, type=Types.LONG(), bounds=(low, high), fails=fails or not fits_long(bounds))


def add(a: Expression, b: Expression) -> Expression:
    """Return ``a + b``."""
    a, b = _pair(a, b, "+")
    if is_float(a):
        return call(Op.ADD, a, b, type=Types.DOUBLE())
    (low_a, high_a), (low_b, high_b) = bounds_of(a), bounds_of(b)
    return whole(Op.ADD, a, b, bounds=(low_a + low_b, high_a + high_b))


def subtract(a: Expression, b: Expression) -> Expression:
    """Return ``a - b``."""
    a, b = _pair(a, b, "-")
    if is_float(a):
        return call(Op.SUBTRACT, a, b, type=Types.DOUBLE())
    (low_a, high_a), (low_b, high_b) = bounds_of(a), bounds_of(b)
    return whole(Op.SUBTRACT, a, b, bounds=(low_a - high_b, high_a - low_b))


def multiply(a: Expression, b: Expression) -> Expression:
    """Return ``a * b``."""
    a, b = _pair(a, b, "*")
    if is_float(a):
        return call(Op.MULTIPLY, a, b, type=Types.DOUBLE())
    corners = [x * y for x in bounds_of(a) for y in bounds_of(b)]
    return whole(Op.MULTIPLY, a, b, bounds=(min(corners), max(corners)))


def negative(a: Expression) -> Expression:
    """Return ``-a``."""
    a = number(a, "negates")
    if is_float(a):
        return call(Op.NEGATE, a, type=Types.DOUBLE())
    low, high = bounds_of(a)
    return whole(Op.NEGATE, a, bounds=(-high, -low))


def positive(a: Expression) -> Expression:
    """Return ``+a``, which turns a bool into an int."""
    return number(a, "uses + before")


def absolute(a: Expression) -> Expression:
    """Return ``abs(a)``."""
    a = number(a, "uses abs() of")
    if is_float(a):
        return call(Op.ABSOLUTE, a, type=Types.DOUBLE())
    low, high = bounds_of(a)
    least = 0 if low <= 0 <= high else min(abs(low), abs(high))
    return whole(Op.ABSOLUTE, a, bounds=(least, max(abs(low), abs(high))))


def divide(a: Expression, b: Expression) -> Expression:
    """Return ``a / b``; of whole numbers where both are doubles exactly, as Python rounds only once."""
    if kind_of(a) in NUMBERS and kind_of(b) in NUMBERS and Kind.FLOAT not in (kind_of(a), kind_of(b)):
        a, b = exact(number(a, "/")), exact(number(b, "/"))
    a, b = _pair(a, b, "/")
    a, b = as_double(a), as_double(b)
    return call(Op.DIVIDE, a, b, type=Types.DOUBLE(), fails=not _is_nonzero(b))


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
    quotient = whole(Op.TRUNCATED_DIVIDE, a, b, bounds=bounds, fails=fails or overflows)
    if low_a >= 0 and low_b >= 0:
        return quotient
    rest = whole(Op.REMAINDER, a, b, bounds=LONG_BOUNDS, fails=fails)
    zero = constant(0)
    if low_b >= 0:
        inexact = boolean(Op.LESS, rest, zero)
    elif high_b <= 0:
        inexact = boolean(Op.LESS, zero, rest)
    else:
        inexact = _has_other_sign(rest, b)
    step = call(Op.WIDEN, inexact, type=Types.LONG(), bounds=(0, 1))
    return call(Op.SUBTRACT, quotient, step, type=Types.LONG(), bounds=bounds)


def modulo(a: Expression, b: Expression) -> Expression:
    """Return ``a % b``, which has the sign of ``b``."""
    a, b = _pair(a, b, "%")
    if is_float(a):
        return _float_modulo(a, b)
    (low_a, _), (low_b, high_b) = bounds_of(a), bounds_of(b)
    fails = not _is_nonzero(b)
    if low_b >= 0:
        op = Op.REMAINDER if low_a >= 0 else Op.MODULO
        return whole(op, a, b, bounds=(0, max(high_b - 1, 0)), fails=fails)
    rest = whole(Op.REMAINDER, a, b, bounds=(min(low_b, -high_b), max(high_b, -low_b)), fails=fails)
    # The sum of numbers of opposite signs cannot overflow.
    bounds = (min(low_b + 1, 0), max(high_b - 1, 0))
    moved = call(Op.ADD, rest, b, type=Types.LONG(), bounds=bounds)
    return conditional(_has_other_sign(rest, b), moved, rest)


def _has_other_sign(rest: Expression, b: Expression) -> Expression:
    """Return whether a remainder is not zero and its sign differs from that of the divisor."""
    zero = constant(0)
    return all_of(
        negation(boolean(Op.EQUAL, rest, zero)),
        negation(boolean(Op.EQUAL, boolean(Op.LESS, rest, zero), boolean(Op.LESS, b, zero))),
    )


def _float_rest(a: Expression, b: Expression) -> Expression:
    return call(Op.REMAINDER, a, b, type=Types.DOUBLE(), fails=not _is_nonzero(b))


def _float_has_other_sign(rest: Expression, b: Expression) -> Expression:
    """Return whether a nonzero remainder and the divisor have different signs; NaN has none."""
    zero = constant(0.0)
    if is_constant(b):
        return less(rest, zero) if constant_value(b) > 0 else less(zero, rest)
    return any_of(all_of(less(rest, zero), less(zero, b)), all_of(less(zero, rest), less(b, zero)))


def _zero_like(rest: Expression, b: Expression) -> Expression:
    """Return zero with the sign of a divisor; a remainder of zero yields it, as -0.0 cannot be a constant."""
    zero = call(Op.ABSOLUTE, rest, type=Types.DOUBLE())
    if not is_constant(b):
        return call(Op.DIVIDE, zero, b, type=Types.DOUBLE())
    return zero if constant_value(b) > 0 else call(Op.NEGATE, zero, type=Types.DOUBLE())


def _float_modulo(a: Expression, b: Expression) -> Expression:
    rest = _float_rest(a, b)
    moved = call(Op.ADD, rest, b, type=Types.DOUBLE())
    is_zero = boolean(Op.EQUAL, rest, constant(0.0))
    return conditional(is_zero, _zero_like(rest, b), conditional(_float_has_other_sign(rest, b), moved, rest))


def _float_floor_divide(a: Expression, b: Expression) -> Expression:
    """Follow CPython's own steps: the remainder first, then the quotient without it."""
    rest = _float_rest(a, b)
    double = Types.DOUBLE()
    quotient = call(Op.DIVIDE, call(Op.SUBTRACT, a, rest, type=double), b, type=double)
    down = call(Op.SUBTRACT, quotient, constant(1.0), type=double)
    quotient = conditional(_float_has_other_sign(rest, b), down, quotient)
    lower = call(Op.FLOOR, quotient, type=double)
    gap = call(Op.SUBTRACT, quotient, lower, type=double)
    upper = call(Op.ADD, lower, constant(1.0), type=double)
    nearest = conditional(less(constant(0.5), gap), upper, lower)
    # A quotient of zero has the sign of a / b: a zero of either sign if a is one, else positive.
    zero = conditional(boolean(Op.EQUAL, a, constant(0.0)), call(Op.DIVIDE, a, b, type=double), constant(0.0))
    return conditional(boolean(Op.EQUAL, quotient, constant(0.0)), zero, nearest)


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
        return negation(boolean(Op.EQUAL, call(op, x, y, type=Types.LONG()), constant(0)))
    if not {kind_of(a), kind_of(b)} <= {Kind.INT, Kind.BOOL}:
        raise NotExact(f"uses a bitwise operation between {name_of(a)} and {name_of(b)}, which is not lifted")
    a, b = number(a, "&"), number(b, "&")
    bounds = LONG_BOUNDS
    if bounds_of(a)[0] >= 0 and bounds_of(b)[0] >= 0:
        bounds = (0, 2 ** max(bounds_of(a)[1].bit_length(), bounds_of(b)[1].bit_length()) - 1)
    return call(op, a, b, type=Types.LONG(), bounds=bounds)


def inverted(a: Expression) -> Expression:
    """Return ``~a``."""
    if kind_of(a) not in (Kind.INT, Kind.BOOL):
        raise NotExact(f"uses ~ of {name_of(a)}, which is not lifted")
    a = number(a, "~")
    low, high = bounds_of(a)
    return call(Op.BIT_NOT, a, type=Types.LONG(), bounds=(~high, ~low))


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
        boolean(Op.LESS_OR_EQUAL, constant(-reach), a), boolean(Op.LESS, a, constant(reach))
    )  # NaN is greater than all
    result = call(Op.TO_LONG, a, type=Types.LONG(), bounds=LONG_BOUNDS)
    return guarded(fits, result, "a float has no int of 64 bits")


def rounded(a: Expression) -> Expression:
    """Return ``round(a)``: halves to the even one."""
    a = number(a, "uses round() of")
    return _as_long(call(Op.ROUND_EVEN, a, type=Types.DOUBLE())) if is_float(a) else a


def floor(a: Expression, op: Operation) -> Expression:
    """Return ``math.floor(a)`` or ``math.ceil(a)``."""
    a = number(a, f"uses math.{op.name.lower()}() of")
    return _as_long(call(op, a, type=Types.DOUBLE())) if is_float(a) else a


def square_root(a: Expression) -> Expression:
    """Return ``math.sqrt(a)``, an error below zero."""
    a = as_double(number(a, "uses math.sqrt() of"))
    is_valid = negation(boolean(Op.LESS, a, constant(0.0)))
    return guarded(is_valid, call(Op.SQUARE_ROOT, a, type=Types.DOUBLE()), "the root of a negative number")


def extremum(values: list[Expression], *, least: bool) -> Expression:
    """Return ``min(*values)`` or ``max(*values)``: the first of equal ones, NaN compared as Python does."""
    values = [not_null(value) for value in values]
    kinds = {kind_of(value) for value in values}
    if len(kinds) > 1:
        raise NotExact(
            f"uses {'min' if least else 'max'}() of {' and '.join(sorted(k.value for k in kinds))}"
        )
    (kind,) = kinds
    if kind is Kind.INT:
        values = [widened(value) for value in values]
        pick = min if least else max
        bounds = pick(bounds_of(v)[0] for v in values), pick(bounds_of(v)[1] for v in values)
        op = Op.LEAST if least else Op.GREATEST
        return call(op, *values, type=Types.LONG(), bounds=bounds)
    best = values[0]
    for value in values[1:]:
        better = less(value, best) if least else less(best, value)
        best = conditional(better, value, best)
    return best


def is_nan(a: Expression) -> Expression:
    """Return ``math.isnan(a)``."""
    a = number(a, "uses math.isnan() of")
    return boolean(Op.IS_NAN, a) if is_float(a) else having_evaluated([a], FALSE)
