"""Kernels of conditions and choices, which handle nulls themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from functools import partial
from typing import Any, TypeAlias

import pyarrow as pa

from pystream.expressions.operation import NotComputedError
from pystream.table.functions.kernels.decimals import in_one_type
from pystream.table.functions.kernels.operands import Operand, is_whole, of_one_type, pc
from pystream.table.functions.values import choices, logic

__all__ = ["CONDITIONS", "LAZY", "Parts"]

Parts: TypeAlias = Any
"""The parts of a composition, with the operands of rows in place of functions of them."""


def _connected(name: str, one: Operand, other: Operand) -> Operand:
    return getattr(pc, name)(one, other)


def _is_object(constant: bool | None, value: Operand) -> Operand:
    if constant is None:
        return pc.is_null(value)
    return pc.fill_null(value if constant else pc.invert(value), False)


def _between(bounds: Sequence[tuple[Operand, Operand]]) -> Operand:
    (value, low), (same_value, high) = (in_one_type(*pair) for pair in bounds)
    of_one_type(value, low)
    of_one_type(same_value, high)
    return pc.and_kleene(pc.greater_equal(value, low), pc.less_equal(same_value, high))


def _one_of_constants(constants: Set[Any], value: Operand) -> Operand:
    if isinstance(value, pa.Scalar):
        raise NotComputedError("a constant")
    if pa.types.is_floating(value.type):  # equal numbers have other bits than the constants
        raise NotComputedError("floats")
    try:
        known = pa.array([constant for constant in constants if constant is not None])
    except OverflowError:
        raise NotComputedError("a constant that no value of the column is") from None
    if is_whole(value) and pa.types.is_integer(known.type):
        known = known.cast(value.type)
    value, known = in_one_type(value, known)
    if known.type != value.type:
        raise NotComputedError("constants of another type")
    is_known = pc.is_in(value, value_set=known)
    unknown = pc.and_(pc.invert(is_known), None in constants)
    return pc.if_else(pc.or_(pc.is_null(value), unknown), pa.scalar(None, pa.bool_()), is_known)


def _chosen(condition: Operand, value: Operand, other: Operand) -> Operand:
    value, other = in_one_type(value, other)
    of_one_type(value, other)
    return pc.if_else(pc.fill_null(condition, False), value, other)


def _first_that_holds(branches: Sequence[tuple[Operand, Operand]], default: Operand) -> Operand:
    result = default
    for condition, value in reversed(branches):
        result = _chosen(condition, value, result)
    return result


def _first_that_matches(branches: Sequence[tuple[Operand, Operand, Operand]], default: Operand) -> Operand:
    conditions = []
    for operand, candidate, value in branches:
        one, other = in_one_type(operand, candidate)
        of_one_type(one, other)
        conditions.append((pc.equal(one, other), value))
    return _first_that_holds(conditions, default)


def _first_not_null(*values: Operand) -> Operand:
    result = values[-1]
    for value in reversed(values[:-1]):
        one, other = in_one_type(value, result)
        of_one_type(one, other)
        result = pc.coalesce(one, other)
    return result


CONDITIONS: Mapping[Any, Callable[..., Operand]] = {
    choices.first_that_holds: _first_that_holds,
    choices.first_that_matches: _first_that_matches,
    logic.between: _between,
    logic.conjunction: partial(_connected, "and_kleene"),
    logic.disjunction: partial(_connected, "or_kleene"),
    logic.is_object: _is_object,
    logic.one_of_constants: _one_of_constants,
}
"""The kernels of compositions, which get the operands of the functions of rows among their parameters."""

LAZY: Mapping[Any, Callable[..., Operand]] = {
    choices.branch: _chosen,
    choices.first_not_null: _first_not_null,
}
"""The kernels of functions that evaluate those of their arguments that they need."""
