"""Aggregators of variances and standard deviations."""

from __future__ import annotations

from typing import Any, NamedTuple

from pystream.errors import UnsupportedOperationError
from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.functions.conversion import conversion
from pystream.table.streaming.aggregators import Aggregator
from pystream.table.streaming.retracting_aggregators import RetractingAggregator

__all__ = ["PopulationDeviation", "PopulationVariance", "SampleDeviation", "SampleVariance"]

_EXPONENT = 0.5


class _Moments(NamedTuple):
    """The number of values, their mean, and the sum of the squares of their distances from it."""

    number: int = 0
    mean: float = 0.0
    squares: float = 0.0


class PopulationVariance(RetractingAggregator, Aggregator):
    """The mean square of the distances from the mean, by Welford's algorithm.

    It is computed as DOUBLE, and cast to the type of the result. Mirrors ``WelfordM2AggFunction``.

    Args:
        result: the SQL type of the result.
    """

    def __init__(self, result: DataType) -> None:
        super().__init__(result)
        convert = conversion(DataTypes.DOUBLE(), result)
        if convert is None:
            raise UnsupportedOperationError(f"variances are of numbers: they cannot be of type {result}")
        self._convert = convert

    def empty(self) -> _Moments:
        """Return the moments of no values."""
        return _Moments()

    def add(self, accumulated: _Moments, value: Any) -> _Moments:
        """Return the moments with another value."""
        count, mean, squares = accumulated
        distance = float(value) - mean
        mean += distance / (count + 1)
        return _Moments(count + 1, mean, squares + distance * (float(value) - mean))

    def retract(self, accumulated: _Moments, value: Any) -> _Moments:
        """Return the moments without a value."""
        count, mean, squares = accumulated
        if count <= 1:
            return _Moments()
        distance = float(value) - mean
        mean -= distance / (count - 1)
        return _Moments(count - 1, mean, max(squares - distance * (float(value) - mean), 0.0))

    def merge(self, one: _Moments, other: _Moments) -> _Moments:
        """Return the moments of the values of both."""
        count = one.number + other.number
        if not (one.number and other.number):
            return one if one.number else other
        distance = other.mean - one.mean
        mean = one.mean + distance * other.number / count
        squares = one.squares + other.squares + distance * distance * one.number * other.number / count
        return _Moments(count, mean, squares)

    def result(self, accumulated: _Moments) -> Any:
        """Return the result; ``None`` of too few values."""
        divisor = self._divisor(accumulated.number)
        return self._convert(self._of_variance(accumulated.squares / divisor)) if divisor > 0 else None

    def _divisor(self, count: int) -> int:
        return count

    def _of_variance(self, variance: float) -> float:
        return variance


class SampleVariance(PopulationVariance):
    """The variance of a sample, which is null of one value."""

    def _divisor(self, count: int) -> int:
        return count - 1


class PopulationDeviation(PopulationVariance):
    """The square root of the variance."""

    def _of_variance(self, variance: float) -> float:
        return float(variance**_EXPONENT)


class SampleDeviation(SampleVariance):
    """The square root of the variance of a sample."""

    def _of_variance(self, variance: float) -> float:
        return float(variance**_EXPONENT)
