"""WindowOperator: groups the elements of each key into windows, evaluated when triggers fire."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from operator import itemgetter
from typing import Any

from pystream.engine.context import RuntimeContext
from pystream.engine.events import MAX_WATERMARK
from pystream.engine.operators.operator import ElementProcessor
from pystream.engine.operators.timed_operator import TimedOperator
from pystream.engine.spec import OperatorSpec
from pystream.engine.state.backend import OwnState
from pystream.engine.state.evolution import migrate_values
from pystream.engine.state.keyed_content import KeySlot
from pystream.engine.state.map_state import MapStateDescriptor
from pystream.engine.state.slots import Table
from pystream.engine.state.state import of_data
from pystream.engine.time.timers import TimeDomain, Timer
from pystream.engine.windows.assigners import MergingWindowAssigner
from pystream.engine.windows.builtin_triggers import CountTrigger
from pystream.engine.windows.contents import CONTENTS, contents_of
from pystream.engine.windows.count_windows import CountAssigner
from pystream.engine.windows.errors import WindowError, WindowTypeError
from pystream.engine.windows.evictors import TimestampedValue
from pystream.engine.windows.function_contexts import (
    MergingWindowStates,
    ProcessAllWindowContext,
    ProcessWindowContext,
)
from pystream.engine.windows.merging import MergingWindows
from pystream.engine.windows.nesting_triggers import PurgingTrigger
from pystream.engine.windows.operator_contexts import (
    TRIGGER_STATE,
    AssignerContext,
    WindowScope,
    WindowSlots,
    WindowTimesContext,
)
from pystream.engine.windows.plan import WindowCall, WindowPlan
from pystream.engine.windows.triggers import Trigger, TriggerResult
from typeinfo.errors import short_repr
from typeinfo.pickled import PICKLED_BYTE_ARRAY
from typeinfo.serde.copies import copy_of

__all__ = ["WindowOperator"]

_CONTINUE = TriggerResult.CONTINUE
_WINDOW_STATE = "window:"
_OF_WINDOWS = (_WINDOW_STATE, TRIGGER_STATE)  # their slots combine a key and a window, as those of contents
_MERGING_WINDOWS = "merging-window-set"


class WindowOperator(TimedOperator):
    """Store each window of each key, call the trigger, and call the window function when it fires.

    Results have the last ms of their window as timestamp.
    """

    has_timers_of_keys = False  # but of windows

    def __init__(self, spec: OperatorSpec) -> None:
        super().__init__(spec)
        plan: WindowPlan = self._function
        self._plan = plan
        self._assigner: Any = plan.assigner
        self._trigger = _effective_trigger(plan)
        self._event_time = plan.assigner.is_event_time()
        self._lateness = plan.allowed_lateness if self._event_time else 0
        self._merging = isinstance(plan.assigner, MergingWindowAssigner)
        self._contents = contents_of(plan)
        self._stored, self._stamped = self._contents, False
        self._slots = WindowSlots(plan.assigner.get_window_serializer())
        self._window_scope = WindowScope()
        self._clear = getattr(plan.function, "clear", None) if plan.call is WindowCall.PROCESS else None

    @property
    def _has_known_slots(self) -> bool:
        return type(self._assigner).__module__.startswith("pystream.")

    def _user_functions(self) -> tuple[Any, ...]:
        functions: tuple[Any, ...] = self._function.user_functions
        return functions

    def own_states(self) -> tuple[OwnState, ...]:
        contents = OwnState(self._stored.descriptor(), self._migrate_contents)
        if not self._merging:
            return (contents,)
        windows = MapStateDescriptor(_MERGING_WINDOWS, PICKLED_BYTE_ARRAY, PICKLED_BYTE_ARRAY)
        return contents, OwnState(of_data(windows))

    @property
    def layout(self) -> str:
        return "one by one"

    def _migrate_contents(self, table: Table, migration: Callable[[Any], Any]) -> None:
        """Migrate the contents of the windows in a table."""
        migrate_values(table, migration)

    def _prepare(self, context: RuntimeContext) -> None:
        timers, backend, scope = self._timers, self._backend, self._window_scope
        metrics = context.get_metrics_group()
        self._late_elements = metrics.counter("numLateRecordsDropped")
        self._cleanup_timers = timers.event_time if self._event_time else timers.processing_time
        self._assigner_context = AssignerContext(timers, context)
        self._trigger_context = WindowTimesContext(timers, scope, backend, metrics)
        kind = ProcessAllWindowContext if self._plan.all_windows else ProcessWindowContext
        self._process_context = kind(
            scope,
            timers,
            MergingWindowStates() if self._merging else backend.store(scope, _WINDOW_STATE),
            backend.store(self._scope),
        )
        self._deliver = self._delivery()
        self._mappings = self._own.get(_MERGING_WINDOWS, {})
        self._table = self._own[CONTENTS]
        super()._prepare(context)

    def close(self) -> None:
        self._window_scope.leave()
        super().close()

    def _delivery(self) -> Callable[[Any], None]:
        """Return the function that applies the window function to the contents of the current window."""
        plan, out, scope, context = self._plan, self._out, self._window_scope, self._process_context
        method: Any = getattr(plan.function, plan.call.value, None)
        is_fold = plan.reduce is not None or plan.aggregate is not None
        applied, all_windows = plan.call is WindowCall.APPLY, plan.all_windows

        def emit(value: Any) -> None:
            out.add(value, scope.window.max_timestamp())

        def call(value: Any) -> None:
            window = scope.window
            subject = window if applied else context
            inputs = [value] if is_fold else value
            results = method(subject, inputs) if all_windows else method(scope.key, subject, inputs)
            if results is not None:
                out.add_all(results, window.max_timestamp())

        return emit if method is None else call

    # Elements

    def _element_processor(self, side: int) -> ElementProcessor:
        assigned, cleanup_time, slot_of = self._assigned, self._cleanup_time, self._slots.of
        key_scope, scope, timers, table = self._scope, self._window_scope, self._timers, self._table
        first, more, stamped = self._stored.first, self._stored.more, self._stamped
        on_element, context = self._trigger.on_element, self._trigger_context
        event_time, merging, cleanups = self._event_time, self._merging, self._cleanup_timers

        def process(value: Any, timestamp: int) -> None:
            taken = False
            scope.key = key_scope.key
            windows = None
            if merging:
                windows = MergingWindows(self._assigner, self._mappings.setdefault(key_scope.slot, {}))
            element = TimestampedValue(value, timestamp) if stamped else value
            for window in assigned(value, timestamp):
                if windows is not None:
                    window = windows.add(window, self._merge)
                cleanup = cleanup_time(window)
                if event_time and cleanup <= timers.watermark:
                    if windows is not None:
                        windows.retire(window)
                    continue
                if taken:  # each window has a copy of the element
                    value = copy_of(value)
                    element = TimestampedValue(value, timestamp) if stamped else value
                taken = True
                scope.window = window
                scope.slot = slot = (key_scope.slot, slot_of(window))
                if windows is not None:
                    slot = (key_scope.slot, slot_of(windows.state_window(window)))
                held = table.get(slot)
                table[slot] = first(element) if held is None else more(held, element)
                result = on_element(value, timestamp, window, context)
                if result is not _CONTINUE:
                    self._apply_result(result, slot)
                if cleanup != MAX_WATERMARK:
                    cleanups.register(cleanup, scope.slot, (scope.key, window))
            if windows is not None:
                self._forget_if_empty(windows)
            if not taken:
                self._handle_late(value, timestamp)

        return process

    def _assigned(self, value: Any, timestamp: int) -> Collection[Any]:
        windows: Collection[Any] | None = self._assigner.assign_windows(
            value, timestamp, self._assigner_context
        )
        if windows is None:
            raise WindowTypeError(
                f"assign_windows() of {self._assigner!r} returned None: it must return a collection of"
                f" windows, an empty one for an element that belongs to none"
            )
        return windows

    def _handle_late(self, value: Any, timestamp: int) -> None:
        """Handle an element that no window took, which may be late."""
        if not self._event_time or timestamp + self._lateness > self._timers.watermark:
            return
        if self._plan.late_tag is None:
            self._late_elements.inc()
        else:
            self._out.add_side(self._plan.late_tag, value, timestamp)

    # Windows

    def _cleanup_time(self, window: Any) -> int:
        """Return the time after which a window is removed: its end plus the allowed lateness."""
        end: int = window.max_timestamp()
        return min(end + self._lateness, MAX_WATERMARK)

    def _forget_if_empty(self, windows: MergingWindows) -> None:
        if windows.is_empty:
            del self._mappings[self._scope.slot]

    def _merge(self, result: Any, parts: list[Any], kept: Any, others: list[Any]) -> None:
        """Merge windows of the current key."""
        self._check_merge(result)
        scope, context, trigger, table = self._window_scope, self._trigger_context, self._trigger, self._table
        key, slot_of = self._scope.slot, self._slots.of
        scope.window, scope.slot = result, (key, slot_of(result))
        context.merged = [(key, slot_of(part)) for part in parts]
        trigger.on_merge(result, context)
        context.merged = ()
        for part in parts:
            scope.window, scope.slot = part, (key, slot_of(part))
            trigger.clear(part, context)
            self._cleanup_timers.delete(self._cleanup_time(part), scope.slot)
        into = key, slot_of(kept)
        for other in others:
            held, found = table.get(into), table.pop((key, slot_of(other)), None)
            if found is not None:
                table[into] = found if held is None else self._stored.merge(held, found)

    def _check_merge(self, result: Any) -> None:
        now = self._timers.watermark if self._event_time else self._timers.now()
        if self._cleanup_time(result) <= now:
            reached = "the watermark" if self._event_time else "the processing time"
            raise WindowError(
                f"merge_windows() of {self._assigner!r} returned {short_repr(result)}, which is over: "
                f"{reached} is {now}"
            )

    # Triggers

    def _apply_result(self, result: TriggerResult, slot: Hashable) -> None:
        """Apply the result of a trigger to the current window."""
        if not isinstance(result, TriggerResult):
            raise WindowTypeError(f"{self._trigger!r} must return a TriggerResult, not {short_repr(result)}")
        held = self._table.get(slot)
        if held is not None and result.is_fire():
            self._evaluate(held, slot)
        if result.is_purge():
            self._table.pop(slot, None)

    def _evaluate(self, held: Any, slot: Hashable) -> None:
        """Call the function with a copy of the contents of the current window, which may fire again."""
        value = self._contents.read(held)
        if value is not None:
            self._deliver(value if self._plan.function is None else copy_of(value))

    def _fire(self, timer: Timer, domain: TimeDomain) -> None:
        key, window = timer.payload
        slot: Any = timer.slot
        self._scope.slot, self._scope.key = slot[0], key
        scope, windows = self._window_scope, None
        scope.slot, scope.key, scope.window = slot, key, window
        if self._merging:
            windows = MergingWindows(self._assigner, self._mappings.get(self._scope.slot, {}))
            state_window = windows.state_window(window)
            if state_window is None:  # it was merged into another one, and its trigger left a timer behind
                return
            slot = (self._scope.slot, self._slots.of(state_window))
        in_event_time = domain is TimeDomain.EVENT_TIME
        on_timer = self._trigger.on_event_time if in_event_time else self._trigger.on_processing_time
        result = on_timer(timer.time, window, self._trigger_context)
        if result is not _CONTINUE:
            self._apply_result(result, slot)
        if in_event_time == self._event_time and timer.time == self._cleanup_time(window):
            self._table.pop(slot, None)
            self._trigger.clear(window, self._trigger_context)
            if self._clear is not None:
                self._clear(self._process_context)
            if windows is not None:
                windows.retire(window)
                self._forget_if_empty(windows)

    def _key_slot(self, table: str | None) -> KeySlot:
        of_windows = table is None or table == CONTENTS or table.startswith(_OF_WINDOWS)
        return itemgetter(0) if of_windows else None


def _effective_trigger(plan: WindowPlan) -> Trigger[Any, Any]:
    """Return the trigger of a plan; count windows that are full when they fire are also purged."""
    trigger, assigner = plan.trigger, plan.assigner
    if (
        isinstance(assigner, CountAssigner)
        and type(trigger) is CountTrigger
        and trigger.window_size == assigner.window_size
    ):
        return PurgingTrigger(trigger)
    return trigger
