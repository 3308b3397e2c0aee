"""What a function returns that may have several results for an element: a collection of them, or nothing."""

from __future__ import annotations

from collections.abc import Iterable
from types import GeneratorType
from typing import Any, Final

from pystream.runtime.failure import short_repr
from typeinfo.errors import PyStreamError
from typeinfo.row import Row

__all__ = ["COLLECTIONS", "SeveralResultsError", "are_results"]

COLLECTIONS: Final = frozenset({list, tuple, GeneratorType})
"""The usual classes of what is returned, which need not be looked at."""

_PARTS: Final[tuple[tuple[type | tuple[type, ...], str], ...]] = (
    (str, "characters"),
    ((bytes, bytearray, memoryview), "bytes"),
    (dict, "keys"),
    (Row, "fields"),
)


class SeveralResultsError(PyStreamError, TypeError):
    """Report that a function returned one result where it must return a collection of results."""


def are_results(returned: Any) -> bool:
    """Tell whether a function returned a collection of results, and not ``None``.

    Raises:
        SeveralResultsError: it returned something else, or something of which the parts would be taken for
            results.
    """
    if returned is None:
        return False
    for kind, parts in _PARTS:
        if isinstance(returned, kind):
            raise _refusal(returned, f"whose {parts} would be the results")
    if hasattr(type(returned), "columns"):  # of pandas, Polars or Arrow
        raise _refusal(returned, "a table, whose columns would be the results")
    if not isinstance(returned, Iterable) and not hasattr(returned, "__getitem__"):
        raise _refusal(returned, "which is not a collection of results")
    return True


def _refusal(returned: Any, why: str) -> SeveralResultsError:
    given = f"{short_repr(returned)} ({type(returned).__qualname__})"
    return SeveralResultsError(
        f"the function returned {given}, {why}; return a list, such as [result], or yield each result"
    )
