"""Aggregators whose values can be taken back: how each aggregate function follows rows that are updated."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections import deque
from collections.abc import Hashable
from typing import Any, NamedTuple

from pystream.engine.context import RuntimeContext
from pystream.sql_types.data_types import DataType
from pystream.table.streaming.aggregators import Aggregator
from pystream.table.streaming.arithmetic import arithmetic_of
from pystream.table.streaming.value_keys import same_key, value_key

__all__ = [
    "MonotonicExtreme",
    "OfArrivals",
    "RetractingAggregator",
    "RetractingAverage",
    "RetractingCount",
    "RetractingDistinct",
    "RetractingFirstValue",
    "RetractingLastValue",
    "RetractingMaximum",
    "RetractingMinimum",
    "RetractingSum",
]


class RetractingAggregator(ABC):
    """Base class of aggregators whose values can be taken back; what is accumulated is plain data.

    Args:
        result: the SQL type of the result.
    """

    def __init__(self, result: DataType) -> None:
        self.result_type = result

    def open(self, context: RuntimeContext) -> None:  # noqa: B027 - most need neither
        """Prepare the aggregator; called once per task, before all else."""

    def close(self) -> None:  # noqa: B027
        """Release resources; called once per task."""

    @abstractmethod
    def empty(self) -> Any:
        """Return what is accumulated at first."""

    @abstractmethod
    def add(self, accumulated: Any, value: Any) -> Any:
        """Return what is accumulated after another value, which is not null."""

    @abstractmethod
    def retract(self, accumulated: Any, value: Any) -> Any:
        """Return what is accumulated without a value that was added, which is not null."""

    @abstractmethod
    def result(self, accumulated: Any) -> Any:
        """Return the result; ``None`` without values, except of a count."""


class RetractingCount(RetractingAggregator):
    """The number of values."""

    def empty(self) -> int:
        """Return 0."""
        return 0

    def add(self, accumulated: int, value: Any) -> int:
        """Return the next number."""
        return accumulated + 1

    def retract(self, accumulated: int, value: Any) -> int:
        """Return the number before."""
        return accumulated - 1

    def result(self, accumulated: int) -> int:
        """Return the number."""
        return accumulated


class _Total(NamedTuple):
    """A sum of numbers from which numbers can be taken back.

    Attributes:
        finite: the total of all finite numbers; null if it is out of range.
        number: how many numbers there are.
        others: how often there is each number that is not finite, which no subtraction takes back.
    """

    finite: Any = 0
    number: int = 0
    others: tuple[tuple[Any, int], ...] = ()


class _OfTotal(RetractingAggregator):
    """Base class of aggregators that keep the total and the number of the values.

    Args:
        result: the SQL type of the result.
        function: the name of the function.
    """

    def __init__(self, result: DataType, function: str) -> None:
        super().__init__(result)
        self._arithmetic = arithmetic_of(result, function)

    def empty(self) -> _Total:
        """Return the total of no values."""
        return _Total()

    def add(self, accumulated: _Total, value: Any) -> _Total:
        """Return the total with another value."""
        return self._changed(accumulated, value, 1)

    def retract(self, accumulated: _Total, value: Any) -> _Total:
        """Return the total without a value."""
        return self._changed(accumulated, value, -1)

    def _changed(self, accumulated: _Total, value: Any, change: int) -> _Total:
        finite, count, others = accumulated
        if isinstance(value, float) and not math.isfinite(value):
            counts: dict[Hashable, int] = dict(others)
            _recount(counts, repr(value), change)
            others = tuple(counts.items())
        else:
            finite = self._plus(finite, value if change > 0 else self._arithmetic.negated(value))
        return _Total(finite, count + change, others)

    @abstractmethod
    def _plus(self, total: Any, value: Any) -> Any:
        """Return a total, which is null if it is out of range, with another value."""

    def _sum(self, accumulated: _Total) -> Any:
        """Return the sum of all numbers."""
        finite, _, others = accumulated
        return sum((float(name) for name, _ in others), finite) if others else finite


class RetractingSum(_OfTotal):
    """The sum of the values, from which those taken back are subtracted.

    Floats keep the rounding errors of the values taken back. Mirrors ``SumWithRetractAggFunction``.
    """

    def __init__(self, result: DataType) -> None:
        super().__init__(result, "SUM")

    def _plus(self, total: Any, value: Any) -> Any:
        return self._arithmetic.sum(0 if total is None else total, value)

    def result(self, accumulated: _Total) -> Any:
        """Return the total; ``None`` without values, or if it is out of range."""
        return self._sum(accumulated) if accumulated.number else None


class RetractingAverage(_OfTotal):
    """The average of the values; their total and their number are accumulated."""

    def __init__(self, result: DataType) -> None:
        super().__init__(result, "AVG")

    def _plus(self, total: Any, value: Any) -> Any:
        return None if total is None else self._arithmetic.total(total, value)

    def result(self, accumulated: _Total) -> Any:
        """Return the average; ``None`` without values, or if the total was out of range."""
        total = self._sum(accumulated)
        is_known = total is not None and accumulated.number
        return self._arithmetic.average(total, accumulated.number) if is_known else None


class _OfSortedValues(RetractingAggregator):
    """Base class of aggregators that keep the values in order, each once, and how often each was added.

    NaN is greater than all numbers, and 0.0 is greater than -0.0, as for Java's ``Double.compareTo``.
    """

    def empty(self) -> tuple[list[Any], dict[Hashable, int]]:
        """Return no values, and no numbers of them."""
        return [], {}

    def add(self, accumulated: tuple[list[Any], dict[Hashable, int]], value: Any) -> Any:
        """Return the values, modified: with another one."""
        values, counts = accumulated
        rank = _rank(value)
        if _recount(counts, rank, 1) == 1:
            values.insert(bisect_left(values, rank, key=_rank), value)
        return accumulated

    def retract(self, accumulated: tuple[list[Any], dict[Hashable, int]], value: Any) -> Any:
        """Return the values, modified: without one of them."""
        values, counts = accumulated
        rank = _rank(value)
        if _recount(counts, rank, -1) == 0:
            del values[bisect_left(values, rank, key=_rank)]
        return accumulated


class MonotonicExtreme(RetractingAggregator):
    """The smallest or greatest of values that are only replaced by those that are at least as extreme.

    Each value that is taken back is followed by the one that replaces it, so that none needs to be kept.

    Args:
        result: the SQL type of the result.
        aggregator: accumulates the values.
    """

    def __init__(self, result: DataType, aggregator: Aggregator) -> None:
        super().__init__(result)
        self._aggregator = aggregator

    def empty(self) -> Any:
        """Return what is accumulated at first."""
        return self._aggregator.empty()

    def add(self, accumulated: Any, value: Any) -> Any:
        """Return the more extreme value."""
        return self._aggregator.add(accumulated, value)

    def retract(self, accumulated: Any, value: Any) -> Any:
        """Return the same value."""
        return accumulated

    def result(self, accumulated: Any) -> Any:
        """Return the value."""
        return accumulated


class RetractingMinimum(_OfSortedValues):
    """The smallest value. Mirrors ``MinWithRetractAggFunction``."""

    def result(self, accumulated: tuple[list[Any], dict[Hashable, int]]) -> Any:
        """Return the first value."""
        values, _ = accumulated
        return values[0] if values else None


class RetractingMaximum(_OfSortedValues):
    """The greatest value. Mirrors ``MaxWithRetractAggFunction``."""

    def result(self, accumulated: tuple[list[Any], dict[Hashable, int]]) -> Any:
        """Return the last value."""
        values, _ = accumulated
        return values[-1] if values else None


class OfArrivals(RetractingAggregator):
    """Base class of aggregators that keep the values in the order of arrival.

    Of equal values, the one that came first is taken back. One that was not added is ignored.
    """

    def empty(self) -> list[Any]:
        """Return the number of the next value, the values by their numbers, and the numbers of each value."""
        return [0, {}, {}]

    def add(self, accumulated: list[Any], value: Any) -> list[Any]:
        """Return the values, modified: with another one."""
        number, values, numbers = accumulated
        values[number] = value
        numbers.setdefault(same_key(value), deque()).append(number)
        accumulated[0] = number + 1
        return accumulated

    def retract(self, accumulated: list[Any], value: Any) -> list[Any]:
        """Return the values, modified: without one of them."""
        _, values, numbers = accumulated
        key = same_key(value)
        if key in numbers:
            del values[numbers[key].popleft()]
            if not numbers[key]:
                del numbers[key]
        return accumulated


class RetractingFirstValue(OfArrivals):
    """The value that came first. Mirrors ``FirstValueWithRetractAggFunction``."""

    def result(self, accumulated: list[Any]) -> Any:
        """Return the first value."""
        return next(iter(accumulated[1].values()), None)


class RetractingLastValue(OfArrivals):
    """The value that came last. Mirrors ``LastValueWithRetractAggFunction``."""

    def result(self, accumulated: list[Any]) -> Any:
        """Return the last value."""
        return next(reversed(accumulated[1].values()), None)


class RetractingDistinct(RetractingAggregator):
    """Accumulates the first of equal values, as long as one of them has not been taken back.

    Args:
        distinct: accumulates the values that differ.
    """

    def __init__(self, distinct: RetractingAggregator) -> None:
        super().__init__(distinct.result_type)
        self._distinct = distinct

    def open(self, context: RuntimeContext) -> None:
        """Prepare what accumulates the values."""
        self._distinct.open(context)

    def close(self) -> None:
        """Release resources."""
        self._distinct.close()

    def empty(self) -> tuple[dict[Hashable, tuple[Any, int]], Any]:
        """Return no values and numbers of them, and what is accumulated of none."""
        return {}, self._distinct.empty()

    def add(self, accumulated: tuple[dict[Hashable, tuple[Any, int]], Any], value: Any) -> tuple[Any, Any]:
        """Return what is accumulated after another value; the dict is modified."""
        return self._changed(accumulated, value, 1)

    def retract(
        self, accumulated: tuple[dict[Hashable, tuple[Any, int]], Any], value: Any
    ) -> tuple[Any, Any]:
        """Return what is accumulated without a value; the dict is modified."""
        return self._changed(accumulated, value, -1)

    def _changed(
        self, accumulated: tuple[dict[Hashable, tuple[Any, int]], Any], value: Any, change: int
    ) -> tuple[Any, Any]:
        counts, inner = accumulated
        key = value_key(value)
        first, before = counts.pop(key, (value, 0))
        count = before + change
        if count:
            counts[key] = first, count
        if (before, count) == (0, 1):
            inner = self._distinct.add(inner, first)
        elif (before, count) == (1, 0):
            inner = self._distinct.retract(inner, first)
        return counts, inner

    def result(self, accumulated: tuple[dict[Hashable, tuple[Any, int]], Any]) -> Any:
        """Return the result of the values that differ."""
        return self._distinct.result(accumulated[1])


def _recount(counts: dict[Hashable, int], key: Hashable, change: int) -> int:
    """Change how often a value was added; return the number, which is below 0 if it was taken back first."""
    count = counts.pop(key, 0) + change
    if count:
        counts[key] = count
    return count


def _rank(value: Any) -> Any:
    """Return what values are compared by."""
    if not isinstance(value, float):
        return value
    return (True, 0.0, 0.0) if value != value else (False, value, math.copysign(1, value))
