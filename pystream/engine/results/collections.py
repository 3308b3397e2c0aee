"""Validate the results of functions that return a collection of elements, or ``None``."""

from __future__ import annotations

from collections import UserString
from collections.abc import Iterable, Mapping
from types import GeneratorType
from typing import Any, Final

from pystream.engine.failure import short_repr
from typeinfo.errors import PyStreamError
from typeinfo.row import Row

__all__ = ["COLLECTIONS", "SeveralResultsError", "are_results", "parts_of"]

COLLECTIONS: Final = frozenset({list, tuple, GeneratorType})
"""The usual classes of results, accepted without further checks."""


class SeveralResultsError(PyStreamError, TypeError):
    """A function returned a single result instead of a collection of results."""


def parts_of(value: Any) -> str | None:
    """Return the name of the parts of an iterable single value, such as characters; ``None`` for others."""
    match value:
        case str() | UserString():
            return "characters"
        case bytes() | bytearray() | memoryview():
            return "bytes"
        case Mapping():
            return "keys"
        case Row():
            return "fields"
        case tuple() if hasattr(value, "_fields"):
            return "fields"
    # The data frame protocol of pandas, Polars, Arrow and others.
    return "columns" if hasattr(type(value), "__dataframe__") else None


def are_results(returned: Any) -> bool:
    """Return True for a collection of results, and False for ``None``.

    Raises:
        SeveralResultsError: it returned something else, or a value whose parts would be mistaken for
            results.
    """
    if returned is None:
        return False
    parts = parts_of(returned)
    if parts is not None:
        raise _refusal(returned, f"whose {parts} would be the results")
    if not isinstance(returned, Iterable) and not hasattr(returned, "__getitem__"):
        raise _refusal(returned, "which is not a collection of results")
    return True


def _refusal(returned: Any, why: str) -> SeveralResultsError:
    given = f"{short_repr(returned)} ({type(returned).__qualname__})"
    return SeveralResultsError(
        f"the function returned {given}, {why}; return a list, such as [result], or yield each result"
    )
