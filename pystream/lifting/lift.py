"""Entry points of lifting: a function becomes an expression, or the reason why it does not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from pystream.expressions.expression import Expression
from pystream.lifting.comparing import truth
from pystream.lifting.composites import argument, field, struct
from pystream.lifting.evaluator import MAX_SIZE
from pystream.lifting.inlining import Inliner
from pystream.lifting.kinds import NotExact
from pystream.lifting.results import PLAIN, ReturnConversion
from pystream.lifting.values import COLLECTOR, Value, as_expression, consumed
from typeinfo import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo

__all__ = [
    "NotLifted",
    "attempted",
    "check_is_known",
    "lift",
    "lift_condition",
    "lift_flat_map",
    "lifted_call",
    "project",
]


P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class NotLifted:
    """A function that runs in Python.

    Attributes:
        reason: the reason, with its place in the user's source: a phrase that follows "it".
    """

    reason: str


def attempted(attempt: Callable[P, T]) -> Callable[P, T | NotLifted]:
    """Return a function that returns the reason where another one raises that a function is not lifted."""

    @wraps(attempt)
    def result(*args: P.args, **kwargs: P.kwargs) -> T | NotLifted:
        try:
            return attempt(*args, **kwargs)
        except NotExact as error:
            return NotLifted(f"{error} ({error.place})" if error.place else str(error))
        except RecursionError:
            return NotLifted("is nested too deeply")

    return result


@attempted
def lift(
    function: Any,
    argument_types: Sequence[TypeInformation[Any]],
    declared: TypeInformation[Any] | None = None,
) -> Expression:
    """Turn a function into an expression of its arguments.

    Args:
        function: a function, lambda, ``functools.partial``, ``operator`` getter, or method of an object whose
            attributes stay as they are; never called.
        argument_types: the types of its arguments, one each.
        declared: the type to which results are converted as serializers do; what does not fit raises.

    Returns:
        The expression, which returns exactly what the function does, or raises; or the reason for none.
    """
    results = ReturnConversion(declared=declared)
    return results.converted(lifted_call(function, argument_types, results))


@attempted
def lift_condition(function: Any, argument_type: TypeInformation[Any]) -> Expression:
    """Turn a filter's function into an expression of the truth of its result."""
    return truth(lifted_call(function, [argument_type], ReturnConversion(is_condition=True)))


@attempted
def lift_flat_map(
    function: Any,
    argument_type: TypeInformation[Any],
    declared: TypeInformation[Any] | None = None,
    *,
    collects: bool = False,
) -> Expression:
    """Turn a flat map's function into an expression of the list of its results.

    Args:
        function: the function.
        argument_type: the type of its argument.
        declared: the type to which each result is converted.
        collects: whether its second argument is a collector of results, as in Flink's DataSet API.
    """
    results = ReturnConversion(many=True, declared=declared)
    return results.converted_list(lifted_call(function, [argument_type], results, collects=collects))


def project(t: TypeInformation[Any], indexes: Sequence[int]) -> Expression:
    """Return an expression of a tuple of fields of a composite."""
    return struct([field(argument(t, 0), index) for index in indexes])


def check_is_known(element_type: TypeInformation[Any]) -> None:
    """Refuse pickled elements.

    Raises:
        NotExact: the type is that of pickled elements.
    """
    if isinstance(element_type, PickledBytesTypeInfo):
        raise NotExact("takes elements of unknown type; declare it with output_type or type_info")


def lifted_call(
    function: Any,
    argument_types: Sequence[TypeInformation[Any]],
    results: ReturnConversion = PLAIN,
    *,
    collects: bool = False,
) -> Expression:
    """Evaluate a call of a function symbolically.

    Args:
        function: the function.
        argument_types: the types of its arguments.
        results: conversion of its results.
        collects: whether a collector of results follows the arguments.

    Raises:
        NotExact: its result is not exactly an expression.
    """
    for t in argument_types:
        check_is_known(t)
    arguments: list[Value] = [argument(t, position) for position, t in enumerate(argument_types)]
    if collects:
        arguments.append(COLLECTOR)
    value = Inliner(results).call(function, arguments, {})
    result = consumed(value) if results.many else as_expression(value)
    if result.size > MAX_SIZE:
        raise NotExact("computes more than fits one expression")
    return result
