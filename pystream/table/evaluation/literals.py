"""Literals, columns and parentheses."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from sqlglot import exp

from pystream.sql_types.data_types import DataTypes
from pystream.table.evaluation.values import Rule, Scope, Value, constant
from pystream.table.sql.column_types import data_type_of_sql

__all__ = ["LITERALS"]


def _literal(scope: Scope, node: exp.Literal) -> Value:
    text = node.name
    if node.is_string:
        return constant(text, DataTypes.STRING())
    if node.is_int:
        return constant(int(text), data_type_of_sql(node.type))
    kind = data_type_of_sql(node.type)
    return constant(Decimal(text) if "e" not in text.lower() else float(text), kind)


def _boolean(scope: Scope, node: exp.Boolean) -> Value:
    return constant(bool(node.this), DataTypes.BOOLEAN())


def _null(scope: Scope, node: exp.Null) -> Value:
    return constant(None, DataTypes.NULL())


def _parentheses(scope: Scope, node: exp.Paren) -> Value:
    return scope.value(node.this)


LITERALS: Mapping[type[exp.Expr], Rule] = {
    exp.Boolean: _boolean,
    exp.Literal: _literal,
    exp.Null: _null,
    exp.Paren: _parentheses,
}
"""The rules for what the parser knows."""
