"""The triggers that come with the library."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, TypeVar

from pystream.runtime.events import MAX_WATERMARK
from pystream.runtime.state.descriptors import ReducingStateDescriptor, ValueStateDescriptor
from pystream.runtime.windows.arguments import LengthOfTime, positive, to_milliseconds
from pystream.runtime.windows.errors import WindowTypeError
from pystream.runtime.windows.triggers import Trigger, TriggerResult
from pystream.runtime.windows.windows import CountWindow, GlobalWindow, TimeWindow, Window
from typeinfo.basic import LONG
from typeinfo.info import TypeInformation
from typeinfo.pickled import PICKLED_BYTE_ARRAY

__all__ = [
    "ContinuousEventTimeTrigger",
    "ContinuousProcessingTimeTrigger",
    "CountTrigger",
    "DeltaTrigger",
    "EventTimeTrigger",
    "NeverTrigger",
    "ProcessingTimeTrigger",
    "ProcessingTimeoutTrigger",
    "PurgingTrigger",
]

T = TypeVar("T")
W = TypeVar("W", bound=Window)

_CONTINUE = TriggerResult.CONTINUE
_FIRE = TriggerResult.FIRE


class _IdleTrigger(Trigger[T, W]):
    """A trigger that does nothing where a subclass does not say otherwise."""

    def on_element(self, element: T, timestamp: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Return CONTINUE."""
        return _CONTINUE

    def on_processing_time(self, time: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Return CONTINUE."""
        return _CONTINUE

    def on_event_time(self, time: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Return CONTINUE."""
        return _CONTINUE

    def on_merge(self, window: W, ctx: Trigger.OnMergeContext) -> None:
        """Take over nothing."""

    def clear(self, window: W, ctx: Trigger.TriggerContext) -> None:
        """Remove nothing."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class EventTimeTrigger(_IdleTrigger[T, TimeWindow]):
    """Fire when the watermark passes the end of the window, and at each element that comes later.

    Mirrors ``…windowing.triggers.EventTimeTrigger``.
    """

    @staticmethod
    def create() -> EventTimeTrigger[Any]:
        """Return a trigger."""
        return EventTimeTrigger()

    def on_element(
        self, element: T, timestamp: int, window: TimeWindow, ctx: Trigger.TriggerContext
    ) -> TriggerResult:
        """Fire if the window is over, else wait for its end."""
        end = window.max_timestamp()
        if end <= ctx.get_current_watermark():
            return _FIRE
        ctx.register_event_time_timer(end)
        return _CONTINUE

    def on_event_time(self, time: int, window: TimeWindow, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Fire at the end of the window."""
        return _FIRE if time == window.max_timestamp() else _CONTINUE

    def can_merge(self) -> bool:
        """Return True."""
        return True

    def on_merge(self, window: TimeWindow, ctx: Trigger.OnMergeContext) -> None:
        """Wait for the end of the window, unless it is over."""
        end = window.max_timestamp()
        if end > ctx.get_current_watermark():
            ctx.register_event_time_timer(end)

    def clear(self, window: TimeWindow, ctx: Trigger.TriggerContext) -> None:
        """Wait no more for the end of the window."""
        ctx.delete_event_time_timer(window.max_timestamp())


class ProcessingTimeTrigger(_IdleTrigger[T, TimeWindow]):
    """Fire when the clock passes the end of the window.

    Mirrors ``…windowing.triggers.ProcessingTimeTrigger``.
    """

    @staticmethod
    def create() -> ProcessingTimeTrigger[Any]:
        """Return a trigger."""
        return ProcessingTimeTrigger()

    def on_element(
        self, element: T, timestamp: int, window: TimeWindow, ctx: Trigger.TriggerContext
    ) -> TriggerResult:
        """Wait for the end of the window."""
        ctx.register_processing_time_timer(window.max_timestamp())
        return _CONTINUE

    def on_processing_time(self, time: int, window: TimeWindow, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Fire."""
        return _FIRE

    def can_merge(self) -> bool:
        """Return True."""
        return True

    def on_merge(self, window: TimeWindow, ctx: Trigger.OnMergeContext) -> None:
        """Wait for the end of the window, unless it is over."""
        end = window.max_timestamp()
        if end > ctx.get_current_processing_time():
            ctx.register_processing_time_timer(end)

    def clear(self, window: TimeWindow, ctx: Trigger.TriggerContext) -> None:
        """Wait no more for the end of the window."""
        ctx.delete_processing_time_timer(window.max_timestamp())


class _ContinuousTrigger(_IdleTrigger[T, W]):
    """Fires again and again; the next time is kept as state."""

    def __init__(self, interval: int) -> None:
        self.interval = positive(interval, f"the interval of a {type(self).__name__}")
        self._next_time: ReducingStateDescriptor[int] = ReducingStateDescriptor("fire-time", min, LONG)

    @abstractmethod
    def _register(self, ctx: Trigger.TriggerContext, time: int) -> None:
        """Ask for a timer."""

    @abstractmethod
    def _delete(self, ctx: Trigger.TriggerContext, time: int) -> None:
        """Remove a timer."""

    def _begin(self, now: int, window: W, ctx: Trigger.TriggerContext) -> None:
        """Wait for the next multiple of the interval, unless the trigger waits already."""
        state = ctx.get_partitioned_state(self._next_time)
        if state.get() is None:
            self._wait(state, now - now % self.interval + self.interval, window, ctx)

    def _go_on(self, time: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Fire and wait for the next time, if this is what the trigger waited for."""
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
        """Return True."""
        return True

    def on_merge(self, window: W, ctx: Trigger.OnMergeContext) -> None:
        """Wait for the earliest of the times that the windows waited for."""
        ctx.merge_partitioned_state(self._next_time)
        time = ctx.get_partitioned_state(self._next_time).get()
        if time is not None:
            self._register(ctx, time)

    def clear(self, window: W, ctx: Trigger.TriggerContext) -> None:
        """Wait no more."""
        state = ctx.get_partitioned_state(self._next_time)
        time = state.get()
        if time is not None:
            self._delete(ctx, time)
            state.clear()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.interval})"


class ContinuousEventTimeTrigger(_ContinuousTrigger[T, W]):
    """Fire whenever the watermark passes a multiple of the interval, and at the end of the window.

    In a window without an end it fires once when event time ends, instead of at all multiples until then.
    Mirrors ``…windowing.triggers.ContinuousEventTimeTrigger``.

    Args:
        interval: in ms.
    """

    @staticmethod
    def of(interval: LengthOfTime) -> ContinuousEventTimeTrigger[Any, Any]:
        """Return a trigger of that interval."""
        return ContinuousEventTimeTrigger(to_milliseconds(interval, "ContinuousEventTimeTrigger.of"))

    def on_element(self, element: T, timestamp: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Fire if the window is over, else wait for the next multiple and for the end."""
        end = window.max_timestamp()
        if end <= ctx.get_current_watermark():
            return _FIRE
        ctx.register_event_time_timer(end)
        self._begin(timestamp, window, ctx)
        return _CONTINUE

    def on_event_time(self, time: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Fire at the end of the window, and where the trigger waited for this time."""
        return _FIRE if time == window.max_timestamp() else self._go_on(time, window, ctx)

    def _wait(self, state: Any, time: int, window: W, ctx: Trigger.TriggerContext) -> None:
        if not window.max_timestamp() == MAX_WATERMARK == ctx.get_current_watermark():
            super()._wait(state, time, window, ctx)

    def _register(self, ctx: Trigger.TriggerContext, time: int) -> None:
        ctx.register_event_time_timer(time)

    def _delete(self, ctx: Trigger.TriggerContext, time: int) -> None:
        ctx.delete_event_time_timer(time)


class ContinuousProcessingTimeTrigger(_ContinuousTrigger[T, W]):
    """Fire whenever the clock passes a multiple of the interval.

    Mirrors ``…windowing.triggers.ContinuousProcessingTimeTrigger``.

    Args:
        interval: in ms.
    """

    @staticmethod
    def of(interval: LengthOfTime) -> ContinuousProcessingTimeTrigger[Any, Any]:
        """Return a trigger of that interval."""
        return ContinuousProcessingTimeTrigger(
            to_milliseconds(interval, "ContinuousProcessingTimeTrigger.of")
        )

    def on_element(self, element: T, timestamp: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Wait for the next multiple of the interval."""
        self._begin(ctx.get_current_processing_time(), window, ctx)
        return _CONTINUE

    def on_processing_time(self, time: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Fire where the trigger waited for this time."""
        return self._go_on(time, window, ctx)

    def _register(self, ctx: Trigger.TriggerContext, time: int) -> None:
        ctx.register_processing_time_timer(time)

    def _delete(self, ctx: Trigger.TriggerContext, time: int) -> None:
        ctx.delete_processing_time_timer(time)


class CountTrigger(_IdleTrigger[T, W]):
    """Fire whenever a number of elements has come. Mirrors ``…windowing.triggers.CountTrigger``.

    Args:
        window_size: how many elements.
    """

    def __init__(self, window_size: int) -> None:
        self._window_size = positive(window_size, "the number of elements of a CountTrigger")
        # Our own numbers need no check against a type.
        self._count: ReducingStateDescriptor[int] = ReducingStateDescriptor(
            "count", int.__add__, PICKLED_BYTE_ARRAY
        )

    @staticmethod
    def of(window_size: int) -> CountTrigger[Any, CountWindow]:
        """Return a trigger for that many elements."""
        return CountTrigger(window_size)

    @property
    def window_size(self) -> int:
        """How many elements make it fire."""
        return self._window_size

    def on_element(self, element: T, timestamp: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Fire, and count anew, if the number is reached."""
        count = ctx.get_partitioned_state(self._count)
        count.add(1)
        if count.get() < self._window_size:
            return _CONTINUE
        count.clear()
        return _FIRE

    def can_merge(self) -> bool:
        """Return True."""
        return True

    def on_merge(self, window: W, ctx: Trigger.OnMergeContext) -> None:
        """Add up the numbers; the trigger fires with the next element at the earliest."""
        ctx.merge_partitioned_state(self._count)

    def clear(self, window: W, ctx: Trigger.TriggerContext) -> None:
        """Forget the number."""
        ctx.get_partitioned_state(self._count).clear()

    def __repr__(self) -> str:
        return f"CountTrigger({self._window_size})"


class NeverTrigger(_IdleTrigger[T, GlobalWindow]):
    """Never fire: what a global window has unless it is given a trigger.

    Mirrors ``…windowing.assigners.GlobalWindows.NeverTrigger``.
    """


class _NestingTrigger(Trigger[T, W]):
    """Asks another trigger, and makes something else of what it says."""

    def __init__(self, nested_trigger: Trigger[T, W]) -> None:
        if not isinstance(nested_trigger, Trigger):
            raise WindowTypeError(f"{type(self).__name__} takes a Trigger, not {nested_trigger!r}")
        self.nested_trigger = nested_trigger

    def can_merge(self) -> bool:
        """Tell whether the nested trigger can."""
        return self.nested_trigger.can_merge()

    def on_merge(self, window: W, ctx: Trigger.OnMergeContext) -> None:
        """Let the nested trigger take over."""
        self.nested_trigger.on_merge(window, ctx)

    def clear(self, window: W, ctx: Trigger.TriggerContext) -> None:
        """Let the nested trigger clean up."""
        self.nested_trigger.clear(window, ctx)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.nested_trigger!r})"


class PurgingTrigger(_NestingTrigger[T, W]):
    """Drop the elements of a window whenever another trigger fires.

    Mirrors ``…windowing.triggers.PurgingTrigger``.

    Args:
        nested_trigger: the other trigger.
    """

    @staticmethod
    def of(nested_trigger: Trigger[T, W]) -> PurgingTrigger[T, W]:
        """Return a trigger that purges whenever another one fires."""
        return PurgingTrigger(nested_trigger)

    def on_element(self, element: T, timestamp: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Ask the other trigger."""
        return _purging(self.nested_trigger.on_element(element, timestamp, window, ctx))

    def on_processing_time(self, time: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Ask the other trigger."""
        return _purging(self.nested_trigger.on_processing_time(time, window, ctx))

    def on_event_time(self, time: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Ask the other trigger."""
        return _purging(self.nested_trigger.on_event_time(time, window, ctx))


def _purging(result: TriggerResult) -> TriggerResult:
    return TriggerResult.FIRE_AND_PURGE if result.is_fire() else result


class ProcessingTimeoutTrigger(_NestingTrigger[T, W]):
    """Fire when another trigger does, or when it has not for some time.

    Mirrors ``…windowing.triggers.ProcessingTimeoutTrigger``, which PyFlink lacks.

    Args:
        nested_trigger: the other trigger.
        timeout: in ms of processing time.
        reset_timer_on_new_record: whether the time runs from the last element, not from the first.
        should_clear_on_timeout: whether the other trigger begins anew after the time is over.
    """

    def __init__(
        self,
        nested_trigger: Trigger[T, W],
        timeout: int,
        reset_timer_on_new_record: bool = False,
        should_clear_on_timeout: bool = True,
    ) -> None:
        super().__init__(nested_trigger)
        self._timeout = positive(timeout, "the timeout of a ProcessingTimeoutTrigger")
        self._reset_timer_on_new_record = reset_timer_on_new_record
        self._should_clear_on_timeout = should_clear_on_timeout
        self._deadline: ValueStateDescriptor[int] = ValueStateDescriptor("timeout", LONG)

    @staticmethod
    def of(
        nested_trigger: Trigger[T, W],
        timeout: LengthOfTime,
        reset_timer_on_new_record: bool = False,
        should_clear_on_timeout: bool = True,
    ) -> ProcessingTimeoutTrigger[T, W]:
        """Return a trigger that fires when another one does, or when it has not for that time."""
        return ProcessingTimeoutTrigger(
            nested_trigger,
            to_milliseconds(timeout, "ProcessingTimeoutTrigger.of"),
            reset_timer_on_new_record,
            should_clear_on_timeout,
        )

    def on_element(self, element: T, timestamp: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Ask the other trigger, and set the deadline."""
        result = self.nested_trigger.on_element(element, timestamp, window, ctx)
        if result.is_fire():
            self.clear(window, ctx)
            return result
        if self._reset_timer_on_new_record:
            self._forget_deadline(ctx)
        deadline = ctx.get_partitioned_state(self._deadline)
        if deadline.value() is None:
            time = ctx.get_current_processing_time() + self._timeout
            deadline.update(time)
            ctx.register_processing_time_timer(time)
        return result

    def on_processing_time(self, time: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Fire; purge if the other trigger purges."""
        result = self.nested_trigger.on_processing_time(time, window, ctx)
        return self._fired(result, window, ctx)

    def on_event_time(self, time: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Fire; purge if the other trigger purges."""
        result = self.nested_trigger.on_event_time(time, window, ctx)
        return self._fired(result, window, ctx)

    def _fired(self, result: TriggerResult, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        if self._should_clear_on_timeout:
            self.clear(window, ctx)
        return TriggerResult.FIRE_AND_PURGE if result.is_purge() else _FIRE

    def clear(self, window: W, ctx: Trigger.TriggerContext) -> None:
        """Forget the deadline, and let the other trigger clean up."""
        self._forget_deadline(ctx)
        self.nested_trigger.clear(window, ctx)

    def can_merge(self) -> bool:
        """Return False: two deadlines are none."""
        return False

    def _forget_deadline(self, ctx: Trigger.TriggerContext) -> None:
        deadline = ctx.get_partitioned_state(self._deadline)
        time = deadline.value()
        if time is not None:
            ctx.delete_processing_time_timer(time)
            deadline.clear()


class DeltaTrigger(_IdleTrigger[T, W]):
    """Fire when an element is far from the one that came first, or that made it fire last.

    Mirrors ``…windowing.triggers.DeltaTrigger``, which PyFlink lacks.

    Args:
        threshold: above this distance it fires.
        delta_function: gives the distance of the element remembered and a new one.
        type_info: type of the elements; pickled by default.
    """

    def __init__(
        self,
        threshold: float,
        delta_function: Callable[[T, T], float],
        type_info: TypeInformation[T] | None = None,
    ) -> None:
        self._threshold = threshold
        self._delta_function = delta_function
        self._last: ValueStateDescriptor[Any] = ValueStateDescriptor(
            "last-element", PICKLED_BYTE_ARRAY if type_info is None else type_info
        )

    @staticmethod
    def of(
        threshold: float,
        delta_function: Callable[[T, T], float],
        type_info: TypeInformation[T] | None = None,
    ) -> DeltaTrigger[T, Any]:
        """Return a trigger that fires above that distance."""
        return DeltaTrigger(threshold, delta_function, type_info)

    def on_element(self, element: T, timestamp: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Fire and remember the element, if it is far from the one remembered."""
        state = ctx.get_partitioned_state(self._last)
        last = state.value()
        if last is None:
            state.update(element)
            return _CONTINUE
        if self._delta_function(last, element) > self._threshold:
            state.update(element)
            return _FIRE
        return _CONTINUE

    def clear(self, window: W, ctx: Trigger.TriggerContext) -> None:
        """Forget the element."""
        ctx.get_partitioned_state(self._last).clear()

    def __repr__(self) -> str:
        return f"DeltaTrigger({self._threshold}, {self._delta_function!r})"
