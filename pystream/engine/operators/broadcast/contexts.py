"""Contexts of broadcast process functions: times, keys and broadcast state."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic

from typing_extensions import TypeVar

from pystream.engine.context import ProcessContext, TimerService
from pystream.engine.operators.broadcast.state import (
    BroadcastState,
    OperatorStateStore,
    ReadOnlyBroadcastState,
)
from pystream.engine.operators.keyed_contexts import KeyedContext, KeyedTimerService, KeyScope, OnTimerContext
from pystream.engine.state.map_state import MapStateDescriptor
from pystream.engine.state.state import StateDescriptor

if TYPE_CHECKING:
    from pystream.engine.operators.broadcast.state import BroadcastStates

__all__ = [
    "BroadcastContext",
    "BroadcastReadOnlyContext",
    "KeyedBroadcastContext",
    "KeyedBroadcastOnTimerContext",
    "KeyedBroadcastReadOnlyContext",
]

K = TypeVar("K")
V = TypeVar("V")
S = TypeVar("S")
KEY = TypeVar("KEY", covariant=True, default=Any)


class _Clocks:
    __slots__ = ()

    @abstractmethod
    def timer_service(self) -> TimerService:
        """Return the timer service."""

    def current_processing_time(self) -> int:
        """Return the processing time in ms since the Unix epoch."""
        return self.timer_service().current_processing_time()

    def current_watermark(self) -> int:
        """Return the event-time watermark in ms since the Unix epoch; -2^63 before the first one."""
        return self.timer_service().current_watermark()


class _ReadOnly(_Clocks):
    __slots__ = ()

    _states: BroadcastStates

    def get_broadcast_state(self, state_descriptor: MapStateDescriptor[K, V]) -> ReadOnlyBroadcastState[K, V]:
        """Return a read-only broadcast state.

        Raises:
            StateAccessError: the stream was not broadcast with such a descriptor.
        """
        return self._states.view(state_descriptor)


class BroadcastContext(ProcessContext, _Clocks, OperatorStateStore):
    """Context of an element of the broadcast stream, which may change broadcast state.

    Mirrors ``…streaming.api.functions.co.BaseBroadcastProcessFunction.Context``.
    """

    def __init__(self, timer_service: TimerService, states: BroadcastStates) -> None:
        super().__init__(timer_service)
        self._states = states

    def get_broadcast_state(self, state_descriptor: MapStateDescriptor[K, V]) -> BroadcastState[K, V]:
        return self._states.state(state_descriptor)


class BroadcastReadOnlyContext(ProcessContext, _ReadOnly):
    """Context of an element of the other stream, which may read broadcast state.

    Mirrors ``…streaming.api.functions.co.BaseBroadcastProcessFunction.ReadOnlyContext``.
    """

    def __init__(self, timer_service: TimerService, states: BroadcastStates) -> None:
        super().__init__(timer_service)
        self._states = states


class KeyedBroadcastContext(BroadcastContext, Generic[KEY]):
    """Context of an element of the broadcast stream, with access to the state of all keys.

    Mirrors ``…streaming.api.functions.co.KeyedBroadcastProcessFunction.Context``.
    """

    def __init__(
        self,
        timer_service: TimerService,
        states: BroadcastStates,
        visit: Callable[[StateDescriptor[Any], Callable[[Any, Any], object]], None],
    ) -> None:
        super().__init__(timer_service, states)
        self._visit = visit

    def apply_to_keyed_state(
        self, state_descriptor: StateDescriptor[Any, S], function: Callable[[KEY, S], object]
    ) -> None:
        """Apply a function to each key of this subtask that has a state, and to that state.

        The function may change the state. Keys are in the order their state was first set. In batch
        execution the broadcast stream is read before any key, so that there is nothing to visit.

        Args:
            state_descriptor: descriptor of the state.
            function: takes a key and its state.

        PyFlink lacks this; Flink's method is ``KeyedBroadcastProcessFunction.Context.applyToKeyedState``.
        """
        self._visit(state_descriptor, function)


class KeyedBroadcastReadOnlyContext(KeyedContext[KEY], _ReadOnly):
    """Context of an element of the keyed stream, with timers; it may read broadcast state.

    Mirrors ``…streaming.api.functions.co.KeyedBroadcastProcessFunction.ReadOnlyContext``.
    """

    __slots__ = ("_states",)

    def __init__(self, timer_service: KeyedTimerService, scope: KeyScope, states: BroadcastStates) -> None:
        super().__init__(timer_service, scope)
        self._states = states


class KeyedBroadcastOnTimerContext(OnTimerContext[KEY], _ReadOnly):
    """Context of a timer of the keyed stream, which may read broadcast state.

    Mirrors ``…streaming.api.functions.co.KeyedBroadcastProcessFunction.OnTimerContext``.
    """

    __slots__ = ("_states",)

    def __init__(self, timer_service: KeyedTimerService, scope: KeyScope, states: BroadcastStates) -> None:
        super().__init__(timer_service, scope)
        self._states = states
