"""Specifications of the operators that harnesses run, from user functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pystream.arguments import batches
from pystream.arguments.element_types import element_type
from pystream.datastream.functions import KeySelector
from pystream.datastream.streams.key_functions import key_function
from pystream.engine.failure import OperatorLabel
from pystream.engine.spec import KeySpec, OperatorSpec
from pystream.engine.state.map_state import MapStateDescriptor
from pystream.engine.vectorised.vector_function import VectorFunction
from pystream.errors import PlanError
from pystream.kinds import OperatorKind
from pystream.plan.function import UserFunction
from typeinfo.info import TypeInformation
from typeinfo.pickled import PICKLED_BYTE_ARRAY

__all__ = ["key_spec", "keys_of", "operator_spec", "result_of", "vector_function"]


def key_spec(
    selector: Callable[[Any], Any] | KeySelector[Any, Any],
    key_type: TypeInformation[Any] | None,
    element_type: TypeInformation[Any] = PICKLED_BYTE_ARRAY,
) -> KeySpec:
    """Return the key selector and key type of elements."""
    key = key_function(element_type, selector, key_type)
    return KeySpec(key.function.payload, key.type_info, key.function.is_object)


def keys_of(
    key_type: TypeInformation[Any] | None, *selectors: Callable[[Any], Any] | KeySelector[Any, Any] | None
) -> tuple[KeySpec, ...]:
    """Return the key selector and key type of each input; empty if there are no selectors."""
    return tuple(key_spec(selector, key_type) for selector in selectors if selector is not None)


def result_of(
    function: Any,
    method: str,
    base: type[Any],
    output_type: TypeInformation[Any] | None,
    *,
    many: bool,
) -> TypeInformation[Any]:
    """Return the type of one result, as the operator would infer it."""
    type_info, _ = element_type(function, method, base, output_type, many=many)
    return type_info


def vector_function(
    function: Any,
    method: str,
    base: type[Any],
    element_type: TypeInformation[Any] | None,
) -> VectorFunction | None:
    """Return a batch function with its batch format, or ``None`` if it takes single elements.

    Raises:
        PlanError: it takes batches, but the element type is missing or cannot be converted to batches.
    """
    if element_type is None:
        try:
            return batches.vector_function(PICKLED_BYTE_ARRAY, function, method, base, method)
        except PlanError as error:
            raise PlanError(f"{error}; for a harness, pass element_type=Types.…") from None
    return batches.vector_function(element_type, function, method, base, method)


def operator_spec(
    kind: OperatorKind,
    function: Any,
    output_type: TypeInformation[Any],
    keys: tuple[KeySpec, ...] = (),
    *,
    is_object: bool = True,
    name: str | None = None,
    broadcast_states: tuple[MapStateDescriptor[Any, Any], ...] = (),
) -> OperatorSpec:
    """Return the specification of an operator without consumers.

    Raises:
        FunctionPicklingError: the function could not be sent to workers.
    """
    name = name or type(function).__name__
    return OperatorSpec(
        label=OperatorLabel(name, name, "", ""),
        kind=kind,
        function=UserFunction.of(function, name).payload,
        is_object=is_object,
        output_type=output_type,
        trusted=False,
        consumers=(),
        keys=keys,
        broadcast_states=broadcast_states,
    )
