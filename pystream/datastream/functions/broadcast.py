"""Base classes of functions on a stream connected with a broadcast stream."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Generic, TypeAlias

from typing_extensions import TypeVar

from pystream.datastream.functions.elementwise import Function
from pystream.engine.operators.broadcast.contexts import (
    BroadcastContext,
    BroadcastReadOnlyContext,
    KeyedBroadcastContext,
    KeyedBroadcastOnTimerContext,
    KeyedBroadcastReadOnlyContext,
)
from pystream.engine.output_tag import SideOutput

__all__ = ["BaseBroadcastProcessFunction", "BroadcastProcessFunction", "KeyedBroadcastProcessFunction"]

KEY = TypeVar("KEY", contravariant=True)
CURRENT_KEY = TypeVar("CURRENT_KEY", covariant=True, default=Any)
IN1 = TypeVar("IN1", contravariant=True)
IN2 = TypeVar("IN2", contravariant=True)
OUT = TypeVar("OUT", covariant=True)


class BaseBroadcastProcessFunction(Function):
    """Base class of functions on a broadcast stream.

    Mirrors ``…streaming.api.functions.co.BaseBroadcastProcessFunction``.
    """

    BaseContext: TypeAlias = BroadcastContext | BroadcastReadOnlyContext
    Context: TypeAlias = BroadcastContext
    ReadOnlyContext: TypeAlias = BroadcastReadOnlyContext


class BroadcastProcessFunction(BaseBroadcastProcessFunction, Generic[IN1, IN2, OUT]):
    """Process the elements of a stream and of a broadcast stream.

    Elements of the broadcast stream may change broadcast state; those of the other one may read it. In batch
    execution the broadcast stream comes first, as a whole; in streaming execution the order between the two
    is not defined. A result ``tag, value`` that starts with an OutputTag goes to that side output. Mirrors
    ``org.apache.flink.streaming.api.functions.co.BroadcastProcessFunction``.
    """

    @abstractmethod
    def process_element(
        self, value: IN1, ctx: BroadcastReadOnlyContext, /
    ) -> Iterable[OUT | SideOutput] | None:
        """Return or yield the results for an element of the stream that is not broadcast, in order.

        Args:
            value: the element.
            ctx: its time and the broadcast states to read; valid only during the call.
        """

    @abstractmethod
    def process_broadcast_element(
        self, value: IN2, ctx: BroadcastContext, /
    ) -> Iterable[OUT | SideOutput] | None:
        """Return or yield the results for an element of the broadcast stream, in order.

        Every subtask emits them: n subtasks emit each n times.

        Args:
            value: the element.
            ctx: its time and the broadcast states to read and write; valid only during the call.
        """


class KeyedBroadcastProcessFunction(BaseBroadcastProcessFunction, Generic[KEY, IN1, IN2, OUT]):
    """Process the elements of a keyed stream and of a broadcast stream, and timers.

    As BroadcastProcessFunction otherwise; elements of the keyed stream have state and timers of their key.
    Mirrors ``org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction``.
    """

    if TYPE_CHECKING:  # checkers do not follow an alias of a generic class out of a class

        class Context(KeyedBroadcastContext[CURRENT_KEY], Generic[CURRENT_KEY]): ...

        class ReadOnlyContext(  # pyright: ignore[reportIncompatibleVariableOverride] - it also has keys
            KeyedBroadcastReadOnlyContext[CURRENT_KEY], Generic[CURRENT_KEY]
        ): ...

        class OnTimerContext(KeyedBroadcastOnTimerContext[CURRENT_KEY], Generic[CURRENT_KEY]): ...

    else:
        Context = KeyedBroadcastContext
        ReadOnlyContext = KeyedBroadcastReadOnlyContext
        OnTimerContext = KeyedBroadcastOnTimerContext

    @abstractmethod
    def process_element(self, value: IN1, ctx: ReadOnlyContext[KEY], /) -> Iterable[OUT | SideOutput] | None:
        """Return or yield the results for an element of the keyed stream, in order.

        Args:
            value: the element.
            ctx: its key, its time, the timers and the broadcast states to read; valid only during the call.
        """

    @abstractmethod
    def process_broadcast_element(
        self, value: IN2, ctx: Context[KEY], /
    ) -> Iterable[OUT | SideOutput] | None:
        """Return or yield the results for an element of the broadcast stream, in order.

        There is no current key.

        Args:
            value: the element.
            ctx: its time and the broadcast states to read and write; valid only during the call.
        """

    def on_timer(self, timestamp: int, ctx: OnTimerContext[KEY], /) -> Iterable[OUT | SideOutput] | None:
        """Return or yield the results for a timer that fires, in order; ``None`` for none.

        Args:
            timestamp: the time of the timer, in ms since the Unix epoch.
            ctx: its key, its time domain, the timers and the broadcast states; valid only during the call.
        """
