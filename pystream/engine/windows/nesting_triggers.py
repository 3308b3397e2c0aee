"""Triggers that wrap another trigger."""

from __future__ import annotations

from typing import TypeVar

from pystream.engine.state.value_state import ValueStateDescriptor
from pystream.engine.windows.arguments import LengthOfTime, positive, to_milliseconds
from pystream.engine.windows.errors import WindowTypeError
from pystream.engine.windows.triggers import Trigger, TriggerResult
from pystream.engine.windows.windows import Window
from typeinfo.arguments import checks_arguments
from typeinfo.basic import LONG
from typeinfo.errors import short_repr

__all__ = ["ProcessingTimeoutTrigger", "PurgingTrigger"]

T = TypeVar("T")
W = TypeVar("W", bound=Window)
# For static methods, where pyright treats the class's own type variables as unknown.
E = TypeVar("E")
V = TypeVar("V", bound=Window)


@checks_arguments(WindowTypeError, methods=False)
class _NestingTrigger(Trigger[T, W]):
    """Wrap a trigger and modify its decisions."""

    def __init__(self, nested_trigger: Trigger[T, W]) -> None:
        if not isinstance(nested_trigger, Trigger):
            raise WindowTypeError(f"{type(self).__name__} takes a Trigger, not {short_repr(nested_trigger)}")
        self.nested_trigger = nested_trigger

    def can_merge(self) -> bool:
        return self.nested_trigger.can_merge()

    def on_merge(self, window: W, ctx: Trigger.OnMergeContext) -> None:
        self.nested_trigger.on_merge(window, ctx)

    def clear(self, window: W, ctx: Trigger.TriggerContext) -> None:
        self.nested_trigger.clear(window, ctx)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.nested_trigger!r})"


@checks_arguments(WindowTypeError, methods=False)
class PurgingTrigger(_NestingTrigger[T, W]):
    """Purge the elements of a window whenever the nested trigger fires.

    Mirrors ``…windowing.triggers.PurgingTrigger``.

    Args:
        nested_trigger: the trigger to wrap.
    """

    @staticmethod
    def of(nested_trigger: Trigger[E, V]) -> PurgingTrigger[E, V]:
        """Return a trigger that purges whenever the nested trigger fires."""
        return PurgingTrigger(nested_trigger)

    def on_element(self, element: T, timestamp: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Return the nested trigger's decision, with a purge if it fires."""
        return _purging(self.nested_trigger.on_element(element, timestamp, window, ctx))

    def on_processing_time(self, time: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Return the nested trigger's decision, with a purge if it fires."""
        return _purging(self.nested_trigger.on_processing_time(time, window, ctx))

    def on_event_time(self, time: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Return the nested trigger's decision, with a purge if it fires."""
        return _purging(self.nested_trigger.on_event_time(time, window, ctx))


def _purging(result: TriggerResult) -> TriggerResult:
    return TriggerResult.FIRE_AND_PURGE if result.is_fire() else result


class ProcessingTimeoutTrigger(_NestingTrigger[T, W]):
    """Fire when the nested trigger does, or after a timeout.

    Mirrors ``…windowing.triggers.ProcessingTimeoutTrigger``, which PyFlink lacks.

    Args:
        nested_trigger: the trigger to wrap.
        timeout: in ms of processing time.
        reset_timer_on_new_record: whether the timeout starts at the last element, not at the first.
        should_clear_on_timeout: whether the nested trigger is cleared at the timeout.
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
        nested_trigger: Trigger[E, V],
        timeout: LengthOfTime,
        reset_timer_on_new_record: bool = False,
        should_clear_on_timeout: bool = True,
    ) -> ProcessingTimeoutTrigger[E, V]:
        """Return a trigger that fires when the nested trigger does, or after a timeout."""
        return ProcessingTimeoutTrigger(
            nested_trigger,
            to_milliseconds(timeout, "ProcessingTimeoutTrigger.of"),
            reset_timer_on_new_record,
            should_clear_on_timeout,
        )

    def on_element(self, element: T, timestamp: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """Return the nested trigger's decision, and set the timeout."""
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
        return TriggerResult.FIRE_AND_PURGE if result.is_purge() else TriggerResult.FIRE

    def clear(self, window: W, ctx: Trigger.TriggerContext) -> None:
        """Clear the timeout and the nested trigger."""
        self._forget_deadline(ctx)
        self.nested_trigger.clear(window, ctx)

    def can_merge(self) -> bool:
        """Return False: timeouts cannot be merged."""
        return False

    def _forget_deadline(self, ctx: Trigger.TriggerContext) -> None:
        deadline = ctx.get_partitioned_state(self._deadline)
        time = deadline.value()
        if time is not None:
            ctx.delete_processing_time_timer(time)
            deadline.clear()
