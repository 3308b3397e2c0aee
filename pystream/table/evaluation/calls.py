"""Calls of functions of the program."""

from __future__ import annotations

from functools import partial

from sqlglot import exp

from pystream.plan.query import QueryFunction
from pystream.sql_types.stream_types import data_type_of
from pystream.table.evaluation.containers import shape_of
from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.values import Scope, Value
from pystream.table.functions.conversion import type_of_program
from pystream.table.functions.kinds import kind_of
from pystream.table.functions.values.batch_calls import AsyncCall, BatchCall, result_of_batch
from pystream.table.functions.values.program import ScalarProgramFunction
from pystream.table.functions.values.records import rows_of
from typeinfo.formats.layout import erased

__all__ = ["called"]


def called(
    scope: Scope,
    node: exp.Anonymous,
    function: QueryFunction,
    program: ScalarProgramFunction,
    batch_calls: list[BatchCall | AsyncCall],
) -> Value:
    """Return the results of a function of the program.

    Args:
        scope: where its arguments get their values.
        node: the call.
        function: the function.
        program: the function on workers.
        batch_calls: the calls for several rows that come before; that of the function is added if it is one.

    Raises:
        NotEvaluatedError: an argument is not supported.
    """
    data_type = type_of_program(data_type_of(function.type_info, is_nullable=function.is_nullable))
    if kind_of(data_type) is None:
        raise NotEvaluatedError(node, f"{function.title} returns values of {data_type}")
    given = () if function.takes_nothing else [scope.value(part) for part in node.expressions]
    plain = tuple(value.evaluate for value in given)
    arguments = tuple(program.argument(value.evaluate, value.data_type.type_info) for value in given)
    evaluate = partial(program.result, arguments)
    if function.function.is_asynchronous:
        batch_calls.append(AsyncCall(program, arguments))
        evaluate = partial(result_of_batch, len(batch_calls) - 1)
    elif function.function.takes_batches:
        batch_calls.append(BatchCall(program, plain, tuple(value.data_type for value in given)))
        evaluate = partial(result_of_batch, len(batch_calls) - 1)
    shape = shape_of(data_type)
    if shape is not None and erased(function.type_info) != function.type_info:
        evaluate = partial(rows_of, shape, evaluate)
    return Value(evaluate, data_type)
