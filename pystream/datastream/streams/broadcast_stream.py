"""BroadcastStream: a stream sent to every subtask, and streams connected with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, overload

from typing_extensions import TypeVar

from pystream.arguments.attribute_hints import hints_at_equivalents
from pystream.arguments.batches import refuse_batches
from pystream.arguments.element_types import common_element_type
from pystream.datastream.functions import BroadcastProcessFunction, KeyedBroadcastProcessFunction
from pystream.datastream.streams.keyed_stream import KeyedStream
from pystream.engine.operators.broadcast.operators import BROADCAST_PROCESS
from pystream.engine.state.map_state import MapStateDescriptor
from pystream.errors import ArgumentTypeError, PlanError, PlanTypeError
from pystream.plan.function import UserFunction
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr
from typeinfo.info import TypeInformation

if TYPE_CHECKING:
    from pystream.datastream.streams.connected_streams import NoKey
    from pystream.datastream.streams.data_stream import DataStream

__all__ = ["BroadcastConnectedStream", "BroadcastStream"]

A = TypeVar("A")
B = TypeVar("B")
U = TypeVar("U", default=Any)
# The type of results after encoding by output_type.
OUT = TypeVar("OUT", default=U)
K = TypeVar("K", default=Any)
Descriptors = tuple[MapStateDescriptor[Any, Any], ...]


@hints_at_equivalents
@checks_arguments(ArgumentTypeError)
class BroadcastStream(Generic[B]):
    """A stream sent to every subtask of the next operator, with the state that its elements may change.

    It has no operators of its own: connect another stream with it. Mirrors
    ``org.apache.flink.streaming.api.datastream.BroadcastStream``.

    Raises:
        PlanTypeError: a state is not described by a MapStateDescriptor.
        PlanError: two states have the same name.
    """

    def __init__(self, input_stream: DataStream[B], broadcast_state_descriptors: Descriptors) -> None:
        names = set()
        for descriptor in broadcast_state_descriptors:
            if not isinstance(descriptor, MapStateDescriptor):
                raise PlanTypeError(f"broadcast takes MapStateDescriptors, not {descriptor!r}")
            if descriptor.name in names:
                raise PlanError(f"broadcast: two states have the name {descriptor.name!r}; rename one")
            names.add(descriptor.name)
        self.input_stream = input_stream
        self.broadcast_state_descriptors = broadcast_state_descriptors

    def __repr__(self) -> str:
        return f"BroadcastStream({self.input_stream!r})"


@hints_at_equivalents
@checks_arguments(ArgumentTypeError)
class BroadcastConnectedStream(Generic[A, B, K]):
    """A stream connected with a broadcast stream: one function processes the elements of both.

    Mirrors ``org.apache.flink.streaming.api.datastream.BroadcastConnectedStream``.

    Raises:
        PlanError: the streams belong to different environments.

    Examples:
        >>> from pystream.common import Types
        >>> from pystream.datastream import BroadcastProcessFunction
        >>> from pystream.datastream.state import MapStateDescriptor
        >>> PRICES = MapStateDescriptor("prices", Types.STRING(), Types.INT())
        >>> class Priced(BroadcastProcessFunction):
        ...     def process_element(self, value, ctx):
        ...         yield value, ctx.get_broadcast_state(PRICES).get(value)
        ...     def process_broadcast_element(self, value, ctx):
        ...         ctx.get_broadcast_state(PRICES).put(*value)
        >>> prices = env.from_collection([("tea", 3)]).broadcast(PRICES)
        >>> env.from_collection(["tea"]).connect(prices).process(Priced()).take(1)
        [('tea', 3)]
    """

    def __init__(self, non_broadcast_stream: DataStream[A], broadcast_stream: BroadcastStream[B]) -> None:
        if non_broadcast_stream._environment is not broadcast_stream.input_stream._environment:
            raise PlanError("connect: the streams belong to different environments")
        self.non_broadcast_stream = non_broadcast_stream
        self.broadcast_stream = broadcast_stream

    def __repr__(self) -> str:
        return f"BroadcastConnectedStream({self.non_broadcast_stream!r}, {self.broadcast_stream!r})"

    @overload
    def process(
        self: BroadcastConnectedStream[A, B, NoKey],
        func: BroadcastProcessFunction[A, B, U],
        output_type: TypeInformation[OUT, U] | None = None,
    ) -> DataStream[OUT]: ...

    @overload
    def process(
        self,
        func: KeyedBroadcastProcessFunction[K, A, B, U],
        output_type: TypeInformation[OUT, U] | None = None,
    ) -> DataStream[OUT]: ...

    def process(self, func: Any, output_type: TypeInformation[Any] | None = None) -> DataStream[Any]:
        """Apply a function to the elements of both streams, with access to broadcast state.

        Args:
            func: a BroadcastProcessFunction; on a keyed stream a KeyedBroadcastProcessFunction, which has
                state and timers of the element's key.
            output_type: type of one result; else that of the annotations of both methods, if they agree,
                else pickled. A method that returns ``None`` does not count.

        Raises:
            PlanTypeError: ``func`` is of another class, or of the one for streams with or without keys.
            PlanError: ``output_type`` contradicts the function's annotations.
            FunctionPicklingError: the function cannot be sent to workers.

        Mirrors ``BroadcastConnectedStream.process``.
        """
        stream = self.non_broadcast_stream
        keyed = isinstance(stream, KeyedStream)
        base: type[Any] = KeyedBroadcastProcessFunction if keyed else BroadcastProcessFunction
        if not isinstance(func, base):
            which = "a keyed stream" if keyed else "a stream without keys"
            raise PlanTypeError(
                f"process on {which} connected with a broadcast one takes a "
                f"{base.__name__}, not {short_repr(func)}"
            )
        broadcast = self.broadcast_stream.input_stream
        refuse_batches("process", func, base, stream._type, broadcast._type)
        methods = ("process_element", "process_broadcast_element")
        name = "Keyed-Co-Process-Broadcast" if keyed else BROADCAST_PROCESS.name
        return stream._environment._operator(
            BROADCAST_PROCESS,
            (stream._node_id, broadcast._node_id),
            UserFunction.of(func, "process", is_object=True),
            common_element_type(func, methods, base, output_type, many=True),
            title=name,
            keys=(stream._key,) if isinstance(stream, KeyedStream) else (),
            broadcast_states=self.broadcast_stream.broadcast_state_descriptors,
        )
