"""Contexts of keyed functions: current key, times and timers."""

from __future__ import annotations

from typing import Any, Generic

from typing_extensions import TypeVar

from pystream.engine.context import TimerService
from pystream.engine.events import NO_TIMESTAMP
from pystream.engine.state.slots import SlotScope
from pystream.engine.time.clock import Clock
from pystream.engine.time.keyed_timers import KeyedTimers
from pystream.engine.time.timers import TimeDomain

__all__ = ["KeyScope", "KeyedContext", "KeyedTimerService", "OnTimerContext"]

K = TypeVar("K", covariant=True, default=Any)


class KeyScope(SlotScope):
    """The current key and its slot."""

    __slots__ = ("key",)

    def __init__(self) -> None:
        super().__init__()
        self.key: Any = None


class KeyedTimerService(TimerService):
    """The current times, and the timers of the current key.

    A timer fires ``on_timer`` once for its key and time, however often it is registered. Mirrors
    ``org.apache.flink.streaming.api.TimerService``.
    """

    def __init__(self, timers: KeyedTimers, scope: KeyScope, clock: Clock) -> None:
        self._clock = clock
        self._timers = timers
        self._event_time = timers.event_time
        self._processing_time = timers.processing_time
        self._scope = scope

    def current_watermark(self) -> int:
        return self._timers.watermark

    def current_processing_time(self) -> int:
        return self._clock.now()

    def register_event_time_timer(self, timestamp: int) -> None:
        scope = self._scope
        self._event_time.register(timestamp, scope.slot, scope.key)

    def register_processing_time_timer(self, timestamp: int) -> None:
        scope = self._scope
        self._processing_time.register(timestamp, scope.slot, scope.key)

    def delete_event_time_timer(self, timestamp: int) -> None:
        self._event_time.delete(timestamp, self._scope.slot)

    def delete_processing_time_timer(self, timestamp: int) -> None:
        self._processing_time.delete(timestamp, self._scope.slot)


class KeyedContext(Generic[K]):
    """Context of ``process_element``; valid only during the call.

    Mirrors ``org.apache.flink.streaming.api.functions.KeyedProcessFunction.Context``.
    """

    __slots__ = ("_scope", "_timer_service", "_timestamp")

    def __init__(self, timer_service: KeyedTimerService, scope: KeyScope) -> None:
        self._timer_service = timer_service
        self._scope = scope
        self._timestamp = NO_TIMESTAMP

    def get_current_key(self) -> K:
        """Return the key of the element or timer."""
        key: K = self._scope.key
        return key

    def timestamp(self) -> int:
        """Return the timestamp of the element, or the time of the timer, in ms since the Unix epoch.

        It is -2^63 for an element without one.
        """
        return self._timestamp

    def timer_service(self) -> KeyedTimerService:
        """Return the timer service of the current key."""
        return self._timer_service


class OnTimerContext(KeyedContext[K]):
    """Context of ``on_timer``, with the time domain of the timer.

    Mirrors ``org.apache.flink.streaming.api.functions.KeyedProcessFunction.OnTimerContext``.
    """

    __slots__ = ("_domain",)

    def __init__(self, timer_service: KeyedTimerService, scope: KeyScope) -> None:
        super().__init__(timer_service, scope)
        self._domain = TimeDomain.EVENT_TIME

    def time_domain(self) -> TimeDomain:
        """Return the time domain of the timer."""
        return self._domain
