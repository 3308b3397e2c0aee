"""AND, OR, NOT and IS, with three truth values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from operator import not_
from typing import Any

from sqlglot import exp

from pystream.sql_types.data_types import DataTypes
from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.kinds import Kind
from pystream.table.evaluation.values import Evaluate, Rule, Scope, Value, strict

__all__ = ["LOGIC", "condition"]


def condition(scope: Scope, node: exp.Expr) -> Value:
    """Return the values of an expression that is true, false or null.

    Raises:
        NotEvaluatedError: it is none.
    """
    value = scope.value(node)
    if value.kind not in (Kind.BOOLEAN, Kind.NULL):
        raise NotEvaluatedError(node, f"a condition must be BOOLEAN, not {value.data_type.nullable()}")
    return value


def _connective(scope: Scope, node: exp.Connector) -> Value:
    left, right = condition(scope, node.left), condition(scope, node.right)
    function = _conjunction if isinstance(node, exp.And) else _disjunction
    is_nullable = left.data_type.is_nullable or right.data_type.is_nullable
    return Value(partial(function, left.evaluate, right.evaluate), DataTypes.BOOLEAN(is_nullable))


def _conjunction(left: Evaluate, right: Evaluate, row: Sequence[Any]) -> bool | None:
    one = left(row)
    if one is False:
        return False
    other = right(row)
    if other is False:
        return False
    return None if one is None or other is None else True


def _disjunction(left: Evaluate, right: Evaluate, row: Sequence[Any]) -> bool | None:
    one = left(row)
    if one is True:
        return True
    other = right(row)
    if other is True:
        return True
    return None if one is None or other is None else False


def _negation(scope: Scope, node: exp.Not) -> Value:
    return strict(not_, DataTypes.BOOLEAN(), condition(scope, node.this))


def _is(scope: Scope, node: exp.Is) -> Value:
    match node.expression:
        case exp.Null():
            return _is_same(scope.value(node.this), None)
        case exp.Boolean(this=truth):
            return _is_same(condition(scope, node.this), bool(truth))
    raise NotEvaluatedError(node, f"{node.sql()} is not supported")


def _is_same(value: Value, constant: bool | None) -> Value:
    return Value(partial(_is_object, constant, value.evaluate), DataTypes.BOOLEAN(nullable=False))


def _is_object(constant: bool | None, value: Evaluate, row: Sequence[Any]) -> bool:
    return value(row) is constant


LOGIC: Mapping[type[exp.Expr], Rule] = {
    exp.And: _connective,
    exp.Is: _is,
    exp.Not: _negation,
    exp.Or: _connective,
}
"""The rules for what the parser knows."""
