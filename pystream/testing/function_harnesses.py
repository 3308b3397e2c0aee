"""FunctionTestHarnesses: test harnesses for functions on single elements, with keys or without."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, overload

from typing_extensions import TypeVar

from pystream.arguments.batches import BATCH, BatchFunction, FlatBatchFunction, refuse_batches
from pystream.arguments.checks import require_function
from pystream.arguments.element_types import vector_result_type
from pystream.datastream.functions import (
    CoFlatMapFunction,
    CoMapFunction,
    FilterFunction,
    FlatMapFunction,
    Function,
    KeySelector,
    MapFunction,
    ReduceFunction,
)
from pystream.engine.operators.elementwise import CO_FLAT_MAP, CO_MAP, FILTER, FLAT_MAP, MAP
from pystream.engine.operators.keyed_reduce import REDUCE
from pystream.engine.spec import KeySpec
from pystream.engine.vectorised.vector_function import VectorFunction
from pystream.field_aggregations import AggregationKind, FieldAggregation
from pystream.kinds import OperatorKind
from pystream.testing.harness import OperatorHarness
from pystream.testing.harnessed_operator import HarnessError
from pystream.testing.specs import key_spec, keys_of, operator_spec, result_of, vector_function
from typeinfo.info import TypeInformation
from typeinfo.pickled import PICKLED_BYTE_ARRAY

__all__ = ["FunctionTestHarnesses"]

A = TypeVar("A", default=Any)
B = TypeVar("B", default=Any)
K = TypeVar("K", default=Any)
T = TypeVar("T", default=Any)
U = TypeVar("U", default=Any)
# The type of results once they are encoded as output_type.
OUT = TypeVar("OUT", default=U)
# Bound to Any: otherwise pyright treats elements of unknown type as object, which a lambda cannot use.
E = TypeVar("E", bound=Any, default=Any)


class FunctionTestHarnesses:
    """Create test harnesses for functions on single elements and for rolling reductions.

    With a ``key_selector``, a function may use the state of the element's key, unless it is a batch function.
    ``output_type`` is as for the operator: by default, the function's annotations. ``element_type`` is the
    type that elements are validated against, as in a collection; pickled by default, but required for a batch
    function, to which ``process_elements`` passes all elements as one batch.

    Examples:
        >>> from pystream.testing import FunctionTestHarnesses
        >>> with FunctionTestHarnesses.for_map(lambda n: n + 1) as harness:
        ...     harness.process_element(1)
        ...     harness.extract_output_values()
        [2]
    """

    @overload
    @staticmethod
    def for_map(
        function: Callable[[E], U] | MapFunction[E, U],
        *,
        output_type: TypeInformation[OUT, U] | None = None,
    ) -> OperatorHarness[OUT, E]: ...

    @overload
    @staticmethod
    def for_map(
        function: Callable[[T], U] | MapFunction[T, U],
        key_selector: Callable[[T], K] | KeySelector[T, K] | None,
        key_type: TypeInformation[K] | None = None,
        output_type: TypeInformation[OUT, U] | None = None,
    ) -> OperatorHarness[OUT, T]: ...

    @overload
    @staticmethod
    def for_map(
        function: Callable[[T], U] | MapFunction[T, U] | BatchFunction[BATCH],
        key_selector: Callable[[T], K] | KeySelector[T, K] | None = None,
        key_type: TypeInformation[K] | None = None,
        output_type: TypeInformation[OUT, U] | None = None,
        *,
        element_type: TypeInformation[T] | None,
    ) -> OperatorHarness[OUT, T]: ...

    @staticmethod
    def for_map(
        function: Callable[[Any], Any] | MapFunction[Any, Any] | BatchFunction[Any],
        key_selector: Callable[[Any], Any] | KeySelector[Any, Any] | None = None,
        key_type: TypeInformation[Any] | None = None,
        output_type: TypeInformation[Any] | None = None,
        element_type: TypeInformation[Any] | None = None,
    ) -> OperatorHarness[Any, Any]:
        """Return a test harness for a map function."""
        vector = vector_function(function, "map", MapFunction, element_type)
        if vector is not None:
            result, _ = vector_result_type(function, "map", MapFunction, output_type)
            return _of_batches(MAP, vector, MapFunction, result, key_selector, key_type)
        result = result_of(function, "map", MapFunction, output_type, many=False)
        keys = keys_of(key_type, key_selector)
        return _harness(MAP, function, MapFunction, result, keys, element_type)

    @overload
    @staticmethod
    def for_flat_map(
        function: Callable[[E], Iterable[U] | None] | FlatMapFunction[E, U],
        *,
        output_type: TypeInformation[OUT, U] | None = None,
    ) -> OperatorHarness[OUT, E]: ...

    @overload
    @staticmethod
    def for_flat_map(
        function: Callable[[T], Iterable[U] | None] | FlatMapFunction[T, U],
        key_selector: Callable[[T], K] | KeySelector[T, K] | None,
        key_type: TypeInformation[K] | None = None,
        output_type: TypeInformation[OUT, U] | None = None,
    ) -> OperatorHarness[OUT, T]: ...

    @overload
    @staticmethod
    def for_flat_map(
        function: Callable[[T], Iterable[U] | None] | FlatMapFunction[T, U] | FlatBatchFunction[BATCH],
        key_selector: Callable[[T], K] | KeySelector[T, K] | None = None,
        key_type: TypeInformation[K] | None = None,
        output_type: TypeInformation[OUT, U] | None = None,
        *,
        element_type: TypeInformation[T] | None,
    ) -> OperatorHarness[OUT, T]: ...

    @staticmethod
    def for_flat_map(
        function: Callable[[Any], Iterable[Any] | None] | FlatMapFunction[Any, Any] | FlatBatchFunction[Any],
        key_selector: Callable[[Any], Any] | KeySelector[Any, Any] | None = None,
        key_type: TypeInformation[Any] | None = None,
        output_type: TypeInformation[Any] | None = None,
        element_type: TypeInformation[Any] | None = None,
    ) -> OperatorHarness[Any, Any]:
        """Return a test harness for a flat_map function."""
        vector = vector_function(function, "flat_map", FlatMapFunction, element_type)
        if vector is not None:
            result, _ = vector_result_type(function, "flat_map", FlatMapFunction, output_type)
            return _of_batches(FLAT_MAP, vector, FlatMapFunction, result, key_selector, key_type)
        result = result_of(function, "flat_map", FlatMapFunction, output_type, many=True)
        keys = keys_of(key_type, key_selector)
        return _harness(FLAT_MAP, function, FlatMapFunction, result, keys, element_type)

    @overload
    @staticmethod
    def for_filter(function: Callable[[E], object] | FilterFunction[E]) -> OperatorHarness[E, E]: ...

    @overload
    @staticmethod
    def for_filter(
        function: Callable[[T], object] | FilterFunction[T],
        key_selector: Callable[[T], K] | KeySelector[T, K] | None,
        key_type: TypeInformation[K] | None = None,
    ) -> OperatorHarness[T, T]: ...

    @overload
    @staticmethod
    def for_filter(
        function: Callable[[T], object] | FilterFunction[T] | BatchFunction[BATCH],
        key_selector: Callable[[T], K] | KeySelector[T, K] | None = None,
        key_type: TypeInformation[K] | None = None,
        *,
        element_type: TypeInformation[T] | None,
    ) -> OperatorHarness[T, T]: ...

    @staticmethod
    def for_filter(
        function: Callable[[Any], object] | FilterFunction[Any] | BatchFunction[Any],
        key_selector: Callable[[Any], Any] | KeySelector[Any, Any] | None = None,
        key_type: TypeInformation[Any] | None = None,
        element_type: TypeInformation[Any] | None = None,
    ) -> OperatorHarness[Any, Any]:
        """Return a test harness for a filter function."""
        result = element_type or PICKLED_BYTE_ARRAY
        vector = vector_function(function, "filter", FilterFunction, element_type)
        if vector is not None:
            return _of_batches(FILTER, vector, FilterFunction, result, key_selector, key_type)
        keys = keys_of(key_type, key_selector)
        return _harness(FILTER, function, FilterFunction, result, keys, element_type)

    @staticmethod
    def for_reduce(
        function: Callable[[T, T], T] | ReduceFunction[T],
        key_selector: Callable[[T], K] | KeySelector[T, K],
        key_type: TypeInformation[K] | None = None,
        element_type: TypeInformation[T] | None = None,
    ) -> OperatorHarness[T, T]:
        """Return a test harness for a reduce function on a keyed stream."""
        result = element_type or PICKLED_BYTE_ARRAY
        keys = (key_spec(key_selector, key_type, result),)
        return _harness(REDUCE, function, ReduceFunction, result, keys, element_type)

    @staticmethod
    def for_aggregation(
        kind: AggregationKind,
        field: int | str,
        key_selector: Callable[[E], K] | KeySelector[E, K],
        key_type: TypeInformation[K] | None = None,
        element_type: TypeInformation[E] | None = None,
    ) -> OperatorHarness[E, E]:
        """Return a test harness for ``sum``, ``min``, ``max``, ``min_by`` or ``max_by`` on a keyed stream.

        Args:
            kind: the aggregation.
            field: position or name of the field; 0 for elements without fields.
            key_selector: returns the key of an element.
            key_type: type of the keys.
            element_type: type of the elements.
        """
        return FunctionTestHarnesses.for_reduce(
            FieldAggregation(kind, field).reduce, key_selector, key_type, element_type
        )

    @staticmethod
    def for_co_map(
        function: CoMapFunction[A, B, U],
        key_selector1: Callable[[A], K] | KeySelector[A, K] | None = None,
        key_selector2: Callable[[B], K] | KeySelector[B, K] | None = None,
        key_type: TypeInformation[K] | None = None,
        output_type: TypeInformation[U] | None = None,
    ) -> OperatorHarness[U, A, B]:
        """Return a test harness for a map function on two streams."""
        result = result_of(function, "map1", CoMapFunction, output_type, many=False)
        keys = keys_of(key_type, key_selector1, key_selector2)
        return _harness(CO_MAP, function, CoMapFunction, result, keys)

    @staticmethod
    def for_co_flat_map(
        function: CoFlatMapFunction[A, B, U],
        key_selector1: Callable[[A], K] | KeySelector[A, K] | None = None,
        key_selector2: Callable[[B], K] | KeySelector[B, K] | None = None,
        key_type: TypeInformation[K] | None = None,
        output_type: TypeInformation[U] | None = None,
    ) -> OperatorHarness[U, A, B]:
        """Return a test harness for a flat_map function on two streams."""
        result = result_of(function, "flat_map1", CoFlatMapFunction, output_type, many=True)
        keys = keys_of(key_type, key_selector1, key_selector2)
        return _harness(CO_FLAT_MAP, function, CoFlatMapFunction, result, keys)


def _of_batches(
    kind: OperatorKind,
    vector: VectorFunction,
    base: type[Function],
    result: TypeInformation[Any],
    key_selector: object,
    key_type: object,
) -> OperatorHarness[Any]:
    """Return a test harness for a batch function, which takes no keys."""
    function = vector.function
    is_object = isinstance(function, base)
    name = type(function).__name__ if is_object else getattr(function, "__name__", None)
    if key_selector is not None or key_type is not None:
        raise HarnessError(
            f"{name or kind.name} takes {vector.form.value}: a function called once per batch has no key, as"
            " its elements have several; leave out key_selector and key_type"
        )
    spec = operator_spec(kind, vector, result, is_object=is_object, name=name)
    return OperatorHarness(spec, vector.element_type)


def _harness(
    kind: OperatorKind,
    function: Any,
    base: type[Function],
    result: TypeInformation[Any],
    keys: tuple[KeySpec, ...],
    element_type: TypeInformation[Any] | None = None,
) -> OperatorHarness[Any]:
    require_function(function, kind.name, base)
    refuse_batches("a harness", function, base, element_type)
    is_object = isinstance(function, base)
    name = None if is_object else getattr(function, "__name__", None)
    spec = operator_spec(kind, function, result, keys, is_object=is_object, name=name)
    return OperatorHarness(spec, element_type)
