"""Triggers that fire repeatedly."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, TypeVar

from pystream.engine.events import MAX_WATERMARK
from pystream.engine.state.reducing_state import ReducingStateDescriptor
from pystream.engine.windows.arguments import LengthOfTime, positive, to_milliseconds
from pystream.engine.windows.builtin_triggers import IdleTrigger
from pystream.engine.windows.errors import WindowTypeError
from pystream.engine.windows.triggers import Trigger, TriggerResult
from pystream.engine.windows.windows import Window
from typeinfo.arguments import checks_arguments
from typeinfo.basic import LONG

__all__ = ["ContinuousEventTimeTrigger", "ContinuousProcessingTimeTrigger"]

T = TypeVar("T")
W = TypeVar("W", bound=Window)

_CONTINUE = TriggerResult.CONTINUE
_FIRE = TriggerResult.FIRE


@checks_arguments(WindowTypeError, methods=False)
class _ContinuousTrigger(IdleTrigger[T, W]):
    """Fire repeatedly; the next time is stored as state."""

    def __init__(self, interval: int) -> None:
        self.interval: int = positive(interval, f"the interval of a {type(self).__name__}")
        self._next_time: ReducingStateDescriptor[int] = ReducingStateDescriptor("fire-time", min, LONG)

    @abstractmethod
    def _register(self, ctx: Trigger.TriggerContext, time: int) -> None:
        """Register a timer."""

    @abstractmethod
    def _delete(self, ctx: Trigger.TriggerContext, time: int) -> None:
        """Delete a timer."""

    def _begin(self, now: int, window: W, ctx: Trigger.TriggerContext) -> None:
        """Register a timer for the next multiple of the interval, unless there is one."""
        state = ctx.get_partitioned_state(self._next_time)
        if state.get() is None:
            self._wait(state, now - now % self.interval + self.interval, window, ctx)

    def _go_on(self, time: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Fire and register the next timer, if the timer belongs to the trigger."""
        state = ctx.get_partitioned_state(self._next_time)
        if state.get() != time:
            return _CONTINUE
        state.clear()
        if time < window.max_timestamp():
            self._wait(state, time + self.interval, window, ctx)
        return _FIRE

    def _wait(self, state: Any, time: int, window: W, ctx: Trigger.TriggerContext) -> None:
        time = min(time, window.max_timestamp())
        state.add(time)
        self._register(ctx, time)

    def can_merge(self) -> bool:
        return True

    def on_merge(self, window: W, ctx: Trigger.OnMergeContext) -> None:
        """Register a timer for the earliest time of the merged windows."""
        ctx.merge_partitioned_state(self._next_time)
        time = ctx.get_partitioned_state(self._next_time).get()
        if time is not None:
            self._register(ctx, time)

    def clear(self, window: W, ctx: Trigger.TriggerContext) -> None:
        """Delete the timer."""
        state = ctx.get_partitioned_state(self._next_time)
        time = state.get()
        if time is not None:
            self._delete(ctx, time)
            state.clear()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.interval})"


@checks_arguments(WindowTypeError, methods=False)
class ContinuousEventTimeTrigger(_ContinuousTrigger[T, W]):
    """Fire whenever the watermark passes a multiple of the interval, and at the end of the window.

    In a window without an end it fires once when event time ends, instead of at all multiples until then.
    Mirrors ``…windowing.triggers.ContinuousEventTimeTrigger``.

    Args:
        interval: in ms.
    """

    @staticmethod
    def of(interval: LengthOfTime) -> ContinuousEventTimeTrigger[Any, Any]:
        """Return a trigger with an interval."""
        return ContinuousEventTimeTrigger(to_milliseconds(interval, "ContinuousEventTimeTrigger.of"))

    def on_element(self, element: T, timestamp: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Fire if the window is over, else register timers for the next multiple and for the end."""
        end = window.max_timestamp()
        if end <= ctx.get_current_watermark():
            return _FIRE
        ctx.register_event_time_timer(end)
        self._begin(timestamp, window, ctx)
        return _CONTINUE

    def on_event_time(self, time: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Fire at the end of the window, and at the registered time."""
        return _FIRE if time == window.max_timestamp() else self._go_on(time, window, ctx)

    def _wait(self, state: Any, time: int, window: W, ctx: Trigger.TriggerContext) -> None:
        if not window.max_timestamp() == MAX_WATERMARK == ctx.get_current_watermark():
            super()._wait(state, time, window, ctx)

    def _register(self, ctx: Trigger.TriggerContext, time: int) -> None:
        ctx.register_event_time_timer(time)

    def _delete(self, ctx: Trigger.TriggerContext, time: int) -> None:
        ctx.delete_event_time_timer(time)


@checks_arguments(WindowTypeError, methods=False)
class ContinuousProcessingTimeTrigger(_ContinuousTrigger[T, W]):
    """Fire whenever processing time passes a multiple of the interval.

    Mirrors ``…windowing.triggers.ContinuousProcessingTimeTrigger``.

    Args:
        interval: in ms.
    """

    @staticmethod
    def of(interval: LengthOfTime) -> ContinuousProcessingTimeTrigger[Any, Any]:
        """Return a trigger with an interval."""
        return ContinuousProcessingTimeTrigger(
            to_milliseconds(interval, "ContinuousProcessingTimeTrigger.of")
        )

    def on_element(self, element: T, timestamp: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Register a timer for the next multiple of the interval."""
        self._begin(ctx.get_current_processing_time(), window, ctx)
        return _CONTINUE

    def on_processing_time(self, time: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Fire at the registered time."""
        return self._go_on(time, window, ctx)

    def _register(self, ctx: Trigger.TriggerContext, time: int) -> None:
        ctx.register_processing_time_timer(time)

    def _delete(self, ctx: Trigger.TriggerContext, time: int) -> None:
        ctx.delete_processing_time_timer(time)
