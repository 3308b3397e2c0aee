"""Determine the result type of an operator: the declared type, or else the annotations of its function."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, ForwardRef

from pystream.arguments.batch_annotations import form_of
from pystream.engine.vectorised.vector_function import Form
from pystream.errors import PlanError
from pystream.plan.function import describe_function
from pystream.plan.nodes import UnknownType
from typeinfo.agreement import contradiction
from typeinfo.annotations import Bound
from typeinfo.composite import FieldsTypeInfo
from typeinfo.errors import PyStreamError
from typeinfo.functions import result_type, written_annotation
from typeinfo.infer import infer
from typeinfo.info import TypeInformation, require_type
from typeinfo.pickled import PICKLED_BYTE_ARRAY, is_pickled

__all__ = ["common_element_type", "element_type", "vector_result_type"]

_SUBSCRIPTED = re.compile(r"\s*([\w.]+)\s*\[(.*)\]\s*", re.S)


def element_type(
    func: Any,
    method: str,
    base: type[Any],
    output_type: TypeInformation[Any] | None,
    *,
    many: bool,
    parameter: str = "output_type",
    awaited: bool = False,
) -> tuple[TypeInformation[Any], str]:
    """Return the result type of an operator, and the origin of the type.

    Args:
        func: the user's function or function object.
        method: the method a function object is called by.
        base: the generic base class of such objects, whose argument ``OUT`` is the result, or else the last.
        output_type: the declared type, or ``None``.
        many: whether the function returns an iterable of results.
        parameter: name of the parameter of the declared type.
        awaited: whether calls of coroutine functions are awaited.

    Raises:
        PlanError: the declared type contradicts the function's annotations.
    """
    inferred = result_type(
        func, method, base=base, base_index=_result_index(base), unwrap_iterable=many, awaited=awaited
    )
    if output_type is None:
        if inferred.type is None:
            return PICKLED_BYTE_ARRAY, UnknownType(f"no {parameter}, and {inferred.reason}")
        return inferred.type, inferred.reason
    return _declared(output_type, inferred.type, func, parameter), parameter


def common_element_type(
    func: Any,
    methods: tuple[str, ...],
    base: type[Any],
    output_type: TypeInformation[Any] | None,
    *,
    many: bool,
) -> tuple[TypeInformation[Any], str]:
    """Return the result type of an operator whose function emits from several methods, and its origin.

    A method annotated with ``-> None`` emits nothing. If the other methods disagree, results are pickled.

    Args:
        func: the user's function object.
        methods: the methods that emit.
        base: the generic base class of such objects.
        output_type: the declared type, or ``None``.
        many: whether the methods return iterables of results.

    Raises:
        PlanError: the declared type contradicts the annotation of a method.
    """
    emitting = [method for method in methods if not _emits_nothing(func, method, base)] or [*methods]
    found = {method: element_type(func, method, base, output_type, many=many) for method in emitting}
    first, *others = found.values()
    if all(type_info == first[0] for type_info, _ in others):
        return first
    untyped = [result for result in found.values() if is_pickled(result[0])]
    if untyped:
        return untyped[0]
    returned = ", ".join(f"{method} returns {type_info}" for method, (type_info, _) in found.items())
    return PICKLED_BYTE_ARRAY, UnknownType(f"no output_type, and {returned}")


def _emits_nothing(func: Any, method: str, base: type[Any]) -> bool:
    written = written_annotation(func, None, method, base=base)
    return written is not None and written.annotation in (None, type(None), "None")


def vector_result_type(
    func: Any,
    method: str,
    base: type[Any],
    output_type: TypeInformation[Any] | None,
    parameter: str = "output_type",
) -> tuple[TypeInformation[Any], str]:
    """Return the result type of a batch function, and the origin of the type.

    Raises:
        PlanError: it is neither declared nor annotated, contradicts the annotation, or has no columns.
    """
    here = describe_function(func)
    inferred = _element_of(written_annotation(func, None, method, base=base))
    if output_type is None:
        if inferred is None:
            raise PlanError(
                f"{here} returns batches, whose type its annotation does not state: declare it"
                f" with {parameter}=Types.…"
            )
        return inferred, f"the annotation of {here}"
    declared = _declared(output_type, inferred, func, parameter)
    if is_pickled(declared) or (isinstance(declared, FieldsTypeInfo) and not declared.field_types):
        raise PlanError(f"{parameter} {declared} has no columns, which {here} returns: declare another type")
    return declared, parameter


def _declared(
    output_type: TypeInformation[Any], inferred: TypeInformation[Any] | None, func: Any, parameter: str
) -> TypeInformation[Any]:
    declared = require_type(output_type, parameter)
    reason = None if inferred is None else contradiction(declared, inferred)
    if reason is not None:
        raise PlanError(
            f"{parameter} {declared} contradicts the annotation of {describe_function(func)}: {reason}; "
            f"correct one of them"
        )
    return declared


def _result_index(base: type[Any]) -> int:
    names = [parameter.__name__ for parameter in getattr(base, "__parameters__", ())]
    return names.index("OUT") if "OUT" in names else -1


def _element_of(written: Bound | None) -> TypeInformation[Any] | None:
    """Return the element type of an annotated batch, if the annotation determines it."""
    if written is None:
        return None
    annotation = written.annotation
    try:
        if isinstance(annotation, (str, ForwardRef)):
            text = annotation.__forward_arg__ if isinstance(annotation, ForwardRef) else annotation
            subscripted = _SUBSCRIPTED.fullmatch(text)
            if subscripted is None:
                annotation = written.context.scope.evaluate(annotation)
            elif form_of(written.context.scope.evaluate(subscripted.group(1))) is Form.SERIES:
                element = written.context.scope.evaluate(subscripted.group(2))
                inferred = infer(element, written.context, "Series")
                return None if is_pickled(inferred) else inferred
        return _of_array(annotation)
    except PyStreamError:
        return None


def _of_array(annotation: Any) -> TypeInformation[Any] | None:
    if form_of(annotation) is not Form.ARRAY:
        return None
    import pyarrow as pa

    from typeinfo.formats.arrow import from_arrow

    plain: Iterable[pa.DataType] = (
        pa.bool_(),
        pa.int8(),
        pa.int16(),
        pa.int32(),
        pa.int64(),
        pa.float32(),
        pa.float64(),
        pa.string(),
        pa.date32(),
    )
    return next((from_arrow(dt) for dt in plain if type(pa.nulls(0, dt)) is annotation), None)
