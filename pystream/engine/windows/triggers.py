"""Trigger: base class of triggers, which decide when a window is evaluated."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pystream.engine.metrics.metric import MetricGroup

if TYPE_CHECKING:
    from pystream.engine.state.state import StateDescriptor

__all__ = ["Trigger", "TriggerResult"]

# Contravariant: a trigger for any element and window also fits particular ones.
T = TypeVar("T", contravariant=True)
W = TypeVar("W", contravariant=True)


class TriggerResult(Enum):
    """The decision of a trigger: whether the window fires, and whether its elements are purged.

    A window without elements is never evaluated. Mirrors ``…windowing.triggers.TriggerResult``.
    """

    CONTINUE = (False, False)
    FIRE_AND_PURGE = (True, True)
    FIRE = (True, False)
    PURGE = (False, True)

    def is_fire(self) -> bool:
        """Return whether the window is evaluated."""
        return self.value[0]

    def is_purge(self) -> bool:
        """Return whether the elements are purged."""
        return self.value[1]


class Trigger(ABC, Generic[T, W]):
    """Decide when a window of a key is evaluated.

    One instance serves all keys and windows: it must keep data in the state of its context, never in
    itself. Mirrors ``…streaming.api.windowing.triggers.Trigger``.
    """

    class TriggerContext(ABC):
        """The context of a trigger: times, timers and state of a key and window.

        Mirrors ``…windowing.triggers.Trigger.TriggerContext``.
        """

        @abstractmethod
        def get_current_processing_time(self) -> int:
            """Return the processing time in ms since the Unix epoch."""

        @abstractmethod
        def get_metric_group(self) -> MetricGroup:
            """Return the metric group of the operator."""

        @abstractmethod
        def get_current_watermark(self) -> int:
            """Return the event-time watermark in ms since the Unix epoch; -2^63 before the first one."""

        @abstractmethod
        def register_processing_time_timer(self, time: int) -> None:
            """Register a timer for ``on_processing_time``, which fires soon if already due.

            Raises:
                TimerError: the time is not a 64-bit integer.
            """

        @abstractmethod
        def register_event_time_timer(self, time: int) -> None:
            """Register a timer for ``on_event_time``, which fires at the next watermark if already due.

            Raises:
                TimerError: the time is not a 64-bit integer.
            """

        @abstractmethod
        def delete_processing_time_timer(self, time: int) -> None:
            """Delete the timer at a time, if it exists."""

        @abstractmethod
        def delete_event_time_timer(self, time: int) -> None:
            """Delete the timer at a time, if it exists."""

        @abstractmethod
        def get_partitioned_state(self, state_descriptor: StateDescriptor[Any]) -> Any:
            """Return the trigger's state with a descriptor, for this key and window.

            It is separate from a window function's state of the same name.
            """

    class OnMergeContext(TriggerContext):
        """The context of a trigger when windows merge.

        Mirrors ``…windowing.triggers.Trigger.OnMergeContext``.
        """

        @abstractmethod
        def merge_partitioned_state(self, state_descriptor: StateDescriptor[Any]) -> None:
            """Move the state of the merged windows into that of the resulting window.

            Raises:
                StateAccessError: it is not a list, reducing or aggregating state.
            """

    @abstractmethod
    def on_element(
        self, element: T, timestamp: int, window: W, ctx: Trigger.TriggerContext, /
    ) -> TriggerResult:
        """Return the decision after an element is added to a window.

        Args:
            element: the element.
            timestamp: its event time in ms since the Unix epoch; -2^63 if it has none.
            window: the window.
            ctx: times, timers and state of the key and window.
        """

    @abstractmethod
    def on_processing_time(self, time: int, window: W, ctx: Trigger.TriggerContext, /) -> TriggerResult:
        """Return the decision for a processing-time timer."""

    @abstractmethod
    def on_event_time(self, time: int, window: W, ctx: Trigger.TriggerContext, /) -> TriggerResult:
        """Return the decision for an event-time timer."""

    def can_merge(self) -> bool:
        """Return whether the trigger supports merging windows, such as sessions."""
        return False

    @abstractmethod
    def on_merge(self, window: W, ctx: Trigger.OnMergeContext, /) -> None:
        """Merge the timers and state of windows.

        Afterwards ``clear`` is called for each of those windows.

        Args:
            window: the merged window.
            ctx: times, timers and state of that window.
        """

    @abstractmethod
    def clear(self, window: W, ctx: Trigger.TriggerContext, /) -> None:
        """Remove the timers and the state of a window that was purged."""
