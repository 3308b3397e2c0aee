"""LIKE."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlglot import exp

from pystream.table.functions.errors import ConversionError
from pystream.table.functions.values.patterns import like_parts
from pystream.table.sql.functions.building import text

__all__ = ["TEXTS"]

_BACKSLASH = "\\"


def _like(node: exp.Like) -> exp.Expr:
    """Take a backslash literally, which is no escape in Flink unless it is declared."""
    pattern = node.expression
    if isinstance(node.parent, exp.Escape) or not isinstance(pattern, exp.Literal):
        return node
    expression = _regular_expression(pattern, "")
    if expression is not None:
        return _matched(node, expression)
    node.set("expression", text(pattern.name.replace(_BACKSLASH, _BACKSLASH * 2)))
    return node


def _escaped(node: exp.Escape) -> exp.Expr:
    like = node.this
    if not isinstance(like, exp.Like):
        return node
    expression = _regular_expression(like.expression, node.expression.name)
    return node if expression is None else _matched(like, expression)


def _regular_expression(pattern: exp.Expr, escape: str) -> str | None:
    """Return a literal pattern with ``_`` as a regular expression of Java, ``None`` for others.

    Spark's ``_`` stands for any character, Flink's for none that ends a line.
    """
    if not isinstance(pattern, exp.Literal):
        return None
    try:
        parts = list(like_parts(pattern.name, escape))
    except ConversionError:
        return None
    if "_" not in parts:
        return None
    own = {"%": "(?s:.*)", "_": "."}
    return rf"\A{''.join(own.get(part) or _literal(part[-1]) for part in parts)}\z"


def _literal(character: str) -> str:
    return character if character.isalnum() else f"\\x{{{ord(character):x}}}"


def _matched(like: exp.Like, expression: str) -> exp.Expr:
    match = exp.RegexpLike(this=like.this, expression=text(expression))
    return exp.Not(this=match) if like.args.get("negate") else match


TEXTS: Mapping[type[exp.Expr], Callable[[Any], exp.Expr]] = {exp.Like: _like, exp.Escape: _escaped}
"""The rules for what the parser knows."""
