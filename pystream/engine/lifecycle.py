"""Open and close the auxiliary functions of an operator or output."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from pystream.engine.context import RuntimeContext
from pystream.engine.failure import OperatorLabel, TaskFailure

if TYPE_CHECKING:
    from pystream.engine.operators.operator import OperatorEnvironment

__all__ = ["Lifecycle", "call_hook", "close_all"]


def call_hook(label: OperatorLabel, function: Any, method: str, *args: Any) -> None:
    """Call ``open`` or ``close`` of a user's function, if it has that method.

    Raises:
        TaskFailure: it raised.
    """
    hook = getattr(function, method, None)
    if hook is None:
        return
    try:
        hook(*args)
    except BaseException as error:
        raise TaskFailure.of(label, error) from error


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
    """Open and close function objects, with a context without state.

    Args:
        label: the operator, for messages.
        functions: the objects.
    """

    def __init__(self, label: OperatorLabel, functions: Iterable[Any]) -> None:
        self._label = label
        self._functions = list(functions)

    def open(self, environment: OperatorEnvironment) -> None:
        """Open each function; called once, before any function is called."""
        for function in self._functions:
            context = RuntimeContext(environment.subtask, environment.task_name, environment.metrics)
            call_hook(self._label, function, "open", context)

    def close(self) -> None:
        """Close each function; called once, after a failure too."""
        close_all(partial(call_hook, self._label, function, "close") for function in self._functions)
