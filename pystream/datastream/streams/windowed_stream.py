"""Windowed streams: elements grouped into windows, and operators on windows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, overload

from typing_extensions import TypeVar

from pystream.arguments.attribute_hints import hints_at_equivalents
from pystream.arguments.batches import refuse_batches, refuse_batches_in_windows, vector_function, window_call
from pystream.arguments.checks import require, require_int, require_parameters
from pystream.arguments.element_types import element_type
from pystream.datastream.functions import (
    AggregateFunction,
    AllWindowFunction,
    ProcessAllWindowFunction,
    ProcessWindowFunction,
    ReduceFunction,
    WindowFunction,
)
from pystream.datastream.streams.keyed_stream import KeyedStream
from pystream.engine.output_tag import OutputTag
from pystream.engine.windows.assigners import MergingWindowAssigner, WindowAssigner
from pystream.engine.windows.evictors import Evictor
from pystream.engine.windows.factory import WINDOW
from pystream.engine.windows.plan import WindowCall, WindowPlan
from pystream.engine.windows.triggers import Trigger
from pystream.errors import ArgumentTypeError, PlanTypeError
from pystream.plan.function import UserFunction, call_site
from pystream.plan.nodes import TYPE_OF_INPUT, NodeSettings
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr
from typeinfo.info import TypeInformation
from typeinfo.pickled import PICKLED_BYTE_ARRAY

if TYPE_CHECKING:
    from pystream.datastream.stream_execution_environment import StreamExecutionEnvironment
    from pystream.datastream.streams.data_stream import DataStream

__all__ = ["AllWindowedStream", "WindowedStream"]

T = TypeVar("T")
U = TypeVar("U", default=Any)
# The type of results after encoding by output_type.
OUT = TypeVar("OUT", default=U)
ACC = TypeVar("ACC")
R = TypeVar("R")
# The type of aggregates after encoding by output_type.
R_OUT = TypeVar("R_OUT", default=R)
K = TypeVar("K")
W = TypeVar("W")


@hints_at_equivalents
@checks_arguments(ArgumentTypeError)
class _WindowOperations(Generic[T, K, W]):
    """Base class of windowed streams; each setting changes this object."""

    ALL: ClassVar[bool]
    APPLY: ClassVar[type[Any]]
    PROCESS: ClassVar[type[Any]]

    def __init__(self, stream: KeyedStream[T, K], window_assigner: WindowAssigner[T, W]) -> None:
        require(
            window_assigner, WindowAssigner, "window", "a WindowAssigner such as TumblingEventTimeWindows"
        )
        self._stream = stream
        self._assigner = window_assigner
        self._trigger: Trigger[T, W] = window_assigner.get_default_trigger(stream._environment)
        for part in (window_assigner, self._trigger):
            refuse_batches_in_windows(part, stream._type)
        self._evictor: Evictor[T, W] | None = None
        self._allowed_lateness = 0
        self._late_tag: OutputTag[T] | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._stream!r}, {self._assigner!r})"

    def get_execution_environment(self) -> StreamExecutionEnvironment:
        """Return the environment that the stream belongs to."""
        return self._stream._environment

    def get_input_type(self) -> TypeInformation[T]:
        """Return the type of the elements."""
        return self._stream.get_type()

    def trigger(self, trigger: Trigger[T, W]) -> Self:
        """Set the trigger that decides when a window fires, in place of the assigner's default trigger.

        Raises:
            PlanTypeError: the windows merge, but the trigger cannot merge.
        """
        if isinstance(self._assigner, MergingWindowAssigner) and not trigger.can_merge():
            raise PlanTypeError(
                f"windows of {self._assigner!r} merge, and {short_repr(trigger)} does not support merging"
            )
        refuse_batches_in_windows(trigger, self._stream._type)
        self._trigger = trigger
        return self

    def evictor(self, evictor: Evictor[T, W]) -> Self:
        """Set an evictor, which removes elements before or after the function runs; all elements are kept.

        PyFlink has no evictors; Flink's method is ``WindowedStream.evictor``.
        """
        refuse_batches_in_windows(evictor, self._stream._type)
        self._evictor = evictor
        return self

    def allowed_lateness(self, time_ms: int) -> Self:
        """Set the allowed lateness of event-time windows in ms; they fire again for each late element.

        Raises:
            ConfigurationError: it is negative.
        """
        self._allowed_lateness = require_int(time_ms, "allowed_lateness", 0)
        return self

    def side_output_late_data(self, output_tag: OutputTag[T]) -> Self:
        """Send late elements to a side output instead of dropping them."""
        self._late_tag = output_tag
        return self

    def _reduced(
        self, reduce_function: Any, window_function: Any, output_type: TypeInformation[Any] | None
    ) -> DataStream[Any]:
        require_parameters(reduce_function, "reduce", ReduceFunction, "reduce")
        refuse_batches("reduce", reduce_function, ReduceFunction, self._stream._type)
        if window_function is None:
            plan = self._plan(reduce=reduce_function)
            return self._result(plan, (self._stream._type, TYPE_OF_INPUT), reduce_function)
        return self._called(window_function, output_type, reduce=reduce_function)

    def _aggregated(
        self,
        aggregate_function: Any,
        window_function: Any,
        accumulator_type: TypeInformation[Any] | None,
        output_type: TypeInformation[Any] | None,
    ) -> DataStream[Any]:
        require(aggregate_function, AggregateFunction, "aggregate", "an AggregateFunction")
        refuse_batches("aggregate", aggregate_function, AggregateFunction, self._stream._type)
        fold = {"aggregate": aggregate_function, "accumulator_type": accumulator_type or PICKLED_BYTE_ARRAY}
        if window_function is not None:
            return self._called(window_function, output_type, **fold)
        result = element_type(aggregate_function, "get_result", AggregateFunction, output_type, many=False)
        return self._result(self._plan(**fold), result, aggregate_function)

    def _applied(self, window_function: Any, output_type: TypeInformation[Any] | None) -> DataStream[Any]:
        require(window_function, self.APPLY, "apply", f"a {self.APPLY.__name__}")
        return self._called(window_function, output_type)

    def _processed(
        self, process_window_function: Any, output_type: TypeInformation[Any] | None
    ) -> DataStream[Any]:
        require(process_window_function, self.PROCESS, "process", f"a {self.PROCESS.__name__}")
        return self._called(process_window_function, output_type)

    def _called(
        self, function: Any, output_type: TypeInformation[Any] | None, **fold: Any
    ) -> DataStream[Any]:
        if isinstance(function, self.APPLY):
            call, base = WindowCall.APPLY, self.APPLY
        elif isinstance(function, self.PROCESS):
            call, base = WindowCall.PROCESS, self.PROCESS
        else:
            raise PlanTypeError(
                f"window_function should be a {self.APPLY.__name__} or {self.PROCESS.__name__}, not "
                f"{short_repr(function)}"
            )
        result = element_type(function, call.value, base, output_type, many=True)
        vector = vector_function(self._stream._type, function, call.value, base, call.value)
        called = window_call(function, vector, call.value, folds=bool(fold))
        return self._result(self._plan(call=call, function=called, **fold), result, function)

    def _plan(self, **parts: Any) -> WindowPlan:
        return WindowPlan(
            assigner=self._assigner,
            trigger=self._trigger,
            element_type=self._stream._type,
            evictor=self._evictor,
            allowed_lateness=self._allowed_lateness,
            late_tag=self._late_tag,
            all_windows=self.ALL,
            **parts,
        )

    def _result(
        self, plan: WindowPlan, result: tuple[TypeInformation[Any], str], function: Any
    ) -> DataStream[Any]:
        """Return the stream of the results of a window operator.

        Args:
            plan: what the operator does.
            result: the type of its results, and the origin of that type.
            function: the user's function, for the description of the operator.
        """
        settings = NodeSettings(type(self._assigner).__name__, call_site=call_site())
        if self.ALL:
            settings = replace(settings, parallelism=1, max_parallelism=1, non_parallel=True)
        return self._stream._environment._operator(
            WINDOW,
            (self._stream._node_id,),
            UserFunction.of(plan, "window", is_object=True, described=function),
            result,
            settings=settings,
            keys=(self._stream._key,),
        )


@checks_arguments(ArgumentTypeError)
class WindowedStream(_WindowOperations[T, K, W]):
    """The windows of a keyed stream; each window belongs to one key.

    Mirrors ``org.apache.flink.streaming.api.datastream.WindowedStream``.
    """

    ALL: ClassVar[bool] = False
    APPLY = WindowFunction
    PROCESS = ProcessWindowFunction

    @overload
    def reduce(self, reduce_function: Callable[[T, T], T] | ReduceFunction[T]) -> DataStream[T]: ...

    @overload
    def reduce(
        self,
        reduce_function: Callable[[T, T], T] | ReduceFunction[T],
        window_function: WindowFunction[T, U, K, W] | ProcessWindowFunction[T, U, K, W],
        output_type: TypeInformation[OUT, U] | None = None,
    ) -> DataStream[OUT]: ...

    def reduce(
        self,
        reduce_function: Callable[[T, T], T] | ReduceFunction[T],
        window_function: WindowFunction[T, Any, K, W] | ProcessWindowFunction[T, Any, K, W] | None = None,
        output_type: TypeInformation[Any] | None = None,
    ) -> DataStream[Any]:
        """Reduce the elements of each window incrementally.

        Args:
            reduce_function: combines the result so far with a new element.
            window_function: called with only the reduced value when a window fires; by default, that value
                is the result.
            output_type: type of one result of the window function.

        Mirrors ``WindowedStream.reduce``.
        """
        return self._reduced(reduce_function, window_function, output_type)

    @overload
    def aggregate(
        self,
        aggregate_function: AggregateFunction[T, ACC, R],
        *,
        accumulator_type: TypeInformation[ACC] | None = None,
        output_type: TypeInformation[R_OUT, R] | None = None,
    ) -> DataStream[R_OUT]: ...

    @overload
    def aggregate(
        self,
        aggregate_function: AggregateFunction[T, ACC, R],
        window_function: WindowFunction[R, U, K, W] | ProcessWindowFunction[R, U, K, W],
        accumulator_type: TypeInformation[ACC] | None = None,
        output_type: TypeInformation[OUT, U] | None = None,
    ) -> DataStream[OUT]: ...

    def aggregate(
        self,
        aggregate_function: AggregateFunction[T, ACC, R],
        window_function: WindowFunction[R, Any, K, W] | ProcessWindowFunction[R, Any, K, W] | None = None,
        accumulator_type: TypeInformation[ACC] | None = None,
        output_type: TypeInformation[Any] | None = None,
    ) -> DataStream[Any]:
        """Aggregate the elements of each window incrementally, in an accumulator.

        Args:
            aggregate_function: the aggregate.
            window_function: called with only the aggregate when a window fires; by default, the aggregate is
                the result.
            accumulator_type: type of the accumulators, pickled by default.
            output_type: type of one result.

        Mirrors ``WindowedStream.aggregate``.

        Examples:
            >>> from pystream.datastream import AggregateFunction
            >>> class Mean(AggregateFunction):
            ...     def create_accumulator(self):
            ...         return 0, 0
            ...     def add(self, value, accumulator):
            ...         return accumulator[0] + value, accumulator[1] + 1
            ...     def get_result(self, accumulator):
            ...         return accumulator[0] / accumulator[1]
            ...     def merge(self, a, b):
            ...         return a[0] + b[0], a[1] + b[1]
            >>> numbers = env.from_collection([1, 2, 3, 5]).key_by(lambda n: "all")
            >>> numbers.count_window(2).aggregate(Mean()).take(2)
            [1.5, 4.0]
        """
        return self._aggregated(aggregate_function, window_function, accumulator_type, output_type)

    def apply(
        self,
        window_function: WindowFunction[T, U, K, W],
        output_type: TypeInformation[OUT, U] | None = None,
    ) -> DataStream[OUT]:
        """Apply a function to all elements of each window.

        Args:
            window_function: a WindowFunction.
            output_type: type of one result.

        Mirrors ``WindowedStream.apply``.

        Examples:
            >>> from pystream.datastream import WindowFunction
            >>> class Listed(WindowFunction):
            ...     def apply(self, key, window, inputs):
            ...         yield key, list(inputs)
            >>> numbers = env.from_collection([1, 2, 3, 4]).key_by(lambda n: n % 2)
            >>> numbers.count_window(2).apply(Listed()).take(2)
            [(1, [1, 3]), (0, [2, 4])]
        """
        return self._applied(window_function, output_type)

    def process(
        self,
        process_window_function: ProcessWindowFunction[T, U, K, W],
        output_type: TypeInformation[OUT, U] | None = None,
    ) -> DataStream[OUT]:
        """Apply a function to all elements of each window, with access to times and state.

        Args:
            process_window_function: a ProcessWindowFunction.
            output_type: type of one result.

        Mirrors ``WindowedStream.process``.

        Examples:
            >>> from pystream.datastream import ProcessWindowFunction
            >>> class Spread(ProcessWindowFunction):
            ...     def process(self, key, context, elements):
            ...         yield key, max(elements) - min(elements)
            >>> numbers = env.from_collection([1, 4, 9, 16]).key_by(lambda n: "all")
            >>> numbers.count_window(2).process(Spread()).take(2)
            [('all', 3), ('all', 7)]
        """
        return self._processed(process_window_function, output_type)


@checks_arguments(ArgumentTypeError)
class AllWindowedStream(_WindowOperations[T, Any, W], Generic[T, W]):
    """The windows of a stream without keys, processed in a single subtask.

    Mirrors ``org.apache.flink.streaming.api.datastream.AllWindowedStream``.
    """

    ALL: ClassVar[bool] = True
    APPLY = AllWindowFunction
    PROCESS = ProcessAllWindowFunction

    @overload
    def reduce(self, reduce_function: Callable[[T, T], T] | ReduceFunction[T]) -> DataStream[T]: ...

    @overload
    def reduce(
        self,
        reduce_function: Callable[[T, T], T] | ReduceFunction[T],
        window_function: AllWindowFunction[T, U, W] | ProcessAllWindowFunction[T, U, W],
        output_type: TypeInformation[OUT, U] | None = None,
    ) -> DataStream[OUT]: ...

    def reduce(
        self,
        reduce_function: Callable[[T, T], T] | ReduceFunction[T],
        window_function: AllWindowFunction[T, Any, W] | ProcessAllWindowFunction[T, Any, W] | None = None,
        output_type: TypeInformation[Any] | None = None,
    ) -> DataStream[Any]:
        """Reduce the elements of each window as ``WindowedStream.reduce`` does."""
        return self._reduced(reduce_function, window_function, output_type)

    @overload
    def aggregate(
        self,
        aggregate_function: AggregateFunction[T, ACC, R],
        *,
        accumulator_type: TypeInformation[ACC] | None = None,
        output_type: TypeInformation[R_OUT, R] | None = None,
    ) -> DataStream[R_OUT]: ...

    @overload
    def aggregate(
        self,
        aggregate_function: AggregateFunction[T, ACC, R],
        window_function: AllWindowFunction[R, U, W] | ProcessAllWindowFunction[R, U, W],
        accumulator_type: TypeInformation[ACC] | None = None,
        output_type: TypeInformation[OUT, U] | None = None,
    ) -> DataStream[OUT]: ...

    def aggregate(
        self,
        aggregate_function: AggregateFunction[T, ACC, R],
        window_function: AllWindowFunction[R, Any, W] | ProcessAllWindowFunction[R, Any, W] | None = None,
        accumulator_type: TypeInformation[ACC] | None = None,
        output_type: TypeInformation[Any] | None = None,
    ) -> DataStream[Any]:
        """Aggregate the elements of each window as ``WindowedStream.aggregate`` does."""
        return self._aggregated(aggregate_function, window_function, accumulator_type, output_type)

    def apply(
        self,
        window_function: AllWindowFunction[T, U, W],
        output_type: TypeInformation[OUT, U] | None = None,
    ) -> DataStream[OUT]:
        """Apply a function to all elements of each window.

        Args:
            window_function: an AllWindowFunction.
            output_type: type of one result.

        Mirrors ``AllWindowedStream.apply``.
        """
        return self._applied(window_function, output_type)

    def process(
        self,
        process_window_function: ProcessAllWindowFunction[T, U, W],
        output_type: TypeInformation[OUT, U] | None = None,
    ) -> DataStream[OUT]:
        """Apply a function to all elements of each window, with access to state.

        Args:
            process_window_function: a ProcessAllWindowFunction.
            output_type: type of one result.

        Mirrors ``AllWindowedStream.process``.
        """
        return self._processed(process_window_function, output_type)
