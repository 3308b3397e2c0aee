"""LIKE and SIMILAR TO."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from operator import not_

from sqlglot import exp

from pystream.sql_types.data_types import DataTypes
from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.operands import text
from pystream.table.evaluation.values import Rule, Scope, Value, strict
from pystream.table.functions.values.patterns import like
from pystream.table.functions.values.similar import similar

__all__ = ["PATTERNS"]


def _like(scope: Scope, node: exp.Like | exp.SimilarTo, escape: str = "") -> Value:
    value, pattern = text(scope, node.this), text(scope, node.expression)
    function = like if isinstance(node, exp.Like) else similar
    result = strict(partial(function, escape), DataTypes.BOOLEAN(), value, pattern)
    return strict(not_, DataTypes.BOOLEAN(), result) if node.args.get("negate") else result


def _escaped(scope: Scope, node: exp.Escape) -> Value:
    condition, escape = node.this, node.expression
    is_one = isinstance(escape, exp.Literal) and len(escape.name) == 1
    if not (isinstance(condition, exp.Like | exp.SimilarTo) and is_one):
        raise NotEvaluatedError(node, "ESCAPE takes a literal of one character after LIKE or SIMILAR TO")
    return _like(scope, condition, escape.name)


PATTERNS: Mapping[type[exp.Expr], Rule] = {exp.Escape: _escaped, exp.Like: _like, exp.SimilarTo: _like}
"""The rules for what the parser knows."""
