"""Comparisons of values of comparable types."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from sqlglot import exp

from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.evaluation.conversions import converted
from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.values import Rule, Scope, Value, strict
from pystream.table.functions.common_types import compared_types, equated_types
from pystream.table.functions.kinds import FLOATING
from pystream.table.functions.values.calls import Evaluate
from pystream.table.functions.values.logic import (
    between,
    between_either,
    different,
    one_of,
    one_of_constants,
    same,
)
from pystream.table.sql.written_rows import equal_values, values_of_row

__all__ = ["COMPARISONS", "comparable"]

_OPERATORS: Mapping[type[exp.Expr], Callable[[Any, Any], bool]] = {
    exp.EQ: operator.eq,
    exp.GT: operator.gt,
    exp.GTE: operator.ge,
    exp.LT: operator.lt,
    exp.LTE: operator.le,
    exp.NEQ: operator.ne,
}

_BY_ORDER = (exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between)


def comparable(scope: Scope, node: exp.Expr, left: Value, right: Value) -> tuple[Value, Value]:
    """Return two values as ones that Python compares as SQL does, by order unless the node is an equality.

    Args:
        scope: where the values come from.
        node: the comparison, for the message.
        left: one value.
        right: another value.

    Raises:
        NotEvaluatedError: their types cannot be compared.
    """
    types_of = compared_types if isinstance(node, _BY_ORDER) else equated_types
    targets = types_of(left.data_type, right.data_type)
    if targets is None:
        types = f"{left.data_type.nullable()} and {right.data_type.nullable()}"
        raise NotEvaluatedError(node, f"values of types {types} are not compared")
    return _as(scope, node, left, targets[0]), _as(scope, node, right, targets[1])


def _as(scope: Scope, node: exp.Expr, value: Value, target: DataType) -> Value:
    return value if value.data_type == target else converted(scope, node, value, target)


def _comparison(scope: Scope, node: exp.Binary) -> Value:
    one, other = values_of_row(node.left), values_of_row(node.right)
    if one is not None and other is not None:
        if not isinstance(node, exp.EQ | exp.NEQ) or len(one) != len(other):
            raise NotEvaluatedError(node, "rows are compared by = and <>, and have the same number of values")
        return scope.value(equal_values(node, one, other))
    left, right = comparable(scope, node, scope.value(node.left), scope.value(node.right))
    return strict(_OPERATORS[type(node)], DataTypes.BOOLEAN(), left, right)


def _is_same(scope: Scope, node: exp.NullSafeEQ | exp.NullSafeNEQ) -> Value:
    left, right = comparable(scope, node, scope.value(node.left), scope.value(node.right))
    function = same if isinstance(node, exp.NullSafeEQ) else different
    return Value(partial(function, left.evaluate, right.evaluate), DataTypes.BOOLEAN(nullable=False))


def _between(scope: Scope, node: exp.Between) -> Value:
    value, low, high = (scope.value(node.args[name]) for name in ("this", "low", "high"))
    above, below = comparable(scope, node, value, low), comparable(scope, node, value, high)
    bounds = (_evaluated(*above), _evaluated(*below))
    is_nullable = any(part.data_type.is_nullable for part in (value, low, high))
    function = between_either if node.args.get("symmetric") else between
    return Value(partial(function, bounds), DataTypes.BOOLEAN(is_nullable))


def _evaluated(one: Value, other: Value) -> tuple[Evaluate, Evaluate]:
    return one.evaluate, other.evaluate


def _in(scope: Scope, node: exp.In) -> Value:
    if not node.expressions:
        raise NotEvaluatedError(node, "IN takes a list of values here")
    value = scope.value(node.this)
    pairs = [comparable(scope, node, value, scope.value(item)) for item in node.expressions]
    data_type = DataTypes.BOOLEAN(any(part.data_type.is_nullable for pair in pairs for part in pair))
    if value.kind not in FLOATING and all(one is value and item.is_constant for one, item in pairs):
        constants = frozenset(item.constant for _, item in pairs)
        return Value(partial(one_of_constants, constants, value.evaluate), data_type)
    return Value(partial(one_of, tuple(_evaluated(*pair) for pair in pairs)), data_type)


COMPARISONS: Mapping[type[exp.Expr], Rule] = {
    **dict.fromkeys(_OPERATORS, _comparison),
    exp.Between: _between,
    exp.In: _in,
    exp.NullSafeEQ: _is_same,
    exp.NullSafeNEQ: _is_same,
}
"""The rules for what the parser knows."""
