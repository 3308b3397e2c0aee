"""Errors of windows."""

from __future__ import annotations

from typeinfo.errors import PyStreamError

__all__ = ["WindowError", "WindowTypeError"]


class WindowError(PyStreamError, ValueError):
    """Report parts of a window operation that do not fit together, or a window that cannot be."""


class WindowTypeError(WindowError, TypeError):
    """Report an argument of a window operation that is of the wrong class or lacks a method."""
