"""JoinTestHarnesses and WindowJoinTestHarnesses: test harnesses for functions that join two streams."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable
from typing import Any, Generic

from typing_extensions import TypeVar

from pystream.arguments.batches import refuse_batches, refuse_batches_in_windows
from pystream.arguments.checks import require, require_function
from pystream.datastream.functions import (
    CoGroupFunction,
    FlatJoinFunction,
    JoinFunction,
    KeySelector,
    ProcessJoinFunction,
)
from pystream.engine.events import NO_TIMESTAMP
from pystream.engine.operators.interval_join import INTERVAL_JOIN, IntervalJoinPlan
from pystream.engine.output_tag import OutputTag
from pystream.engine.spec import OperatorSpec
from pystream.engine.windows.arguments import LengthOfTime, to_milliseconds
from pystream.engine.windows.assigners import WindowAssigner
from pystream.engine.windows.evictors import Evictor
from pystream.engine.windows.factory import WINDOW
from pystream.engine.windows.joined_streams import (
    CoGroupedWindow,
    FlatJoinedWindow,
    JoinedWindow,
    TaggedKey,
    first,
    second,
)
from pystream.engine.windows.plan import WindowCall, WindowPlan
from pystream.engine.windows.triggers import Trigger
from pystream.errors import PlanError
from pystream.testing.harness import OperatorHarness
from pystream.testing.specs import key_spec, keys_of, operator_spec, result_of
from typeinfo.info import TypeInformation

__all__ = ["JoinTestHarnesses", "WindowJoinTestHarnesses"]

# Bound to Any: otherwise pyright treats elements of unknown type as object, which a lambda cannot use.
A = TypeVar("A", bound=Any, default=Any)
B = TypeVar("B", bound=Any, default=Any)
K = TypeVar("K", default=Any)
OUT = TypeVar("OUT")
U = TypeVar("U", default=Any)


class JoinTestHarnesses:
    """Create test harnesses for functions of interval joins.

    ``process_element1`` pushes an element of the left stream, ``process_element2`` one of the right.
    """

    @staticmethod
    def for_interval_join(
        function: ProcessJoinFunction[A, B, U],
        key_selector1: Callable[[A], K] | KeySelector[A, K],
        key_selector2: Callable[[B], K] | KeySelector[B, K],
        lower_bound: LengthOfTime,
        upper_bound: LengthOfTime,
        *,
        left_late_tag: OutputTag[A] | None = None,
        right_late_tag: OutputTag[B] | None = None,
        key_type: TypeInformation[K] | None = None,
        output_type: TypeInformation[U] | None = None,
    ) -> OperatorHarness[U, A, B]:
        """Return a test harness for the function of an interval join.

        Args:
            function: the function.
            key_selector1: returns the key of a left element.
            key_selector2: returns the key of a right element.
            lower_bound: lowest difference of the right timestamp from the left one; may be negative.
            upper_bound: highest difference.
            left_late_tag: the side output of late left elements; they are dropped by default.
            right_late_tag: the side output of late right elements.
            key_type: type of the keys.
            output_type: type of one result; else the annotation of ``process_element``.

        Raises:
            PlanError: the lower bound is above the upper one.
        """
        require(function, ProcessJoinFunction, "a harness", "a ProcessJoinFunction")
        refuse_batches("a harness", function, ProcessJoinFunction)
        lower = to_milliseconds(lower_bound, "the lower bound")
        upper = to_milliseconds(upper_bound, "the upper bound")
        if lower > upper:
            raise PlanError(f"interval join: the interval from {lower} ms to {upper} ms is empty")
        plan = IntervalJoinPlan(function, lower, upper, (left_late_tag, right_late_tag))
        result = result_of(function, "process_element", ProcessJoinFunction, output_type, many=True)
        keys = keys_of(key_type, key_selector1, key_selector2)
        name = type(function).__name__
        return OperatorHarness(operator_spec(INTERVAL_JOIN, plan, result, keys, name=name))


class WindowJoinTestHarnesses(Generic[A, B]):
    """Create test harnesses for windows of two streams, as ``join`` and ``co_group`` create operators.

    ``process_element1`` pushes an element of the first stream, ``process_element2`` one of the second.

    Args:
        assigner: assigns elements to windows.
        key_selector1: returns the key of an element of the first stream.
        key_selector2: returns the key of an element of the second stream.
        trigger: decides when a window fires; the assigner's default unless given.
        evictor: removes elements before or after the function.
        allowed_lateness: how long after its end an event-time window accepts elements, in ms.
        key_type: type of the keys.
    """

    def __init__(
        self,
        assigner: WindowAssigner[Any, Any],
        key_selector1: Callable[[A], K] | KeySelector[A, K],
        key_selector2: Callable[[B], K] | KeySelector[B, K],
        *,
        trigger: Trigger[Any, Any] | None = None,
        evictor: Evictor[Any, Any] | None = None,
        allowed_lateness: int = 0,
        key_type: TypeInformation[K] | None = None,
    ) -> None:
        keys = keys_of(key_type, key_selector1, key_selector2)
        self._key = key_spec(TaggedKey(*(pickle.loads(key.selector) for key in keys)), keys[0].type_info)
        self._settings: dict[str, Any] = {
            "assigner": assigner,
            "trigger": assigner.get_default_trigger(None) if trigger is None else trigger,
            "evictor": evictor,
            "allowed_lateness": allowed_lateness,
        }
        for part in self._settings.values():
            refuse_batches_in_windows(part, None)

    def join(
        self,
        function: Callable[[A, B], U] | JoinFunction[A, B, U] | FlatJoinFunction[A, B, U],
        output_type: TypeInformation[U] | None = None,
    ) -> OperatorHarness[U, A, B]:
        """Return a test harness that applies a function to each pair of elements in a window.

        Args:
            function: a function or a JoinFunction, which return one result, or a FlatJoinFunction.
            output_type: type of one result; else the function's annotation.
        """
        if isinstance(function, FlatJoinFunction):
            result = result_of(function, "join", FlatJoinFunction, output_type, many=True)
            return self._harness(FlatJoinedWindow(function, "join"), function, FlatJoinFunction, result)
        require_function(function, "join", JoinFunction)
        result = result_of(function, "join", JoinFunction, output_type, many=False)
        return self._harness(JoinedWindow(function, "join"), function, JoinFunction, result)

    def co_group(
        self,
        function: Callable[[Iterable[A], Iterable[B]], Iterable[U] | None] | CoGroupFunction[A, B, U],
        output_type: TypeInformation[U] | None = None,
    ) -> OperatorHarness[U, A, B]:
        """Return a test harness that applies a function to all elements of both streams in a window.

        Args:
            function: a function of two iterables that returns an iterable or ``None``, or a CoGroupFunction.
            output_type: type of one result; else the function's annotation.
        """
        require_function(function, "co_group", CoGroupFunction)
        result = result_of(function, "co_group", CoGroupFunction, output_type, many=True)
        return self._harness(CoGroupedWindow(function, "co_group"), function, CoGroupFunction, result)

    def _harness(
        self, window: Any, function: Any, base: type[Any], result: TypeInformation[Any]
    ) -> OperatorHarness[Any]:
        refuse_batches("a harness", function, base)
        plan = WindowPlan(**self._settings, call=WindowCall.APPLY, function=window)
        name = getattr(function, "__name__", type(function).__name__)
        return _WindowJoinHarness(operator_spec(WINDOW, plan, result, (self._key,), name=name))


class _WindowJoinHarness(OperatorHarness[OUT]):
    """Tests the one-input operator of a window join, whose elements are tagged with their stream."""

    def __init__(self, spec: OperatorSpec) -> None:
        super().__init__(spec)
        self._reached = [NO_TIMESTAMP] * 2

    def _push(self, value: Any, timestamp: int | None, side: int) -> None:
        super()._push(second(value) if side else first(value), timestamp, 0)
