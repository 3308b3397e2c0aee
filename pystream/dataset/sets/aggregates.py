"""AggregateOperator: the aggregation of fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import TypeVar

from pystream.dataset.aggregation import AggregationFunction, Several
from pystream.dataset.sets.data_set import DataSet
from pystream.dataset.sets.keys import Key, key_of
from pystream.datastream.streams.data_stream import DataStream
from pystream.errors import ArgumentTypeError, PlanTypeError
from pystream.plan.nodes import TYPE_OF_INPUT
from typeinfo.arguments import checks_arguments
from typeinfo.pickled import is_pickled

if TYPE_CHECKING:
    from pystream.dataset.sets.grouping import Grouping

__all__ = ["AggregateOperator"]

T = TypeVar("T")
Aggregations = tuple[tuple[type[AggregationFunction], int], ...]


@checks_arguments(ArgumentTypeError)
class AggregateOperator(DataSet[T]):
    """The aggregation of one or several fields of each group.

    Mirrors ``org.apache.flink.api.java.operators.AggregateOperator``.
    """

    def __init__(self, grouping: Grouping[T], aggregations: Aggregations) -> None:
        for aggregation, field in aggregations:
            if not (isinstance(aggregation, type) and issubclass(aggregation, AggregationFunction)):
                raise PlanTypeError(f"aggregate takes Sum, Min or Max, not {aggregation!r}")
            key: Key = key_of((field,), "aggregate")
            key.type_in(grouping._data_set._stream)
        self._grouping = grouping
        self._aggregations = aggregations
        super().__init__(grouping._data_set._environment, self._aggregated())

    def and_agg(self, aggregation: type[AggregationFunction], field: int) -> AggregateOperator[T]:
        """Add an aggregation of another field.

        Args:
            aggregation: Sum, Min or Max of ``flink.functions.Aggregation``.
            field: its position.

        Raises:
            PlanError: there is no such field.
            PlanTypeError: it is not an aggregation.

        Mirrors ``AggregateOperator.and``.
        """
        return AggregateOperator(self._grouping, (*self._aggregations, (aggregation, field)))

    def _aggregated(self) -> DataStream[T]:
        grouping = self._grouping
        stream: DataStream[Any] = grouping._data_set._stream
        if len(self._aggregations) == 1 and not is_pickled(stream._type):
            ((aggregation, field),) = self._aggregations
            keyed = grouping._keyed(stream)
            aggregated: DataStream[T] = getattr(keyed, aggregation.kind)(field)
            return aggregated.name(f"Aggregate {aggregation.__name__} of {field}")
        result = stream._type, TYPE_OF_INPUT
        return grouping._reduced(Several(self._aggregations), "Aggregate", result)
