"""Errors of the type system, and the root of all errors of the project."""

from __future__ import annotations

__all__ = ["PyStreamError", "TypeCheckError", "TypeInferenceError", "UnsupportedTypeError"]


class PyStreamError(Exception):
    """Base class of all errors that this project raises on purpose."""


class TypeCheckError(PyStreamError, TypeError):
    """A value does not fit its declared type.

    Args:
        message: the fault and its remedy, without the place.
        path: path of the value inside the element, e.g. ``.tags[3]``; empty for the element itself.
        index: position of the element in the validated batch, if any.
    """

    def __init__(self, message: str, path: str = "", index: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.index = index

    def __str__(self) -> str:
        return f"value{self.path}: {self.message}" if self.path else self.message

    def __reduce__(self) -> tuple[type[TypeCheckError], tuple[str, str, int | None]]:
        return type(self), (self.message, self.path, self.index)


class UnsupportedTypeError(PyStreamError, TypeError):
    """A type has no counterpart in the other type system, or is invalid."""


class TypeInferenceError(PyStreamError, TypeError):
    """No type can be derived from a Python annotation."""
