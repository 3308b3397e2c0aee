"""Checks of the class and the range of arguments."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

from pystream.errors import ConfigurationError, PlanTypeError
from pystream.plan.function import describe_function
from typeinfo.errors import short_repr

__all__ = [
    "check_parallelism",
    "require",
    "require_function",
    "require_int",
    "require_parameters",
    "require_text",
]

_MAX_PARALLELISM = 32767


def require(argument: object, kind: type | tuple[type, ...], call: str, wanted: str) -> None:
    """Check the class of an argument.

    Args:
        argument: the argument.
        kind: the class or classes the call takes.
        call: the name of the call.
        wanted: the class in words, with an example.

    Raises:
        PlanTypeError: the argument is of another class.
    """
    if not isinstance(argument, kind):
        raise PlanTypeError(f"{call} takes {wanted}, not {short_repr(argument)}")


def require_int(argument: int, name: str, minimum: int, maximum: int | None = None) -> int:
    """Return an argument, checked to be an int within bounds, both included.

    Raises:
        ConfigurationError: it is not an int, or out of bounds.
    """
    within = type(argument) is int and argument >= minimum and (maximum is None or argument <= maximum)
    if not within:
        bounds = f"of {minimum} or more" if maximum is None else f"from {minimum} to {maximum}"
        raise ConfigurationError(f"{name} must be an int {bounds}, not {short_repr(argument)}")
    return argument


def require_text(argument: str, call: str, parameter: str, wanted: str) -> None:
    """Check that a text holds more than spaces.

    Args:
        argument: the text.
        call: the name of the call.
        parameter: the name of the parameter.
        wanted: what it must be, with an example.

    Raises:
        ConfigurationError: it is empty or blank.
    """
    if not argument.strip():
        raise ConfigurationError(f"{call}: {parameter} is empty; give {wanted}")


def require_function(func: object, operator: str, base: type[Any]) -> None:
    """Check that an argument is a function or an instance of a function class."""
    if not callable(func) and not isinstance(func, base):
        raise PlanTypeError(f"{operator} takes a function or a {base.__name__}, not {short_repr(func)}")
    if isinstance(func, type) and issubclass(func, base):
        raise PlanTypeError(
            f"{operator} takes an instance of {func.__name__}, not the class: write {func.__name__}()"
        )


def require_parameters(func: Any, operator: str, base: type[Any], method: str) -> None:
    """Check that a function, or the method of a function object, takes the arguments of its calls.

    Functions without a signature, such as some that are built in, are not checked.

    Args:
        func: the function or function object.
        operator: the user's call, for messages.
        base: the class of such objects.
        method: the method that they are called by.

    Raises:
        PlanTypeError: it takes more or fewer.
    """
    called = getattr(func, method) if isinstance(func, base) else func
    count = _count_parameters(getattr(base, method)) - 1
    try:
        signature = inspect.signature(called, follow_wrapped=False)
    except (ValueError, TypeError):
        return
    try:
        signature.bind(*[None] * count)
    except TypeError:
        what = "one argument" if count == 1 else f"{count} arguments"
        raise PlanTypeError(
            f"{operator} calls its function with {what}, but {describe_function(func)} takes {signature}"
        ) from None


@cache
def _count_parameters(method: Any) -> int:
    return len(inspect.signature(method).parameters)


def check_parallelism(value: int, what: str = "parallelism") -> int:
    """Return a parallelism, checked to be an int from 1 to 32767.

    Raises:
        ConfigurationError: it is not.
    """
    return require_int(value, what, 1, _MAX_PARALLELISM)
