"""Groupings: the elements of a data set by key, with the operators that reduce each group."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Self

from typing_extensions import TypeVar

from pystream.arguments.attribute_hints import hints_at_equivalents
from pystream.arguments.checks import require_function, require_int
from pystream.dataset.aggregation import Aggregation, AggregationFunction
from pystream.dataset.calls import GroupReduceCall, MapCall, PairReduceCall, ReduceCall
from pystream.dataset.constants import Order
from pystream.dataset.custom_types import CustomType
from pystream.dataset.functions import Collector, GroupReduceFunction, Iterator, ReduceFunction
from pystream.dataset.group_calls import Sorted, Unpacked
from pystream.dataset.partitions import CombineCall, FirstCall, PreReduceCall
from pystream.dataset.sets.data_set import DataSet
from pystream.dataset.sets.keys import Key, key_of, keyed, nothing, single_group
from pystream.dataset.sets.operators import UNKNOWN, Broadcasts, OperatorMaker, ResultType, result_type
from pystream.datastream.streams.data_stream import DataStream
from pystream.datastream.streams.keyed_stream import KeyedStream
from pystream.engine.operators.elementwise import MAP
from pystream.engine.operators.keyed_reduce import REDUCE
from pystream.errors import ArgumentTypeError, PlanTypeError
from pystream.plan.nodes import TYPE_OF_INPUT
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr
from typeinfo.types import Types

if TYPE_CHECKING:
    from pystream.dataset.sets.aggregates import AggregateOperator

__all__ = ["Grouping", "SortedGrouping", "UnsortedGrouping"]

T = TypeVar("T")
U = TypeVar("U", default=Any)


@hints_at_equivalents
@checks_arguments(ArgumentTypeError)
class Grouping(Generic[T]):
    """The groups of a data set. Mirrors ``org.apache.flink.api.java.operators.Grouping``.

    Args:
        data_set: the data set.
        key: the key of its elements; ``None`` for a single group of all.
    """

    def __init__(self, data_set: DataSet[T], key: Key | None) -> None:
        self._data_set = data_set
        self._key = key
        self._orders: tuple[tuple[Callable[[Any], Any], bool], ...] = ()

    def reduce_group(
        self,
        operator: Callable[[Iterator[T]], Iterable[U] | None]
        | Callable[[Iterator[T], Collector[U]], Iterable[U] | None]
        | GroupReduceFunction[T, U],
        combinable: bool = False,
    ) -> DataSet[U]:
        """Process the elements of each group in one call, which holds them in memory.

        Args:
            operator: a GroupReduceFunction, or a function of an iterator, or of an iterator and a collector,
                that returns or yields the results.
            combinable: whether the elements of a group within a partition may be combined before they are
                sent to its subtask: by the function itself, or by ``combine`` of a GroupReduceFunction. They
                are combined any number of times.

        Raises:
            PlanTypeError: it is neither.
            FunctionPicklingError: it cannot be sent to workers.

        Mirrors ``UnsortedGrouping.reduceGroup``.

        Examples:
            >>> from pystream.dataset.functions import GroupReduceFunction
            >>> class Longest(GroupReduceFunction):
            ...     def reduce(self, iterator, collector):
            ...         collector.collect(max(iterator, key=len))
            >>> words = batch.from_elements("a", "an", "to")
            >>> _ = words.group_by(lambda word: word[0]).reduce_group(Longest(), combinable=True).output()
            >>> _ = batch.execute()
            an
            to
        """
        require_function(operator, "reduce_group", GroupReduceFunction)
        result = result_type(operator, "reduce", GroupReduceFunction, many=True)
        maker = OperatorMaker(operator, "GroupReduce", "reduce_group")

        def build(broadcasts: Broadcasts) -> DataStream[Any]:
            stream = self._data_set._stream
            call: Any = GroupReduceCall(operator, "reduce", self._types, 1)
            if self._orders:
                call = Sorted(call, self._orders)
            if not combinable:
                return maker.groups(self._keyed(stream), call, result, broadcasts)
            combine = CombineCall(operator, "combine", self._types, self._select)
            combiner = OperatorMaker(operator, "GroupCombine", "reduce_group")
            pairs = combiner.partition(stream, combine, UNKNOWN, broadcasts)
            return maker.groups(self._keyed_pairs(pairs), Unpacked(call), result, broadcasts)

        return self._data_set._built(build)

    def first(self, n: int) -> DataSet[T]:
        """Keep at most ``n`` elements of each group: any, or the first in the order of the group.

        Raises:
            ConfigurationError: ``n`` is not positive.

        Mirrors ``UnsortedGrouping.first``.
        """
        require_int(n, "n", 1)
        stream = self._data_set._stream
        call: Any = FirstCall(self._types, n)
        if self._orders:
            call = Sorted(call, self._orders)
        maker = OperatorMaker(None, f"First {n}", "first")
        firsts = maker.groups(self._keyed(stream), call, (stream._type, TYPE_OF_INPUT))
        return DataSet(self._data_set._environment, firsts)

    @property
    def _types(self) -> tuple[CustomType, ...]:
        return self._data_set._types

    @property
    def _select(self) -> Callable[[Any], Any]:
        return nothing if self._key is None else self._key.select

    def _reduced(
        self, function: Any, name: str, result: ResultType, broadcasts: Broadcasts = ()
    ) -> DataStream[Any]:
        """Reduce each group within its partition, and then as a whole."""
        stream = self._data_set._stream
        combine = PreReduceCall(function, "reduce", self._types, self._select)
        combiner = OperatorMaker(function, f"{name} in partitions", "reduce")
        pairs = self._keyed_pairs(combiner.partition(stream, combine, UNKNOWN, broadcasts))
        maker = OperatorMaker(function, name, "reduce")
        if broadcasts:
            call = Unpacked(ReduceCall(function, "reduce", self._types))
            return maker.groups(pairs, call, result, broadcasts)
        reduced = maker.keyed(pairs, REDUCE, PairReduceCall(function, "reduce", self._types), UNKNOWN)
        return OperatorMaker(None, name, "reduce").each(
            reduced, MAP, MapCall(_element, "", self._types), result
        )

    def _keyed_pairs(self, pairs: DataStream[tuple[Any, Any]]) -> KeyedStream[tuple[Any, Any], Any]:
        """Partition pairs of a key and an element by the key."""
        if self._key is None:
            return pairs.key_by(_key, Types.BYTE())
        return pairs.key_by(_key, self._key.type_in(self._data_set._stream))

    def _keyed(self, stream: DataStream[Any]) -> KeyedStream[Any, Any]:
        return single_group(stream) if self._key is None else keyed(stream, self._key)


@checks_arguments(ArgumentTypeError)
class UnsortedGrouping(Grouping[T]):
    """The groups of a data set, each in any order.

    Mirrors ``org.apache.flink.api.java.operators.UnsortedGrouping``.
    """

    def reduce(self, operator: Callable[[T, T], T] | ReduceFunction[T]) -> DataSet[T]:
        """Reduce the elements of each group to one by combining two at a time.

        Args:
            operator: a function of two elements or a ReduceFunction, associative and commutative. Results are
                typed by its annotation, if it has one.

        Raises:
            PlanTypeError: it is neither.
            FunctionPicklingError: it cannot be sent to workers.

        Mirrors ``UnsortedGrouping.reduce``.
        """
        require_function(operator, "reduce", ReduceFunction)
        result = result_type(operator, "reduce", ReduceFunction, many=False)
        return self._data_set._built(partial(self._reduced, operator, "Reduce", result))

    def aggregate(self, aggregation: type[AggregationFunction], field: int) -> AggregateOperator[T]:
        """Aggregate a field of the elements of each group, which are tuples; ``and_agg`` adds others.

        Args:
            aggregation: Sum, Min or Max of ``flink.functions.Aggregation``.
            field: its position.

        Returns:
            A tuple for each group: aggregated fields are replaced, all others are those of an arbitrary
            element.

        Raises:
            PlanError: there is no such field.
            PlanTypeError: it is not an aggregation.

        Mirrors ``UnsortedGrouping.aggregate``.
        """
        from pystream.dataset.sets.aggregates import AggregateOperator

        return AggregateOperator(self, ((aggregation, field),))

    def sum(self, field: int) -> AggregateOperator[T]:
        """Sum up a field in each group, as ``aggregate(Sum, field)``."""
        return self.aggregate(Aggregation.Sum, field)

    def min(self, field: int) -> AggregateOperator[T]:
        """Return the minimum of a field in each group, as ``aggregate(Min, field)``."""
        return self.aggregate(Aggregation.Min, field)

    def max(self, field: int) -> AggregateOperator[T]:
        """Return the maximum of a field in each group, as ``aggregate(Max, field)``."""
        return self.aggregate(Aggregation.Max, field)

    def sort_group(
        self, field: int | Callable[[T], Any], order: Order = Order.ASCENDING
    ) -> SortedGrouping[T]:
        """Sort the elements of each group.

        Args:
            field: the position of a field, or a function of an element.
            order: ascending or descending.

        Raises:
            PlanError: there is no such field.
            PlanTypeError: the order is something else.

        Mirrors ``UnsortedGrouping.sortGroup``.
        """
        return SortedGrouping(self._data_set, self._key)._sorted_by(field, order)


@checks_arguments(ArgumentTypeError)
class SortedGrouping(Grouping[T]):
    """The groups of a data set, each sorted.

    Mirrors ``org.apache.flink.api.java.operators.SortedGrouping``.
    """

    def sort_group(
        self, field: int | Callable[[T], Any], order: Order = Order.ASCENDING
    ) -> SortedGrouping[T]:
        """Sort elements that are equal so far by another field; as ``UnsortedGrouping.sort_group``."""
        grouping = SortedGrouping(self._data_set, self._key)
        grouping._orders = self._orders
        return grouping._sorted_by(field, order)

    def _sorted_by(self, field: int | Callable[[T], Any], order: Order) -> Self:
        if order not in (Order.ASCENDING, Order.DESCENDING):
            raise PlanTypeError(
                f"sort_group: the order is Order.ASCENDING or Order.DESCENDING, not {short_repr(order)}"
            )
        key = key_of((field,), "sort_group")
        key.type_in(self._data_set._stream)
        self._orders = (*self._orders, (key.select, order is Order.DESCENDING))
        return self


def _key(pair: tuple[Any, Any]) -> Any:
    return pair[0]


def _element(pair: tuple[Any, Any]) -> Any:
    return pair[1]
