"""Comparison of values of one type: NaN equals NaN and is greater than all else, -0.0 equals 0.0."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pystream.expressions.operation import ANY, BOOLEANS, Kernel, Nulls, Operation
from typeinfo.basic import DOUBLE, FLOAT

if TYPE_CHECKING:
    from pystream.expressions.expression import Expression

__all__ = ["Comparison"]


def _is_nan(value: Any) -> bool:
    return bool(value != value)


def _equal(a: Any, b: Any) -> bool:
    return bool(a == b) or (_is_nan(a) and _is_nan(b))


def _null_safe_equal(a: Any, b: Any) -> bool:
    return a is b if a is None or b is None else _equal(a, b)


def _less(a: Any, b: Any) -> bool:
    return bool(a < b) or (_is_nan(b) and not _is_nan(a))


def _less_or_equal(a: Any, b: Any) -> bool:
    return bool(a <= b) or _is_nan(b)


def _has_floats(expression: Expression) -> bool:
    return expression.parts[0].type in (FLOAT, DOUBLE)


def _kernel_of_equal(pc: Any, e: Expression, a: Any, b: Any) -> Any:
    same = pc.equal(a, b)
    return pc.or_(same, pc.and_(pc.is_nan(a), pc.is_nan(b))) if _has_floats(e) else same


def _kernel_of_null_safe_equal(pc: Any, e: Expression, a: Any, b: Any) -> Any:
    same = _kernel_of_equal(pc, e, a, b)
    if not (e.parts[0].nullable or e.parts[1].nullable):
        return same
    return pc.or_(pc.fill_null(same, False), pc.and_(pc.is_null(a), pc.is_null(b)))


def _kernel_of_less(pc: Any, e: Expression, a: Any, b: Any) -> Any:
    below = pc.less(a, b)
    return pc.or_(below, pc.and_(pc.invert(pc.is_nan(a)), pc.is_nan(b))) if _has_floats(e) else below


def _kernel_of_less_or_equal(pc: Any, e: Expression, a: Any, b: Any) -> Any:
    below = pc.less_equal(a, b)
    return pc.or_(below, pc.is_nan(b)) if _has_floats(e) else below


class Comparison:
    """Comparison of values of one type."""

    EQUAL = Operation((ANY, ANY), BOOLEANS, _equal, Kernel(_kernel_of_equal), lambda sql, e, a, b: a == b)
    NULL_SAFE_EQUAL = Operation(
        (ANY, ANY),
        BOOLEANS,
        _null_safe_equal,
        Kernel(_kernel_of_null_safe_equal),
        lambda sql, e, a, b: a.eqNullSafe(b),
        nulls=Nulls.OWN,
    )
    LESS = Operation((ANY, ANY), BOOLEANS, _less, Kernel(_kernel_of_less), lambda sql, e, a, b: a < b)
    LESS_OR_EQUAL = Operation(
        (ANY, ANY), BOOLEANS, _less_or_equal, Kernel(_kernel_of_less_or_equal), lambda sql, e, a, b: a <= b
    )
