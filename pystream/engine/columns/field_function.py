"""FieldFunction: a user function of an element that runs over the fields of elements instead."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType, FunctionType, MethodType
from typing import Any

from typeinfo.info import TypeInformation

__all__ = ["FieldFunction"]


@dataclass(frozen=True, slots=True)
class FieldFunction:
    """A user function and its code with the fields of an element in place of the element.

    It is pickled as the user function of an operator.

    Attributes:
        payload: the pickled function, or the function object.
        element_type: type of the elements.
        code: takes the fields that are read.
        reads: the positions of these fields, in order.
        results: for each column of the results, the position of the field that is handed on unchanged, or
            ``None`` for one that is computed; ``None`` if calls return whole results.
        is_called: whether the function is called at all, not only fields handed on.
    """

    payload: bytes
    element_type: TypeInformation[Any]
    code: CodeType
    reads: tuple[int, ...]
    results: tuple[int | None, ...] | None
    is_called: bool

    def load(self) -> Any:
        """Return the function, or the function object, in its own form."""
        return pickle.loads(self.payload)

    def on_fields(self, call: Callable[[Any], Any]) -> Callable[..., Any]:
        """Return a function of the fields that are read.

        Args:
            call: the loaded function, or the method of the function object.
        """
        function: Any = call.__func__ if isinstance(call, MethodType) else call
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        closure = tuple(cells[name] for name in self.code.co_freevars)
        names = function.__globals__
        made = FunctionType(self.code, names, function.__name__, function.__defaults__, closure)
        made.__kwdefaults__ = function.__kwdefaults__
        return MethodType(made, call.__self__) if isinstance(call, MethodType) else made
