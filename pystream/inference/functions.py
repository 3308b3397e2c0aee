"""Infer the type of a function's results from its code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import MethodType
from typing import Any

from pystream.inference.calls import Calls
from pystream.inference.conversions import type_of_value
from pystream.inference.unions import element_of, emitted, joined_all
from pystream.inference.values import (
    NEVER,
    NONE,
    Awaitable,
    Emitted,
    Static,
    Unknown,
    Value,
    present,
)
from typeinfo.info import TypeInformation

__all__ = ["Functions", "common_type"]


class Functions:
    """Follows the functions of one operator, which share the attributes and states of their object."""

    def __init__(self) -> None:
        self._calls = Calls()

    def result(
        self, function: Any, arguments: Sequence[Value], *, many: bool = False, skips_none: bool = False
    ) -> Emitted:
        """Return the result of a function, with its type or the reason why that is not known.

        The function is followed, and never called. Its result need not have the type: it may be of a
        subclass, an integer beyond 64 bits, or ``None`` where a function does not say that it may return it.

        Args:
            function: a function, lambda, class, or method of an object.
            arguments: its arguments, as far as they are known.
            many: whether it returns, or generates, any number of results; then it is any of them.
            skips_none: whether a result of ``None`` counts for none.
        """
        try:
            if isinstance(function, MethodType):
                self._calls.open(function.__self__)
            found = self._calls.call(Static(function), list(arguments), {})
        except RecursionError:
            return Emitted(Unknown("is nested too deeply"), {})
        if isinstance(found, Awaitable):
            found = found.result
        if many:
            found = NEVER if found == NONE else element_of(present(found))
        result = emitted(found)
        return Emitted(_present(result.main), result.sides) if many or skips_none else result

    def settled(self) -> bool:
        """Start over with what is now known of attributes and states; return whether that is as before."""
        return self._calls.settled()


def _present(value: Value) -> Value:
    return NEVER if value == NONE else present(value)


def common_type(results: Iterable[Value]) -> TypeInformation[Any] | Unknown:
    """Return the common type of the results of several calls, or the reason why there is none."""
    return type_of_value(joined_all(results))
