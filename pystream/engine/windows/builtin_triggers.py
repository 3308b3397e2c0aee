"""Built-in triggers by time, count and delta."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from pystream.engine.state.reducing_state import ReducingStateDescriptor
from pystream.engine.state.state import of_data
from pystream.engine.state.value_state import ValueStateDescriptor
from pystream.engine.windows.arguments import positive
from pystream.engine.windows.errors import WindowTypeError
from pystream.engine.windows.triggers import Trigger, TriggerResult
from pystream.engine.windows.windows import GlobalWindow, TimeWindow, Window
from typeinfo.arguments import checks_arguments
from typeinfo.info import TypeInformation
from typeinfo.pickled import PICKLED_BYTE_ARRAY

__all__ = [
    "CountTrigger",
    "DeltaTrigger",
    "EventTimeTrigger",
    "IdleTrigger",
    "NeverTrigger",
    "ProcessingTimeTrigger",
]

T = TypeVar("T")
# For static methods, where pyright treats the class's own type variables as unknown.
E = TypeVar("E")
W = TypeVar("W", bound=Window)

_CONTINUE = TriggerResult.CONTINUE
_FIRE = TriggerResult.FIRE


class IdleTrigger(Trigger[T, W]):
    """Base class of triggers, whose methods do nothing by default."""

    def on_element(self, element: T, timestamp: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        return _CONTINUE

    def on_processing_time(self, time: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        return _CONTINUE

    def on_event_time(self, time: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        return _CONTINUE

    def on_merge(self, window: W, ctx: Trigger.OnMergeContext) -> None:
        """Do nothing."""

    def clear(self, window: W, ctx: Trigger.TriggerContext) -> None:
        """Do nothing."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class EventTimeTrigger(IdleTrigger[T, TimeWindow]):
    """Fire when the watermark passes the end of the window, and for each late element.

    Mirrors ``…windowing.triggers.EventTimeTrigger``.
    """

    @staticmethod
    def create() -> EventTimeTrigger[Any]:
        """Return a trigger."""
        return EventTimeTrigger()

    def on_element(
        self, element: T, timestamp: int, window: TimeWindow, ctx: Trigger.TriggerContext
    ) -> TriggerResult:
        """Fire if the window is over, else register a timer for its end."""
        end = window.max_timestamp()
        if end <= ctx.get_current_watermark():
            return _FIRE
        ctx.register_event_time_timer(end)
        return _CONTINUE

    def on_event_time(self, time: int, window: TimeWindow, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Fire at the end of the window."""
        return _FIRE if time == window.max_timestamp() else _CONTINUE

    def can_merge(self) -> bool:
        return True

    def on_merge(self, window: TimeWindow, ctx: Trigger.OnMergeContext) -> None:
        """Register a timer for the end of the window, unless it is over."""
        end = window.max_timestamp()
        if end > ctx.get_current_watermark():
            ctx.register_event_time_timer(end)

    def clear(self, window: TimeWindow, ctx: Trigger.TriggerContext) -> None:
        """Delete the timer for the end of the window."""
        ctx.delete_event_time_timer(window.max_timestamp())


class ProcessingTimeTrigger(IdleTrigger[T, TimeWindow]):
    """Fire when processing time passes the end of the window.

    Mirrors ``…windowing.triggers.ProcessingTimeTrigger``.
    """

    @staticmethod
    def create() -> ProcessingTimeTrigger[Any]:
        """Return a trigger."""
        return ProcessingTimeTrigger()

    def on_element(
        self, element: T, timestamp: int, window: TimeWindow, ctx: Trigger.TriggerContext
    ) -> TriggerResult:
        """Register a timer for the end of the window."""
        ctx.register_processing_time_timer(window.max_timestamp())
        return _CONTINUE

    def on_processing_time(self, time: int, window: TimeWindow, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Fire."""
        return _FIRE

    def can_merge(self) -> bool:
        return True

    def on_merge(self, window: TimeWindow, ctx: Trigger.OnMergeContext) -> None:
        """Register a timer for the end of the window, unless it is over."""
        end = window.max_timestamp()
        if end > ctx.get_current_processing_time():
            ctx.register_processing_time_timer(end)

    def clear(self, window: TimeWindow, ctx: Trigger.TriggerContext) -> None:
        """Delete the timer for the end of the window."""
        ctx.delete_processing_time_timer(window.max_timestamp())


@checks_arguments(WindowTypeError, methods=False)
class CountTrigger(IdleTrigger[T, W]):
    """Fire whenever a number of elements has arrived. Mirrors ``…windowing.triggers.CountTrigger``.

    Args:
        window_size: the number of elements.
    """

    def __init__(self, window_size: int) -> None:
        self._window_size = positive(window_size, "the number of elements of a CountTrigger")
        # Numbers from this module need no validation.
        self._count: ReducingStateDescriptor[int] = of_data(
            ReducingStateDescriptor("count", int.__add__, PICKLED_BYTE_ARRAY)
        )

    @staticmethod
    def of(window_size: int) -> CountTrigger[Any, Any]:
        """Return a trigger for the given number of elements."""
        return CountTrigger(window_size)

    @property
    def window_size(self) -> int:
        """The number of elements that fires the trigger."""
        return self._window_size

    def on_element(self, element: T, timestamp: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Fire and reset the count once it reaches the number."""
        count = ctx.get_partitioned_state(self._count)
        count.add(1)
        if count.get() < self._window_size:
            return _CONTINUE
        count.clear()
        return _FIRE

    def can_merge(self) -> bool:
        return True

    def on_merge(self, window: W, ctx: Trigger.OnMergeContext) -> None:
        """Add up the counts; the trigger fires with the next element at the earliest."""
        ctx.merge_partitioned_state(self._count)

    def clear(self, window: W, ctx: Trigger.TriggerContext) -> None:
        """Clear the count."""
        ctx.get_partitioned_state(self._count).clear()

    def __repr__(self) -> str:
        return f"CountTrigger({self._window_size})"


class NeverTrigger(IdleTrigger[T, GlobalWindow]):
    """Never fire; the default trigger of global windows.

    Mirrors ``…windowing.assigners.GlobalWindows.NeverTrigger``.
    """


class DeltaTrigger(IdleTrigger[T, W]):
    """Fire when an element is too far from the last element that fired, which initially is the first one.

    Mirrors ``…windowing.triggers.DeltaTrigger``, which PyFlink lacks.

    Args:
        threshold: the trigger fires above this distance.
        delta_function: returns the distance of a new element from the remembered one.
        type_info: type of the elements; pickled by default.

    Attributes:
        delta_function: as passed.
    """

    def __init__(
        self,
        threshold: float,
        delta_function: Callable[[T, T], float],
        type_info: TypeInformation[T] | None = None,
    ) -> None:
        self._threshold = threshold
        self.delta_function = delta_function
        self._last: ValueStateDescriptor[Any] = ValueStateDescriptor(
            "last-element", PICKLED_BYTE_ARRAY if type_info is None else type_info
        )

    @staticmethod
    def of(
        threshold: float,
        delta_function: Callable[[E, E], float],
        type_info: TypeInformation[E] | None = None,
    ) -> DeltaTrigger[E, Any]:
        """Return a trigger with a threshold."""
        return DeltaTrigger(threshold, delta_function, type_info)

    def on_element(self, element: T, timestamp: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Fire and remember the element if its distance from the remembered one exceeds the threshold."""
        state = ctx.get_partitioned_state(self._last)
        last = state.value()
        if last is None:
            state.update(element)
            return _CONTINUE
        if self.delta_function(last, element) > self._threshold:
            state.update(element)
            return _FIRE
        return _CONTINUE

    def clear(self, window: W, ctx: Trigger.TriggerContext) -> None:
        """Clear the remembered element."""
        ctx.get_partitioned_state(self._last).clear()

    def __repr__(self) -> str:
        return f"DeltaTrigger({self._threshold}, {self.delta_function!r})"
