"""The current window of a window operator, and the contexts of its assigner, trigger and evictor."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from io import BytesIO
from typing import Any
from weakref import WeakKeyDictionary

from pystream.engine.context import RuntimeContext
from pystream.engine.metrics.metric import MetricGroup
from pystream.engine.operators.keyed_contexts import KeyScope
from pystream.engine.state.backend import KeyedStateBackend
from pystream.engine.state.state import StateDescriptor
from pystream.engine.time.keyed_timers import KeyedTimers
from pystream.engine.windows.assigners import WindowAssigner
from pystream.engine.windows.errors import WindowTypeError
from pystream.engine.windows.evictors import Evictor
from pystream.engine.windows.triggers import Trigger
from pystream.engine.windows.windows import WindowSerializer
from typeinfo.errors import short_repr

__all__ = ["TRIGGER_STATE", "AssignerContext", "WindowScope", "WindowSlots", "WindowTimesContext"]

TRIGGER_STATE = "trigger:"
"""Prefix of the names of tables that hold state of triggers."""


class WindowScope(KeyScope):
    """The current key and window; one slot identifies both."""

    __slots__ = ("window",)

    def __init__(self) -> None:
        super().__init__()
        self.window: Any = None


class WindowSlots:
    """Return hashable forms of windows: the windows, or their bytes if they do not define equality."""

    __slots__ = ("_by_value", "_serializer")

    def __init__(self, serializer: WindowSerializer[Any]) -> None:
        self._serializer = serializer
        self._by_value: dict[type[Any], bool] = {}

    def of(self, window: Any) -> Hashable:
        """Return the hashable form of a window."""
        cls = type(window)
        by_value = self._by_value.get(cls)
        if by_value is None:
            by_value = self._by_value[cls] = "__eq__" in _defined(cls) and cls.__hash__ is not None
        if by_value:
            slot: Hashable = window
            return slot
        stream = BytesIO()
        self._serializer.serialize(window, stream)
        return stream.getvalue()


def _defined(cls: type[Any]) -> set[str]:
    """Return the names that a class or a base of it other than ``object`` defines."""
    return {name for base in cls.__mro__[:-1] for name in vars(base)}


class AssignerContext(WindowAssigner.WindowAssignerContext):
    """The context of an assigner: processing time and runtime context."""

    def __init__(self, timers: KeyedTimers, runtime_context: RuntimeContext) -> None:
        self._timers = timers
        self._runtime_context = runtime_context

    def get_current_processing_time(self) -> int:
        return self._timers.now()

    def get_runtime_context(self) -> RuntimeContext:
        return self._runtime_context


class WindowTimesContext(Trigger.OnMergeContext, Evictor.EvictorContext):
    """Times, timers and state of the current key and window.

    Attributes:
        merged: the slots of the windows that were just merged into the current one.
    """

    def __init__(
        self, timers: KeyedTimers, scope: WindowScope, backend: KeyedStateBackend, metrics: MetricGroup
    ) -> None:
        self._timers = timers
        self._event_time = timers.event_time
        self._processing_time = timers.processing_time
        self._scope = scope
        self._backend = backend
        self._store = backend.store(scope, TRIGGER_STATE)
        self._metrics = metrics
        self._states: WeakKeyDictionary[StateDescriptor[Any], Any] = WeakKeyDictionary()
        self.merged: Sequence[Hashable] = ()

    def get_current_processing_time(self) -> int:
        return self._timers.now()

    def get_metric_group(self) -> MetricGroup:
        return self._metrics

    def get_current_watermark(self) -> int:
        return self._timers.watermark

    def register_processing_time_timer(self, time: int) -> None:
        scope = self._scope
        self._processing_time.register(time, scope.slot, (scope.key, scope.window))

    def register_event_time_timer(self, time: int) -> None:
        scope = self._scope
        self._event_time.register(time, scope.slot, (scope.key, scope.window))

    def delete_processing_time_timer(self, time: int) -> None:
        self._processing_time.delete(time, self._scope.slot)

    def delete_event_time_timer(self, time: int) -> None:
        self._event_time.delete(time, self._scope.slot)

    def get_partitioned_state(self, state_descriptor: StateDescriptor[Any]) -> Any:
        state = self._states.get(state_descriptor)
        if state is None:
            state = self._store._state(_checked(state_descriptor))
            self._states[state_descriptor] = state
        return state

    def merge_partitioned_state(self, state_descriptor: StateDescriptor[Any]) -> None:
        table = self._backend.table(TRIGGER_STATE + _checked(state_descriptor).name, state_descriptor)
        expiry = self._backend.expiry(state_descriptor)
        state_descriptor.merge(table, self._scope, self.merged, expiry)


def _checked(descriptor: StateDescriptor[Any]) -> StateDescriptor[Any]:
    if not isinstance(descriptor, StateDescriptor):
        raise WindowTypeError(
            f"get_partitioned_state() takes a state descriptor, not {short_repr(descriptor)}"
        )
    return descriptor
