"""Parameters of the query of a JDBC source: one execution, and one split, for each set of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from pystream.arguments.checks import require_int
from pystream.errors import ConfigurationError, PlanTypeError

__all__ = [
    "JdbcGenericParameterValuesProvider",
    "JdbcNumericBetweenParametersProvider",
    "JdbcParameterValuesProvider",
]

_LOW, _HIGH = -(2**63), 2**63 - 1


class JdbcParameterValuesProvider(ABC):
    """Return the values of the placeholders of a query for each of its executions.

    Mirrors ``org.apache.flink.connector.jdbc.split.JdbcParameterValuesProvider``.
    """

    @abstractmethod
    def get_parameter_values(self) -> Sequence[Sequence[Any]]:
        """Return the values for each execution."""


class JdbcGenericParameterValuesProvider(JdbcParameterValuesProvider):
    """Values that the program gives.

    Args:
        parameters: the values of the placeholders for each execution, in order.

    Mirrors ``org.apache.flink.connector.jdbc.split.JdbcGenericParameterValuesProvider``.
    """

    def __init__(self, parameters: Iterable[Sequence[Any]]) -> None:
        self._parameters = [tuple(values) for values in parameters]

    def get_parameter_values(self) -> Sequence[Sequence[Any]]:
        """Return the values given."""
        return self._parameters


class JdbcNumericBetweenParametersProvider(JdbcParameterValuesProvider):
    """Ranges of integers, for a query with ``WHERE column BETWEEN ? AND ?``.

    Set the size or the number of the ranges, whose sizes then differ by at most one.

    Args:
        min_val: the lower bound of the first range.
        max_val: the upper bound of the last range, included.

    Raises:
        ConfigurationError: a bound is not an int of 64 bits, or ``max_val`` lies below ``min_val``.

    Mirrors ``org.apache.flink.connector.jdbc.split.JdbcNumericBetweenParametersProvider``.

    Examples:
        >>> from pystream.datastream.connectors.jdbc import JdbcNumericBetweenParametersProvider
        >>> JdbcNumericBetweenParametersProvider(1, 10).of_batch_num(3).get_parameter_values()
        [(1, 3), (4, 6), (7, 10)]
    """

    def __init__(self, min_val: int, max_val: int) -> None:
        self._min = require_int(min_val, "JdbcNumericBetweenParametersProvider: min_val", _LOW, _HIGH)
        self._max = require_int(max_val, "JdbcNumericBetweenParametersProvider: max_val", _LOW, _HIGH)
        if max_val < min_val:
            raise ConfigurationError(
                f"JdbcNumericBetweenParametersProvider: max_val {max_val} lies below min_val {min_val}"
            )
        self._count: int | None = None

    def of_batch_size(self, batch_size: int) -> JdbcNumericBetweenParametersProvider:
        """Set the size of a range at most; returns this object.

        Raises:
            ConfigurationError: it is not an int of 1 or more.
        """
        require_int(batch_size, "of_batch_size: batch_size", 1)
        self._count = -(-(self._max - self._min + 1) // batch_size)
        return self

    def of_batch_num(self, batch_num: int) -> JdbcNumericBetweenParametersProvider:
        """Set the number of ranges, of which there are fewer if there are fewer numbers; returns this object.

        Raises:
            ConfigurationError: it is not an int of 1 or more.
        """
        require_int(batch_num, "of_batch_num: batch_num", 1)
        self._count = min(batch_num, self._max - self._min + 1)
        return self

    def get_parameter_values(self) -> Sequence[Sequence[Any]]:
        """Return the bounds of each range.

        Raises:
            PlanTypeError: neither size nor number was set.
        """
        if self._count is None:
            raise PlanTypeError(
                "JdbcNumericBetweenParametersProvider: set the ranges with of_batch_size or of_batch_num"
            )
        total = self._max - self._min + 1
        cuts = [self._min + total * i // self._count for i in range(self._count + 1)]
        return [(low, high - 1) for low, high in pairwise(cuts)]
