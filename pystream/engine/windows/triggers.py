"""Triggers: when the function of a window is called."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pystream.metrics.metricbase import MetricGroup

if TYPE_CHECKING:
    from pystream.engine.state.state import StateDescriptor

__all__ = ["Trigger", "TriggerResult"]

# A trigger for any element and window serves particular ones.
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
        """Return whether the elements are dropped."""
        return self.value[1]


class Trigger(ABC, Generic[T, W]):
    """Decide when a window of a key is evaluated.

    One instance serves all keys and windows: what it must remember it keeps in the state of its context,
    never in itself. Mirrors ``…streaming.api.windowing.triggers.Trigger``.
    """

    class TriggerContext(ABC):
        """Times, timers and state of a key and window, for a trigger.

        Mirrors ``…windowing.triggers.Trigger.TriggerContext``.
        """

        @abstractmethod
        def get_current_processing_time(self) -> int:
            """Return the processing time in ms since the epoch."""

        @abstractmethod
        def get_metric_group(self) -> MetricGroup:
            """Return the metric group of the operator."""

        @abstractmethod
        def get_current_watermark(self) -> int:
            """Return the event-time watermark in ms since the epoch; -2^63 before the first one."""

        @abstractmethod
        def register_processing_time_timer(self, time: int) -> None:
            """Let ``on_processing_time`` be called when the clock reaches a time; soon if it has.

            Raises:
                TimerError: the time is no 64-bit integer.
            """

        @abstractmethod
        def register_event_time_timer(self, time: int) -> None:
            """Let ``on_event_time`` be called when the watermark reaches a time; at the next one if it has.

            Raises:
                TimerError: the time is no 64-bit integer.
            """

        @abstractmethod
        def delete_processing_time_timer(self, time: int) -> None:
            """Remove the timer at a time; nothing happens if there is none."""

        @abstractmethod
        def delete_event_time_timer(self, time: int) -> None:
            """Remove the timer at a time; nothing happens if there is none."""

        @abstractmethod
        def get_partitioned_state(self, state_descriptor: StateDescriptor[Any]) -> Any:
            """Return the trigger's state of a descriptor, for this key and window.

            State that a window function asks for by the same name is another.
            """

    class OnMergeContext(TriggerContext):
        """Let a trigger merge its state when windows merge.

        Mirrors ``…windowing.triggers.Trigger.OnMergeContext``.
        """

        @abstractmethod
        def merge_partitioned_state(self, state_descriptor: StateDescriptor[Any]) -> None:
            """Move the state of the windows that were merged into that of the window they became.

            Raises:
                StateAccessError: it is not a list, reducing or aggregating state.
            """

    @abstractmethod
    def on_element(
        self, element: T, timestamp: int, window: W, ctx: Trigger.TriggerContext, /
    ) -> TriggerResult:
        """Return the decision after an element was added to a window.

        Args:
            element: the element.
            timestamp: its event time in ms since the epoch; -2^63 if it has none.
            window: the window.
            ctx: times, timers and state of the key and window.
        """

    @abstractmethod
    def on_processing_time(self, time: int, window: W, ctx: Trigger.TriggerContext, /) -> TriggerResult:
        """Return the decision at a processing-time timer."""

    @abstractmethod
    def on_event_time(self, time: int, window: W, ctx: Trigger.TriggerContext, /) -> TriggerResult:
        """Return the decision at an event-time timer."""

    def can_merge(self) -> bool:
        """Return whether the trigger can serve windows that merge, such as sessions."""
        return False

    @abstractmethod
    def on_merge(self, window: W, ctx: Trigger.OnMergeContext, /) -> None:
        """Take over timers and state of windows that became one.

        Afterwards ``clear`` is called for each of those windows.

        Args:
            window: the merged window.
            ctx: times, timers and state of that window.
        """

    @abstractmethod
    def clear(self, window: W, ctx: Trigger.TriggerContext, /) -> None:
        """Remove the timers and the state kept for a window, which is gone."""
