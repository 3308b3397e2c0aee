"""Open and close the user functions of an operator or output."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from pystream.engine.context import RuntimeContext
from pystream.engine.failure import OperatorLabel, TaskFailure
from pystream.engine.function_context import FunctionContext

__all__ = ["Lifecycle", "close_all"]


def close_all(closers: Iterable[Callable[[], object]]) -> None:
    """Call all of several functions even if some fail, and raise the first failure.

    Raises:
        TaskFailure: one of them raised it.
    """
    failures = []
    for close in closers:
        try:
            close()
        except TaskFailure as failure:
            failures.append(failure)
    if failures:
        raise failures[0]


class Lifecycle:
    """Open and close function objects, by the methods ``open`` and ``close`` that they have.

    Args:
        label: the operator, for messages.
        functions: the objects.
    """

    def __init__(self, label: OperatorLabel, functions: Iterable[Any]) -> None:
        self._label = label
        self._functions = list(functions)

    def open(self, context: RuntimeContext | FunctionContext) -> None:
        """Open each function; called once, before any function is called.

        Raises:
            TaskFailure: a function raised.
        """
        for function in self._functions:
            self._call(function, "open", context)

    def close(self) -> None:
        """Close each function; called once, after a failure too.

        Raises:
            TaskFailure: a function raised; the others are closed all the same.
        """
        close_all(partial(self._call, function, "close") for function in self._functions)

    def _call(self, function: Any, method: str, *args: Any) -> None:
        hook = getattr(function, method, None)
        if hook is None:
            return
        try:
            hook(*args)
        except BaseException as error:
            raise TaskFailure.of(self._label, error) from error
