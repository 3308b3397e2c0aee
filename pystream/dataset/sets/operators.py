"""Operators of data sets as operators of streams: the one place where they are added to a program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pystream.arguments.element_types import element_type
from pystream.dataset.calls import Call, MapCall
from pystream.dataset.custom_types import CustomType
from pystream.dataset.processing import CoGroups, Elements, Groups
from pystream.datastream.streams.data_stream import DataStream
from pystream.datastream.streams.keyed_stream import KeyedStream
from pystream.engine.operators.broadcast.operators import BROADCAST_PROCESS
from pystream.engine.operators.elementwise import MAP, PROCESS
from pystream.engine.operators.keyed_groups import CO_GROUP, GROUP
from pystream.engine.state.map_state import MapStateDescriptor
from pystream.kinds import OperatorKind
from pystream.plan.function import UserFunction
from pystream.plan.nodes import TYPE_OF_INPUT, PartitionNode, UnionNode, UnknownType
from typeinfo.info import TypeInformation
from typeinfo.pickled import PICKLED_BYTE_ARRAY, is_pickled
from typeinfo.types import Types

__all__ = [
    "Broadcasts",
    "OperatorMaker",
    "ResultType",
    "UNKNOWN",
    "itself",
    "mapped",
    "named",
    "result_type",
    "settled",
    "untyped",
]

ResultType = tuple[TypeInformation[Any], str]
"""A type of results, and where it comes from."""

Broadcasts = Sequence[tuple[str, DataStream[Any]]]
"""Broadcast sets by name: streams of pairs of that name and an element."""

UNKNOWN: ResultType = (PICKLED_BYTE_ARRAY, UnknownType("results of this operator have no declared type"))

_SETS = MapStateDescriptor("broadcast-sets", Types.STRING(), PICKLED_BYTE_ARRAY)
"""Makes the host read broadcast sets first; their elements are kept by the function that uses them."""


def result_type(function: Any, method: str, base: type[Any], *, many: bool) -> ResultType:
    """Return the type of results by the annotations of a function.

    Args:
        function: a function or a function object.
        method: the method of such an object.
        base: its class in the API.
        many: whether the annotation is that of all results of a call.
    """
    return element_type(function, method, base, None, many=many)


def mapped(
    stream: DataStream[Any],
    name: str,
    function: Callable[[Any], Any],
    types: tuple[CustomType, ...] = (),
    result: ResultType = UNKNOWN,
) -> DataStream[Any]:
    """Return the results of a function of this package for each element, in the same subtasks.

    Args:
        stream: the elements.
        name: the operator's name in plans.
        function: the function.
        types: custom types of the program.
        result: the type of its results.
    """
    results = OperatorMaker(None, name, name).each(stream, MAP, MapCall(function, "", types), result)
    return results.set_parallelism(stream.get_parallelism())


def untyped(stream: DataStream[Any]) -> DataStream[Any]:
    """Return a stream whose elements may be replaced by any others."""
    return stream if is_pickled(stream._type) else mapped(stream, "Untyped", itself)


def settled(stream: DataStream[Any], types: tuple[CustomType, ...]) -> DataStream[Any]:
    """Return a stream that ends in an operator, so that all its consumers see the same partitions."""
    if not isinstance(stream._node, (PartitionNode, UnionNode)):
        return stream
    return mapped(stream, "Partitions", itself, types, (stream._type, TYPE_OF_INPUT))


def named(stream: DataStream[Any], name: str, types: tuple[CustomType, ...] = ()) -> DataStream[Any]:
    """Return the elements of a broadcast set, as pairs with its name."""
    return mapped(stream, f"Broadcast {name}", _Named(name), types)


def itself(value: Any) -> Any:
    """Return the value."""
    return value


@dataclass(frozen=True, slots=True)
class OperatorMaker:
    """Adds operators that run a user function.

    Attributes:
        function: the user's function, for messages and plans.
        name: the operator's name in plans.
        method: the user's call, for messages.
    """

    function: Any
    name: str
    method: str

    def each(
        self, stream: DataStream[Any], kind: OperatorKind, call: Call, result: ResultType
    ) -> DataStream[Any]:
        """Add an operator of a kind that calls ``call`` itself with each element."""
        return self._added(kind, (stream,), call, result)

    def partition(
        self, stream: DataStream[Any], call: Any, result: ResultType, broadcasts: Broadcasts = ()
    ) -> DataStream[Any]:
        """Add an operator that processes the elements of each partition."""
        if not broadcasts:
            return self._added(PROCESS, (stream,), Elements(call), result)
        sets = _to_all(broadcasts)
        names = [name for name, _ in broadcasts]
        return self._added(BROADCAST_PROCESS, (stream, sets), Elements(call, names), result)

    def groups(
        self, stream: KeyedStream[Any, Any], call: Any, result: ResultType, broadcasts: Broadcasts = ()
    ) -> DataStream[Any]:
        """Add an operator that processes the elements of each key at once."""
        if not broadcasts:
            return self._added(GROUP, (stream,), Groups(call), result)
        sets = _to_all(broadcasts)
        names = [name for name, _ in broadcasts]
        return self._added(GROUP, (stream, sets), Groups(call, names), result)

    def keyed(
        self,
        stream: KeyedStream[Any, Any],
        kind: OperatorKind,
        function: Any,
        result: ResultType,
    ) -> DataStream[Any]:
        """Add a keyed operator of a kind that calls ``function`` itself."""
        return self._added(kind, (stream,), function, result)

    def pairs(
        self, streams: tuple[KeyedStream[Any, Any], KeyedStream[Any, Any]], call: Any, result: ResultType
    ) -> DataStream[Any]:
        """Add an operator that processes the elements of each key in two streams at once."""
        return self._added(CO_GROUP, streams, CoGroups(call), result)

    def _added(
        self, kind: OperatorKind, streams: tuple[DataStream[Any], ...], function: Any, result: ResultType
    ) -> DataStream[Any]:
        carried = UserFunction.of(
            function, self.method, is_object=True, described=self.function, blamed=self.function
        )
        has_sets = kind is BROADCAST_PROCESS or (kind is GROUP and len(streams) == 2)
        return streams[0]._environment._operator(
            kind,
            tuple(stream._node_id for stream in streams),
            carried,
            result,
            title=self.name,
            keys=tuple(stream._key for stream in streams if isinstance(stream, KeyedStream)),
            broadcast_states=(_SETS,) if has_sets else (),
        )


def _to_all(broadcasts: Broadcasts) -> DataStream[Any]:
    first, *others = (stream for _, stream in broadcasts)
    return (first.union(*others) if others else first).broadcast()


class _Named:
    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, value: Any) -> tuple[str, Any]:
        return self._name, value
