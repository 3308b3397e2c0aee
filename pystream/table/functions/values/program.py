"""Functions of the program on workers: they are loaded and opened, and their results checked."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, tzinfo
from functools import partial
from typing import TYPE_CHECKING, Any

from pystream.engine.async_calls import AsyncCalls, mistyped
from pystream.engine.context import RuntimeContext
from pystream.engine.failure import ElementFailure, OperatorLabel, TaskFailure, short_repr
from pystream.engine.function_context import FunctionContext
from pystream.engine.lifecycle import Lifecycle
from pystream.engine.local_times import InZone, in_zone
from pystream.table.functions.values.calls import Evaluate
from pystream.zones import time_zone
from typeinfo.errors import TypeCheckError

if TYPE_CHECKING:
    from pystream.plan.function import UserFunction
    from pystream.plan.query import QueryFunction
    from typeinfo.info import TypeInformation

__all__ = ["ProgramFunction", "ScalarProgramFunction"]


class ProgramFunction:
    """A function of the program, which is loaded when it is opened.

    Args:
        title: its name in messages.
        function: the function.
        type_info: the type of its results.
        arguments: the types of its arguments, for `localized`.
        is_nullable: whether a result may be null even if ``type_info`` does not admit it.
    """

    def __init__(
        self,
        title: str,
        function: UserFunction,
        type_info: TypeInformation[Any],
        arguments: Sequence[TypeInformation[Any]] = (),
        *,
        is_nullable: bool,
    ) -> None:
        self._payload = function.payload
        self._is_object = function.is_object
        self._type_info = type_info
        self._is_nullable = is_nullable
        self._label = OperatorLabel(title, "", function.description, "", kind="function")
        self._lifecycle: Lifecycle | None = None
        self._is_asynchronous = function.is_asynchronous
        self._times = tuple(map(in_zone, arguments))
        self._zone: tzinfo = UTC
        self._async_calls: AsyncCalls | None = None
        self._loaded: Any = None
        self._codec: Any = None

    def __getstate__(self) -> dict[str, Any]:
        """Return the function as it is before it is opened."""
        return {**self.__dict__, "_lifecycle": None, "_loaded": None, "_codec": None, "_async_calls": None}

    def open(self, context: RuntimeContext | FunctionContext) -> None:
        """Load and open the function.

        Raises:
            TaskFailure: its ``open`` raised.
        """
        from typeinfo.serde.registry import codec_for  # which needs PyArrow

        self._loaded = pickle.loads(self._payload)
        self._codec = codec_for(self._type_info, nullable=self._is_nullable)
        self._lifecycle = Lifecycle(self._label, [self._loaded] if self._is_object else [])
        if isinstance(context, RuntimeContext):
            subtask = context._subtask
            metrics = context.get_metrics_group().add_group(self._label.name)
            context = FunctionContext(
                subtask.job, self._label.name, subtask.index, subtask.attempt_number, metrics, subtask
            )
        self._lifecycle.open(context)
        execution = context._job.execution
        self._zone = time_zone(execution.time_zone)
        if self._is_asynchronous:
            self._async_calls = AsyncCalls(execution.async_calls)

    def close(self) -> None:
        """Close the function, if it was opened.

        Raises:
            TaskFailure: its ``close`` raised.
        """
        if self._async_calls is not None:
            self._async_calls.close()
            self._async_calls = None
        if self._lifecycle is not None:
            self._lifecycle.close()

    @property
    def zone(self) -> tzinfo:
        """The time zone of the datetimes that the function gets, once it is open."""
        return self._zone

    def localized(self, values: Sequence[Any]) -> Sequence[Any]:
        """Return arguments with datetimes in place of instants."""
        if not any(self._times):
            return values
        changes = zip(self._times, values, strict=True)
        return [value if change is None else change(self._zone, value) for change, value in changes]

    @property
    def type_info(self) -> TypeInformation[Any]:
        """The type of its results."""
        return self._type_info

    @property
    def loaded(self) -> Any:
        """The function or function object itself, once it is open."""
        return self._loaded

    @property
    def eval(self) -> Callable[..., Any]:
        """The function, or the method of the function object that evaluates it, once it is open."""
        evaluate: Callable[..., Any] = self._loaded.eval if self._is_object else self._loaded
        return evaluate

    def called(self, call: Callable[..., Any], *values: Any) -> Any:
        """Return the result of the function, or of a method of it, for values.

        Raises:
            TaskFailure: it raised.
        """
        try:
            return call(*values)
        except BaseException as error:
            raise TaskFailure.of(self._label, error, _shown(values)) from error

    def conformed(self, results: Iterable[Any], values: Sequence[Any]) -> list[Any]:
        """Return results as values of their type.

        Args:
            results: the results.
            values: the values that they are the results for, for messages.

        Raises:
            TaskFailure: a result is not of the type.
        """
        given = list(results)
        try:
            conformed: list[Any] = self._codec.conform(given)
        except TypeCheckError as error:
            raise self.failure(error, values, given) from error
        return conformed

    def failure(self, error: Exception, values: Sequence[Any], results: Sequence[Any]) -> TaskFailure:
        """Return the failure that results for values are not of their type."""
        result = short_repr(results[0] if len(results) == 1 else results)
        return TaskFailure.of(self._label, mistyped(error, results), _shown(values), result=result)


class ScalarProgramFunction(ProgramFunction):
    """A scalar function of the program.

    Attributes:
        is_deterministic: whether equal arguments always have equal results.

    Args:
        function: the function.
    """

    def __init__(self, function: QueryFunction) -> None:
        super().__init__(
            function.title, function.function, function.type_info, is_nullable=function.is_nullable
        )
        self.is_deterministic: bool = function.is_deterministic

    def argument(self, evaluate: Evaluate, type_info: TypeInformation[Any]) -> Evaluate:
        """Return the values of an argument of a type, with datetimes in place of instants."""
        change = in_zone(type_info)
        return evaluate if change is None else partial(_localized, self, change, evaluate)

    def result(self, arguments: Sequence[Evaluate], row: Sequence[Any]) -> Any:
        """Return the result for a row, as a value of its type.

        Raises:
            TaskFailure: the function raised, or its result is not of its type.
        """
        values = [argument(row) for argument in arguments]
        result = self.called(self.eval, *values)
        (conformed,) = self.conformed([result], values)
        return conformed

    def awaited_results(self, rows: Sequence[Sequence[Any]]) -> list[Any]:
        """Return the results of an asynchronous function, as values of their type.

        Args:
            rows: the arguments of each call.

        Raises:
            TaskFailure: the function raised, or a result is not of its type.
        """
        assert self._async_calls is not None
        try:
            results = self._async_calls.results(self.eval, rows)
        except ElementFailure as failure:
            error = failure.__cause__ or failure
            raise TaskFailure.of(self._label, error, short_repr(failure.element)) from error
        try:
            conformed: list[Any] = self._codec.conform(results)
        except TypeCheckError as error:
            at = error.index or 0
            raise self.failure(error, rows[at], results[at : at + 1]) from error
        return conformed

    def results_of_batch(self, columns: Sequence[Any], count: int) -> list[Any]:
        """Return the results of a function that takes columns, as values of their type.

        Args:
            columns: a Series for each argument.
            count: the number of rows.

        Raises:
            TaskFailure: the function raised, or its results are not of their type.
        """
        from pystream.engine.vectorised.results import column_for_each  # which needs pandas

        try:
            results: list[Any] = self._codec.decode(column_for_each(self.eval(*columns), count, self._codec))
        except BaseException as error:
            at = error.index if isinstance(error, TypeCheckError) else None
            place = f"a batch of {count} rows" if at is None else f"result {at} of a batch of {count} rows"
            raise TaskFailure.of(self._label, error, place) from error
        return results


def _localized(program: ScalarProgramFunction, change: InZone, evaluate: Evaluate, row: Sequence[Any]) -> Any:
    return change(program.zone, evaluate(row))


def _shown(values: Sequence[Any]) -> str:
    return short_repr(values[0] if len(values) == 1 else tuple(values))
