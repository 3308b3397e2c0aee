"""AND, OR, NOT and IS."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from operator import not_

from sqlglot import exp

from pystream.sql_types.data_types import DataTypes
from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.operands import condition
from pystream.table.evaluation.values import Rule, Scope, Value, strict
from pystream.table.functions.values.logic import conjunction, disjunction, is_object

__all__ = ["LOGIC"]


def _connective(scope: Scope, node: exp.Connector) -> Value:
    left, right = condition(scope, node.left), condition(scope, node.right)
    function = conjunction if isinstance(node, exp.And) else disjunction
    is_nullable = left.data_type.is_nullable or right.data_type.is_nullable
    return Value(partial(function, left.evaluate, right.evaluate), DataTypes.BOOLEAN(is_nullable))


def _negation(scope: Scope, node: exp.Not) -> Value:
    return strict(not_, DataTypes.BOOLEAN(), condition(scope, node.this))


def _is(scope: Scope, node: exp.Is) -> Value:
    match node.expression:
        case exp.Null():
            value, constant = scope.value(node.this), None
        case exp.Boolean(this=truth):
            value, constant = condition(scope, node.this), bool(truth)
        case _:
            raise NotEvaluatedError(node, f"IS {node.expression.sql()} is not supported")
    return Value(partial(is_object, constant, value.evaluate), DataTypes.BOOLEAN(nullable=False))


LOGIC: Mapping[type[exp.Expr], Rule] = {
    exp.And: _connective,
    exp.Is: _is,
    exp.Not: _negation,
    exp.Or: _connective,
}
"""The rules for what the parser knows."""
