"""Spark's SQL for calls of declared functions."""

from __future__ import annotations

import re
from functools import cache

import sqlglot
from sqlglot import exp
from sqlglot.dialects.spark import Spark

from pystream.table.functions.declaration import SqlFunction
from pystream.table.sql.expression_types import arguments_of
from pystream.table.sql.functions.casts import in_type

__all__ = ["declared_in_spark", "template_of"]


def declared_in_spark(node: exp.Anonymous, function: SqlFunction, template: str) -> exp.Expr:
    """Return a call of a declared function as Spark's SQL.

    Args:
        node: the call, whose arguments are Spark's already.
        function: the function.
        template: the SQL for such calls, from `template_of`.
    """
    given = _converted(node, function)
    if not template:
        return exp.Anonymous(this=node.this, expressions=given)
    tree = _template(template, len(given)).copy()
    if isinstance(tree, exp.Placeholder):
        return given[int(tree.name[1:])].copy()
    for place in list(tree.find_all(exp.Placeholder)):
        argument = given[int(place.name[1:])].copy()
        needs_parentheses = isinstance(place.parent, exp.Binary) and isinstance(argument, exp.Binary)
        place.replace(exp.paren(argument, copy=False) if needs_parentheses else argument)
    return tree


def _converted(node: exp.Anonymous, function: SqlFunction) -> list[exp.Expr]:
    """Return the arguments of a call, in the types that they have in common where these have other values."""
    arguments = arguments_of(node)
    form = None if arguments is None else function.form_for(arguments.types)
    if arguments is None or form is None or not function.is_converted:
        return list(node.expressions)
    variable = form.variable(arguments.types)
    if variable is None:
        return list(node.expressions)
    return [
        in_type(part, own, form.target_at(position, variable))
        for position, (part, own) in enumerate(zip(node.expressions, arguments.types, strict=True))
    ]


def template_of(node: exp.Anonymous, function: SqlFunction) -> str | None:
    """Return Spark's SQL for a call with places for its arguments; ``None`` if Python computes it there, too.

    It is empty for Spark's function of the same name.
    """
    if function.spark is None:
        return None
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
