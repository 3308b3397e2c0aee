"""Detect user functions that take batches (pandas or Arrow columns) from their annotations, and check them.

A function takes a batch if its parameter is annotated with ``pd.Series``, ``pd.DataFrame``, ``pa.Array`` or
``pa.RecordBatch``.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import GenericAlias
from typing import Any, Generic, Never, Protocol, TypeAlias, get_origin, overload

from typing_extensions import TypeVar

from pystream.arguments.batch_annotations import columnar_class, form_of, members_of
from pystream.engine.vectorised.vector_function import Form, VectorFunction
from pystream.engine.vectorised.windows import VectorWindowFunction
from pystream.errors import PlanError
from pystream.plan.function import describe_function
from typeinfo.annotations import Bound, describe
from typeinfo.composite import FieldsTypeInfo
from typeinfo.custom import CustomTypeInfo
from typeinfo.errors import TypeInferenceError
from typeinfo.formats.layout import has_columns
from typeinfo.functions import written_annotation, written_argument
from typeinfo.info import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo, is_pickled

__all__ = [
    "BATCH",
    "BatchFunction",
    "Columns",
    "ElementParameter",
    "FlatBatchFunction",
    "element_parameters",
    "refuse_batches",
    "refuse_batches_in_windows",
    "vector_function",
    "window_call",
]

T = TypeVar("T")

_ELEMENTS = frozenset({"T", "E", "IN", "IN1", "IN2", "KEY_IN"})
"""Names of the type variables of elements in function classes, one for each stream."""


# Type checkers tell the classes by their members, whether they know the libraries or not. What a function
# takes is checked when it is added, since it depends on the type of the stream.
class PandasColumns(Protocol):
    """The common interface of ``pd.Series`` and ``pd.DataFrame``."""

    @property
    def iloc(self) -> Any:
        """Access by position."""
        ...

    @property
    def __array__(self) -> Callable[..., Any]:
        """Convert to numpy; distinguishes columns from a ``Row``, whose fields are attributes."""
        ...


class ArrowColumns(Protocol):
    """The common interface of ``pa.Array`` and ``pa.RecordBatch``."""

    @property
    def nbytes(self) -> int:
        """The size in memory."""
        ...

    @property
    def __array__(self) -> Callable[..., Any]:
        """Convert to numpy."""
        ...

    def validate(self, *, full: bool = ...) -> None:
        """Check the buffers."""


Columns: TypeAlias = PandasColumns | ArrowColumns
"""A ``pd.Series``, ``pd.DataFrame``, ``pa.Array`` or ``pa.RecordBatch``."""


# Solved by the function's own parameter: a function on single elements, even a generic one, does not match.
BATCH = TypeVar("BATCH", bound=Columns, contravariant=True, default=Columns)


# Both have overloads, so that pyright does not take a lambda for one and its parameter for a batch.
class BatchFunction(Protocol[BATCH]):
    """A function from a batch of elements to a batch of results, one per element."""

    @overload
    def __call__(self, batch: Never, /) -> Columns: ...
    @overload
    def __call__(self, batch: BATCH, /) -> Columns: ...


class FlatBatchFunction(Protocol[BATCH]):
    """A function from a batch of elements to batches of any number of results."""

    @overload
    def __call__(self, batch: Never, /) -> Columns | Iterable[Columns] | None: ...
    @overload
    def __call__(self, batch: BATCH, /) -> Columns | Iterable[Columns] | None: ...


@dataclass(frozen=True, slots=True)
class ElementParameter:
    """A parameter through which a method receives elements.

    Attributes:
        method: the method.
        position: of the parameter in a call.
        stream: the number of the stream of the elements, from 0.
        argument: the position of their type argument in the class.
        takes_one: whether the parameter is one element, not an iterable of them.
    """

    method: str
    position: int
    stream: int
    argument: int
    takes_one: bool


_parameters: dict[type[Any], tuple[ElementParameter, ...]] = {}  # by class


def element_parameters(base: type[Any]) -> tuple[ElementParameter, ...]:
    """Return the parameters through which a generic class of functions receives elements."""
    if base not in _parameters:
        _parameters[base] = tuple(_element_parameters(base))
    return _parameters[base]


def _element_parameters(base: type[Any]) -> Iterator[ElementParameter]:
    variables = [variable.__name__ for variable in base.__parameters__]
    streams = [name for name in variables if name in _ELEMENTS]
    for method, function in vars(base).items():
        if inspect.isfunction(function):
            parameters = list(inspect.signature(function).parameters.values())[1:]
            for position, parameter in enumerate(parameters):
                for stream, name in enumerate(streams):
                    if re.search(rf"\b{name}\b", str(parameter.annotation)):
                        takes_one = parameter.annotation == name
                        yield ElementParameter(method, position, stream, variables.index(name), takes_one)


def _written_parameter(func: Any, base: type[Any], parameter: ElementParameter) -> Bound | None:
    """Return the annotation of a parameter, or else the type argument of the function's class.

    Args:
        func: the user's function or function object.
        base: the class of such objects.
        parameter: one of its parameters.
    """
    annotated = written_annotation(func, parameter.position, parameter.method, base=base)
    if annotated is not None:
        return annotated
    argument = written_argument(func, base, parameter.argument)
    if argument is None or parameter.takes_one:
        return argument
    return Bound(GenericAlias(Iterable, (argument.annotation,)), argument.context)


def vector_function(
    element_type: TypeInformation[Any],
    func: Any,
    method: str,
    base: type[Any],
    call: str,
) -> VectorFunction | None:
    """Return a batch function together with its batch format, or ``None`` if it takes single elements.

    Args:
        element_type: type of the elements.
        func: the user's function or function object.
        method: the method a function object is called by.
        base: the class of such objects.
        call: the user's call, for messages.

    Raises:
        PlanError: elements of the type cannot be converted to that format.
    """
    found = _form(func, method, base, call, element_type)
    if found is None:
        return None
    form, cls = found
    here = f"{call}: {describe_function(func)} takes {cls.__module__.partition('.')[0]}.{cls.__name__}"
    if is_pickled(element_type):
        raise PlanError(
            f"{here}, which needs columns, but its elements are of {element_type}, which has none: declare"
            " their type earlier, by the output_type of an operator or the type_info of a source"
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


def window_call(function: Any, vector: VectorFunction | None, call: str, *, folds: bool) -> Any:
    """Return the function that a window calls: the user's own, or an adapter if it takes columns.

    Args:
        function: the user's function object.
        vector: the result of ``vector_function``.
        call: the user's call, for messages.
        folds: whether the function receives only the aggregate of the elements.

    Raises:
        PlanError: the function takes batches, but receives only an aggregate.
    """
    if vector is None:
        return function
    if folds:
        raise PlanError(
            f"{call}: {describe_function(function)} takes {vector.form.value}, but receives only the"
            " aggregate of the elements here: annotate Iterable[…]"
        )
    return VectorWindowFunction(vector)


def refuse_batches(
    call: str, func: Any, base: type[Any], *element_types: TypeInformation[Any] | None
) -> None:
    """Reject a function annotated with batches where the operator passes single elements.

    Args:
        call: the user's call, for messages.
        func: the user's function or function object.
        base: the class of such objects, whose own annotations show which parameters take elements.
        element_types: the types of the elements of each stream; ``None`` or missing if unknown to a harness.

    Raises:
        PlanError: an annotation contains columns, but elements of the type are not columns.
    """
    for parameter in element_parameters(base):
        written = _written_parameter(func, base, parameter)
        if written is None:
            continue
        element_type = next(iter(element_types[parameter.stream :]), None)
        try:
            takes_batches = _takes_batches(written, element_type)
        except TypeInferenceError as error:
            raise PlanError(f"{call}: {_described(parameter, func, base)}: {error}") from None
        if takes_batches:
            fitting = "the class of one element"
            if not parameter.takes_one:
                fitting = f"an Iterable of {fitting}"
            if element_type is None:
                fitting += ", or Annotated[…, Types.PICKLED_BYTE_ARRAY()] if they are columns themselves"
            elements = "elements" if element_type is None else f"elements of {element_type}"
            raise PlanError(
                f"{call}: {_described(parameter, func, base)} takes {describe(written.annotation)}, but"
                f" {elements} are passed one at a time here: annotate {fitting}; only map, filter, flat_map,"
                " key_by and functions of whole windows take batches"
            )


def _described(parameter: ElementParameter, func: Any, base: type[Any]) -> str:
    method = f"{parameter.method} of " if isinstance(func, base) else ""
    return f"{method}{describe_function(func)}"


def _takes_batches(written: Bound, element_type: TypeInformation[Any] | None) -> bool:
    if element_type is None:
        return any(form_of(member.annotation) is not None for member in members_of(written))
    return not _is_opaque(element_type) and columnar_class(written) is not None


def refuse_batches_in_windows(part: object, element_type: TypeInformation[Any] | None) -> None:
    """Reject an assigner, trigger or evictor that is annotated with batches, or that calls such a function.

    Raises:
        PlanError: it takes columns.
    """
    from pystream.engine.windows.assigners import WindowAssigner
    from pystream.engine.windows.builtin_triggers import DeltaTrigger
    from pystream.engine.windows.evictors import DeltaEvictor, Evictor
    from pystream.engine.windows.nesting_triggers import ProcessingTimeoutTrigger, PurgingTrigger
    from pystream.engine.windows.session_windows import DynamicGap, SessionWindowTimeGapExtractor
    from pystream.engine.windows.triggers import Trigger

    for call, base in (("window", WindowAssigner), ("trigger", Trigger), ("evictor", Evictor)):
        if isinstance(part, base):
            refuse_batches(call, part, base, element_type)
    if isinstance(part, DynamicGap):
        refuse_batches(type(part).__name__, part.extractor, SessionWindowTimeGapExtractor, element_type)
    if isinstance(part, (DeltaEvictor, DeltaTrigger)):
        refuse_batches(type(part).__name__, part.delta_function, _Delta, element_type)
    if isinstance(part, (ProcessingTimeoutTrigger, PurgingTrigger)):
        refuse_batches_in_windows(part.nested_trigger, element_type)


class _Delta(Generic[T]):
    """The function of a delta trigger or evictor."""

    def distance(self, old: T, new: T, /) -> float:
        """Return the distance between two elements."""
        raise NotImplementedError


def _form(
    func: Any, method: str, base: type[Any], call: str, element_type: TypeInformation[Any]
) -> tuple[Form, type[Any]] | None:
    (parameter,) = (taken for taken in element_parameters(base) if taken.method == method)
    written = _written_parameter(func, base, parameter)
    if written is None:
        return None
    try:
        members = list(members_of(written))
        forms = [form for member in members if (form := form_of(member.annotation)) is not None]
        # Elements of an unknown or user-defined type may be arrays or tables themselves.
        other = None if forms or _is_opaque(element_type) else columnar_class(written)
    except TypeInferenceError as error:
        raise PlanError(f"{call}: the annotation of {describe_function(func)}: {error}") from None
    if not forms and other is None:
        return None
    takes = f"{call}: {describe_function(func)} takes {describe(written.annotation)}"
    if forms and len(members) > 1:
        raise PlanError(f"{takes}; a function takes either batches or elements: annotate one class")
    if other is not None:
        raise PlanError(
            f"{takes}; {other.__module__.partition('.')[0]}.{other.__name__} is neither the class of"
            f" elements of {element_type} nor, here, that of a batch: annotate"
            f" {', '.join(form.value for form in Form)} alone, and the function is called once per batch"
        )
    annotation = members[0].annotation
    return forms[0], get_origin(annotation) or annotation


def _check_array(cls: type[Any], element_type: TypeInformation[Any], here: str) -> None:
    import pyarrow as pa

    from typeinfo.formats.arrow import to_arrow

    own = type(pa.nulls(0, to_arrow(element_type)))
    if not issubclass(own, cls):
        raise PlanError(f"{here}, but elements of {element_type} are a pa.{own.__name__}; annotate that")


def _is_opaque(type_info: TypeInformation[Any]) -> bool:
    """Return whether values of a type, or parts of them, may have any class, including a class of columns."""
    return isinstance(type_info, (PickledBytesTypeInfo, CustomTypeInfo)) or any(
        _is_opaque(slot.type) for slot in type_info.slots()
    )
