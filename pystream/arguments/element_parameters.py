"""By which parameters the classes of functions take elements, as their own annotations tell."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from dataclasses import dataclass
from types import GenericAlias
from typing import Any

from typeinfo.annotations import Bound
from typeinfo.functions import written_annotation, written_argument

__all__ = ["ElementParameter", "element_parameters", "written_parameter"]

_ELEMENTS = frozenset({"T", "E", "IN", "IN1", "IN2", "KEY_IN"})
"""Names of the type variables of elements in function classes, one for each stream."""


@dataclass(frozen=True, slots=True)
class ElementParameter:
    """A parameter of a method that elements are handed to.

    Attributes:
        method: the method.
        position: of the parameter in a call.
        stream: the number of the stream the elements are of, from 0.
        argument: the position of their type argument in the class.
        shape: annotation of the parameter, with an ellipsis in place of an element: ``Iterable[…]``.
    """

    method: str
    position: int
    stream: int
    argument: int
    shape: str

    @property
    def takes_one(self) -> bool:
        """Whether the parameter is one element, not a container of several."""
        return self.shape == "…"


def element_parameters(base: type[Any]) -> tuple[ElementParameter, ...]:
    """Return the parameters that elements are handed to, for a generic class of functions."""
    variables = [variable.__name__ for variable in base.__parameters__]
    streams = [name for name in variables if name in _ELEMENTS]
    return tuple(
        ElementParameter(method, position, stream, variables.index(name), shape)
        for method, function in vars(base).items()
        if inspect.isfunction(function)
        for position, parameter in enumerate(list(inspect.signature(function).parameters.values())[1:])
        for stream, name in enumerate(streams)
        if (shape := re.sub(rf"\b{name}\b", "…", str(parameter.annotation))) != str(parameter.annotation)
    )


def written_parameter(func: Any, base: type[Any], parameter: ElementParameter) -> Bound | None:
    """Return the annotation of a parameter, or the type argument of the function's class.

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
