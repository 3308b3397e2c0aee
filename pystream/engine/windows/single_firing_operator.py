"""SingleFiringWindowOperator: base class of faster operators for windows that fire once, at their end."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Iterator
from typing import Any, ClassVar

from pystream.engine.events import Event, Watermark
from pystream.engine.failure import TaskFailure, guarded, short_repr
from pystream.engine.state.keyed_content import KeySlot
from pystream.engine.time.timers import TimerError
from pystream.engine.windows.adding_operator import AddingWindowOperator
from pystream.engine.windows.builtin_triggers import EventTimeTrigger
from pystream.engine.windows.contents import CONTENTS
from pystream.engine.windows.plan import WindowPlan
from pystream.engine.windows.windows import TimeWindow

__all__ = ["EndedWindow", "SingleFiringWindowOperator", "ends_too_late"]

EndedWindow = tuple[Any, Hashable, TimeWindow, Any]
"""The key of a window, its slot, the window and its contents."""


class SingleFiringWindowOperator(AddingWindowOperator):
    """An AddingWindowOperator for event-time windows that fire once, at their end."""

    assigners: ClassVar[tuple[type[Any], ...]]
    """The assigner classes that it supports."""

    @classmethod
    def serves(cls, plan: WindowPlan) -> bool:
        """Return whether this class supports the windows of a plan."""
        return (
            type(plan.assigner) in cls.assigners
            and type(plan.trigger) is EventTimeTrigger
            and plan.evictor is None
            and plan.allowed_lateness == 0
        )

    def _key_slot(self, table: str | None) -> KeySlot:
        return None if table == CONTENTS else super()._key_slot(table)

    def advance(self, watermark: int) -> Iterator[Event]:
        timers, key_scope = self._timers, self._scope
        timers.watermark = max(timers.watermark, watermark)
        self._load_due(timers.watermark)
        yield from guarded(
            self._evaluated(timers.watermark),
            lambda error: TaskFailure.of(self.label, error, key=short_repr(key_scope.key)),
        )
        key_scope.leave()
        yield from self._out.take()
        yield Watermark(watermark)

    def _evaluated(self, watermark: int) -> Iterator[Event]:
        return self._evaluated_each(self._ended(watermark))

    def _evaluated_each(self, windows: Iterable[EndedWindow]) -> Iterator[Event]:
        key_scope, scope, out = self._scope, self._window_scope, self._out
        evaluate, clear = self._evaluate, self._clear
        for key, slot, window, held in windows:
            key_scope.slot, key_scope.key = slot, key
            scope.slot, scope.key, scope.window = (slot, window), key, window
            if held is not None:
                evaluate(held, scope.slot)
            if clear is not None:
                clear(self._process_context)
            if out.is_full:
                yield from out.take()

    def _evaluate(self, held: Any, slot: Hashable) -> None:
        """Call the function with the contents of a window, which the function owns."""
        value = self._contents.read(held)
        if value is not None:
            self._deliver(value)

    @abstractmethod
    def _ended(self, until: int) -> Iterator[EndedWindow]:
        """Remove and yield the windows that have ended at a time, by their end, then by their slot."""


def ends_too_late(window: TimeWindow) -> TimerError:
    """Return the error for a window that ends too late for a timer."""
    return TimerError(f"{window!r} ends after 2^63 - 1 ms")
