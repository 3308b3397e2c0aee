"""LIKE and regular expressions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from operator import not_

from sqlglot import exp

from pystream.sql_types.data_types import DataTypes
from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.functions import patterns as functions
from pystream.table.evaluation.operands import arguments, text
from pystream.table.evaluation.values import Rule, Scope, Value, strict

__all__ = ["NAMED_PATTERNS", "PATTERNS"]


def _like(scope: Scope, node: exp.Like, escape: str = "") -> Value:
    value, pattern = text(scope, node.this), text(scope, node.expression)
    result = strict(partial(functions.like, escape), DataTypes.BOOLEAN(), value, pattern)
    return strict(not_, DataTypes.BOOLEAN(), result) if node.args.get("negate") else result


def _escaped(scope: Scope, node: exp.Escape) -> Value:
    escape = node.expression
    if not (isinstance(node.this, exp.Like) and isinstance(escape, exp.Literal) and len(escape.name) == 1):
        raise NotEvaluatedError(node, "ESCAPE takes a literal of one character after LIKE")
    return _like(scope, node.this, escape.name)


def _pattern(scope: Scope, node: exp.Expr) -> functions.JavaPattern:
    pattern = text(scope, node)
    if not pattern.is_constant or pattern.constant is None:
        raise NotEvaluatedError(node, "a regular expression must be a literal here")
    try:
        return functions.translated_pattern(pattern.constant)
    except functions.UntranslatedPatternError as error:
        raise NotEvaluatedError(node, str(error)) from None


def _regexp(scope: Scope, node: exp.Anonymous | exp.RegexpLike) -> Value:
    value, pattern = arguments(node, 2) if isinstance(node, exp.Anonymous) else (node.this, node.expression)
    return strict(_pattern(scope, pattern).is_in, DataTypes.BOOLEAN(), text(scope, value))


def _extracted(scope: Scope, node: exp.Anonymous) -> Value:
    value, pattern, *rest = arguments(node, 2, 3)
    group = rest[0] if rest else exp.Literal.number(0)
    if not (isinstance(group, exp.Literal) and group.is_int):
        raise NotEvaluatedError(node, "REGEXP_EXTRACT takes the number of a group as a literal")
    function = partial(_pattern(scope, pattern).group_in, int(group.name))
    return strict(function, DataTypes.STRING(), text(scope, value), may_be_null=True)


def _replaced(scope: Scope, node: exp.RegexpReplace) -> Value:
    if any(node.args.get(name) for name in ("position", "occurrence", "modifiers")):
        raise NotEvaluatedError(node, "REGEXP_REPLACE takes three arguments")
    replacement = node.args.get("replacement")
    if replacement is None:
        raise NotEvaluatedError(node, "REGEXP_REPLACE takes three arguments")
    value, new = text(scope, node.this), text(scope, replacement)
    return strict(_pattern(scope, node.expression).replaced, DataTypes.STRING(), value, new)


PATTERNS: Mapping[type[exp.Expr], Rule] = {
    exp.Escape: _escaped,
    exp.Like: _like,
    exp.RegexpLike: _regexp,
    exp.RegexpReplace: _replaced,
}
"""The rules for what the parser knows."""

NAMED_PATTERNS: Mapping[str, Rule] = {"REGEXP": _regexp, "REGEXP_EXTRACT": _extracted}
"""The rules for other functions, by name."""
