"""Functions that take a batch of elements: told by the annotation of the parameter, checked when added."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, ForwardRef, get_origin

from pystream.arguments.batch_annotations import columnar_class, form_of, is_opaque, loaded_class, members_of
from pystream.arguments.element_parameters import element_parameters, written_parameter
from pystream.engine.vectorised.batch_function import Form, VectorFunction
from pystream.engine.vectorised.windows import VectorWindowFunction
from pystream.errors import PlanError
from pystream.plan.function import UserFunction, describe_function
from typeinfo.agreement import contradiction
from typeinfo.annotations import Bound, describe
from typeinfo.composite import FieldsTypeInfo
from typeinfo.errors import PyStreamError, TypeInferenceError
from typeinfo.formats.layout import has_columns
from typeinfo.functions import written_annotation
from typeinfo.infer import infer
from typeinfo.info import TypeInformation, require_type
from typeinfo.pickled import is_pickled

__all__ = ["user_function", "vector_function", "vector_result_type", "window_call"]

_SUBSCRIPTED = re.compile(r"\s*([\w.]+)\s*\[(.*)\]\s*", re.S)


def vector_function(
    element_type: TypeInformation[Any],
    func: Any,
    method: str,
    base: type[Any],
    call: str,
) -> VectorFunction | None:
    """Return a function that takes batches with the form in which it does, or ``None`` if it takes elements.

    Args:
        element_type: type of the elements.
        func: the user's function or function object.
        method: the method a function object is called by.
        base: the class of such objects.
        call: the user's call, for messages.

    Raises:
        PlanError: elements of the type cannot be had in that form.
    """
    found = _form(func, method, base, call, element_type)
    if found is None:
        return None
    form, cls = found
    here = f"{call}: {describe_function(func)} takes {cls.__module__.partition('.')[0]}.{cls.__name__}"
    if is_pickled(element_type):
        raise PlanError(
            f"{here}, which needs columns, but its elements are of {element_type}, which has none: declare"
            " their type before, by the output_type of an operator or the type_info of a source"
        )
    if isinstance(element_type, FieldsTypeInfo) and not element_type.field_types:
        raise PlanError(f"{here}, but {element_type} has no fields, and so no columns")
    if form.tabular is not has_columns(element_type):
        fitting = (
            "fields; annotate pd.DataFrame or pa.RecordBatch"
            if has_columns(element_type)
            else "no fields; annotate pd.Series or pa.Array"
        )
        raise PlanError(f"{here}, but elements of {element_type} have {fitting}")
    if form is Form.ARRAY:
        _check_array(cls, element_type, here)
    return VectorFunction(func, form, element_type)


def vector_result_type(
    func: Any,
    method: str,
    base: type[Any],
    output_type: TypeInformation[Any] | None,
    parameter: str = "output_type",
) -> tuple[TypeInformation[Any], str]:
    """Return the type of the results of a function that takes batches, and where it comes from.

    Raises:
        PlanError: it is neither declared nor told by the annotation, contradicts that, or has no columns.
    """
    here = describe_function(func)
    inferred = _element_of(written_annotation(func, None, method, base=base))
    if output_type is None:
        if inferred is None:
            raise PlanError(
                f"{here} returns batches, whose type its annotation does not tell: declare it"
                f" with {parameter}=Types.…"
            )
        return inferred, f"the annotation of {here}"
    declared = require_type(output_type, parameter)
    reason = None if inferred is None else contradiction(declared, inferred)
    if reason is not None:
        raise PlanError(
            f"{parameter} {declared} contradicts the annotation of {here}: {reason}; correct one of them"
        )
    if is_pickled(declared) or (isinstance(declared, FieldsTypeInfo) and not declared.field_types):
        raise PlanError(f"{parameter} {declared} has no columns, which {here} returns: declare another type")
    return declared, parameter


def user_function(vector: VectorFunction, call: str, *, is_object: bool) -> UserFunction:
    """Return a function that takes batches as a plan holds it.

    Raises:
        FunctionPicklingError: it cannot be sent to the workers.
    """
    UserFunction.of(vector.function, call)  # whose error names what of it cannot be pickled
    return UserFunction.of(vector, call, is_object=is_object, once_a_batch=True, described=vector.function)


def window_call(function: Any, vector: VectorFunction | None, call: str, *, folds: bool) -> Any:
    """Return the function that a window calls: the user's, or an adapter for one that takes columns.

    Args:
        function: the user's function object.
        vector: the result of ``vector_function``.
        call: the user's call, for messages.
        folds: whether it is given the fold of the elements alone.

    Raises:
        PlanError: it takes batches, but there is none.
    """
    if vector is None:
        return function
    if folds:
        raise PlanError(
            f"{call}: {describe_function(function)} takes {vector.form.value}, but gets one fold and no"
            f" elements here: annotate Iterable[…]"
        )
    return VectorWindowFunction(vector)


def _form(
    func: Any, method: str, base: type[Any], call: str, element_type: TypeInformation[Any]
) -> tuple[Form, type[Any]] | None:
    (parameter,) = (taken for taken in element_parameters(base) if taken.method == method)
    written = written_parameter(func, base, parameter)
    if written is None:
        return None
    try:
        members = list(members_of(written))
        forms = [form for member in members if (form := form_of(member.annotation)) is not None]
        # Elements without a known type, or of a type of the user's own, may be arrays or tables themselves.
        other = None if forms or is_opaque(element_type) else columnar_class(written)
    except TypeInferenceError as error:
        raise PlanError(f"{call}: the annotation of {describe_function(func)}: {error}") from None
    takes = f"{call}: {describe_function(func)} takes {describe(written.annotation)}"
    if forms and len(members) > 1:
        raise PlanError(f"{takes}; a function takes either batches or elements: annotate one class")
    if other is not None:
        raise PlanError(
            f"{takes}; {other.__module__.partition('.')[0]}.{other.__name__} says nothing of elements of"
            f" {element_type}, nor of batches so: annotate {', '.join(form.value for form in Form)} alone,"
            " and the function is called once a batch"
        )
    if not forms:
        return None
    annotation = members[0].annotation
    return forms[0], get_origin(annotation) or annotation


def _check_array(cls: type[Any], element_type: TypeInformation[Any], here: str) -> None:
    import pyarrow as pa

    from typeinfo.formats.arrow import to_arrow

    own = type(pa.nulls(0, to_arrow(element_type)))
    if not issubclass(own, cls):
        raise PlanError(f"{here}, but elements of {element_type} are a pa.{own.__name__}; annotate that")


def _element_of(written: Bound | None) -> TypeInformation[Any] | None:
    """Return the type of the elements of a batch, where the annotation of a batch tells it."""
    if written is None:
        return None
    annotation = written.annotation
    try:
        if isinstance(annotation, (str, ForwardRef)):
            text = annotation.__forward_arg__ if isinstance(annotation, ForwardRef) else annotation
            subscripted = _SUBSCRIPTED.fullmatch(text)
            if subscripted is None:
                annotation = written.context.scope.evaluate(annotation)
            elif written.context.scope.evaluate(subscripted.group(1)) is loaded_class("pandas", "Series"):
                element = written.context.scope.evaluate(subscripted.group(2))
                inferred = infer(element, written.context, "Series")
                return None if is_pickled(inferred) else inferred
        return _of_array(annotation)
    except (TypeInferenceError, PyStreamError):
        return None


def _of_array(annotation: Any) -> TypeInformation[Any] | None:
    array = loaded_class("pyarrow", "Array")
    if array is None or not isinstance(annotation, type) or not issubclass(annotation, array):
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
