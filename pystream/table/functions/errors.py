"""Errors of functions: values that have no result."""

from __future__ import annotations

from typeinfo.errors import PyStreamError

__all__ = ["ConversionError", "SqlArithmeticError"]


class SqlArithmeticError(PyStreamError, ArithmeticError):
    """A result is not defined, or out of the range of its type; the message names the values."""


class AggregationError(PyStreamError, ValueError):
    """An aggregate function has no result for the values of a group, as there are too many."""


class ConversionError(PyStreamError, ValueError):
    """A value cannot be converted to a type; the message names both."""
