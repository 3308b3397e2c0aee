"""Kernels: evaluate expressions over columns in Arrow, exactly or not at all.

Kernels compute whole columns. Where one value makes an operation raise, nothing is computed: the caller then
calls the function with each element, which raises its own error at the right element.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from enum import Enum
from functools import cache
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pystream.expressions.expression import Expression, Op, constant_value
from pystream.expressions.operation import NotComputedError
from typeinfo import basic, temporal
from typeinfo.collection import ArrayTypeInfo
from typeinfo.extended import EnumTypeInfo
from typeinfo.formats.arrow import to_arrow
from typeinfo.formats.layout import has_columns
from typeinfo.info import TypeInformation

__all__ = ["BASIC", "Kernels", "NotComputedError", "has_column_kernels", "has_kernels", "is_computed"]

Operand: TypeAlias = Any
"""An array, or a scalar that stands for the same value of all elements."""


BASIC: frozenset[TypeInformation[Any]] = frozenset(
    {
        *(basic.BOOLEAN, basic.BYTE, basic.SHORT, basic.INT, basic.LONG, basic.FLOAT, basic.DOUBLE),
        basic.STRING,
    }
)
"""The types of values that Python and Arrow compare alike."""

_SCALARS = BASIC | {
    basic.CHAR,
    *(temporal.SQL_DATE, temporal.LOCAL_DATE, temporal.SQL_TIME, temporal.LOCAL_TIME),
    *(temporal.SQL_TIMESTAMP, temporal.LOCAL_DATE_TIME),
}

_WALKED = frozenset({Op.IF, Op.AND, Op.OR, Op.GUARD})
"""Operations that do not evaluate each part for all elements."""

_OF_ANY_TYPE = frozenset({Op.IF, Op.GUARD, Op.NOT_NULL, Op.IS_NULL, Op.EVALUATED})

_DEEPEST = 100
"""The deepest nesting of expressions, which are evaluated recursively."""


def is_computed(t: TypeInformation[Any]) -> bool:
    """Return whether kernels compute values of a type."""
    return t in _SCALARS or isinstance(t, EnumTypeInfo)


def _is_part(t: TypeInformation[Any]) -> bool:
    """Return whether kernels compute values of a type on the way to others."""
    return is_computed(t) or (isinstance(t, ArrayTypeInfo) and is_computed(t.element_type))


def _is_struct(t: TypeInformation[Any]) -> bool:
    """Return whether columns of a composite have a part for each of its fields."""
    return has_columns(t) and to_arrow(t).num_fields == t.get_arity()


def has_kernels(expression: Expression, depth: int = _DEEPEST) -> bool:
    """Return whether kernels can evaluate an expression, whose parts are nested no deeper than ``depth``."""
    op, kernel = expression.op, expression.op.arrow
    if not depth:
        return False
    if op is Op.FIELD:
        (whole,) = expression.parts
        return whole.op is Op.INPUT or (_is_struct(whole.type) and has_kernels(whole, depth - 1))
    if op is Op.INPUT:
        return not has_columns(expression.type)
    if op is Op.VARIABLE:
        return True  # that of a loop around, since operations on lists that bind variables have no kernels
    if op is Op.CONSTANT:
        return is_computed(expression.type)
    if kernel is None and op not in _WALKED:
        return False
    parts = expression.parts if kernel is None else expression.parts[: kernel.columns]
    is_exact = kernel is None or kernel.is_exact(expression)
    return (
        is_exact
        and all(op in _OF_ANY_TYPE or _is_part(part.type) for part in (expression, *parts))
        and all(has_kernels(part, depth - 1) for part in parts)
    )


def has_column_kernels(expression: Expression) -> bool:
    """Return whether kernels compute a column of results."""
    return has_kernels(expression) and (expression.op is Op.FIELD or is_computed(expression.type))


class Kernels:
    """Evaluates expressions over the same columns; parts that they share are evaluated once.

    Args:
        columns: returns the column of the field at a position, or of the elements if they have no fields.
        count: the number of elements.
        variables: the column of each variable for the items of lists, by its number.
    """

    def __init__(
        self,
        columns: Callable[[int], pa.Array],
        count: int,
        variables: Mapping[Hashable, pa.Array] = MappingProxyType({}),
    ) -> None:
        self._columns = columns
        self.count: int = count
        self._variables = variables
        self._made: dict[int, Operand] = {}

    def column(self, expression: Expression, dt: pa.DataType) -> pa.Array:
        """Return the values of an expression.

        Args:
            expression: one that has kernels; it must stay alive as long as this object.
            dt: the Arrow type of the column.

        Raises:
            NotComputedError: an operation raises for one of the values.
        """
        try:
            array = self._array(self._value(expression))
            return array if array.type == dt else array.cast(dt)
        except pa.ArrowException as error:
            raise NotComputedError(str(error)) from error

    def selected(self, mask: pa.Array, count: int) -> Kernels:
        """Return kernels over the ``count`` elements that a mask without nulls selects."""
        variables = {number: column.filter(mask) for number, column in self._variables.items()}
        return Kernels(cache(lambda position: self._columns(position).filter(mask)), count, variables)

    def repeated(self, positions: npt.NDArray[np.int64], number: Hashable, items: pa.Array) -> Kernels:
        """Return kernels over items of lists.

        Args:
            positions: the position of the element of each item.
            number: that of the variable for the items.
            items: the items.
        """
        indices = pa.array(positions)
        variables = {n: column.take(indices) for n, column in self._variables.items()} | {number: items}
        columns = cache(lambda position: self._columns(position).take(indices))
        return Kernels(columns, len(positions), variables)

    def require(self, condition: Expression) -> None:
        """Evaluate a condition, which must hold for all elements.

        Raises:
            NotComputedError: it does not, or an operation raises.
        """
        try:
            self._require(self._value(condition))
        except pa.ArrowException as error:
            raise NotComputedError(str(error)) from error

    def _array(self, operand: Operand) -> pa.Array:
        return operand if isinstance(operand, pa.Array) else pa.repeat(operand, self.count)

    def _value(self, expression: Expression) -> Operand:
        key = id(expression)
        if key not in self._made:
            self._made[key] = self._computed(expression)
        return self._made[key]

    def _computed(self, expression: Expression) -> Operand:
        op, parts = expression.op, expression.parts
        match op:
            case Op.CONSTANT:
                return _constant(expression)
            case Op.INPUT:
                return self._columns(0)
            case Op.VARIABLE:
                return self._variables[expression.data[0]]
            case Op.FIELD:
                (index,) = expression.data
                assert isinstance(index, int)
                if parts[0].op is not Op.INPUT:
                    return pc.struct_field(self._value(parts[0]), indices=[index])
                return self._columns(index)
            case Op.IF:
                return self._chosen(expression)
            case Op.AND | Op.OR:
                return self._joined(expression)
            case Op.GUARD:
                self._require(self._value(parts[0]))
                return self._value(parts[1])
        assert op.arrow is not None
        compute, _, columns = op.arrow
        operands = map(self._value, parts[:columns])
        if isinstance(compute, str):
            return getattr(pc, compute)(*operands)
        return compute(pc, expression, *operands)

    def _require(self, condition: Operand) -> None:
        if not (condition.as_py() if _is_scalar(condition) else pc.all(condition, min_count=0).as_py()):
            raise NotComputedError("a condition does not hold")

    def _chosen(self, expression: Expression) -> Operand:
        """Evaluate a conditional expression; a branch that may raise, only for the elements that take it."""
        condition, value, other = expression.parts
        mask = self._value(condition)
        dt = to_arrow(expression.type)
        if _is_scalar(mask):
            return _as(self._value(value if mask.as_py() else other), dt)
        if not (self._may_raise(value) or self._may_raise(other)):
            return pc.if_else(mask, _as(self._value(value), dt), _as(self._value(other), dt))
        array = pa.nulls(self.count, dt)
        for taken, branch in ((mask, value), (pc.invert(mask), other)):
            array = pc.replace_with_mask(array, taken, self._where(taken, branch, dt))
        return array

    def _joined(self, expression: Expression) -> Operand:
        """Combine conditions; one that may raise is evaluated only where those before it do not decide."""
        is_and = expression.op is Op.AND
        result: Operand = pa.scalar(is_and)
        for part in expression.parts:
            if _is_scalar(result):
                if result.as_py() is not is_and:
                    return result
                result = self._value(part)
            elif self._may_raise(part):
                undecided = result if is_and else pc.invert(result)
                result = pc.replace_with_mask(result, undecided, self._where(undecided, part, pa.bool_()))
            else:
                result = (pc.and_kleene if is_and else pc.or_kleene)(result, self._value(part))
        return result

    def _may_raise(self, expression: Expression) -> bool:
        """Return whether evaluating an expression may raise, given those that have been evaluated."""
        if not expression.fails or id(expression) in self._made:
            return False
        return expression.fails_itself or any(map(self._may_raise, expression.parts))

    def _where(self, mask: pa.Array, expression: Expression, dt: pa.DataType) -> pa.Array:
        """Return the values of an expression for the elements selected by a mask."""
        count = pc.sum(mask).as_py() or 0
        if not count:
            return pa.nulls(0, dt)
        inner = self.selected(mask, count)
        array = inner._array(inner._value(expression))
        return array if array.type == dt else array.cast(dt)


def _constant(expression: Expression) -> pa.Scalar:
    value = constant_value(expression)
    is_member = isinstance(value, Enum)
    return pa.scalar(value.name if is_member else value, to_arrow(expression.type))


def _is_scalar(operand: Operand) -> bool:
    return isinstance(operand, pa.Scalar)


def _as(operand: Operand, dt: pa.DataType) -> Operand:
    return operand if operand.type == dt else operand.cast(dt)
