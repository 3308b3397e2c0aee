"""Calls of functions of the program, a row at a time."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pystream.engine.context import RuntimeContext
from pystream.engine.failure import OperatorLabel, TaskFailure, short_repr
from pystream.engine.function_context import FunctionContext
from pystream.engine.lifecycle import Lifecycle
from pystream.table.functions.values.calls import Evaluate
from typeinfo.errors import TypeCheckError

if TYPE_CHECKING:
    from pystream.plan.query import QueryFunction

__all__ = ["ProgramFunction"]


class ProgramFunction:
    """A function of the program, which is loaded when it is opened.

    Attributes:
        is_deterministic: whether equal arguments always have equal results.

    Args:
        function: the function.
    """

    def __init__(self, function: QueryFunction) -> None:
        self.is_deterministic: bool = function.is_deterministic
        self._payload = function.function.payload
        self._is_object = function.function.is_object
        self._type_info = function.type_info
        self._is_nullable = function.is_nullable
        self._label = OperatorLabel(function.title, "", function.function.description, "", kind="function")
        self._lifecycle: Lifecycle | None = None
        self._call: Any = None
        self._codec: Any = None

    def __getstate__(self) -> dict[str, Any]:
        """Return the function as it is before it is opened."""
        return {**self.__dict__, "_lifecycle": None, "_call": None, "_codec": None}

    def open(self, context: RuntimeContext | FunctionContext) -> None:
        """Load and open the function.

        Raises:
            TaskFailure: its ``open`` raised.
        """
        from typeinfo.serde.registry import codec_for  # which needs PyArrow

        loaded = pickle.loads(self._payload)
        self._call = loaded.eval if self._is_object else loaded
        self._codec = codec_for(self._type_info, nullable=self._is_nullable)
        self._lifecycle = Lifecycle(self._label, [loaded] if self._is_object else [])
        if isinstance(context, RuntimeContext):
            subtask = context._subtask
            metrics = context.get_metrics_group().add_group(self._label.name)
            context = FunctionContext(
                subtask.job, self._label.name, subtask.index, subtask.attempt_number, metrics, subtask
            )
        self._lifecycle.open(context)

    def close(self) -> None:
        """Close the function, if it was opened.

        Raises:
            TaskFailure: its ``close`` raised.
        """
        if self._lifecycle is not None:
            self._lifecycle.close()

    def result(self, arguments: Sequence[Evaluate], row: Sequence[Any]) -> Any:
        """Return the result for a row, as a value of its type.

        Raises:
            TaskFailure: the function raised, or its result is not of its type.
        """
        values = [argument(row) for argument in arguments]
        try:
            result = self._call(*values)
        except BaseException as error:
            raise TaskFailure.of(self._label, error, _shown(values)) from error
        try:
            (conformed,) = self._codec.conform([result])
        except TypeCheckError as error:
            raise TaskFailure.of(self._label, error, _shown(values), result=short_repr(result)) from error
        return conformed


def _shown(values: Sequence[Any]) -> str:
    return short_repr(values[0] if len(values) == 1 else tuple(values))
