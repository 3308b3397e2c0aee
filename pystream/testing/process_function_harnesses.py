"""ProcessFunctionTestHarnesses: a harness for each kind of function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import cloudpickle

from pystream.datastream.element_types import element_type
from pystream.datastream.functions import (
    CoProcessFunction,
    Function,
    KeyedCoProcessFunction,
    KeyedProcessFunction,
    KeySelector,
    ProcessFunction,
)
from pystream.datastream.key_functions import key_function
from pystream.runtime.failure import OperatorLabel
from pystream.runtime.spec import KeySpec, OperatorKind, OperatorSpec
from pystream.testing.harness import OperatorHarness
from typeinfo.info import TypeInformation
from typeinfo.pickled import PICKLED_BYTE_ARRAY

__all__ = ["ProcessFunctionTestHarnesses"]

T = TypeVar("T")
A = TypeVar("A")
B = TypeVar("B")
U = TypeVar("U")
K = TypeVar("K")


class ProcessFunctionTestHarnesses:
    """Make harnesses for functions, without a stream around them.

    Each takes the ``output_type`` an operator would take, else the function's annotations tell, and the
    ``snapshot`` of another harness to go on from. Mirrors
    ``org.apache.flink.streaming.util.ProcessFunctionTestHarnesses``.
    """

    @staticmethod
    def for_process_function(
        function: ProcessFunction[T, U],
        output_type: TypeInformation[U] | None = None,
        *,
        snapshot: bytes | None = None,
    ) -> OperatorHarness[U]:
        """Return a harness for a function of a stream without keys."""
        spec = _spec(OperatorKind.PROCESS, function, ("process_element",), ProcessFunction, output_type)
        return OperatorHarness(spec, snapshot)

    @staticmethod
    def for_keyed_process_function(
        function: KeyedProcessFunction[T, U],
        key_selector: Callable[[T], K] | KeySelector[T, K],
        key_type: TypeInformation[K] | None = None,
        output_type: TypeInformation[U] | None = None,
        *,
        snapshot: bytes | None = None,
    ) -> OperatorHarness[U]:
        """Return a harness for a function of a keyed stream."""
        keys = (_key(key_selector, key_type),)
        spec = _spec(
            OperatorKind.PROCESS, function, ("process_element",), KeyedProcessFunction, output_type, keys
        )
        return OperatorHarness(spec, snapshot)

    @staticmethod
    def for_co_process_function(
        function: CoProcessFunction[A, B, U], output_type: TypeInformation[U] | None = None
    ) -> OperatorHarness[U]:
        """Return a harness for a function of two streams without keys."""
        spec = _spec(OperatorKind.CO_PROCESS, function, _CO_METHODS, CoProcessFunction, output_type)
        return OperatorHarness(spec)

    @staticmethod
    def for_keyed_co_process_function(
        function: KeyedCoProcessFunction[A, B, U],
        key_selector1: Callable[[A], K] | KeySelector[A, K],
        key_selector2: Callable[[B], K] | KeySelector[B, K],
        key_type: TypeInformation[K] | None = None,
        output_type: TypeInformation[U] | None = None,
        *,
        snapshot: bytes | None = None,
    ) -> OperatorHarness[U]:
        """Return a harness for a function of two keyed streams."""
        keys = (_key(key_selector1, key_type), _key(key_selector2, key_type))
        spec = _spec(
            OperatorKind.CO_PROCESS, function, _CO_METHODS, KeyedCoProcessFunction, output_type, keys
        )
        return OperatorHarness(spec, snapshot)


_CO_METHODS = ("process_element1", "process_element2")


def _key(selector: Any, key_type: TypeInformation[Any] | None) -> KeySpec:
    key = key_function(PICKLED_BYTE_ARRAY, selector, key_type)
    return KeySpec(key.function.payload, key.type_info)


def _spec(
    kind: OperatorKind,
    function: Function,
    methods: tuple[str, ...],
    base: type[Any],
    output_type: TypeInformation[Any] | None,
    keys: tuple[KeySpec, ...] = (),
) -> OperatorSpec:
    type_info, _ = element_type(function, methods[0], base, output_type, many=True)
    name = type(function).__name__
    return OperatorSpec(
        label=OperatorLabel(name, name, "", ""),
        kind=kind,
        function=cloudpickle.dumps(function),
        is_object=True,
        output_type=type_info,
        trusted=False,
        consumers=(),
        keys=keys,
    )
