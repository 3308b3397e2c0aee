"""RowAggregation: the aggregate functions of SQL over the rows of a group, one row at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pystream.datastream.functions import AggregateFunction, RuntimeContext
from pystream.engine.lifecycle import close_all
from pystream.errors import PlanError, UnsupportedOperationError
from pystream.sql_types.data_types import ArrayType, MapType, RowType
from pystream.table.algebra.aggregates import AggregateCall
from pystream.table.streaming.aggregate_arguments import accumulated_values
from pystream.table.streaming.aggregator_classes import AGGREGATORS
from pystream.table.streaming.aggregators import Aggregator, Distinct
from pystream.table.streaming.pandas_aggregator import user_aggregator
from pystream.table.streaming.ranks import DenseRank, Rank
from typeinfo.row import Row

__all__ = ["RowAggregation", "aggregator_of", "checked_call"]

_RANKS: Mapping[str, type[Aggregator]] = {"RANK": Rank, "DENSE_RANK": DenseRank}
"""The functions of OVER of the values by which rows are ordered."""

_UNORDERED = (ArrayType, MapType, RowType)
_SAME_IF_DISTINCT = frozenset({"MIN", "MAX", "FIRST_VALUE"})


class RowAggregation(AggregateFunction[Row[Any], list[Any], list[Any]]):
    """Aggregate rows by the functions of a query; the accumulator and the result have an entry for each.

    Nulls are skipped. Without any other values, ``COUNT`` is 0 and the other results are null. The sum of
    integers wraps at the width of its type, the average of integers is truncated towards zero. A sum of
    decimals that exceeds 38 digits is null and starts over at the next value; the average of such a sum
    remains null. ``MIN`` and ``MAX`` keep a NaN that comes first and ignore one that comes later.
    ``FIRST_VALUE`` and ``LAST_VALUE`` follow the order of arrival. ``DISTINCT`` keeps all values; NaNs are
    equal, and so are 0.0 and -0.0. Mirrors the aggregate functions of Flink's
    ``…table.planner.functions.aggfunctions``.

    Args:
        aggregates: the calls, in the order of the results.

    Raises:
        UnsupportedOperationError: an aggregate function is not supported, or not for the type of its result.
        PlanError: a function other than ``COUNT`` has no argument.
    """

    def __init__(self, aggregates: Sequence[AggregateCall]) -> None:
        self._steps = [(accumulated_values(call), aggregator_of(call)) for call in aggregates]

    def open(self, runtime_context: RuntimeContext) -> None:
        """Open the functions of the program."""
        for _, aggregator in self._steps:
            aggregator.open(runtime_context)

    def close(self) -> None:
        """Close the functions of the program."""
        close_all(aggregator.close for _, aggregator in self._steps)

    def create_accumulator(self) -> list[Any]:
        """Return the accumulator of no rows."""
        return [aggregator.empty() for _, aggregator in self._steps]

    def add(self, value: Row[Any], accumulator: list[Any]) -> list[Any]:
        """Return the accumulator, modified: with a row added."""
        for index, (value_of, aggregator) in enumerate(self._steps):
            added = value_of(value)
            if added is not None:
                accumulator[index] = aggregator.add(accumulator[index], added)
        return accumulator

    def get_result(self, accumulator: list[Any]) -> list[Any]:
        """Return the results, in the order of the aggregates."""
        return [
            aggregator.result(accumulated)
            for (_, aggregator), accumulated in zip(self._steps, accumulator, strict=True)
        ]

    def merge(self, acc_a: list[Any], acc_b: list[Any]) -> list[Any]:
        """Return the accumulator of the rows of two.

        Raises:
            UnsupportedOperationError: there is a ``FIRST_VALUE`` or ``LAST_VALUE``: as in Flink, which of two
                accumulators has the earlier rows is not known.
        """
        return [
            aggregator.merge(one, other)
            for (_, aggregator), one, other in zip(self._steps, acc_a, acc_b, strict=True)
        ]


def checked_call(call: AggregateCall) -> AggregateCall:
    """Return a call whose function exists and has the argument that it needs.

    Raises:
        UnsupportedOperationError: the function is not supported, or not for values of its type.
        PlanError: a function other than ``COUNT`` has no argument.
    """
    function = call.function
    if function not in AGGREGATORS:
        raise UnsupportedOperationError(
            f"{function} is not an aggregate function of unbounded tables; there are {', '.join(AGGREGATORS)}"
        )
    if not call.arguments and (function != "COUNT" or call.is_distinct):
        raise PlanError(f"{function} needs an argument: only COUNT(*) has none")
    if function in ("MIN", "MAX") and isinstance(call.result, _UNORDERED):
        raise UnsupportedOperationError(f"{function} takes values in an order, not {call.result}")
    return call


def aggregator_of(call: AggregateCall) -> Aggregator:
    """Return what accumulates the values of a call.

    Raises:
        UnsupportedOperationError: as `checked_call`.
        PlanError: as `checked_call`.
    """
    if call.definition is not None:
        return Distinct(user_aggregator(call)) if call.is_distinct else user_aggregator(call)
    if call.function in _RANKS:
        return _RANKS[call.function](call.result)
    aggregator = AGGREGATORS[checked_call(call).function].adding(call.result)
    if call.is_distinct and call.function not in _SAME_IF_DISTINCT:
        return Distinct(aggregator)
    return aggregator
