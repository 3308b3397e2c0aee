"""Produced types of operators: the type declared, else the one in the annotations of the function."""

from __future__ import annotations

from typing import Any, Final

from pystream.errors import PlanError
from pystream.plan.function import describe_function
from typeinfo.agreement import contradiction
from typeinfo.functions import result_type
from typeinfo.info import TypeInformation, require_type
from typeinfo.pickled import PICKLED_BYTE_ARRAY

__all__ = ["TYPE_OF_INPUT", "element_type"]

TYPE_OF_INPUT: Final = "the elements' type"
"""Origin of the produced type of operators that keep the type of their elements, for messages."""


def element_type(
    func: Any,
    method: str,
    base: type[Any],
    output_type: TypeInformation[Any] | None,
    *,
    many: bool,
    parameter: str = "output_type",
) -> tuple[TypeInformation[Any], str]:
    """Return the type of an operator's results and where it comes from.

    Args:
        func: the user's function or function object.
        method: the method a function object is called by.
        base: the generic base class of such objects, whose argument ``OUT`` is the result, or else the last.
        output_type: the declared type, or ``None``.
        many: whether the function returns an iterable of results.
        parameter: name of the parameter of the declared type.

    Raises:
        PlanError: the declared type contradicts the function's annotations.
    """
    inferred = result_type(func, method, base=base, base_index=_result_index(base), unwrap_iterable=many)
    if output_type is None:
        if inferred.type is None:
            return PICKLED_BYTE_ARRAY, f"no {parameter}, and {inferred.reason}"
        return inferred.type, inferred.reason
    declared = require_type(output_type, parameter)
    reason = None if inferred.type is None else contradiction(declared, inferred.type)
    if reason is not None:
        raise PlanError(
            f"{parameter} {declared} contradicts the annotation of {describe_function(func)}: {reason}; "
            f"correct one of them"
        )
    return declared, parameter


def _result_index(base: type[Any]) -> int:
    names = [parameter.__name__ for parameter in getattr(base, "__parameters__", ())]
    return names.index("OUT") if "OUT" in names else -1
