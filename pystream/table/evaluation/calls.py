"""Calls of functions of the program."""

from __future__ import annotations

from functools import partial

from sqlglot import exp

from pystream.plan.query import QueryFunction
from pystream.sql_types.stream_types import data_type_of
from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.values import Scope, Value
from pystream.table.functions.kinds import kind_of
from pystream.table.functions.values.program import ScalarProgramFunction

__all__ = ["called"]


def called(
    scope: Scope, node: exp.Anonymous, function: QueryFunction, program: ScalarProgramFunction
) -> Value:
    """Return the results of a function of the program.

    Args:
        scope: where its arguments get their values.
        node: the call.
        function: the function.
        program: the function on workers.

    Raises:
        NotEvaluatedError: it takes batches, or an argument is not supported.
    """
    if function.function.takes_batches:
        raise NotEvaluatedError(node, f"{function.title} takes batches of rows, not single ones")
    data_type = data_type_of(function.type_info, is_nullable=function.is_nullable)
    if kind_of(data_type) is None:
        raise NotEvaluatedError(node, f"{function.title} returns values of {data_type}")
    arguments = (
        () if function.takes_nothing else tuple(scope.value(part).evaluate for part in node.expressions)
    )
    return Value(partial(program.result, arguments), data_type)
