"""Python's operators on expressions, by the kinds of their operands."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from pystream.expressions.expression import Expression, Op, is_constant
from pystream.lifting import arithmetic as numbers
from pystream.lifting.building import call, is_null, negation, not_null
from pystream.lifting.comparing import contained, equal, less, less_or_equal
from pystream.lifting.composites import parts_of, struct
from pystream.lifting.constants import fold_constants
from pystream.lifting.formatting import percent
from pystream.lifting.kinds import NUMBERS, Kind, NotExact, kind_of, name_of
from pystream.lifting.lists import concatenated_lists, in_list
from pystream.lifting.text import concatenated, repeated, text
from pystream.lifting.values import FALSE, TRUE, Static, Value, as_expression, constant

__all__ = ["BINARY", "COMPARISONS", "UNARY", "binary", "compare", "identical", "membership", "unary"]


def _add(a: Expression, b: Expression) -> Expression:
    kinds = {kind_of(a), kind_of(b)}
    if kinds == {Kind.STR}:
        return concatenated([a, b])
    if kinds == {Kind.LIST}:
        return concatenated_lists([not_null(a), not_null(b)])
    if kinds == {Kind.TUPLE}:
        return struct([*parts_of(a), *parts_of(b)])
    return numbers.add(a, b)


def _multiply(a: Expression, b: Expression) -> Expression:
    if kind_of(a) is Kind.STR:
        return repeated(a, b)
    return repeated(b, a) if kind_of(b) is Kind.STR else numbers.multiply(a, b)


def _modulo(a: Expression, b: Expression) -> Expression:
    return percent(a, b) if kind_of(a) is Kind.STR else numbers.modulo(a, b)


BINARY: dict[Callable[..., Any], Callable[[Expression, Expression], Expression]] = {
    operator.add: _add,
    operator.sub: numbers.subtract,
    operator.mul: _multiply,
    operator.truediv: numbers.divide,
    operator.floordiv: numbers.floor_divide,
    operator.mod: _modulo,
    operator.pow: numbers.power,
    operator.and_: lambda a, b: numbers.bitwise(Op.BIT_AND, a, b),
    operator.or_: lambda a, b: numbers.bitwise(Op.BIT_OR, a, b),
    operator.xor: lambda a, b: numbers.bitwise(Op.BIT_XOR, a, b),
}
UNARY: dict[Callable[..., Any], Callable[[Expression], Expression]] = {
    operator.neg: numbers.negative,
    operator.pos: numbers.positive,
    operator.invert: numbers.inverted,
}
COMPARISONS: dict[Callable[..., Any], Callable[[Expression, Expression], Expression]] = {
    operator.eq: equal,
    operator.ne: lambda a, b: negation(equal(a, b)),
    operator.lt: less,
    operator.le: less_or_equal,
    operator.gt: lambda a, b: less(b, a),
    operator.ge: lambda a, b: less_or_equal(b, a),
}


def binary(operation: Callable[..., Any], a: Value, b: Value) -> Value:
    """Return the result of a binary operator."""
    if isinstance(a, Static) and isinstance(b, Static):
        return fold_constants(operation, a.value, b.value)
    build = BINARY.get(operation)
    if build is None:
        raise NotExact(f"uses {operation.__name__}, which is not lifted")
    return build(as_expression(a), as_expression(b))


def unary(operation: Callable[..., Any], a: Value) -> Value:
    """Return the result of a unary operator."""
    if isinstance(a, Static):
        return fold_constants(operation, a.value)
    return UNARY[operation](as_expression(a))


def compare(operation: Callable[..., Any], a: Value, b: Value) -> Value:
    """Return the result of a comparison."""
    if isinstance(a, Static) and isinstance(b, Static):
        return fold_constants(operation, a.value, b.value)
    return COMPARISONS[operation](as_expression(a), as_expression(b))


def identical(a: Value, b: Value) -> Expression:
    """Return ``a is b`` where one is ``None``, a truth value or an enum's member."""
    x, y = as_expression(a), as_expression(b)
    for this, other in ((x, y), (y, x)):
        if kind_of(this) is Kind.NONE and is_constant(this):
            return is_null(other)
    if kind_of(x) is kind_of(y) and (kind_of(x) in (Kind.BOOL, Kind.ENUM)):
        return equal(x, y)
    raise NotExact(f"uses 'is' between {name_of(x)} and {name_of(y)}; compare by == instead")


_HASHED = (*NUMBERS, Kind.STR, Kind.ENUM, Kind.DATE)
"""Kinds of values that are equal to those of one hash only."""


def membership(value: Value, container: Value) -> Expression:
    """Return ``value in container``."""
    if isinstance(container, Static):
        held = container.value
        if type(held) in (tuple, frozenset):
            if isinstance(value, Static):
                return TRUE if fold_constants(operator.contains, held, value.value).value else FALSE
            sought = as_expression(value)
            if type(held) is frozenset and kind_of(sought) not in _HASHED:
                raise NotExact(f"looks for {name_of(sought)} in a set")
            return contained(sought, [constant(choice) for choice in held])
        if type(held) is not str:
            raise NotExact(f"looks into a {type(held).__name__}, which may change; use a tuple or frozenset")
    source = as_expression(container)
    match kind_of(source):
        case Kind.STR:
            wanted = text(as_expression(value), "looks in text for")
            return call(Op.CONTAINS, not_null(source), wanted)
        case Kind.LIST:
            return in_list(as_expression(value), source)
        case Kind.TUPLE:
            return contained(as_expression(value), parts_of(source))
    raise NotExact(f"uses 'in' of {name_of(source)}, which is not lifted")
