"""What goes wrong between elements and their bytes."""

from __future__ import annotations

from typeinfo.errors import PyStreamError

__all__ = ["DeserializationError", "SerializationError"]


class SerializationError(PyStreamError, ValueError):
    """Report an element that a format cannot write; the message names the field."""


class DeserializationError(PyStreamError, ValueError):
    """Report a message that a format cannot read; the message names the field."""
