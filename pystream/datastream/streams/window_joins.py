"""Window joins and co-groups: elements of two streams with the same key and window."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self

from typing_extensions import TypeVar

from pystream.arguments.batches import refuse_batches
from pystream.arguments.checks import require, require_function
from pystream.arguments.element_types import element_type
from pystream.datastream.functions import CoGroupFunction, FlatJoinFunction, JoinFunction, KeySelector
from pystream.datastream.streams.data_stream import DataStream
from pystream.datastream.streams.key_functions import key_function
from pystream.datastream.streams.windowed_stream import WindowedStream
from pystream.engine.windows.joined_streams import (
    CoGroupedWindow,
    FlatJoinedWindow,
    JoinedWindow,
    TaggedKey,
    first,
    second,
)
from pystream.engine.windows.plan import WindowCall
from pystream.errors import ArgumentTypeError, PlanError
from typeinfo.arguments import checks_arguments
from typeinfo.composite import TupleTypeInfo
from typeinfo.extended import optional_of
from typeinfo.info import TypeInformation
from typeinfo.pickling import classes_as_pickled
from typeinfo.types import Types

if TYPE_CHECKING:
    from pystream.engine.windows.assigners import WindowAssigner
    from pystream.engine.windows.evictors import Evictor
    from pystream.engine.windows.triggers import Trigger
    from pystream.plan.nodes import KeyFunction

__all__ = ["CoGroupedStreams", "CoGroupedWindows", "EqualTo", "JoinedStreams", "JoinedWindows", "Where"]

A = TypeVar("A")
B = TypeVar("B")
U = TypeVar("U", default=Any)
# The type of results after encoding by output_type.
OUT = TypeVar("OUT", default=U)
W = TypeVar("W", bound="_JoinWindows")
K = TypeVar("K", default=Any)
_Types = tuple[TypeInformation[Any], TypeInformation[Any]]


@checks_arguments(ArgumentTypeError)
class _JoinWindows:
    """The windows of two streams; each setting changes this object."""

    def __init__(self, windowed: WindowedStream[Any, Any, Any], types: _Types) -> None:
        self._windowed = windowed
        self._types = types

    def trigger(self, trigger: Trigger[Any, Any]) -> Self:
        """Set the trigger that decides when a window fires, in place of the assigner's default trigger.

        It sees elements as ``(0, element, None)`` and ``(1, None, element)``.
        """
        self._windowed.trigger(trigger)
        return self

    def evictor(self, evictor: Evictor[Any, Any]) -> Self:
        """Set an evictor, which sees elements in the same form as a trigger."""
        self._windowed.evictor(evictor)
        return self

    def allowed_lateness(self, time_ms: int) -> Self:
        """Set the allowed lateness of event-time windows in ms; they fire again for each late element."""
        self._windowed.allowed_lateness(time_ms)
        return self

    def _applied(
        self, window: Any, func: Any, base: type[Any], result: tuple[TypeInformation[Any], str]
    ) -> DataStream[Any]:
        refuse_batches("apply", func, base, *self._types)
        plan = self._windowed._plan(call=WindowCall.APPLY, function=window)
        return self._windowed._result(plan, result, func)


@checks_arguments(ArgumentTypeError)
class JoinedWindows(_JoinWindows, Generic[A, B]):
    """The windows of two joined streams. Mirrors ``…api.datastream.JoinedStreams.WithWindow``."""

    def apply(
        self,
        function: Callable[[A, B], U] | JoinFunction[A, B, U] | FlatJoinFunction[A, B, U],
        output_type: TypeInformation[OUT, U] | None = None,
    ) -> DataStream[OUT]:
        """Apply a function to each pair of elements in a window: an inner join.

        Args:
            function: a function or a JoinFunction, which return one result, or a FlatJoinFunction.
            output_type: type of one result; else the function's annotation, else pickled.

        Pairs are in the order of their first elements, then of their second ones. Mirrors
        ``JoinedStreams.WithWindow.apply``.
        """
        if isinstance(function, FlatJoinFunction):
            typed = element_type(function, "join", FlatJoinFunction, output_type, many=True)
            return self._applied(FlatJoinedWindow(function, "join"), function, FlatJoinFunction, typed)
        require_function(function, "apply", JoinFunction)
        typed = element_type(function, "join", JoinFunction, output_type, many=False)
        return self._applied(JoinedWindow(function, "join"), function, JoinFunction, typed)


@checks_arguments(ArgumentTypeError)
class CoGroupedWindows(_JoinWindows, Generic[A, B]):
    """The windows of two co-grouped streams. Mirrors ``…api.datastream.CoGroupedStreams.WithWindow``."""

    def apply(
        self,
        function: Callable[[Iterable[A], Iterable[B]], Iterable[U] | None] | CoGroupFunction[A, B, U],
        output_type: TypeInformation[OUT, U] | None = None,
    ) -> DataStream[OUT]:
        """Apply a function to all elements of a window, even if one stream has none.

        Args:
            function: a function of two iterables that returns an iterable or ``None``, or a CoGroupFunction.
            output_type: type of one result; else the function's annotation, else pickled.

        Mirrors ``CoGroupedStreams.WithWindow.apply``.
        """
        require_function(function, "apply", CoGroupFunction)
        typed = element_type(function, "co_group", CoGroupFunction, output_type, many=True)
        return self._applied(CoGroupedWindow(function, "co_group"), function, CoGroupFunction, typed)


@checks_arguments(ArgumentTypeError)
class PairedStreams(Generic[A, B, W]):
    WINDOWS: ClassVar[type[Any]]
    CALL: ClassVar[str]
    """The call that pairs the streams, for messages."""

    def __init__(self, stream1: DataStream[A], stream2: DataStream[B]) -> None:
        require(stream2, DataStream, self.CALL, "a stream")
        if stream1._environment is not stream2._environment:
            raise PlanError(f"{self.CALL}: the streams belong to different environments")
        self._streams = (stream1, stream2)

    def where(
        self,
        key_selector: Callable[[A], K] | KeySelector[A, K] | str | int,
        key_type: TypeInformation[K] | None = None,
    ) -> Where[A, B, W, K]:
        """Set the key selector of the first stream.

        Args:
            key_selector: a function or a KeySelector, or the name or position of a field.
            key_type: type of the keys; else the selector's annotation or the field's type.

        Raises:
            PlanError: the field does not exist, or values of the type cannot be keys.
        """
        one, _ = self._streams
        return Where(self._streams, key_function(one._type, key_selector, key_type), self.WINDOWS)


class JoinedStreams(PairedStreams[A, B, JoinedWindows[A, B]]):
    """Two streams to be joined; not part of PyFlink.

    ``one.join(two).where(key).equal_to(key).window(assigner).apply(function)``. Mirrors
    ``org.apache.flink.streaming.api.datastream.JoinedStreams``.
    """

    WINDOWS = JoinedWindows
    CALL: ClassVar[str] = "join"


class CoGroupedStreams(PairedStreams[A, B, CoGroupedWindows[A, B]]):
    """Two streams to be co-grouped; not part of PyFlink.

    ``one.co_group(two).where(key).equal_to(key).window(assigner).apply(function)``. Mirrors
    ``org.apache.flink.streaming.api.datastream.CoGroupedStreams``.
    """

    WINDOWS = CoGroupedWindows
    CALL: ClassVar[str] = "co_group"


_Pair = tuple[DataStream[Any], DataStream[Any]]


@checks_arguments(ArgumentTypeError)
class Where(Generic[A, B, W, K]):
    """Two streams, with the key of the first. Mirrors ``…api.datastream.JoinedStreams.Where``."""

    def __init__(self, streams: _Pair, key: KeyFunction, windows: type[W]) -> None:
        self._streams = streams
        self._key = key
        self._windows = windows

    def equal_to(
        self,
        key_selector: Callable[[B], K] | KeySelector[B, K] | str | int,
        key_type: TypeInformation[K] | None = None,
    ) -> EqualTo[A, B, W]:
        """Set the key selector of the second stream.

        Args:
            key_selector: a function or a KeySelector, or the name or position of a field.
            key_type: type of the keys; else the selector's annotation or the field's type.

        Raises:
            PlanError: the field does not exist, or the keys of the two streams have different types.
        """
        _, two = self._streams
        key = key_function(two._type, key_selector, key_type)
        if key.type_info != self._key.type_info:
            raise PlanError(
                f"equal_to: the keys are {self._key.type_info} and {key.type_info}; equal keys must have one "
                f"type: give where and equal_to a key_type"
            )
        return EqualTo(self._streams, (self._key, key), self._windows)


@checks_arguments(ArgumentTypeError)
class EqualTo(Generic[A, B, W]):
    """Two streams with their keys. Mirrors ``…api.datastream.JoinedStreams.Where.EqualTo``."""

    def __init__(self, streams: _Pair, keys: tuple[KeyFunction, KeyFunction], windows: type[W]) -> None:
        self._streams = streams
        self._keys = keys
        self._windows = windows

    def window(self, assigner: WindowAssigner[tuple[int, A | None, B | None], Any]) -> W:
        """Group the elements of both streams into windows.

        Args:
            assigner: assigns elements to windows; it sees elements in the same form as a trigger.
        """
        one, two = self._streams
        tagged: TypeInformation[Any] = TupleTypeInfo(
            [Types.BYTE(), optional_of(one._type), optional_of(two._type)]
        )
        with classes_as_pickled():
            selectors = (pickle.loads(key.function.payload) for key in self._keys)
            keyed = (
                _tagged(one, first, tagged)
                .union(_tagged(two, second, tagged))
                .key_by(TaggedKey(*selectors), self._keys[0].type_info)
            )
        return self._windows(keyed.window(assigner), (one._type, two._type))


def _tagged(
    stream: DataStream[Any], tag: Callable[[Any], Any], type_info: TypeInformation[Any]
) -> DataStream[Any]:
    plain: DataStream[Any] = DataStream(stream._environment, stream._node_id)
    return plain.map(tag, type_info).name("Tag").set_parallelism(plain.get_parallelism())
