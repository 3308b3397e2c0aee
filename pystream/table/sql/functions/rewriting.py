"""Replace functions and operators by those that have the same results in Spark."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import tzinfo
from functools import partial
from typing import Any

from sqlglot import exp

from pystream.plan.query import QueryFunction
from pystream.table.functions.declared import DECLARED
from pystream.table.sql.expression_types import known_type
from pystream.table.sql.functions.aggregates import AGGREGATES, NAMED_AGGREGATES
from pystream.table.sql.functions.casts import CASTS
from pystream.table.sql.functions.choices import CHOICES
from pystream.table.sql.functions.collections import COLLECTIONS, NAMED_COLLECTIONS
from pystream.table.sql.functions.declared import declared_in_spark, template_of
from pystream.table.sql.functions.numbers import NUMBERS
from pystream.table.sql.functions.python_calls import PythonCalls
from pystream.table.sql.functions.python_operators import operands_in_python
from pystream.table.sql.functions.texts import TEXTS

__all__ = ["with_spark_functions"]

Rule = Callable[[Any], exp.Expr]

_RULES: Mapping[type[exp.Expr], Rule] = {
    **AGGREGATES,
    **CASTS,
    **CHOICES,
    **COLLECTIONS,
    **NUMBERS,
    **TEXTS,
}
_NAMED: Mapping[str, Rule] = {
    **NAMED_AGGREGATES,
    **NAMED_COLLECTIONS,
}


def with_spark_functions(tree: exp.Query, zone: tzinfo | None) -> tuple[exp.Query, tuple[QueryFunction, ...]]:
    """Return a query in which functions and operators have the results of Flink when Spark evaluates them.

    Args:
        tree: the query, whose expressions have types; it is changed.
        zone: the time zone of TIMESTAMP_LTZ, ``None`` if it is not known.

    Returns:
        The query, and the functions that it calls in Python.

    Raises:
        NotTranslatedError: Spark has no expression with these results.
    """
    in_python = PythonCalls(zone)
    for node in reversed(list(tree.walk())):  # the parts of an expression before it
        rule = _rule_of(node, in_python)
        if rule is None:
            continue
        replacement = rule(node)
        if replacement is not node:
            if known_type(node) is not None or replacement.type is None:
                replacement.type = node.type
            node.replace(replacement)
    return tree, tuple(in_python.functions)


def _rule_of(node: exp.Expr, in_python: PythonCalls) -> Rule | None:
    operands = operands_in_python(node)
    if operands is not None:
        return partial(in_python.operated, operands=operands)
    if not isinstance(node, exp.Anonymous):
        return _RULES.get(type(node))
    declared = DECLARED.get(node.name)
    if declared is None:
        return _NAMED.get(node.name.upper())
    template = template_of(node, declared)
    if template is None:
        return partial(in_python.called, function=declared)
    return partial(declared_in_spark, function=declared, template=template)
