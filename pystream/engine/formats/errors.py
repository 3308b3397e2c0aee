"""Errors of encoding and decoding elements."""

from __future__ import annotations

import reprlib
from typing import Any

__all__ = ["FieldError", "excerpt"]

_repr = reprlib.Repr()
_repr.maxstring = _repr.maxother = 200


class FieldError(Exception):
    """A part of a message is invalid; the error collects the path to it on its way up.

    Args:
        message: the fault, without the place.

    Attributes:
        is_fatal: whether it is an error even where parse errors are ignored.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
        self.path: str = ""
        self.is_fatal = False

    def under(self, segment: str) -> FieldError:
        """Return the error with ``segment`` prepended to its path."""
        self.path = segment + self.path
        return self

    def __str__(self) -> str:
        return f"field {self.path.lstrip('.')}: {self.message}" if self.path else self.message


def excerpt(message: Any) -> str:
    """Return the repr of a message, truncated to about 200 characters."""
    return _repr.repr(message)
