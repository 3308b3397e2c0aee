"""Replace functions and operators by those that have the same results in Spark."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from sqlglot import exp

from pystream.table.functions.declared import DECLARED
from pystream.table.sql.functions.aggregates import AGGREGATES, NAMED_AGGREGATES
from pystream.table.sql.functions.casts import CASTS
from pystream.table.sql.functions.collections import COLLECTIONS, NAMED_COLLECTIONS
from pystream.table.sql.functions.declared import declared_in_spark
from pystream.table.sql.functions.numbers import NUMBERS
from pystream.table.sql.functions.texts import TEXTS
from pystream.table.sql.functions.times import NAMED_TIMES, TIMES

__all__ = ["with_spark_functions"]

Rule = Callable[[Any], exp.Expr]

_RULES: Mapping[type[exp.Expr], Rule] = {**AGGREGATES, **CASTS, **COLLECTIONS, **NUMBERS, **TEXTS, **TIMES}
_NAMED: Mapping[str, Rule] = {
    **NAMED_AGGREGATES,
    **NAMED_COLLECTIONS,
    **NAMED_TIMES,
}


def with_spark_functions(tree: exp.Query) -> exp.Query:
    """Return a query in which functions and operators have the results of Flink when Spark evaluates them.

    Args:
        tree: the query, whose expressions have types; it is changed.
    """
    for node in reversed(list(tree.walk())):  # the parts of an expression before it
        rule = _rule_of(node)
        if rule is None:
            continue
        replacement = rule(node)
        if replacement is not node:
            if replacement.type is None or isinstance(replacement, exp.Anonymous | exp.Case | exp.If):
                replacement.type = node.type
            node.replace(replacement)
    return tree


def _rule_of(node: exp.Expr) -> Rule | None:
    if not isinstance(node, exp.Anonymous):
        return _RULES.get(type(node))
    declared = DECLARED.get(node.name)
    return (
        _NAMED.get(node.name.upper()) if declared is None else partial(declared_in_spark, function=declared)
    )
