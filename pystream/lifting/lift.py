"""Lifting: a user's function as an expression that gives exactly the same, or why there is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pystream.lifting.building import argument, field, list_of, struct
from pystream.lifting.comparing import truth
from pystream.lifting.conforming import conform
from pystream.lifting.expression import Expression
from pystream.lifting.interpret import LARGEST, Interpreter
from pystream.lifting.kinds import Kind, NotExact, kind_of
from pystream.lifting.lists import items
from pystream.lifting.members import fields_of
from pystream.lifting.static import lifted
from typeinfo import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo

__all__ = ["NotLifted", "conformed", "is_certain", "lift", "lift_condition", "lift_flat_map", "project"]


@dataclass(frozen=True, slots=True)
class NotLifted:
    """A function that is run in Python.

    Attributes:
        reason: why, with the place in the user's source: a phrase that follows "it".
    """

    reason: str


def lift(function: Any, argument_types: Sequence[TypeInformation[Any]]) -> Expression | NotLifted:
    """Turn a function into an expression of its arguments.

    Args:
        function: a function, lambda, ``functools.partial`` or ``operator`` getter; never called.
        argument_types: the types of its arguments, one each.

    Returns:
        The expression, which gives exactly what the function returns or raises; or why there is none.
    """
    return _attempt(lambda: _lift(function, argument_types))


def lift_condition(function: Any, argument_type: TypeInformation[Any]) -> Expression | NotLifted:
    """Turn a filter's function into an expression that is true where it returns something true."""
    return _attempt(lambda: truth(_lift(function, [argument_type])))


def lift_flat_map(function: Any, argument_type: TypeInformation[Any]) -> Expression | NotLifted:
    """Turn a flat map's function into an expression of the list of what it returns or yields."""
    return _attempt(lambda: _list(_lift(function, [argument_type])))


def _list(results: Expression) -> Expression:
    parts = fields_of(results) if kind_of(results) is Kind.TUPLE else None
    return items(results, "gives its results as") if parts is None else list_of(parts)


def project(t: TypeInformation[Any], indexes: Sequence[int]) -> Expression:
    """Return the tuple of some fields of a composite."""
    return struct([field(argument(t, 0), index) for index in indexes])


def is_certain(expression: Expression) -> bool:
    """Tell whether an expression has a value whatever its arguments, so that no guard of it ever fails."""
    return not expression.fails


def conformed(expression: Expression, declared: TypeInformation[Any]) -> Expression | NotLifted:
    """Hold an expression to a declared type as the serializers do: what does not fit raises.

    Args:
        expression: what a function computes.
        declared: the type its results are declared to be of.
    """
    return _attempt(lambda: conform(expression, declared))


def _attempt(attempt: Callable[[], Expression]) -> Expression | NotLifted:
    try:
        expression = attempt()
        if expression.size > LARGEST:
            raise NotExact("computes more than fits one expression")
        return expression
    except NotExact as error:
        return NotLifted(f"{error} ({error.place})" if error.place else str(error))
    except RecursionError:
        return NotLifted("is nested too deeply")


def _lift(function: Any, argument_types: Sequence[TypeInformation[Any]]) -> Expression:
    for t in argument_types:
        if isinstance(t, PickledBytesTypeInfo):
            raise NotExact("takes elements of unknown type; declare it with output_type or type_info")
    arguments = [argument(t, position) for position, t in enumerate(argument_types)]
    interpreter = Interpreter()
    return lifted(interpreter.called(function, list(arguments), {}))
