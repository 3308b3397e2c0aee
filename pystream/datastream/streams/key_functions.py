"""Key functions and key types of streams, from the arguments of ``key_by``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter, itemgetter
from typing import Any

from pystream.arguments.batches import vector_function
from pystream.arguments.checks import require_function, require_parameters
from pystream.arguments.element_types import element_type, vector_result_type
from pystream.datastream.functions import KeySelector
from pystream.engine.vectorised.keys import VectorKeySelector
from pystream.engine.vectorised.vector_function import VectorFunction
from pystream.errors import PlanError, PlanTypeError
from pystream.plan.function import UserFunction
from pystream.plan.nodes import KeyFunction
from typeinfo.composite import FieldsTypeInfo, RecordKind, RecordTypeInfo
from typeinfo.errors import short_repr
from typeinfo.info import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo

__all__ = ["key_function"]


def key_function(
    stream_type: TypeInformation[Any],
    key_selector: Callable[[Any], Any] | KeySelector[Any, Any] | str | int,
    key_type: TypeInformation[Any] | None,
) -> KeyFunction:
    """Return the key function of a selector.

    Args:
        stream_type: type of the elements.
        key_selector: a function, a KeySelector, or the name or position of a field.
        key_type: type of the keys; else the selector's annotation or the type of the field, else unknown.

    Raises:
        PlanError: the field does not exist, values of the type cannot be keys, or the type contradicts the
            annotation.
        FunctionPicklingError: the function cannot be sent to workers.
    """
    if isinstance(key_selector, (str, int)) and not isinstance(key_selector, bool):
        select: Any
        select, field_type = _field(stream_type, key_selector)
        type_info = field_type if key_type is None else key_type
    elif isinstance(key_selector, KeySelector) or callable(key_selector):
        require_function(key_selector, "key_by", KeySelector)
        require_parameters(key_selector, "key_by", KeySelector, "get_key")
        vector = vector_function(stream_type, key_selector, "get_key", KeySelector, "key_by")
        if vector is not None:
            return _of_batches(vector, key_selector, key_type)
        type_info, _ = element_type(
            key_selector, "get_key", KeySelector, key_type, many=False, parameter="key_type"
        )
        select = key_selector
    else:
        raise PlanTypeError(
            "key_by takes a function, a KeySelector, or the name or position of a field, not "
            f"{key_selector!r}"
        )
    _check_keys(type_info)
    is_object = isinstance(key_selector, KeySelector)
    return KeyFunction(
        UserFunction.of(key_selector, "key_by", is_object=is_object, carrier=select), type_info
    )


def _of_batches(
    vector: VectorFunction, key_selector: Any, key_type: TypeInformation[Any] | None
) -> KeyFunction:
    """Return the key function of a selector that takes batches."""
    type_info, _ = vector_result_type(key_selector, "get_key", KeySelector, key_type, "key_type")
    _check_keys(type_info)
    owners = (key_selector,) if isinstance(key_selector, KeySelector) else ()
    select = key_selector.get_key if owners else key_selector
    keys = VectorKeySelector(replace(vector, function=select), type_info, owners)
    return KeyFunction(UserFunction.of(key_selector, "key_by", carrier=keys, blamed=select), type_info)


def _check_keys(type_info: TypeInformation[Any]) -> None:
    from typeinfo.keys import key_refusal

    reason = None if isinstance(type_info, PickledBytesTypeInfo) else key_refusal(type_info)
    if reason is not None:
        raise PlanError(f"key_by: {reason}")


def _field(
    stream_type: TypeInformation[Any], field: str | int
) -> tuple[Callable[[Any], Any], TypeInformation[Any]]:
    if not isinstance(stream_type, FieldsTypeInfo):
        raise PlanError(
            f"key_by: {field!r} names a field, but elements of {stream_type} have none; give a function"
        )
    names = stream_type.get_field_names()
    types = [slot.type for slot in stream_type.slots()]
    position = names.index(field) if field in names else field
    if not isinstance(position, int) or not 0 <= position < len(types):
        raise PlanError(
            f"key_by: there is no field {short_repr(field)} in {stream_type}; it has {', '.join(names)}"
        )
    if isinstance(stream_type, RecordTypeInfo) and stream_type.kind.has_attributes:
        return attrgetter(names[position]), types[position]
    if isinstance(stream_type, RecordTypeInfo) and stream_type.kind is RecordKind.TYPED_DICT:
        return itemgetter(names[position]), types[position]
    return itemgetter(position), types[position]
