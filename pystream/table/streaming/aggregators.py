"""Aggregators: how each aggregate function accumulates the values of a group."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import Any

from pystream.engine.context import RuntimeContext
from pystream.errors import UnsupportedOperationError
from pystream.sql_types.data_types import DataType
from pystream.table.streaming.arithmetic import arithmetic_of
from pystream.table.streaming.value_keys import value_key

__all__ = [
    "Aggregator",
    "Average",
    "Count",
    "Distinct",
    "FirstValue",
    "Maximum",
    "LastValue",
    "Minimum",
    "Sum",
]


class Aggregator(ABC):
    """Base class of aggregators; what is accumulated is plain data, ``None`` if nothing is.

    Args:
        result: the SQL type of the result.
    """

    def __init__(self, result: DataType) -> None:
        self.result_type = result

    def open(self, context: RuntimeContext) -> None:  # noqa: B027 - most need neither
        """Prepare the aggregator; called once per task, before all else."""

    def close(self) -> None:  # noqa: B027
        """Release resources; called once per task."""

    def empty(self) -> Any:
        """Return what is accumulated at first."""
        return None

    @abstractmethod
    def add(self, accumulated: Any, value: Any) -> Any:
        """Return what is accumulated after another value, which is not null."""

    @abstractmethod
    def merge(self, one: Any, other: Any) -> Any:
        """Return what is accumulated of the values of both."""

    def result(self, accumulated: Any) -> Any:
        """Return the result."""
        return accumulated


class Count(Aggregator):
    """The number of values."""

    def empty(self) -> int:
        """Return 0."""
        return 0

    def add(self, accumulated: int, value: Any) -> int:
        """Return the next number."""
        return accumulated + 1

    def merge(self, one: int, other: int) -> int:
        """Return the number of both."""
        return one + other


class _OfPairs(Aggregator):
    """Base class of aggregators to a value that combines two values."""

    @abstractmethod
    def _combined(self, one: Any, other: Any) -> Any:
        """Return the combination of two values."""

    def add(self, accumulated: Any, value: Any) -> Any:
        """Return the combination with another value."""
        return value if accumulated is None else self._combined(accumulated, value)

    def merge(self, one: Any, other: Any) -> Any:
        """Return the combination of both."""
        return one if other is None else self.add(one, other)


class Sum(_OfPairs):
    """The sum of the values, by the arithmetic of the type of the result."""

    def __init__(self, result: DataType) -> None:
        super().__init__(result)
        self._arithmetic = arithmetic_of(result, "SUM")

    def add(self, accumulated: Any, value: Any) -> Any:
        """Return the sum with another value."""
        return self._combined(self._arithmetic.neutral if accumulated is None else accumulated, value)

    def _combined(self, one: Any, other: Any) -> Any:
        return self._arithmetic.sum(one, other)


class Minimum(_OfPairs):
    """The smallest value."""

    def _combined(self, one: Any, other: Any) -> Any:
        return other if other < one else one


class Maximum(_OfPairs):
    """The greatest value."""

    def _combined(self, one: Any, other: Any) -> Any:
        return other if other > one else one


class Average(Aggregator):
    """The average of the values; their total and their number are accumulated."""

    def __init__(self, result: DataType) -> None:
        super().__init__(result)
        self._arithmetic = arithmetic_of(result, "AVG")

    def empty(self) -> tuple[Any, int]:
        """Return a total and a number of 0."""
        return 0, 0

    def add(self, accumulated: tuple[Any, int], value: Any) -> tuple[Any, int]:
        """Return the total and the number with another value."""
        return self.merge(accumulated, (value, 1))

    def merge(self, one: tuple[Any, int], other: tuple[Any, int]) -> tuple[Any, int]:
        """Return the totals and the numbers of both."""
        total, further = one[0], other[0]
        is_known = total is not None and further is not None
        return self._arithmetic.total(total, further) if is_known else None, one[1] + other[1]

    def result(self, accumulated: tuple[Any, int]) -> Any:
        """Return the average; ``None`` without values, or if the total was out of range."""
        total, number = accumulated
        return None if total is None or number == 0 else self._arithmetic.average(total, number)


class FirstValue(Aggregator):
    """The value that came first."""

    def add(self, accumulated: Any, value: Any) -> Any:
        """Return the value so far, or else the new one."""
        return value if accumulated is None else accumulated

    def merge(self, one: Any, other: Any) -> Any:
        """Refuse to merge."""
        raise _without_order("FIRST_VALUE")


class LastValue(Aggregator):
    """The value that came last."""

    def add(self, accumulated: Any, value: Any) -> Any:
        """Return the new value."""
        return value

    def merge(self, one: Any, other: Any) -> Any:
        """Refuse to merge."""
        raise _without_order("LAST_VALUE")


def _without_order(function: str) -> UnsupportedOperationError:
    return UnsupportedOperationError(
        f"{function} of windows that merge is not supported, as in Flink: the order of rows of different "
        "windows is not known; use MIN or MAX"
    )


class Distinct(Aggregator):
    """Accumulates equal values once; the values are kept, in the order of arrival.

    Args:
        distinct: accumulates the values that differ.
    """

    def __init__(self, distinct: Aggregator) -> None:
        super().__init__(distinct.result_type)
        self._distinct = distinct

    def open(self, context: RuntimeContext) -> None:
        """Prepare what accumulates the values."""
        self._distinct.open(context)

    def close(self) -> None:
        """Release resources."""
        self._distinct.close()

    def empty(self) -> tuple[dict[Hashable, Any], Any]:
        """Return no values, and what is accumulated of none."""
        return {}, self._distinct.empty()

    def add(self, accumulated: tuple[dict[Hashable, Any], Any], value: Any) -> tuple[Any, Any]:
        """Return what is accumulated after another value; the dict is modified."""
        values, inner = accumulated
        key = value_key(value)
        if key in values:
            return accumulated
        values[key] = value
        return values, self._distinct.add(inner, value)

    def merge(self, one: tuple[dict[Hashable, Any], Any], other: tuple[dict[Hashable, Any], Any]) -> Any:
        """Return what is accumulated of both; the dict of the first is modified."""
        for value in other[0].values():
            one = self.add(one, value)
        return one

    def result(self, accumulated: tuple[dict[Hashable, Any], Any]) -> Any:
        """Return the result of the values that differ."""
        return self._distinct.result(accumulated[1])
