"""Functions that take batches, refused wherever elements are handed over singly."""

from __future__ import annotations

from typing import Any

from pystream.arguments.batch_annotations import columnar_class, form_of, is_opaque, members_of
from pystream.arguments.element_parameters import element_parameters, written_parameter
from pystream.errors import PlanError
from pystream.plan.function import describe_function
from typeinfo.annotations import Bound, describe
from typeinfo.errors import TypeInferenceError
from typeinfo.info import TypeInformation

__all__ = ["refuse_batches"]


def refuse_batches(
    call: str, func: Any, base: type[Any], *element_types: TypeInformation[Any] | None
) -> None:
    """Refuse a function that says it takes batches where elements are handed over singly.

    Args:
        call: the user's call, for messages.
        func: the user's function or function object.
        base: the class of such objects, whose own annotations tell which parameters take elements.
        element_types: the types of the elements of each stream; ``None``, or none given, where a harness is
            not told.

    Raises:
        PlanError: there are columns in an annotation, and the elements are none themselves.
    """
    for parameter in element_parameters(base):
        written = written_parameter(func, base, parameter)
        if written is None:
            continue
        element_type = next(iter(element_types[parameter.stream :]), None)
        method = f"{parameter.method} of " if isinstance(func, base) else ""
        here = f"{call}: {method}{describe_function(func)}"
        try:
            takes_batches = _takes_batches(written, element_type)
        except TypeInferenceError as error:
            raise PlanError(f"{here}: {error}") from None
        if takes_batches:
            fitting = parameter.shape.replace("…", "what one of them is")
            if element_type is None:
                fitting += ", or Annotated[…, Types.PICKLED_BYTE_ARRAY()] if that is what one of them is"
            elements = "elements" if element_type is None else f"elements of {element_type}"
            raise PlanError(
                f"{here} takes {describe(written.annotation)}, but {elements} come singly here: annotate"
                f" {fitting}; only map, filter, flat_map, key_by and functions of whole windows take batches"
            )


def _takes_batches(written: Bound, element_type: TypeInformation[Any] | None) -> bool:
    if element_type is None:
        return any(form_of(member.annotation) is not None for member in members_of(written))
    return not is_opaque(element_type) and columnar_class(written) is not None
