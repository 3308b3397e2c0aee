"""Predicates for retry strategies."""

from __future__ import annotations

from collections.abc import Sized

from pystream.errors import ArgumentTypeError
from typeinfo.arguments import checks_arguments

__all__ = ["empty_result_predicate", "exception_type_predicate", "has_exception_predicate"]


@checks_arguments(ArgumentTypeError)
def empty_result_predicate(result: Sized | None) -> bool:
    """Return whether there are no results."""
    return result is None or len(result) == 0


@checks_arguments(ArgumentTypeError)
def has_exception_predicate(error: BaseException | None) -> bool:
    """Return whether there is an exception."""
    return error is not None


@checks_arguments(ArgumentTypeError)
def exception_type_predicate(
    error: BaseException | None, expected_error_type: type[BaseException] | tuple[type[BaseException], ...]
) -> bool:
    """Return whether an exception is an instance of a class; bind the class by ``functools.partial``."""
    return isinstance(error, expected_error_type)
