"""Comparisons of values of comparable types."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from sqlglot import exp

from pystream.sql_types.data_types import DataTypes
from pystream.table.evaluation.common_types import as_double
from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.kinds import EXACT, FLOATING, NUMBERS, Kind
from pystream.table.evaluation.values import Evaluate, Rule, Scope, Value, strict

__all__ = ["COMPARISONS", "comparable", "equal"]

_OPERATORS: Mapping[type[exp.Expr], Callable[[Any, Any], bool]] = {
    exp.EQ: operator.eq,
    exp.GT: operator.gt,
    exp.GTE: operator.ge,
    exp.LT: operator.lt,
    exp.LTE: operator.le,
    exp.NEQ: operator.ne,
}
_ORDERED = (
    *(Kind.BOOLEAN, Kind.TEXT, Kind.BYTES, Kind.DATE, Kind.TIME, Kind.TIMESTAMP, Kind.TIMESTAMP_LTZ),
    *NUMBERS,
)


def comparable(node: exp.Expr, left: Value, right: Value) -> tuple[Value, Value]:
    """Return two values as ones that Python compares as SQL does.

    Args:
        node: the comparison, for the message.
        left: one value.
        right: another value.

    Raises:
        NotEvaluatedError: their types cannot be compared.
    """
    kinds = {left.kind, right.kind}
    if Kind.NULL in kinds or (len(kinds) == 1 and left.kind in _ORDERED) or kinds <= set(EXACT):
        return left, right
    if kinds <= set(NUMBERS) and kinds & set(FLOATING):
        return as_double(left), as_double(right)
    types = f"{left.data_type.nullable()} and {right.data_type.nullable()}"
    raise NotEvaluatedError(node, f"values of types {types} are not compared")


def _comparison(scope: Scope, node: exp.Binary) -> Value:
    left, right = comparable(node, scope.value(node.left), scope.value(node.right))
    return strict(_OPERATORS[type(node)], DataTypes.BOOLEAN(), left, right)


def equal(node: exp.Expr, left: Value, right: Value) -> Value:
    """Return whether two values are equal, null if one is null.

    Raises:
        NotEvaluatedError: their types cannot be compared.
    """
    return strict(operator.eq, DataTypes.BOOLEAN(), *comparable(node, left, right))


def _is_same(scope: Scope, node: exp.NullSafeEQ | exp.NullSafeNEQ) -> Value:
    left, right = comparable(node, scope.value(node.left), scope.value(node.right))
    function = _same if isinstance(node, exp.NullSafeEQ) else _different
    return Value(partial(function, left.evaluate, right.evaluate), DataTypes.BOOLEAN(nullable=False))


def _same(left: Evaluate, right: Evaluate, row: Sequence[Any]) -> bool:
    return bool(left(row) == right(row))


def _different(left: Evaluate, right: Evaluate, row: Sequence[Any]) -> bool:
    return bool(left(row) != right(row))


def _between(scope: Scope, node: exp.Between) -> Value:
    value, low, high = (scope.value(node.args[name]) for name in ("this", "low", "high"))
    pairs = [comparable(node, value, bound) for bound in (low, high)]
    bounds = tuple((one.evaluate, bound.evaluate) for one, bound in pairs)
    is_nullable = any(part.data_type.is_nullable for part in (value, low, high))
    function = _between_either if node.args.get("symmetric") else _between_both
    return Value(partial(function, bounds), DataTypes.BOOLEAN(is_nullable))


_Bounds = tuple[tuple[Evaluate, Evaluate], tuple[Evaluate, Evaluate]]


def _between_both(bounds: _Bounds, row: Sequence[Any]) -> bool | None:
    (value, low), (same, high) = bounds
    return _both(_compared(operator.ge, value(row), low(row)), _compared(operator.le, same(row), high(row)))


def _between_either(bounds: _Bounds, row: Sequence[Any]) -> bool | None:
    one = _between_both(bounds, row)
    other = _between_both((bounds[1], bounds[0]), row)
    if one or other:
        return True
    return None if one is None or other is None else False


def _compared(compare: Callable[[Any, Any], bool], one: Any, other: Any) -> bool | None:
    return None if one is None or other is None else compare(one, other)


def _both(one: bool | None, other: bool | None) -> bool | None:
    if one is False or other is False:
        return False
    return None if one is None or other is None else True


def _in(scope: Scope, node: exp.In) -> Value:
    if not node.expressions:
        raise NotEvaluatedError(node, "IN takes a list of values here")
    value = scope.value(node.this)
    pairs = [comparable(node, value, scope.value(item)) for item in node.expressions]
    items = tuple((one.evaluate, item.evaluate) for one, item in pairs)
    is_nullable = any(part.data_type.is_nullable for pair in pairs for part in pair)
    return Value(partial(_one_of, items), DataTypes.BOOLEAN(is_nullable))


def _one_of(items: Sequence[tuple[Evaluate, Evaluate]], row: Sequence[Any]) -> bool | None:
    result: bool | None = False
    for one, item in items:
        found = _compared(operator.eq, one(row), item(row))
        if found:
            return True
        if found is None:
            result = None
    return result


COMPARISONS: Mapping[type[exp.Expr], Rule] = {
    **dict.fromkeys(_OPERATORS, _comparison),
    exp.Between: _between,
    exp.In: _in,
    exp.NullSafeEQ: _is_same,
    exp.NullSafeNEQ: _is_same,
}
"""The rules for what the parser knows."""
