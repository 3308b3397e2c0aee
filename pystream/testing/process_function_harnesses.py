"""ProcessFunctionTestHarnesses: test harnesses for process functions, and BroadcastOperatorHarness."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from typing_extensions import TypeVar

from pystream.arguments.batches import refuse_batches
from pystream.arguments.checks import require
from pystream.datastream.functions import (
    BroadcastProcessFunction,
    CoProcessFunction,
    KeyedBroadcastProcessFunction,
    KeyedCoProcessFunction,
    KeyedProcessFunction,
    KeySelector,
    ProcessFunction,
)
from pystream.engine.operators.broadcast.operators import (
    BROADCAST_PROCESS,
    BroadcastProcess,
    KeyedBroadcastProcess,
)
from pystream.engine.operators.broadcast.state import BroadcastState
from pystream.engine.operators.elementwise import CO_PROCESS, PROCESS
from pystream.engine.spec import KeySpec
from pystream.engine.state.map_state import MapStateDescriptor
from pystream.testing.harness import OperatorHarness
from pystream.testing.specs import key_spec, operator_spec, result_of
from typeinfo.info import TypeInformation

__all__ = ["BroadcastOperatorHarness", "ProcessFunctionTestHarnesses"]

A = TypeVar("A", default=Any)
B = TypeVar("B", default=Any)
K = TypeVar("K", default=Any)
T = TypeVar("T", default=Any)
U = TypeVar("U", default=Any)
V = TypeVar("V", default=Any)
OUT = TypeVar("OUT")
IN1 = TypeVar("IN1", default=Any)
IN2 = TypeVar("IN2", default=Any)


class BroadcastOperatorHarness(OperatorHarness[OUT, IN1, IN2]):
    """Test an operator whose second input is a broadcast stream.

    Mirrors ``org.apache.flink.streaming.util.BroadcastOperatorTestHarness``.
    """

    def process_broadcast_element(self, value: IN2, timestamp: int | None = None) -> None:
        """Push an element of the broadcast stream."""
        self.process_element2(value, timestamp)

    def process_broadcast_watermark(self, timestamp: int) -> None:
        """Advance event time of the broadcast stream; the operator's event time is the lower of both."""
        self.process_watermark2(timestamp)

    def get_broadcast_state(self, state_descriptor: MapStateDescriptor[K, V]) -> BroadcastState[K, V]:
        """Return a writable broadcast state.

        Raises:
            StateAccessError: the harness was created without this descriptor.
        """
        operator = self._operator
        assert isinstance(operator, (BroadcastProcess, KeyedBroadcastProcess))
        return operator._states.state(state_descriptor)


class ProcessFunctionTestHarnesses:
    """Create test harnesses for process functions.

    ``output_type`` is as for the operator: by default, the function's annotations. Mirrors
    ``org.apache.flink.streaming.util.ProcessFunctionTestHarnesses``.

    Examples:
        >>> from pystream.datastream import ProcessFunction
        >>> from pystream.testing import ProcessFunctionTestHarnesses
        >>> class Doubled(ProcessFunction):
        ...     def process_element(self, value, ctx):
        ...         yield value * 2
        >>> with ProcessFunctionTestHarnesses.for_process_function(Doubled()) as harness:
        ...     harness.process_element(21)
        ...     harness.extract_output_values()
        [42]
    """

    @staticmethod
    def for_process_function(
        function: ProcessFunction[T, U], output_type: TypeInformation[U] | None = None
    ) -> OperatorHarness[U, T]:
        """Return a test harness for a function on a stream without keys."""
        result = _result(function, "process_element", ProcessFunction, output_type)
        return OperatorHarness(operator_spec(PROCESS, function, result))

    @staticmethod
    def for_keyed_process_function(
        function: KeyedProcessFunction[K, T, U],
        key_selector: Callable[[T], K] | KeySelector[T, K],
        key_type: TypeInformation[K] | None = None,
        output_type: TypeInformation[U] | None = None,
    ) -> OperatorHarness[U, T]:
        """Return a test harness for a function on a keyed stream."""
        result = _result(function, "process_element", KeyedProcessFunction, output_type)
        keys = (key_spec(key_selector, key_type),)
        return OperatorHarness(operator_spec(PROCESS, function, result, keys))

    @staticmethod
    def for_co_process_function(
        function: CoProcessFunction[A, B, U], output_type: TypeInformation[U] | None = None
    ) -> OperatorHarness[U, A, B]:
        """Return a test harness for a function on two streams without keys."""
        result = _result(function, "process_element1", CoProcessFunction, output_type)
        return OperatorHarness(operator_spec(CO_PROCESS, function, result))

    @staticmethod
    def for_keyed_co_process_function(
        function: KeyedCoProcessFunction[K, A, B, U],
        key_selector1: Callable[[A], K] | KeySelector[A, K],
        key_selector2: Callable[[B], K] | KeySelector[B, K],
        key_type: TypeInformation[K] | None = None,
        output_type: TypeInformation[U] | None = None,
    ) -> OperatorHarness[U, A, B]:
        """Return a test harness for a function on two keyed streams."""
        result = _result(function, "process_element1", KeyedCoProcessFunction, output_type)
        keys = key_spec(key_selector1, key_type), key_spec(key_selector2, key_type)
        return OperatorHarness(operator_spec(CO_PROCESS, function, result, keys))

    @staticmethod
    def for_broadcast_process_function(
        function: BroadcastProcessFunction[A, B, U],
        *state_descriptors: MapStateDescriptor[Any, Any],
        output_type: TypeInformation[U] | None = None,
    ) -> BroadcastOperatorHarness[U, A, B]:
        """Return a test harness for a function on a stream and a broadcast stream.

        Args:
            function: the function.
            state_descriptors: the descriptors passed to ``broadcast``.
            output_type: type of one result.
        """
        result = _result(function, "process_element", BroadcastProcessFunction, output_type)
        return _broadcast(function, result, (), state_descriptors)

    @staticmethod
    def for_keyed_broadcast_process_function(
        function: KeyedBroadcastProcessFunction[K, A, B, U],
        key_selector: Callable[[A], K] | KeySelector[A, K],
        *state_descriptors: MapStateDescriptor[Any, Any],
        key_type: TypeInformation[K] | None = None,
        output_type: TypeInformation[U] | None = None,
    ) -> BroadcastOperatorHarness[U, A, B]:
        """Return a test harness for a function on a keyed stream and a broadcast stream.

        Args:
            function: the function.
            key_selector: returns the key of an element of the keyed stream.
            state_descriptors: the descriptors passed to ``broadcast``.
            key_type: type of the keys.
            output_type: type of one result.
        """
        result = _result(function, "process_element", KeyedBroadcastProcessFunction, output_type)
        return _broadcast(function, result, (key_spec(key_selector, key_type),), state_descriptors)


def _broadcast(
    function: Any,
    result: TypeInformation[Any],
    keys: tuple[KeySpec, ...],
    descriptors: tuple[MapStateDescriptor[Any, Any], ...],
) -> BroadcastOperatorHarness[Any]:
    for descriptor in descriptors:
        require(descriptor, MapStateDescriptor, "a harness", "a MapStateDescriptor as broadcast state")
    kind = BROADCAST_PROCESS
    return BroadcastOperatorHarness(operator_spec(kind, function, result, keys, broadcast_states=descriptors))


def _result(
    function: Any, method: str, base: type[Any], output_type: TypeInformation[Any] | None
) -> TypeInformation[Any]:
    require(function, base, "a harness", f"a {base.__name__}")
    refuse_batches("a harness", function, base)
    return result_of(function, method, base, output_type, many=True)
