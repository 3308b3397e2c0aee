"""Spark's SQL for calls of declared functions."""

from __future__ import annotations

import re
from functools import cache

import sqlglot
from sqlglot import exp
from sqlglot.dialects.spark import Spark

from pystream.table.functions.declaration import SqlFunction

__all__ = ["declared_in_spark"]


def declared_in_spark(node: exp.Anonymous, function: SqlFunction) -> exp.Expr:
    """Return a call of a declared function as Spark's SQL.

    Args:
        node: the call, whose arguments are Spark's already.
        function: the function.
    """
    arguments = node.expressions
    template = function.form_of(function.spark, len(arguments))
    if not template:
        return node
    tree = _template(template, len(arguments)).copy()
    for place in list(tree.find_all(exp.Placeholder)):
        place.replace(arguments[int(place.name[1:])].copy())
    return tree


@cache
def _template(text: str, count: int) -> exp.Expr:
    def places(found: re.Match[str]) -> str:
        first = int(found[1])
        return ", ".join(f":p{n}" for n in range(first, count if found[2] else first + 1))

    return sqlglot.parse_one(re.sub(r"{(\d+)(:?)}", places, text), dialect=Spark)
