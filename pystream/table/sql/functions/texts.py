"""LIKE."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlglot import exp

from pystream.table.sql.functions.building import call, text

__all__ = ["TEXTS"]

_BACKSLASH = "\\"


def _like(node: exp.Like) -> exp.Expr:
    """Take a backslash literally, which is no escape in Flink unless it is declared."""
    if isinstance(node.parent, exp.Escape):
        return node
    pattern = node.expression
    if isinstance(pattern, exp.Literal):
        escaped: exp.Expr = text(pattern.name.replace(_BACKSLASH, _BACKSLASH * 2))
    else:
        escaped = call("REPLACE", pattern, text(_BACKSLASH), text(_BACKSLASH * 2))
    node.set("expression", escaped)
    return node


TEXTS: Mapping[type[exp.Expr], Callable[[Any], exp.Expr]] = {exp.Like: _like}
"""The rules for what the parser knows."""
