"""Operations of structure and control: leaves, composites, conditions and guards.

Those without a function for Spark are the structure of trees, which `kernels` and Spark's translation walk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pystream.expressions.operation import ANY, BOOLEANS, Kernel, NotComputedError, Nulls, Operation

if TYPE_CHECKING:
    from pystream.expressions.expression import Expression

__all__ = ["Control", "GuardError", "constant_value", "failed", "is_constant"]


class GuardError(Exception):
    """A value is beyond what an expression computes."""


def failed(why: str) -> None:
    """Refuse a value that does not satisfy a condition."""
    raise GuardError(why)


def _not_null(value: object) -> object:
    if value is None:
        failed("None is used as a value")
    return value


def _kernel_of_not_null(pc: Any, e: Expression, value: Any) -> Any:
    if value.null_count if hasattr(value, "null_count") else not value.is_valid:
        raise NotComputedError("None is used as a value")
    return value


def _true(pc: Any, e: Expression, *parts: Any) -> Any:
    import pyarrow as pa

    return pa.scalar(True)


class Control:
    """Operations of structure and control."""

    # Leaves and composites. Data: the position of an argument, the number of a variable, a constant and its
    # repr, which tells 0.0 from -0.0 and 1 from True, or the index of a field. Parts may be null.
    INPUT = Operation((), ANY, "")
    VARIABLE = Operation((), ANY, "v{data[0]}")
    CONSTANT = Operation((), ANY, "")
    FIELD = Operation((ANY,), ANY, "")
    STRUCT = Operation((ANY,), ANY, "", nulls=Nulls.OWN, variadic=True)

    # Condition, value, other value; the values may be null.
    IF = Operation((BOOLEANS, ANY, ANY), ANY, "({1} if {0} else {2})", nulls=Nulls.OWN, evaluated=1)
    AND = Operation((BOOLEANS,), BOOLEANS, "({parts: and })", variadic=True, evaluated=1)
    OR = Operation((BOOLEANS,), BOOLEANS, "({parts: or })", variadic=True, evaluated=1)
    NOT = Operation((BOOLEANS,), BOOLEANS, "(not {})", Kernel("invert"), lambda sql, e, a: ~a)
    # Condition, value, which may be null; data: why. Raises where the condition is false.
    GUARD = Operation(
        (BOOLEANS, ANY),
        ANY,
        "({1} if {0} else failed({data[0]!r}))",
        nulls=Nulls.OWN,
        can_fail=True,
    )
    NOT_NULL = Operation((ANY,), ANY, _not_null, Kernel(_kernel_of_not_null), nulls=Nulls.OWN, can_fail=True)
    IS_NULL = Operation((ANY,), BOOLEANS, "({} is None)", Kernel("is_null"), "isnull", nulls=Nulls.OWN)
    EVALUATED = Operation(
        (ANY,),
        BOOLEANS,
        "(({parts:, },), True)[1]",
        Kernel(_true),
        nulls=Nulls.OWN,
        variadic=True,
    )


def is_constant(expression: Expression) -> bool:
    """Return whether an expression is a constant."""
    return expression.op is Control.CONSTANT


def constant_value(expression: Expression) -> Any:
    """Return the value of a constant."""
    return expression.data[0]
