"""Errors of window operations."""

from __future__ import annotations

from typeinfo.errors import PyStreamError

__all__ = ["WindowError", "WindowTypeError"]


class WindowError(PyStreamError, ValueError):
    """The parts of a window operation do not fit together, or a window is invalid."""


class WindowTypeError(WindowError, TypeError):
    """An argument of a window operation has the wrong class or lacks a method."""
