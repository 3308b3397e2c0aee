"""Kernels: evaluate expressions over columns in Arrow, exactly or not at all.

Kernels compute whole columns. Where one value makes an operation raise, nothing is computed: the caller then
calls the function with each element, which raises its own error at the right element.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from pystream.expressions.expression import Expression, Op, constant_value, is_constant
from typeinfo.basic import BOOLEAN, BYTE, DOUBLE, FLOAT, INT, LONG, SHORT, STRING
from typeinfo.formats.arrow import to_arrow
from typeinfo.formats.layout import has_columns
from typeinfo.info import TypeInformation

__all__ = ["BASIC", "Kernels", "NotComputedError", "has_kernels"]

Operand: TypeAlias = Any
"""An array, or a scalar that stands for the same value of all elements."""

BASIC: frozenset[TypeInformation[Any]] = frozenset({BOOLEAN, BYTE, SHORT, INT, LONG, FLOAT, DOUBLE, STRING})
"""The types of values that kernels compute."""

_FLOATS: frozenset[TypeInformation[Any]] = frozenset({FLOAT, DOUBLE})


_DEEPEST = 100
"""The deepest nesting of expressions, which are evaluated recursively."""


class NotComputedError(Exception):
    """Kernels do not compute an expression for the values at hand."""


def has_kernels(expression: Expression, depth: int = _DEEPEST) -> bool:
    """Return whether kernels can evaluate an expression, whose parts are nested no deeper than ``depth``."""
    op = expression.op
    if not depth:
        return False
    if op is Op.FIELD:
        return expression.parts[0].op is Op.INPUT
    if op is Op.INPUT:
        return not has_columns(expression.type)
    if op is Op.CONSTANT:
        return expression.type in BASIC
    if op in _OF_INTEGERS and expression.type in _FLOATS:
        return False
    if op in _WITH_CONSTANTS and not all(map(_is_plain_constant, expression.parts[1:])):
        return False
    if op is Op.IN_LIST and not _is_list_of_constants(expression):
        return False
    parts = expression.parts[:1] if op is Op.IN_LIST else expression.parts
    if op not in _SUPPORTED or not all(has_kernels(part, depth - 1) for part in parts):
        return False
    return op in _OF_ANY_TYPE or all(part.type in BASIC for part in (expression, *parts))


def _is_plain_constant(part: Expression) -> bool:
    return is_constant(part) and bool(constant_value(part))


def _is_list_of_constants(expression: Expression) -> bool:
    value, items = expression.parts
    is_exact = value.type in BASIC - _FLOATS
    return is_exact and items.op is Op.LIST and bool(items.parts) and all(map(is_constant, items.parts))


class Kernels:
    """Evaluates expressions over the same columns; parts that they share are evaluated once.

    Args:
        columns: returns the column of the field at a position, or of the elements if they have no fields.
        count: the number of elements.
    """

    def __init__(self, columns: Callable[[int], pa.Array], count: int) -> None:
        self._columns = columns
        self._count = count
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

    def _array(self, operand: Operand) -> pa.Array:
        return operand if isinstance(operand, pa.Array) else pa.repeat(operand, self._count)

    def _value(self, expression: Expression) -> Operand:
        key = id(expression)
        if key not in self._made:
            self._made[key] = self._computed(expression)
        return self._made[key]

    def _computed(self, expression: Expression) -> Operand:
        parts = expression.parts
        match expression.op:
            case Op.CONSTANT:
                return pa.scalar(constant_value(expression), to_arrow(expression.type))
            case Op.INPUT:
                return self._columns(0)
            case Op.FIELD:
                (index,) = expression.data
                assert isinstance(index, int)
                return self._columns(index)
            case Op.IF:
                return self._chosen(expression)
            case Op.AND | Op.OR:
                return self._joined(expression)
            case Op.GUARD:
                self._require(self._value(parts[0]))
                return self._value(parts[1])
            case Op.EVALUATED:
                for part in parts:
                    self._value(part)
                return pa.scalar(True)
            case Op.NOT_NULL:
                value = self._value(parts[0])
                if _has_nulls(value):
                    raise NotComputedError("None is used as a value")
                return value
            case Op.IN_LIST:
                items = [constant_value(item) for item in parts[1].parts]
                return pc.is_in(self._array(self._value(parts[0])), pa.array(items, to_arrow(parts[0].type)))
            case op if op in _WITH_CONSTANTS:
                constants = [constant_value(part) for part in parts[1:]]
                return _WITH_CONSTANTS[op](self._value(parts[0]), *constants)
            case op if op in _OF_EXPRESSIONS:
                return _OF_EXPRESSIONS[op](expression, *map(self._value, parts))
        return _FUNCTIONS[expression.op](*map(self._value, parts))

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
        if not (value.fails or other.fails):
            return pc.if_else(mask, _as(self._value(value), dt), _as(self._value(other), dt))
        array = pa.nulls(self._count, dt)
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
            elif part.fails:
                undecided = result if is_and else pc.invert(result)
                result = pc.replace_with_mask(result, undecided, self._where(undecided, part, pa.bool_()))
            else:
                result = (pc.and_kleene if is_and else pc.or_kleene)(result, self._value(part))
        return result

    def _where(self, mask: pa.Array, expression: Expression, dt: pa.DataType) -> pa.Array:
        """Return the values of an expression for the elements selected by a mask."""
        count = pc.sum(mask).as_py() or 0
        inner = Kernels(lambda position: self._columns(position).filter(mask), count)
        array = inner._array(inner._value(expression))
        return array if array.type == dt else array.cast(dt)


def _is_scalar(operand: Operand) -> bool:
    return isinstance(operand, pa.Scalar)


def _as(operand: Operand, dt: pa.DataType) -> Operand:
    return operand if operand.type == dt else operand.cast(dt)


def _of(integers: Callable[..., Any], floats: Callable[..., Any]) -> Callable[..., Operand]:
    """Return a kernel of numbers: integers that overflow raise, floats never do."""
    return lambda a, *rest: (floats if pa.types.is_floating(a.type) else integers)(a, *rest)


def _divided(a: Operand, b: Operand) -> Operand:
    if pc.any(pc.equal(b, pa.scalar(0.0, b.type))).as_py() if isinstance(b, pa.Array) else b.as_py() == 0:
        raise NotComputedError("division by zero")
    return pc.divide(a, b)


def _remainder(a: Operand, b: Operand) -> Operand:
    return pc.subtract(a, pc.multiply(pc.divide_checked(a, b), b))


def _modulo(a: Operand, b: Operand) -> Operand:
    rest: Any = _remainder(a, b)
    is_negative: Any = pc.less(rest, pa.scalar(0, rest.type))
    return pc.if_else(is_negative, pc.add(rest, b), rest)


def _is_nan(a: Operand) -> Operand:
    return pc.is_nan(a)


def _equal(a: Operand, b: Operand) -> Operand:
    if not pa.types.is_floating(a.type):
        return pc.equal(a, b)
    same: Any = pc.equal(a, b)
    return pc.or_(same, pc.and_(_is_nan(a), _is_nan(b)))


def _null_safe_equal(a: Operand, b: Operand) -> Operand:
    if not (_has_nulls(a) or _has_nulls(b)):
        return _equal(a, b)
    same = pc.fill_null(_equal(a, b), False)
    return pc.or_(same, pc.and_(pc.is_null(a), pc.is_null(b)))


def _is_null(a: Operand) -> Operand:
    return pc.is_null(a) if _has_nulls(a) else pa.scalar(False)


def _has_nulls(operand: Operand) -> bool:
    return bool(operand.null_count) if isinstance(operand, pa.Array) else not operand.is_valid


def _less(a: Operand, b: Operand) -> Operand:
    if not pa.types.is_floating(a.type):
        return pc.less(a, b)
    below: Any = pc.less(a, b)
    return pc.or_(below, pc.and_(pc.invert(_is_nan(a)), _is_nan(b)))


def _less_or_equal(a: Operand, b: Operand) -> Operand:
    if not pa.types.is_floating(a.type):
        return pc.less_equal(a, b)
    return pc.or_(pc.less_equal(a, b), _is_nan(b))


def _concatenated(*operands: Operand) -> Operand:
    return pc.binary_join_element_wise(*operands, pa.scalar(""))


_FUNCTIONS: dict[Op, Callable[..., Operand]] = {
    Op.NOT: pc.invert,
    Op.IS_NULL: _is_null,
    Op.WIDEN: lambda a: a.cast(pa.int64()),
    Op.TO_DOUBLE: lambda a: pc.cast(a, pa.float64(), safe=False),
    Op.TO_LONG: lambda a: pc.cast(pc.trunc(a), pa.int64(), safe=False),
    Op.TO_FLOAT: lambda a: pc.cast(a, pa.float32(), safe=False),
    Op.ADD: _of(pc.add_checked, pc.add),
    Op.SUBTRACT: _of(pc.subtract_checked, pc.subtract),
    Op.MULTIPLY: _of(pc.multiply_checked, pc.multiply),
    Op.NEGATE: _of(pc.negate_checked, pc.negate),
    Op.ABSOLUTE: _of(pc.abs_checked, pc.abs),
    Op.DIVIDE: _divided,
    Op.TRUNCATED_DIVIDE: pc.divide_checked,
    Op.REMAINDER: _remainder,
    Op.MODULO: _modulo,
    Op.ROUND_EVEN: lambda a: pc.round(a, round_mode="half_to_even"),
    Op.FLOOR: pc.floor,
    Op.CEIL: pc.ceil,
    Op.SQUARE_ROOT: pc.sqrt,
    Op.IS_NAN: _is_nan,
    Op.LEAST: pc.min_element_wise,
    Op.GREATEST: pc.max_element_wise,
    Op.BIT_AND: pc.bit_wise_and,
    Op.BIT_OR: pc.bit_wise_or,
    Op.BIT_XOR: pc.bit_wise_xor,
    Op.BIT_NOT: pc.bit_wise_not,
    Op.EQUAL: _equal,
    Op.NULL_SAFE_EQUAL: _null_safe_equal,
    Op.LESS: _less,
    Op.LESS_OR_EQUAL: _less_or_equal,
    Op.CONCAT: _concatenated,
    Op.LENGTH: pc.utf8_length,
    Op.OCTET_LENGTH: pc.binary_length,
    Op.UPPER: pc.ascii_upper,
    Op.LOWER: pc.ascii_lower,
    Op.TO_TEXT: lambda a: a.cast(pa.string()),
}
"""Kernels of the parts of an expression."""

_OF_EXPRESSIONS: dict[Op, Callable[..., Operand]] = {
    Op.NARROW: lambda expression, a: a.cast(to_arrow(expression.type)),
}
"""Kernels of an expression that has a type, and of its parts."""

_WITH_CONSTANTS: dict[Op, Callable[..., Operand]] = {
    Op.STARTS_WITH: lambda a, affix: pc.starts_with(a, pattern=affix),
    Op.ENDS_WITH: lambda a, affix: pc.ends_with(a, pattern=affix),
    Op.CONTAINS: lambda a, part: pc.match_substring(a, pattern=part),
    Op.STRIP: lambda a, characters: pc.utf8_trim(a, characters=characters),
    Op.LEFT_STRIP: lambda a, characters: pc.utf8_ltrim(a, characters=characters),
    Op.RIGHT_STRIP: lambda a, characters: pc.utf8_rtrim(a, characters=characters),
}
"""Kernels whose further operands are constants, other than empty ones."""

_OF_INTEGERS = frozenset({Op.REMAINDER, Op.LEAST, Op.GREATEST})
"""Operations whose kernels treat NaN, or signs, in ways of their own."""

_OF_ANY_TYPE = frozenset({Op.IF, Op.GUARD, Op.NOT_NULL, Op.IS_NULL, Op.EVALUATED})
_SUPPORTED = frozenset(
    {*_FUNCTIONS, *_OF_EXPRESSIONS, *_WITH_CONSTANTS, *_OF_ANY_TYPE, Op.AND, Op.OR, Op.IN_LIST}
)
