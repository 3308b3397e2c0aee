"""Aggregations of a field: Sum, Min and Max."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from pystream.field_aggregations import AggregationKind, FieldAggregation

__all__ = ["Aggregation", "AggregationFunction", "Max", "Min", "Several", "Sum"]


class AggregationFunction:
    """Base class of the aggregations. Mirrors ``…api.java.aggregation.AggregationFunction``."""

    kind: ClassVar[AggregationKind]


class Sum(AggregationFunction):
    """The sum of a field."""

    kind: ClassVar[AggregationKind] = "sum"


class Min(AggregationFunction):
    """The minimum of a field."""

    kind: ClassVar[AggregationKind] = "min"


class Max(AggregationFunction):
    """The maximum of a field."""

    kind: ClassVar[AggregationKind] = "max"


class Aggregation:
    """The aggregations as attributes, as in ``Aggregation.Max``."""

    Sum = Sum
    Min = Min
    Max = Max


class Several:
    """Reduces elements by several aggregations of their fields.

    Args:
        aggregations: pairs of aggregation and position.
    """

    def __init__(self, aggregations: Sequence[tuple[type[AggregationFunction], int]]) -> None:
        self._reductions = [FieldAggregation(aggregation.kind, field) for aggregation, field in aggregations]

    def __call__(self, value1: Any, value2: Any) -> Any:
        """Return the first element with its aggregated fields replaced."""
        reduced = value1
        for aggregation in self._reductions:
            reduced = aggregation.reduce(reduced, value2)
        return reduced
