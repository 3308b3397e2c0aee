"""Errors of converting elements to bytes and back."""

from __future__ import annotations

import reprlib
from typing import Any

__all__ = ["FieldError", "excerpt"]

_repr = reprlib.Repr()
_repr.maxstring = _repr.maxother = 200


class FieldError(Exception):
    """Report a part of a message that does not fit, on its way up to the whole message.

    Args:
        message: the fault, without the place.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
        self.path: str = ""

    def under(self, segment: str) -> FieldError:
        """Return the error as one of the whole in which ``segment`` leads to the part."""
        self.path = segment + self.path
        return self

    def __str__(self) -> str:
        return f"field {self.path.lstrip('.')}: {self.message}" if self.path else self.message


def excerpt(message: Any) -> str:
    """Return a repr of a message of at most about 200 characters."""
    return _repr.repr(message)
