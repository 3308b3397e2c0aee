"""Translate functions that queries call to expressions."""

from __future__ import annotations

from dataclasses import replace

from pystream.lifting import Expression, NotLifted, is_guarded, lift
from pystream.plan.query import EXPRESSION_TYPES, Query, QueryFunction
from pystream.rules.lift_functions.liftable import as_pickled
from typeinfo.extended import OptionalTypeInfo

__all__ = ["query_with_expressions"]

_LONGEST = 500  # operations; Spark's parser needs more of Java's stack than the rest of Spark


def query_with_expressions(query: Query, *, can_run_again: bool) -> Query:
    """Return a query with the expressions of the functions that it calls, or the reasons why they have none.

    Args:
        query: the query.
        can_run_again: whether a job that fails is run again in Python; if it is not, only expressions that
            support all values are used.
    """
    return replace(query, functions=tuple(_lifted(one, can_run_again) for one in query.functions))


def _lifted(function: QueryFunction, can_run_again: bool) -> QueryFunction:
    expression = _expression(function)
    if isinstance(expression, Expression) and not can_run_again and is_guarded(expression):
        expression = NotLifted(
            "is exact for only some values as an expression, and a lazy table cannot be restarted in Python"
        )
    if isinstance(expression, NotLifted):
        return replace(function, expression=None, not_lifted=expression.reason)
    return replace(function, expression=expression, not_lifted="")


def _expression(function: QueryFunction) -> Expression | NotLifted:
    if function.function.takes_batches:
        return NotLifted("is called once per batch")
    if not function.is_deterministic:
        return NotLifted("is not deterministic")
    if function.takes_nothing:
        return NotLifted("takes no arguments")
    if function.argument_types is None:
        return NotLifted(
            "has arguments that are not BOOLEAN, integers, DOUBLE, STRING or DATE, or not so in all calls"
        )
    result = function.type_info
    if (result.value_type if isinstance(result, OptionalTypeInfo) else result) not in EXPRESSION_TYPES:
        return NotLifted(f"returns {result}")
    called = as_pickled(function.function, "eval")
    if isinstance(called, NotLifted):
        return called
    if function.is_nullable and not result.admits_none():
        result = OptionalTypeInfo(result)
    lifted = lift(called, [OptionalTypeInfo(t) for t in function.argument_types], result)
    if isinstance(lifted, Expression) and lifted.size > _LONGEST:
        return NotLifted("computes more than fits the text of a query")
    return lifted
