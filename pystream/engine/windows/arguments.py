"""Validate the arguments of assigners, triggers and evictors."""

from __future__ import annotations

from typing import Any, Protocol

from pystream.engine.windows.errors import WindowError, WindowTypeError
from typeinfo.errors import short_repr

__all__ = ["LengthOfTime", "positive", "to_milliseconds", "whole"]


class _Time(Protocol):
    def to_milliseconds(self) -> int: ...


class _Duration(Protocol):
    def to_millis(self) -> int: ...


LengthOfTime = _Time | _Duration
"""A ``Time`` or a ``Duration``."""


def to_milliseconds(length: LengthOfTime, what: str) -> int:
    """Convert a length of time to ms.

    Raises:
        WindowTypeError: it is of another class.
    """
    for name in ("to_milliseconds", "to_millis"):
        method = getattr(length, name, None)
        if method is not None:
            return whole(method(), what)
    raise WindowTypeError(
        f"{what} takes a Time or a Duration, such as Time.seconds(5), not {short_repr(length)} of class"
        f" {type(length).__name__}"
    )


def whole(number: Any, what: str) -> int:
    """Return an argument, checked to be an integer.

    Raises:
        WindowTypeError: it is of another class.
    """
    if isinstance(number, bool) or not hasattr(number, "__index__"):
        raise WindowTypeError(
            f"{what} takes an int, not {short_repr(number)} of class {type(number).__name__}"
        )
    return int(number.__index__())


def positive(number: Any, what: str) -> int:
    """Return an argument, checked to be a positive integer.

    Raises:
        WindowTypeError: it is not an integer.
        WindowError: it is not above 0.
    """
    checked = whole(number, what)
    if checked <= 0:
        raise WindowError(f"{what} must be greater than 0, not {checked}")
    return checked
