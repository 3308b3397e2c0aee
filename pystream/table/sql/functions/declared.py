"""Spark's SQL for calls of declared functions."""

from __future__ import annotations

import re
from functools import cache

import sqlglot
from sqlglot import exp
from sqlglot.dialects.spark import Spark

from pystream.table.functions.declaration import SqlFunction
from pystream.table.sql.expression_types import arguments_of

__all__ = ["declared_in_spark"]


def declared_in_spark(node: exp.Anonymous, function: SqlFunction) -> exp.Expr:
    """Return a call of a declared function as Spark's SQL.

    Args:
        node: the call, whose arguments are Spark's already.
        function: the function.
    """
    given = node.expressions
    template = _template_of(node, function)
    if not template:
        return node
    tree = _template(template, len(given)).copy()
    if isinstance(tree, exp.Placeholder):
        return given[int(tree.name[1:])].copy()  # type: ignore[no-any-return]
    for place in list(tree.find_all(exp.Placeholder)):
        argument = given[int(place.name[1:])].copy()
        needs_parentheses = isinstance(place.parent, exp.Binary) and isinstance(argument, exp.Binary)
        place.replace(exp.paren(argument, copy=False) if needs_parentheses else argument)
    return tree


def _template_of(node: exp.Anonymous, function: SqlFunction) -> str:
    if not callable(function.spark):
        return function.form_of(function.spark, len(node.expressions))
    arguments = arguments_of(node)
    return "" if arguments is None else function.spark(arguments)


@cache
def _template(text: str, count: int) -> exp.Expr:
    def places(found: re.Match[str]) -> str:
        first = int(found[1])
        return ", ".join(f":p{n}" for n in range(first, count if found[2] else first + 1))

    return sqlglot.parse_one(re.sub(r"{(\d+)(:?)}", places, text), dialect=Spark)
