"""AsyncDataStream: asynchronous calls for the elements of a stream."""

from __future__ import annotations

import inspect
from typing import Any

from typing_extensions import TypeVar

from pystream.arguments.batches import refuse_batches
from pystream.arguments.checks import require
from pystream.arguments.element_types import element_type
from pystream.datastream.functions import AsyncFunction, AsyncRetryPredicate, AsyncRetryStrategy
from pystream.datastream.functions.asynchronous import NO_RETRY_STRATEGY
from pystream.datastream.streams.data_stream import DataStream
from pystream.durations import Time
from pystream.engine.operators.async_wait.operator import ASYNC_WAIT
from pystream.engine.operators.async_wait.plan import AsyncPlan
from pystream.errors import ArgumentTypeError, PlanError, PlanTypeError
from pystream.plan.function import UserFunction, describe_function
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr
from typeinfo.info import TypeInformation

__all__ = ["AsyncDataStream", "async_plan"]

T = TypeVar("T")
U = TypeVar("U", default=Any)
# The type of results after encoding by output_type.
OUT = TypeVar("OUT", default=U)


@checks_arguments(ArgumentTypeError)
class AsyncDataStream:
    """Apply asynchronous functions to many elements concurrently.

    Watermarks do not overtake elements, and the stream ends after all results. A stream's keys
    do not matter: functions have no state. Mirrors
    ``org.apache.flink.streaming.api.datastream.AsyncDataStream``.
    """

    @staticmethod
    def unordered_wait(
        data_stream: DataStream[T],
        async_function: AsyncFunction[T, U],
        timeout: Time,
        capacity: int = 100,
        output_type: TypeInformation[OUT, U] | None = None,
    ) -> DataStream[OUT]:
        """Apply an asynchronous function and emit results as they complete, but never ahead of a watermark.

        Args:
            data_stream: the elements.
            async_function: the function.
            timeout: how long an element may take; 0 for any time.
            capacity: how many elements of a subtask may be in flight; at the limit, it reads no
                more.
            output_type: type of one result; else the annotation of ``async_invoke``, else pickled.

        Raises:
            PlanTypeError: ``async_function`` is not an AsyncFunction, or ``async_invoke`` is not ``async``.
            PlanError: ``capacity`` is not above 0, or ``output_type`` contradicts the annotation.
            FunctionPicklingError: the function cannot be sent to workers.

        Mirrors ``AsyncDataStream.unorderedWait``.
        """
        return _wait(data_stream, async_function, timeout, NO_RETRY_STRATEGY, capacity, output_type, False)

    @staticmethod
    def unordered_wait_with_retry(
        data_stream: DataStream[T],
        async_function: AsyncFunction[T, U],
        timeout: Time,
        async_retry_strategy: AsyncRetryStrategy[U],
        capacity: int = 100,
        output_type: TypeInformation[OUT, U] | None = None,
    ) -> DataStream[OUT]:
        """Apply a function as ``unordered_wait`` does, and retry calls as a strategy says.

        Args:
            data_stream: the elements.
            async_function: the function.
            timeout: how long an element may take, with all its attempts; above 0.
            async_retry_strategy: when a call is retried.
            capacity: how many elements of a subtask may be in flight.
            output_type: type of one result; else the annotation of ``async_invoke``, else pickled.

        Mirrors ``AsyncDataStream.unorderedWaitWithRetry``.
        """
        return _wait(data_stream, async_function, timeout, async_retry_strategy, capacity, output_type, False)

    @staticmethod
    def ordered_wait(
        data_stream: DataStream[T],
        async_function: AsyncFunction[T, U],
        timeout: Time,
        capacity: int = 100,
        output_type: TypeInformation[OUT, U] | None = None,
    ) -> DataStream[OUT]:
        """Apply a function as ``unordered_wait`` does, but emit results in the order of their elements.

        Mirrors ``AsyncDataStream.orderedWait``.

        Examples:
            >>> import asyncio
            >>> from pystream.common import Time
            >>> from pystream.datastream import AsyncDataStream, AsyncFunction
            >>> class Slow(AsyncFunction):
            ...     async def async_invoke(self, value):
            ...         await asyncio.sleep(0.01 / value)
            ...         return [value * 10]
            >>> numbers = env.from_collection([1, 2, 3])
            >>> AsyncDataStream.ordered_wait(numbers, Slow(), Time.seconds(5)).take(3)
            [10, 20, 30]
        """
        return _wait(data_stream, async_function, timeout, NO_RETRY_STRATEGY, capacity, output_type, True)

    @staticmethod
    def ordered_wait_with_retry(
        data_stream: DataStream[T],
        async_function: AsyncFunction[T, U],
        timeout: Time,
        async_retry_strategy: AsyncRetryStrategy[U],
        capacity: int = 100,
        output_type: TypeInformation[OUT, U] | None = None,
    ) -> DataStream[OUT]:
        """Apply a function as ``unordered_wait_with_retry`` does, but emit results in order.

        Mirrors ``AsyncDataStream.orderedWaitWithRetry``.
        """
        return _wait(data_stream, async_function, timeout, async_retry_strategy, capacity, output_type, True)


def _wait(
    stream: DataStream[Any],
    function: AsyncFunction[Any, Any],
    timeout: Time,
    strategy: AsyncRetryStrategy[Any],
    capacity: int,
    output_type: TypeInformation[Any] | None,
    ordered: bool,
) -> DataStream[Any]:
    require(stream, DataStream, "AsyncDataStream", "a stream")
    plan = async_plan(function, timeout, strategy, capacity, ordered, stream._type)
    return stream._environment._operator(
        ASYNC_WAIT,
        (stream._node_id,),
        UserFunction.of(plan, "AsyncDataStream", is_object=True, described=function),
        element_type(function, "async_invoke", AsyncFunction, output_type, many=True),
    )


def async_plan(
    function: AsyncFunction[Any, Any],
    timeout: Time,
    strategy: AsyncRetryStrategy[Any],
    capacity: int,
    ordered: bool,
    element_type: TypeInformation[Any] | None = None,
) -> AsyncPlan:
    """Return the plan of an asynchronous operator.

    Raises:
        PlanTypeError: an argument is of the wrong class, or ``async_invoke`` is not ``async``.
        PlanError: an argument has an invalid value, or the function is annotated with batches.
    """
    require(function, AsyncFunction, "AsyncDataStream", "an AsyncFunction")
    require(timeout, Time, "AsyncDataStream", "a Time as timeout")
    require(strategy, AsyncRetryStrategy, "AsyncDataStream", "an AsyncRetryStrategy")
    refuse_batches("AsyncDataStream", function, AsyncFunction, element_type)
    if not inspect.iscoroutinefunction(function.async_invoke):
        raise PlanTypeError(f"async_invoke of {describe_function(function)} must be declared with async def")
    if type(capacity) is not int or capacity < 1:
        raise PlanError(f"capacity must be an int above 0, not {short_repr(capacity)}")
    if strategy is not NO_RETRY_STRATEGY and timeout.to_milliseconds() <= 0:
        raise PlanError(f"with a retry strategy the timeout must be above 0, not {timeout}")
    require(strategy.get_retry_predicate(), AsyncRetryPredicate, "a retry strategy", "an AsyncRetryPredicate")
    return AsyncPlan(function, timeout.to_milliseconds(), capacity, ordered, strategy)
