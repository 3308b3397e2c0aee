"""How each aggregate function accumulates values, without and with values that are taken back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from pystream.table.streaming.aggregators import (
    Aggregator,
    Average,
    Count,
    FirstValue,
    LastValue,
    Maximum,
    Minimum,
    Sum,
)
from pystream.table.streaming.collecting_aggregators import (
    ArrayAgg,
    Collect,
    JsonArrayAgg,
    JsonObjectAgg,
    ListAgg,
    Percentile,
    SingleValue,
)
from pystream.table.streaming.deviations import (
    PopulationDeviation,
    PopulationVariance,
    SampleDeviation,
    SampleVariance,
)
from pystream.table.streaming.retracting_aggregators import (
    RetractingAggregator,
    RetractingAverage,
    RetractingCount,
    RetractingFirstValue,
    RetractingLastValue,
    RetractingMaximum,
    RetractingMinimum,
    RetractingSum,
)

__all__ = ["AGGREGATORS", "AggregatorClasses"]


class AggregatorClasses(NamedTuple):
    """The classes of aggregators of a function.

    Attributes:
        adding: that of rows that are only added.
        retracting: that of rows that may be taken back.
    """

    adding: type[Aggregator]
    retracting: type[RetractingAggregator]


_Both: TypeAlias = (
    type[ListAgg]
    | type[ArrayAgg]
    | type[Collect]
    | type[JsonArrayAgg]
    | type[JsonObjectAgg]
    | type[Percentile]
    | type[SingleValue]
    | type[PopulationVariance]
)


def _both(aggregator: _Both) -> AggregatorClasses:
    return AggregatorClasses(aggregator, aggregator)


AGGREGATORS: Mapping[str, AggregatorClasses] = {
    "COUNT": AggregatorClasses(Count, RetractingCount),
    "SUM": AggregatorClasses(Sum, RetractingSum),
    "AVG": AggregatorClasses(Average, RetractingAverage),
    "MIN": AggregatorClasses(Minimum, RetractingMinimum),
    "MAX": AggregatorClasses(Maximum, RetractingMaximum),
    "FIRST_VALUE": AggregatorClasses(FirstValue, RetractingFirstValue),
    "LAST_VALUE": AggregatorClasses(LastValue, RetractingLastValue),
    "LISTAGG": _both(ListAgg),
    "ARRAY_AGG": _both(ArrayAgg),
    "COLLECT": _both(Collect),
    "STDDEV_POP": _both(PopulationDeviation),
    "STDDEV_SAMP": _both(SampleDeviation),
    "VAR_POP": _both(PopulationVariance),
    "VAR_SAMP": _both(SampleVariance),
    "PERCENTILE": _both(Percentile),
    "JSON_OBJECTAGG": _both(JsonObjectAgg),
    "JSON_ARRAYAGG": _both(JsonArrayAgg),
    "APPROX_COUNT_DISTINCT": AggregatorClasses(Count, RetractingCount),
    "SINGLE_VALUE": _both(SingleValue),
}
"""The aggregators, by the names of the functions."""
