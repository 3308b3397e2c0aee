"""SingleFiringWindowOperator: base class of faster operators for windows that fire once, at their end."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Iterator
from itertools import repeat
from operator import length_hint
from typing import Any, ClassVar

from pystream.engine.columns.column_forms import is_original
from pystream.engine.events import NO_TIMESTAMP, Elements, Event, Watermark
from pystream.engine.failure import TaskFailure, guarded, short_repr
from pystream.engine.keys import Keys
from pystream.engine.spec import OperatorSpec
from pystream.engine.state.keyed_content import KeySlot
from pystream.engine.time.timers import TimerError
from pystream.engine.windows.builtin_triggers import EventTimeTrigger
from pystream.engine.windows.contents import CONTENTS, Adding
from pystream.engine.windows.field_contents import FieldContents
from pystream.engine.windows.operator import WindowOperator
from pystream.engine.windows.plan import WindowPlan
from pystream.engine.windows.windows import TimeWindow

__all__ = ["EndedWindow", "KeyedElement", "SingleFiringWindowOperator", "ends_too_late"]

KeyedElement = tuple[Any, Any, Hashable, int]
"""An element, its key, the key's slot and its timestamp."""

EndedWindow = tuple[Any, Hashable, TimeWindow, Any]
"""The key of a window, its slot, the window and its contents."""


class SingleFiringWindowOperator(WindowOperator):
    """A WindowOperator for event-time windows that fire once, at their end.

    It adds whole batches of elements, without calling the assigner and the trigger for each element.
    """

    assigners: ClassVar[tuple[type[Any], ...]]
    """The assigner classes that it supports."""

    def __init__(self, spec: OperatorSpec) -> None:
        super().__init__(spec)
        forms = spec.columns
        self._of_fields: FieldContents | None = None
        if forms is not None and forms.fields is not None:
            aggregate = self._plan.aggregate
            if is_original(aggregate.add, forms.fields):
                self._of_fields = FieldContents(aggregate, forms)

    @classmethod
    def serves(cls, plan: WindowPlan) -> bool:
        """Return whether this class supports the windows of a plan."""
        return (
            type(plan.assigner) in cls.assigners
            and type(plan.trigger) is EventTimeTrigger
            and plan.evictor is None
            and plan.allowed_lateness == 0
        )

    def process_keyed(self, elements: Elements, keys: Keys, side: int) -> Iterator[Event]:
        values = elements.values
        timestamps = elements.timestamps or repeat(NO_TIMESTAMP)
        of_fields = self._of_fields
        adding: Adding
        added: Iterator[Any]
        if of_fields is not None and of_fields.takes(values):
            adding = of_fields
            first, *others = of_fields.read_from(values)
            remaining = iter(first)
            added = zip(remaining, *others, strict=False)
        else:
            adding = self._contents
            remaining = added = iter(values)
        try:
            self._add_all(zip(added, keys.keys, keys.slots, timestamps, strict=False), adding)
        except BaseException as error:
            at = len(values) - length_hint(remaining) - 1
            raise TaskFailure.of(
                self.label, error, short_repr(values[at]), short_repr(keys.keys[at])
            ) from error
        yield from self._out.take()

    def _key_slot(self, table: str | None) -> KeySlot:
        return None if table == CONTENTS else super()._key_slot(table)

    @abstractmethod
    def _add_all(self, elements: Iterable[KeyedElement], adding: Adding) -> None:
        """Add elements to their windows.

        Args:
            elements: the elements, or the fields of each.
            adding: adds one of them to the contents of a window.
        """

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
