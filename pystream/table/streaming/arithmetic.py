"""The arithmetic of SQL's numeric types: sums and averages, with Flink's overflow and rounding."""

from __future__ import annotations

from abc import ABC, abstractmethod
from ctypes import c_float
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation, Rounded
from typing import Any

from pystream.errors import UnsupportedOperationError
from pystream.sql_types.data_types import DataType, DecimalType
from typeinfo.scalar import ScalarTypeInfo
from typeinfo.types import Types

__all__ = ["Arithmetic", "arithmetic_of"]

_LARGEST = Context(prec=38, traps=[Rounded])
_HALF_UP = Context(prec=38, rounding=ROUND_HALF_UP, traps=[InvalidOperation])


class Arithmetic(ABC):
    """Sums and averages of numbers of one type.

    Attributes:
        neutral: the number that changes no other when it is added.
    """

    neutral: Any

    @abstractmethod
    def sum(self, one: Any, other: Any) -> Any:
        """Return the sum, as a number of the type; ``None`` if there is no such number."""

    def negated(self, number: Any) -> Any:
        """Return the number whose sum with a number is 0, whatever the range of the type."""
        return -number

    @abstractmethod
    def total(self, one: Any, other: Any) -> Any:
        """Return the sum, as a number of the type in which averages are computed; ``None`` as above."""

    @abstractmethod
    def average(self, total: Any, number: int) -> Any:
        """Return a total divided by a number, which is not 0; ``None`` if it is out of range."""


def arithmetic_of(result: DataType, function: str) -> Arithmetic:
    """Return the arithmetic of a numeric type.

    Args:
        result: the type.
        function: the aggregate function, for the message.

    Raises:
        UnsupportedOperationError: the type is not numeric.
    """
    if isinstance(result, DecimalType):
        return _Decimals(result.scale)
    type_info = result.type_info
    if type_info == Types.FLOAT:
        return _Floats()
    if type_info == Types.DOUBLE:
        return _Doubles()
    bounds = type_info.traits.bounds if isinstance(type_info, ScalarTypeInfo) else None
    if bounds is None:
        raise UnsupportedOperationError(f"{function} is of numbers: its result cannot be of type {result}")
    return _Integers(bounds[1] + 1)


class _Integers(Arithmetic):
    """Integers, which wrap as in Java; averages are computed with 64 bits and truncated towards zero.

    Args:
        beyond: the least positive integer that is out of range.
    """

    neutral = 0

    def __init__(self, beyond: int) -> None:
        self._beyond = beyond

    def sum(self, one: int, other: int) -> int:
        return _wrapped(one + other, self._beyond)

    def total(self, one: int, other: int) -> int:
        return _wrapped(one + other, 1 << 63)

    def average(self, total: int, number: int) -> int:
        return total // number if total >= 0 else -(-total // number)


def _wrapped(integer: int, beyond: int) -> int:
    return (integer + beyond) % (2 * beyond) - beyond


class _Doubles(Arithmetic):
    """64-bit floats."""

    neutral = -0.0

    def sum(self, one: float, other: float) -> float:
        return one + other

    def total(self, one: float, other: float) -> float:
        return one + other

    def average(self, total: float, number: int) -> float:
        return total / number


class _Floats(_Doubles):
    """32-bit floats; averages are computed with 64 bits."""

    def sum(self, one: float, other: float) -> float:
        return c_float(one + other).value

    def average(self, total: float, number: int) -> float:
        return c_float(total / number).value


class _Decimals(Arithmetic):
    """Decimals of 38 digits; averages are rounded, halves away from zero.

    Args:
        scale: the number of digits of results after the decimal point.
    """

    neutral = Decimal(0)

    def __init__(self, scale: int) -> None:
        self._step = Decimal(1).scaleb(-scale)

    def sum(self, one: Decimal, other: Decimal) -> Decimal | None:
        total = self.total(one, other)
        return None if total is None else self._in_scale(total)

    def total(self, one: Decimal, other: Decimal) -> Decimal | None:
        try:
            return _LARGEST.add(one, other)
        except Rounded:
            return None

    def negated(self, number: Decimal) -> Decimal:
        return number.copy_negate()

    def average(self, total: Decimal, number: int) -> Decimal | None:
        return self._in_scale(_HALF_UP.divide(total, Decimal(number)))

    def _in_scale(self, number: Decimal) -> Decimal | None:
        try:
            return _HALF_UP.quantize(number, self._step)
        except InvalidOperation:
            return None
