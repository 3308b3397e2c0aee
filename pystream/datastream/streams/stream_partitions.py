"""Methods that partition a stream, such as ``rebalance`` and ``broadcast``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, overload

from pystream.arguments.batches import refuse_batches
from pystream.arguments.checks import require_function, require_parameters
from pystream.arguments.element_types import element_type
from pystream.datastream.functions import KeySelector, Partitioner
from pystream.datastream.streams.operator_settings import OperatorSettings
from pystream.engine.operators.elementwise import MAP
from pystream.errors import ArgumentTypeError
from pystream.kinds import PartitionKind
from pystream.plan.function import UserFunction, call_site, describe_function
from pystream.plan.nodes import TYPE_OF_INPUT, KeyFunction, NodeSettings, PartitionNode
from pystream.plan.suspension import refuse_suspended
from typeinfo.arguments import checks_arguments

if TYPE_CHECKING:
    from pystream.datastream.streams.broadcast_stream import BroadcastStream
    from pystream.datastream.streams.data_stream import DataStream
    from pystream.engine.state.map_state import MapStateDescriptor

__all__ = ["StreamPartitions"]

T = TypeVar("T")
K = TypeVar("K")


@checks_arguments(ArgumentTypeError)
class StreamPartitions(OperatorSettings, Generic[T]):
    """Methods that partition a stream."""

    def rebalance(self) -> DataStream[T]:
        """Distribute elements round-robin to all subtasks of the next operator.

        Mirrors ``DataStream.rebalance``.
        """
        return self._partitioned(PartitionKind.REBALANCE)

    def rescale(self) -> DataStream[T]:
        """Distribute elements round-robin to a subset of the subtasks of the next operator.

        With 2 subtasks here and 4 there, each feeds two. Mirrors ``DataStream.rescale``.
        """
        return self._partitioned(PartitionKind.RESCALE)

    def shuffle(self) -> DataStream[T]:
        """Distribute elements uniformly at random. Mirrors ``DataStream.shuffle``."""
        return self._partitioned(PartitionKind.SHUFFLE)

    @overload
    def broadcast(self) -> DataStream[T]: ...

    @overload
    def broadcast(
        self,
        broadcast_state_descriptor: MapStateDescriptor[Any, Any],
        *other_broadcast_state_descriptors: MapStateDescriptor[Any, Any],
    ) -> BroadcastStream[T]: ...

    def broadcast(
        self,
        broadcast_state_descriptor: MapStateDescriptor[Any, Any] | None = None,
        *other_broadcast_state_descriptors: MapStateDescriptor[Any, Any],
    ) -> DataStream[T] | BroadcastStream[T]:
        """Send every element to every subtask of the next operator.

        Args:
            broadcast_state_descriptor: a state that the elements may change; with one or more, the result is
                a BroadcastStream for ``connect``.
            other_broadcast_state_descriptors: more such states.

        Raises:
            PlanTypeError: a state is not described by a MapStateDescriptor.
            PlanError: two states have the same name.

        Mirrors ``DataStream.broadcast``.
        """
        stream = self._partitioned(PartitionKind.BROADCAST)
        if broadcast_state_descriptor is None:
            return stream
        from pystream.datastream.streams.broadcast_stream import BroadcastStream

        return BroadcastStream(stream, (broadcast_state_descriptor, *other_broadcast_state_descriptors))

    def forward(self) -> DataStream[T]:
        """Keep elements in their subtask; the next operator must have the same parallelism.

        Raises:
            PlanError: it has a different one; raised when the program is executed or explained.

        Mirrors ``DataStream.forward``.
        """
        return self._partitioned(PartitionKind.FORWARD)

    def global_(self) -> DataStream[T]:
        """Send all elements to the first subtask of the next operator.

        ``getattr(stream, "global")`` is the same, ``global`` being a reserved word. Mirrors
        ``DataStream.global``.
        """
        return self._partitioned(PartitionKind.GLOBAL)

    def partition_custom(
        self,
        partitioner: Callable[[K, int], int] | Partitioner[K],
        key_selector: Callable[[T], K] | KeySelector[T, K],
    ) -> DataStream[T]:
        """Partition the stream by a user-defined function of the key.

        Args:
            partitioner: takes the key and the number of subtasks; returns the index of one, from 0.
            key_selector: returns the key of an element, which must not be a tuple.

        Raises:
            FunctionPicklingError: a function cannot be sent to workers.

        Mirrors ``DataStream.partitionCustom``.

        Examples:
            >>> spread = env.from_collection([1, 2, 3]).partition_custom(lambda key, n: key % n, lambda x: x)
            >>> sorted(spread.map(lambda x: -x).take(3))
            [-3, -2, -1]
        """
        require_function(partitioner, "partition_custom", Partitioner)
        require_function(key_selector, "partition_custom", KeySelector)
        require_parameters(partitioner, "partition_custom", Partitioner, "partition")
        require_parameters(key_selector, "partition_custom", KeySelector, "get_key")
        refuse_batches("partition_custom", key_selector, KeySelector, self._node.type_info)
        key_type, _ = element_type(key_selector, "get_key", KeySelector, None, many=False)
        refuse_batches("partition_custom", partitioner, Partitioner, key_type)
        refuse_suspended(key_selector, "partition_custom", describe_function(key_selector))
        both = partitioner, key_selector
        function = UserFunction.of(both, "partition_custom", described=partitioner)
        return self._partitioned(PartitionKind.CUSTOM, function)

    def _set_on_operator(self, what: str, **settings: Any) -> Self:
        if isinstance(self._node, PartitionNode) and self._node.kind is PartitionKind.CUSTOM:
            self._node_id = self._passed_on()._node_id
        return super()._set_on_operator(what, **settings)

    def _passed_on(self) -> DataStream[T]:
        """Add an operator after a partitioning that passes every element on, as PyFlink does."""
        return self._environment._operator(
            MAP,
            (self._node_id,),
            UserFunction.of(_itself, "partition_custom"),
            (self._node.type_info, TYPE_OF_INPUT),
            settings=NodeSettings("Partition Custom", call_site=self._node.settings.call_site),
        )

    def _partitioned(self, kind: PartitionKind, function: UserFunction | None = None) -> DataStream[T]:
        from pystream.datastream.streams.data_stream import DataStream

        return DataStream(self._environment, self._partition(kind, function))

    def _partition(
        self, kind: PartitionKind, function: UserFunction | None = None, key: KeyFunction | None = None
    ) -> int:
        """Add a partitioning to the program and return its node id."""
        node = self._environment._add(
            PartitionNode,
            inputs=(self._node_id,),
            type_info=self._node.type_info,
            type_origin=self._node.type_origin,
            settings=NodeSettings(kind.value.capitalize(), call_site=call_site()),
            kind=kind,
            function=function,
            key=key,
        )
        return node.id


def _itself(value: T) -> T:
    return value


setattr(StreamPartitions, "global", StreamPartitions.global_)
