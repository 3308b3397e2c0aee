"""Infer the type of a function's results from its code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from pystream.inference.calls import Calls
from pystream.inference.values import (
    NEVER,
    NONE,
    Instance,
    Static,
    TupleOf,
    Unknown,
    Value,
    element_of,
    is_tagged,
    joined_all,
    present,
    type_of_value,
)
from typeinfo.info import TypeInformation

__all__ = ["CONTEXT", "WINDOW", "common_type", "result_of_call"]


class _Window:
    """A window, as functions see it."""

    start: int
    end: int
    id: int

    def max_timestamp(self) -> int:
        return 0


class _Context:
    """The context of a function: what all contexts have whose results have a type."""

    def timestamp(self) -> int:
        return 0

    def current_processing_time(self) -> int:
        return 0

    def current_watermark(self) -> int:
        return 0

    def timer_service(self) -> _Context:
        return self

    def window(self) -> _Window:
        return _Window()


WINDOW: Final = Instance(_Window)
"""The window that operators give to functions."""

CONTEXT: Final = Instance(_Context)
"""The context that operators give to functions."""


def result_of_call(
    function: Any, arguments: Sequence[Value], *, many: bool = False, skips_none: bool = False
) -> Value:
    """Return the result of a function, with its type or the reason why that is not known.

    The function is followed, and never called. Its result need not have the type: it may be of a subclass,
    an integer beyond 64 bits, or ``None`` where a function does not say that it may return it.

    Args:
        function: a function, lambda, class, or method of an object.
        arguments: its arguments, as far as they are known.
        many: whether it returns, or generates, any number of results; then it is any of them.
        skips_none: whether a result of ``None`` counts for none.
    """
    try:
        found = Calls().call(Static(function), list(arguments), {})
    except RecursionError:
        return Unknown("is nested too deeply")
    if many:
        found = NEVER if found == NONE else _without_tagged(present(found))
    if skips_none:
        return NEVER if found == NONE else present(found)
    return found


def _without_tagged(returned: Value) -> Value:
    """Return any of the results of a function, without those for side outputs."""
    match returned:
        case TupleOf(parts=parts):
            return joined_all(part for part in parts if not is_tagged(part))
    return element_of(returned)


def common_type(results: Iterable[Value]) -> TypeInformation[Any] | Unknown:
    """Return the common type of the results of several calls, or the reason why there is none."""
    return type_of_value(joined_all(results))
