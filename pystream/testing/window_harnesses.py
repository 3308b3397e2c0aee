"""WindowTestHarnesses: test harnesses for windows and their functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, overload

from typing_extensions import TypeVar

from pystream.arguments.batches import refuse_batches, refuse_batches_in_windows, window_call
from pystream.datastream.functions import (
    AggregateFunction,
    AllWindowFunction,
    KeySelector,
    ProcessAllWindowFunction,
    ProcessWindowFunction,
    ReduceFunction,
    WindowFunction,
)
from pystream.engine.output_tag import OutputTag
from pystream.engine.windows.assigners import WindowAssigner
from pystream.engine.windows.evictors import Evictor
from pystream.engine.windows.factory import WINDOW
from pystream.engine.windows.plan import WindowCall, WindowPlan
from pystream.engine.windows.triggers import Trigger
from pystream.testing.harness import OperatorHarness
from pystream.testing.specs import key_spec, operator_spec, result_of, vector_function
from typeinfo.basic import BYTE
from typeinfo.info import TypeInformation
from typeinfo.pickled import PICKLED_BYTE_ARRAY

__all__ = ["WindowTestHarnesses"]

ACC = TypeVar("ACC")
R = TypeVar("R")
T = TypeVar("T")
U = TypeVar("U")
K = TypeVar("K")
# The element type is open if neither an annotated selector nor a type determines it.
# Bound to Any: otherwise pyright treats elements of unknown type as object, which a lambda cannot use.
E = TypeVar("E", bound=Any, default=Any)

AnyWindowFunction = (
    WindowFunction[T, U, Any, Any]
    | ProcessWindowFunction[T, U, Any, Any]
    | AllWindowFunction[T, U, Any]
    | ProcessAllWindowFunction[T, U, Any]
)


class WindowTestHarnesses(Generic[E]):
    """Create test harnesses for windows of one kind, as ``WindowedStream`` creates operators.

    Args:
        assigner: assigns elements to windows.
        key_selector: returns the key of an element; ``None`` for ``window_all``.
        trigger: decides when a window fires; the assigner's default unless given.
        evictor: removes elements before or after the function.
        allowed_lateness: how long after its end an event-time window accepts elements, in ms.
        late_tag: the side output of late elements; without one they are dropped and counted.
        element_type: type of the elements, pickled by default.
        key_type: type of the keys; else the selector's annotation.

    Examples:
        >>> from pystream.common import Time
        >>> from pystream.datastream.window import TumblingEventTimeWindows
        >>> from pystream.testing import WindowTestHarnesses
        >>> seconds = WindowTestHarnesses(TumblingEventTimeWindows.of(Time.seconds(1)), lambda n: "all")
        >>> with seconds.reduce(lambda a, b: a + b) as harness:
        ...     harness.process_element(1, 100)
        ...     harness.process_element(2, 900)
        ...     harness.process_watermark(999)
        ...     harness.extract_output_values()
        [3]
    """

    def __init__(
        self,
        assigner: WindowAssigner[Any, Any],
        key_selector: Callable[[E], K] | KeySelector[E, K] | None = None,
        *,
        trigger: Trigger[Any, Any] | None = None,
        evictor: Evictor[Any, Any] | None = None,
        allowed_lateness: int = 0,
        late_tag: OutputTag[E] | None = None,
        element_type: TypeInformation[E] | None = None,
        key_type: TypeInformation[K] | None = None,
    ) -> None:
        self._all = key_selector is None
        self._given_type = element_type
        self._element_type = element_type or PICKLED_BYTE_ARRAY
        self._key = (
            key_spec(_no_key, BYTE)
            if key_selector is None
            else key_spec(key_selector, key_type, self._element_type)
        )
        self._settings: dict[str, Any] = {
            "assigner": assigner,
            "trigger": assigner.get_default_trigger(None) if trigger is None else trigger,
            "evictor": evictor,
            "allowed_lateness": allowed_lateness,
            "late_tag": late_tag,
        }
        for part in self._settings.values():
            refuse_batches_in_windows(part, element_type)

    @overload
    def reduce(self, reduce_function: Callable[[E, E], E] | ReduceFunction[E]) -> OperatorHarness[E, E]: ...

    @overload
    def reduce(
        self,
        reduce_function: Callable[[E, E], E] | ReduceFunction[E],
        window_function: AnyWindowFunction[E, U],
        output_type: TypeInformation[U] | None = None,
    ) -> OperatorHarness[U, E]: ...

    def reduce(
        self,
        reduce_function: Callable[[E, E], E] | ReduceFunction[E],
        window_function: AnyWindowFunction[E, Any] | None = None,
        output_type: TypeInformation[Any] | None = None,
    ) -> OperatorHarness[Any]:
        """Return a test harness that reduces the elements of each window.

        Args:
            reduce_function: combines the result so far with a new element.
            window_function: called with only the reduced value; by default, that value is the result.
            output_type: type of one result of the window function.
        """
        refuse_batches("a harness", reduce_function, ReduceFunction, self._given_type)
        if window_function is None:
            return self._harness(self._element_type, reduce=reduce_function)
        return self._called(window_function, output_type, reduce=reduce_function)

    @overload
    def aggregate(
        self,
        aggregate_function: AggregateFunction[E, ACC, R],
        *,
        accumulator_type: TypeInformation[ACC] | None = None,
        output_type: TypeInformation[R] | None = None,
    ) -> OperatorHarness[R, E]: ...

    @overload
    def aggregate(
        self,
        aggregate_function: AggregateFunction[E, ACC, R],
        window_function: AnyWindowFunction[R, U],
        *,
        accumulator_type: TypeInformation[ACC] | None = None,
        output_type: TypeInformation[U] | None = None,
    ) -> OperatorHarness[U, E]: ...

    def aggregate(
        self,
        aggregate_function: AggregateFunction[E, ACC, R],
        window_function: AnyWindowFunction[R, Any] | None = None,
        *,
        accumulator_type: TypeInformation[ACC] | None = None,
        output_type: TypeInformation[Any] | None = None,
    ) -> OperatorHarness[Any]:
        """Return a test harness that aggregates the elements of each window.

        Args:
            aggregate_function: the aggregate.
            window_function: called with only the aggregate; by default, the aggregate is the result.
            accumulator_type: type of the accumulators, pickled by default.
            output_type: type of one result.
        """
        refuse_batches("a harness", aggregate_function, AggregateFunction, self._given_type)
        fold = {"aggregate": aggregate_function, "accumulator_type": accumulator_type or PICKLED_BYTE_ARRAY}
        if window_function is not None:
            return self._called(window_function, output_type, **fold)
        result = result_of(aggregate_function, "get_result", AggregateFunction, output_type, many=False)
        return self._harness(result, **fold)

    def apply(
        self,
        window_function: WindowFunction[E, U, Any, Any] | AllWindowFunction[E, U, Any],
        output_type: TypeInformation[U] | None = None,
    ) -> OperatorHarness[U, E]:
        """Return a test harness that applies a function to all elements of each window."""
        return self._called(window_function, output_type)

    def process(
        self,
        process_window_function: ProcessWindowFunction[E, U, Any, Any] | ProcessAllWindowFunction[E, U, Any],
        output_type: TypeInformation[U] | None = None,
    ) -> OperatorHarness[U, E]:
        """Return a test harness that applies a function with times and state to each window's elements."""
        return self._called(process_window_function, output_type)

    def _called(
        self, function: Any, output_type: TypeInformation[Any] | None, **fold: Any
    ) -> OperatorHarness[Any]:
        applied = AllWindowFunction if self._all else WindowFunction
        processed = ProcessAllWindowFunction if self._all else ProcessWindowFunction
        for base, call in ((applied, WindowCall.APPLY), (processed, WindowCall.PROCESS)):
            if isinstance(function, base):
                result = result_of(function, call.value, base, output_type, many=True)
                vector = vector_function(function, call.value, base, self._given_type)
                called = window_call(function, vector, call.value, folds=bool(fold))
                return self._harness(result, call=call, function=called, **fold)
        keyed = "without a key_selector" if self._all else "with a key_selector"
        raise TypeError(
            f"{keyed}, windows take a {applied.__name__} or {processed.__name__}, not {function!r}"
        )

    def _harness(self, result: TypeInformation[Any], **parts: Any) -> OperatorHarness[Any]:
        plan = WindowPlan(**self._settings, element_type=self._element_type, all_windows=self._all, **parts)
        name = type(self._settings["assigner"]).__name__
        spec = operator_spec(WINDOW, plan, result, (self._key,), name=name)
        return OperatorHarness(spec, self._given_type)


def _no_key(value: Any) -> int:
    return 0
