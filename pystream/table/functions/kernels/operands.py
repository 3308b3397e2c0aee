"""Operands of kernels: arrays and scalars of the types that Arrow and Python compute alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute

from pystream.expressions.operation import NotComputedError

__all__ = [
    "Kernel",
    "Operand",
    "as_array",
    "is_whole",
    "of_doubles",
    "of_integers",
    "of_one_type",
    "pc",
    "require",
    "widened",
]

pc: Any = pyarrow.compute

Operand: TypeAlias = Any
"""An array, or a scalar that stands for the same value in all rows."""

Kernel: TypeAlias = Callable[..., Operand]
"""A function of operands; null where one of them is, unless its function of values handles nulls itself."""


def widened(operand: Operand) -> Operand:
    """Return numbers as 64-bit ones, as which Python computes them; all others as they are."""
    given = operand.type
    if pa.types.is_integer(given):
        return operand if given == pa.int64() else operand.cast(pa.int64())
    if given == pa.float32():
        return operand.cast(pa.float64())
    return operand


def is_whole(operand: Operand) -> bool:
    """Return whether an operand is of 64-bit integers."""
    return bool(operand.type == pa.int64())


def of_integers(*operands: Operand) -> None:
    """Check that operands are of 64-bit integers.

    Raises:
        NotComputedError: they are not.
    """
    if not all(map(is_whole, operands)):
        raise NotComputedError("not integers")


def of_doubles(*operands: Operand) -> None:
    """Check that operands are of 64-bit floats.

    Raises:
        NotComputedError: they are not.
    """
    if any(operand.type != pa.float64() for operand in operands):
        raise NotComputedError("not floats")


def of_one_type(*operands: Operand) -> None:
    """Check that operands are of one type.

    Raises:
        NotComputedError: they are not.
    """
    if any(operand.type != operands[0].type for operand in operands):
        raise NotComputedError("operands of different types")


def require(condition: Operand, reason: str) -> None:
    """Check that a condition holds wherever it is not null.

    Raises:
        NotComputedError: it does not.
    """
    holds = condition if isinstance(condition, pa.Scalar) else pc.all(condition, min_count=0)
    if holds.as_py() is False:
        raise NotComputedError(reason)


def as_array(operand: Operand, count: int) -> pa.Array:
    """Return an operand as an array of a length."""
    return pa.repeat(operand, count) if isinstance(operand, pa.Scalar) else operand
