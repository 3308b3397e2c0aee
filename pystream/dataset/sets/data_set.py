"""DataSet: a bounded collection of elements of one type, with operators that make new ones from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Self

from typing_extensions import TypeVar

from pystream.arguments.attribute_hints import hints_at_equivalents
from pystream.arguments.checks import require, require_function, require_int
from pystream.dataset.aggregation import Aggregation, AggregationFunction
from pystream.dataset.calls import FilterCall, FlatMapCall, MapCall, ReduceCall, takes_collector
from pystream.dataset.files import CsvLine, TextFileSink
from pystream.dataset.functions import (
    Collector,
    FilterFunction,
    FlatMapFunction,
    Function,
    GroupReduceFunction,
    Iterator,
    KeySelector,
    MapFunction,
    MapPartitionFunction,
    ReduceFunction,
)
from pystream.dataset.partitions import CountCall, FirstCall, IndexCall, PartitionCall
from pystream.dataset.sets.data_sink import DataSink
from pystream.dataset.sets.keys import WHOLE, key_of, keyed
from pystream.dataset.sets.operator_settings import Build, OperatorSettings
from pystream.dataset.sets.operators import (
    Broadcasts,
    OperatorMaker,
    mapped,
    named,
    result_type,
    settled,
    untyped,
)
from pystream.datastream.streams.data_stream import DataStream
from pystream.engine.connectors.write_mode import WriteMode
from pystream.engine.operators.elementwise import FILTER, FLAT_MAP, MAP
from pystream.engine.operators.keyed_reduce import REDUCE
from pystream.errors import ArgumentTypeError, PlanError, PlanTypeError
from pystream.plan.nodes import TYPE_OF_INPUT, PrintTarget
from typeinfo.arguments import checks_arguments
from typeinfo.composite import TupleTypeInfo
from typeinfo.errors import short_repr
from typeinfo.pickled import PICKLED_BYTE_ARRAY, is_pickled
from typeinfo.types import Types

if TYPE_CHECKING:
    from pystream.dataset.sets.aggregates import AggregateOperator
    from pystream.dataset.sets.grouping import UnsortedGrouping
    from pystream.dataset.sets.joins import CoGroupOperator, CrossOperator, JoinOperator, PairedSets

__all__ = ["DataSet"]

T = TypeVar("T")
U = TypeVar("U", default=Any)
K = TypeVar("K", default=Any)
_COUNTS = "counts"


@hints_at_equivalents
@checks_arguments(ArgumentTypeError)
class DataSet(OperatorSettings[T]):
    """A bounded collection of elements, computed when the environment is executed.

    Operators make new data sets and never change the one they are called on. Settings (``name``,
    ``set_parallelism``, ``with_broadcast_set``) change the operator that the data set comes from, and return
    the data set. A function may be a lambda or an object of a class of ``flink.functions``; one with any
    number of results takes a collector, and may also return or yield them.

    Elements are in no particular order. Mirrors ``org.apache.flink.api.java.DataSet``.
    """

    # Operators on elements and partitions

    def map(self, operator: Callable[[T], U] | MapFunction[T, U]) -> DataSet[U]:
        """Apply a function that returns exactly one result for each element.

        Args:
            operator: a function or a MapFunction. Results are typed by its annotation, if it has one.

        Raises:
            PlanTypeError: it is neither.
            FunctionPicklingError: it cannot be sent to workers.

        Mirrors ``DataSet.map``.

        Examples:
            >>> _ = batch.from_elements(1, 2).map(lambda n: n * 10).output()
            >>> _ = batch.execute()
            10
            20
        """
        require_function(operator, "map", MapFunction)
        result = result_type(operator, "map", MapFunction, many=False)
        maker = OperatorMaker(operator, "Map", "map")

        def build(broadcasts: Broadcasts) -> DataStream[Any]:
            call = MapCall(operator, "map", self._types)
            if broadcasts:
                return maker.partition(self._stream, call, result, broadcasts)
            if self._is_plain(operator):
                return self._stream.map(operator)  # type: ignore[arg-type]
            return maker.each(self._stream, MAP, call, result)

        return self._built(build)

    def flat_map(
        self,
        operator: Callable[[T], Iterable[U] | None]
        | Callable[[T, Collector[U]], Iterable[U] | None]
        | FlatMapFunction[T, U],
    ) -> DataSet[U]:
        """Apply a function that emits any number of results for each element.

        Args:
            operator: a FlatMapFunction, or a function of the element, or of the element and a collector,
                that returns or yields the results; ``None`` for none.

        Raises:
            PlanTypeError: it is neither.
            FunctionPicklingError: it cannot be sent to workers.

        Mirrors ``DataSet.flatMap``.

        Examples:
            >>> _ = batch.from_elements("to be").flat_map(lambda line, collector: line.split()).output()
            >>> _ = batch.execute()
            to
            be
        """
        require_function(operator, "flat_map", FlatMapFunction)
        result = result_type(operator, "flat_map", FlatMapFunction, many=True)
        maker = OperatorMaker(operator, "FlatMap", "flat_map")

        def build(broadcasts: Broadcasts) -> DataStream[Any]:
            call = FlatMapCall(operator, "flat_map", self._types, 1)
            if broadcasts:
                return maker.partition(self._stream, call, result, broadcasts)
            if self._is_plain(operator) and not takes_collector(operator, "flat_map", 1):
                return self._stream.flat_map(operator)  # type: ignore[arg-type]
            return maker.each(self._stream, FLAT_MAP, call, result)

        return self._built(build)

    def map_partition(
        self,
        operator: Callable[[Iterator[T]], Iterable[U] | None]
        | Callable[[Iterator[T], Collector[U]], Iterable[U] | None]
        | MapPartitionFunction[T, U],
    ) -> DataSet[U]:
        """Apply a function to each partition, as an iterator over its elements.

        A partition is what a subtask receives. It is not held in memory, unless the function holds it. The
        function runs in a thread of its own.

        Args:
            operator: a MapPartitionFunction, or a function of the iterator, or of the iterator and a
                collector, that returns or yields the results; ``None`` for none.

        Raises:
            PlanTypeError: it is neither.
            FunctionPicklingError: it cannot be sent to workers.

        Mirrors ``DataSet.mapPartition``.

        Examples:
            >>> _ = batch.from_elements(1, 2, 3).map_partition(lambda numbers: [sum(numbers)]).output()
            >>> _ = batch.execute()
            6
        """
        require_function(operator, "map_partition", MapPartitionFunction)
        result = result_type(operator, "map_partition", MapPartitionFunction, many=True)
        maker = OperatorMaker(operator, "MapPartition", "map_partition")

        def build(broadcasts: Broadcasts) -> DataStream[Any]:
            call = PartitionCall(operator, "map_partition", self._types)
            return maker.partition(self._stream, call, result, broadcasts)

        return self._built(build)

    def filter(self, operator: Callable[[T], object] | FilterFunction[T]) -> DataSet[T]:
        """Keep the elements that satisfy a predicate.

        Args:
            operator: a predicate or a FilterFunction; it must not change elements.

        Raises:
            PlanTypeError: it is neither.
            FunctionPicklingError: it cannot be sent to workers.

        Mirrors ``DataSet.filter``.

        Examples:
            >>> _ = batch.from_elements(1, 2, 3, 4).filter(lambda n: n % 2 == 0).output()
            >>> _ = batch.execute()
            2
            4
        """
        require_function(operator, "filter", FilterFunction)
        result = (self._stream._type, TYPE_OF_INPUT)
        maker = OperatorMaker(operator, "Filter", "filter")

        def build(broadcasts: Broadcasts) -> DataStream[Any]:
            call = FilterCall(operator, "filter", self._types)
            if broadcasts:
                return maker.partition(self._stream, call, result, broadcasts)
            if self._is_plain(operator):
                return self._stream.filter(operator)  # type: ignore[arg-type]
            return maker.each(self._stream, FILTER, call, result)

        return self._built(build)

    def first(self, n: int) -> DataSet[T]:
        """Keep at most ``n`` elements, any of them.

        Raises:
            ConfigurationError: ``n`` is not positive.

        Mirrors ``DataSet.first``.
        """
        require_int(n, "n", 1)
        maker = OperatorMaker(None, f"First {n}", "first")
        result = (self._stream._type, TYPE_OF_INPUT)
        of_partitions = maker.partition(self._stream, FirstCall(self._types, n), result)
        firsts = maker.partition(of_partitions, FirstCall(self._types, n), result)
        return DataSet(self._environment, firsts.force_non_parallel())

    def union(self, other_set: DataSet[T]) -> DataSet[T]:
        """Return the elements of both data sets; duplicates are kept.

        Raises:
            PlanTypeError: the other one is not a DataSet.
            PlanError: the environments differ.

        Mirrors ``DataSet.union``.

        Examples:
            >>> _ = batch.from_elements(1).union(batch.from_elements(1)).output()
            >>> _ = batch.execute()
            1
            1
        """
        require(other_set, DataSet, "union", "a DataSet")
        self._require_same_environment(other_set, "union")
        first, second = self._stream, other_set._stream
        if first._type != second._type:
            first, second = untyped(first), untyped(second)
        return DataSet(self._environment, first.union(second))

    def rebalance(self) -> DataSet[T]:
        """Distribute the elements evenly among the subtasks of the next operator.

        Mirrors ``DataSet.rebalance``.
        """
        return DataSet(self._environment, self._stream.rebalance())

    def zip_with_index(self) -> DataSet[tuple[int, T]]:
        """Pair each element with its index, as ``(index, element)``.

        Indexes are consecutive from 0, in the order of partitions, and within one in the order of its
        elements. Partitions are counted first, and then numbered, so that none leaves its subtask. The
        parallelism is that of the operator before it, and cannot be set.

        Mirrors ``DataSetUtils.zipWithIndex``.

        Examples:
            >>> _ = batch.from_elements("a", "b").zip_with_index().output()
            >>> _ = batch.execute()
            (0, 'a')
            (1, 'b')
        """
        maker = OperatorMaker(None, "ZipWithIndex", "zip_with_index")
        stream: DataStream[Any] = settled(self._stream, self._types)
        counted = TupleTypeInfo([Types.INT(), Types.LONG()]), "counts of elements"
        counts = maker.partition(stream, CountCall(self._types), counted).name("Count")
        type_info = stream._type
        indexed = PICKLED_BYTE_ARRAY if is_pickled(type_info) else TupleTypeInfo([Types.LONG(), type_info])
        counts.set_parallelism(stream.get_parallelism())
        call = IndexCall(self._types, _COUNTS)
        result = maker.partition(stream, call, (indexed, TYPE_OF_INPUT), [(_COUNTS, named(counts, _COUNTS))])
        return _IndexedSet(self._environment, result.set_parallelism(stream.get_parallelism()))

    # Reductions

    def reduce(self, operator: Callable[[T, T], T] | ReduceFunction[T]) -> DataSet[T]:
        """Reduce all elements to one by combining two at a time; an empty data set has no result.

        Each partition is reduced first, so that one subtask receives one element from each.

        Args:
            operator: a function of two elements or a ReduceFunction, associative and commutative. Results are
                typed by its annotation, if it has one.

        Raises:
            PlanTypeError: it is neither.
            FunctionPicklingError: it cannot be sent to workers.

        Mirrors ``DataSet.reduce``.

        Examples:
            >>> _ = batch.from_elements(1, 2, 3).reduce(lambda a, b: a + b).output()
            >>> _ = batch.execute()
            6
        """
        return self._all().reduce(operator)

    def reduce_group(
        self,
        operator: Callable[[Iterator[T]], Iterable[U] | None]
        | Callable[[Iterator[T], Collector[U]], Iterable[U] | None]
        | GroupReduceFunction[T, U],
        combinable: bool = False,
    ) -> DataSet[U]:
        """Process all elements in one call, in one subtask, which holds them in memory.

        Args:
            operator: a GroupReduceFunction, or a function of an iterator, or of an iterator and a collector,
                that returns or yields the results.
            combinable: as in ``Grouping.reduce_group``.

        Raises:
            PlanTypeError: it is neither.
            FunctionPicklingError: it cannot be sent to workers.

        Mirrors ``DataSet.reduceGroup``.
        """
        return self._all().reduce_group(operator, combinable)

    def aggregate(self, aggregation: type[AggregationFunction], field: int) -> AggregateOperator[T]:
        """Aggregate a field of all elements, which are tuples; ``and_agg`` adds others.

        Args:
            aggregation: Sum, Min or Max of ``flink.functions.Aggregation``.
            field: its position.

        Returns:
            One tuple: aggregated fields are replaced, all others are those of an arbitrary element. None if
            the data set is empty.

        Raises:
            PlanError: there is no such field.
            PlanTypeError: it is not an aggregation.

        Mirrors ``DataSet.aggregate``.

        Examples:
            >>> from pystream.dataset.aggregation import Max, Sum
            >>> _ = batch.from_elements((1, 5), (2, 3)).aggregate(Sum, 0).and_agg(Max, 1).output()
            >>> _ = batch.execute()
            (3, 5)
        """
        return self._all().aggregate(aggregation, field)

    def sum(self, field: int) -> AggregateOperator[T]:
        """Sum up a field of all elements, as ``aggregate(Sum, field)``."""
        return self.aggregate(Aggregation.Sum, field)

    def min(self, field: int) -> AggregateOperator[T]:
        """Return the minimum of a field of all elements, as ``aggregate(Min, field)``."""
        return self.aggregate(Aggregation.Min, field)

    def max(self, field: int) -> AggregateOperator[T]:
        """Return the maximum of a field of all elements, as ``aggregate(Max, field)``."""
        return self.aggregate(Aggregation.Max, field)

    def group_by(self, *keys: int | Callable[[T], K] | KeySelector[T, K]) -> UnsortedGrouping[T]:
        """Group the elements by a key.

        Args:
            keys: positions of fields, where several form a composite key and one with a tuple stands for the
                whole tuple; or a single function or KeySelector. Keys are compared as Python compares them.

        Raises:
            PlanError: there is no key, or no such field.
            PlanTypeError: a key is something else.

        Mirrors ``DataSet.groupBy``.

        Examples:
            >>> _ = batch.from_elements(("tea", 1), ("tea", 2)).group_by(0).sum(1).output()
            >>> _ = batch.execute()
            ('tea', 3)
        """
        from pystream.dataset.sets.grouping import UnsortedGrouping

        key = key_of(keys, "group_by")
        key.type_in(self._stream)
        return UnsortedGrouping(self, key)

    def distinct(self, *keys: int | Callable[[T], K] | KeySelector[T, K]) -> DataSet[T]:
        """Keep one element of those that are equal, or of those with the same key.

        Args:
            keys: as in ``group_by``; none for the whole element.

        Mirrors ``DataSet.distinct``.
        """
        key = key_of(keys, "distinct") if keys else WHOLE
        maker = OperatorMaker(None, "Distinct", "distinct")
        call = ReduceCall(_earlier, "", self._types)
        result = self._stream._type, TYPE_OF_INPUT
        return DataSet(self._environment, maker.keyed(keyed(self._stream, key), REDUCE, call, result))

    # Operators on two data sets

    def join(self, other_set: DataSet[U]) -> PairedSets[T, U, JoinOperator[T, U]]:
        """Join with another data set: ``one.join(two).where(0).equal_to(1)``, and optionally ``.using(f)``.

        Both data sets are partitioned by key. A subtask holds the elements of one key group at a time.

        Returns:
            Without a function, the pairs of elements that have the same key.

        Raises:
            PlanTypeError: the other one is not a DataSet.
            PlanError: the environments differ.

        Mirrors ``DataSet.join``.

        Examples:
            >>> names, ages = batch.from_elements((1, "Ada")), batch.from_elements((36, 1))
            >>> _ = names.join(ages).where(0).equal_to(1).output()
            >>> _ = batch.execute()
            ((1, 'Ada'), (36, 1))
        """
        from pystream.dataset.sets.joins import JoinOperator, PairedSets

        return PairedSets(self, self._other(other_set, "join"), JoinOperator)

    def join_with_huge(self, other_set: DataSet[U]) -> PairedSets[T, U, JoinOperator[T, U]]:
        """Join as ``join`` does; that the other data set is huge makes no difference."""
        return self.join(other_set)

    def join_with_tiny(self, other_set: DataSet[U]) -> PairedSets[T, U, JoinOperator[T, U]]:
        """Join as ``join`` does; that the other data set is tiny makes no difference."""
        return self.join(other_set)

    def co_group(self, other_set: DataSet[U]) -> PairedSets[T, U, CoGroupOperator[T, U]]:
        """Co-group with another data set: ``one.co_group(two).where(0).equal_to(1).using(f)``.

        The function is called for each key with the elements of both, even if one has none.

        Raises:
            PlanTypeError: the other one is not a DataSet.
            PlanError: the environments differ.

        Mirrors ``DataSet.coGroup``.
        """
        from pystream.dataset.sets.joins import CoGroupOperator, PairedSets

        return PairedSets(self, self._other(other_set, "co_group"), CoGroupOperator)

    def cross(self, other_set: DataSet[U]) -> CrossOperator[T, U]:
        """Return the Cartesian product: all pairs of elements; ``.using(f)`` applies a function to them.

        Every subtask holds the other data set in memory, so it should be the smaller one;
        ``cross_with_huge`` holds this one instead.

        Raises:
            PlanTypeError: the other one is not a DataSet.
            PlanError: the environments differ.

        Mirrors ``DataSet.cross``.

        Examples:
            >>> _ = batch.from_elements(1).cross(batch.from_elements("a", "b")).output()
            >>> _ = batch.execute()
            (1, 'a')
            (1, 'b')
        """
        from pystream.dataset.sets.joins import CrossOperator

        return CrossOperator(self, self._other(other_set, "cross"), holds_second=True)

    def cross_with_tiny(self, other_set: DataSet[U]) -> CrossOperator[T, U]:
        """Return the Cartesian product with a smaller data set, as ``cross`` does."""
        return self.cross(other_set)

    def cross_with_huge(self, other_set: DataSet[U]) -> CrossOperator[T, U]:
        """Return the Cartesian product with a larger data set; every subtask holds this one in memory."""
        from pystream.dataset.sets.joins import CrossOperator

        return CrossOperator(self, self._other(other_set, "cross_with_huge"), holds_second=False)

    # Sinks

    def write_text(
        self,
        path: str,
        write_mode: WriteMode = WriteMode.NO_OVERWRITE,
        *,
        WriteMode: WriteMode | None = None,  # noqa: N803 - as the guide spells it
    ) -> DataSink:
        """Write the text of each element by ``str`` to a line of files in a directory.

        Args:
            path: the directory, a path or URI such as ``file:///out`` or ``hdfs://host/out``.
            write_mode: whether a path that exists fails the job before it starts, or is replaced.
            WriteMode: another name of ``write_mode``.

        Mirrors ``DataSet.writeAsText``.
        """
        sink = _sink(path, "\n", write_mode if WriteMode is None else WriteMode)
        return self._written(self._texts(str, "Text"), sink)

    def write_csv(
        self,
        path: str,
        line_delimiter: str = "\n",
        field_delimiter: str = ",",
        write_mode: WriteMode = WriteMode.NO_OVERWRITE,
    ) -> DataSink:
        """Write tuples as delimited fields, each the ``str`` of its value, to files in a directory.

        Fields are not quoted.

        Args:
            path: as in ``write_text``.
            line_delimiter: written after each tuple.
            field_delimiter: written between fields.
            write_mode: as in ``write_text``.

        Mirrors ``DataSet.writeAsCsv``.
        """
        sink = _sink(path, line_delimiter, write_mode)
        return self._written(self._texts(CsvLine(field_delimiter), "CSV"), sink)

    def output(self, to_error: bool = False) -> DataSink:
        """Print the ``str`` of each element to the program's standard output, one line each.

        Args:
            to_error: whether to print to standard error instead.

        Mirrors ``DataSet.output`` with a ``PrintingOutputFormat``.
        """
        target = PrintTarget("", shows_subtask=False, to_error=to_error)
        return DataSink(self._texts(str, "Text")._sink("Output", target))

    # Used by operators

    def _is_plain(self, function: Any) -> bool:
        """Return whether a function can be called by the operator of a stream itself."""
        return not isinstance(function, Function) and not self._types

    def _built(self, build: Build) -> DataSet[Any]:
        return DataSet(self._environment, build(()), build)

    def _all(self) -> UnsortedGrouping[T]:
        from pystream.dataset.sets.grouping import UnsortedGrouping

        return UnsortedGrouping(self, None)

    def _other(self, other: DataSet[U], call: str) -> DataSet[U]:
        require(other, DataSet, call, "a DataSet")
        self._require_same_environment(other, call)
        return other

    def _texts(self, text: Callable[[Any], str], name: str) -> DataStream[str]:
        """Return the texts of the elements, in the same subtasks."""
        return mapped(self._stream, name, text, self._types, (Types.STRING(), "str"))

    def _written(self, texts: DataStream[str], sink: TextFileSink) -> DataSink:
        written = texts.sink_to(sink).set_parallelism(texts.get_parallelism())
        return DataSink(written.name(f"{texts.get_name()} files"))


class _IndexedSet(DataSet[T]):
    """A data set with indexes, which depend on the partitions that were counted."""

    def set_parallelism(self, parallelism: int) -> Self:
        raise PlanError(
            "zip_with_index numbers the partitions of its input: set the parallelism of the operator before "
            "it"
        )


def _sink(path: str, line_end: str, mode: WriteMode) -> TextFileSink:
    if not isinstance(mode, WriteMode):
        raise PlanTypeError(
            f"write_mode is WriteMode.NO_OVERWRITE or WriteMode.OVERWRITE, not {short_repr(mode)}"
        )
    return TextFileSink(path, line_end, mode)


def _earlier(first: T, second: T) -> T:
    return first
