"""Checks of the class and the range of arguments."""

from __future__ import annotations

from typing import Any

from pystream.errors import ConfigurationError, PlanTypeError

__all__ = [
    "check_buffer_timeout",
    "check_parallelism",
    "require",
    "require_count",
    "require_function",
    "require_positive",
]

_MAX_PARALLELISM = 32767


def require(argument: object, kind: type | tuple[type, ...], call: str, wanted: str) -> None:
    """Raise an error if an argument has the wrong class.

    Args:
        argument: the argument.
        kind: the class or classes the call takes.
        call: its name.
        wanted: the class in words, with an example.

    Raises:
        PlanTypeError: the argument is of another class.
    """
    if not isinstance(argument, kind):
        raise PlanTypeError(f"{call} takes {wanted}, not {argument!r}")


def require_positive(argument: object, name: str) -> None:
    """Check that an argument is a positive int.

    Raises:
        ConfigurationError: the argument is not a positive int.
    """
    if type(argument) is not int or argument <= 0:
        raise ConfigurationError(f"{name} must be a positive int, not {argument!r}")


def require_count(argument: object, name: str) -> None:
    """Check that an argument is an int of 0 or more.

    Raises:
        ConfigurationError: the argument is not an int, or negative.
    """
    if type(argument) is not int or argument < 0:
        raise ConfigurationError(f"{name} must be an int of 0 or more, not {argument!r}")


def require_function(func: object, operator: str, base: type[Any]) -> None:
    """Check that an argument is a function or an instance of a function class."""
    if not callable(func) and not isinstance(func, base):
        hint = f", not the class itself: write {func.__name__}()" if isinstance(func, type) else ""
        raise PlanTypeError(f"{operator} takes a function or a {base.__name__}{hint}, not {func!r}")
    if isinstance(func, type) and issubclass(func, base):
        raise PlanTypeError(
            f"{operator} takes an instance of {func.__name__}, not the class: write {func.__name__}()"
        )


def check_parallelism(value: int, what: str = "parallelism") -> int:
    """Return a parallelism, checked to be in range.

    Raises:
        ConfigurationError: it is not an int from 1 to 32767.
    """
    if type(value) is not int or not 1 <= value <= _MAX_PARALLELISM:
        raise ConfigurationError(f"{what} must be an int from 1 to {_MAX_PARALLELISM}, not {value!r}")
    return value


def check_buffer_timeout(millis: int) -> int:
    """Return a buffer timeout in ms, checked to be in range.

    Raises:
        ConfigurationError: it is not an int of -1 or more.
    """
    if type(millis) is not int or millis < -1:
        raise ConfigurationError(f"a buffer timeout must be an int of -1 or more, not {millis!r}")
    return millis
