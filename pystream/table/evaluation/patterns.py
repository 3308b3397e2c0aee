"""LIKE."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from operator import not_

from sqlglot import exp

from pystream.sql_types.data_types import DataTypes
from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.operands import text
from pystream.table.evaluation.values import Rule, Scope, Value, strict
from pystream.table.functions.values import patterns as functions

__all__ = ["PATTERNS"]


def _like(scope: Scope, node: exp.Like, escape: str = "") -> Value:
    value, pattern = text(scope, node.this), text(scope, node.expression)
    result = strict(partial(functions.like, escape), DataTypes.BOOLEAN(), value, pattern)
    return strict(not_, DataTypes.BOOLEAN(), result) if node.args.get("negate") else result


def _escaped(scope: Scope, node: exp.Escape) -> Value:
    escape = node.expression
    if not (isinstance(node.this, exp.Like) and isinstance(escape, exp.Literal) and len(escape.name) == 1):
        raise NotEvaluatedError(node, "ESCAPE takes a literal of one character after LIKE")
    return _like(scope, node.this, escape.name)


PATTERNS: Mapping[type[exp.Expr], Rule] = {exp.Escape: _escaped, exp.Like: _like}
"""The rules for what the parser knows."""
