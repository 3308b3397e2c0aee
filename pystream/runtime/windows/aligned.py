"""AlignedWindowOperator: tumbling and sliding windows of event time, whole batches at once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from heapq import heapify, heappop, heappush
from itertools import repeat
from operator import length_hint
from typing import Any

from pystream.runtime.context import RuntimeContext
from pystream.runtime.events import MAX_WATERMARK, NO_TIMESTAMP, Elements, Event, Watermark
from pystream.runtime.failure import USER_ERRORS, TaskFailure, short_repr
from pystream.runtime.keyed.timers import TimerError
from pystream.runtime.keys import Keys
from pystream.runtime.spec import OperatorSpec
from pystream.runtime.state.descriptors import MapStateDescriptor
from pystream.runtime.state.heap import Table
from pystream.runtime.state.interfaces import MapState
from pystream.runtime.windows.builtin_triggers import EventTimeTrigger
from pystream.runtime.windows.operator import WindowOperator
from pystream.runtime.windows.plan import WindowPlan
from pystream.runtime.windows.time_windows import SlidingEventTimeWindows, TumblingEventTimeWindows, time_of
from pystream.runtime.windows.windows import TimeWindow
from typeinfo.pickled import PICKLED_BYTE_ARRAY

__all__ = ["AlignedWindowOperator"]

_PANES_TABLE = "operator:panes"
_PANES = MapStateDescriptor("panes", PICKLED_BYTE_ARRAY, PICKLED_BYTE_ARRAY)
_KEYS = MapStateDescriptor("keys", PICKLED_BYTE_ARRAY, PICKLED_BYTE_ARRAY)


class AlignedWindowOperator(WindowOperator):
    """Does what WindowOperator does where all keys have the same windows and each fires once, at its end.

    The contents lie in one table a window, by slot, so that neither timers nor windows are made for each
    element.
    """

    @staticmethod
    def serves(plan: WindowPlan) -> bool:
        """Tell whether the windows of a plan are such."""
        return (
            type(plan.assigner) in (TumblingEventTimeWindows, SlidingEventTimeWindows)
            and type(plan.trigger) is EventTimeTrigger
            and plan.evictor is None
            and plan.allowed_lateness == 0
        )

    def __init__(self, spec: OperatorSpec) -> None:
        super().__init__(spec)
        assigner: Any = self._plan.assigner
        self._size: int = assigner.size
        self._offset: int = assigner.offset
        self._slide: int = getattr(assigner, "slide", assigner.size)

    def _prepare(self, context: RuntimeContext) -> None:
        super()._prepare(context)
        self._panes: Table = self._backend.table(_PANES_TABLE, _PANES, MapState)
        self._keys: Table = self._backend.table("operator:keys", _KEYS, MapState)
        self._starts: list[Any] = list(self._panes)
        heapify(self._starts)

    def process_keyed(self, elements: Elements, keys: Keys, side: int) -> Iterator[Event]:
        values = elements.values
        if keys.slots is not keys.keys:
            self._keys.update(zip(keys.slots, keys.keys, strict=True))
        add = self._tumble if self._slide == self._size else self._slide_over
        remaining = iter(values)
        try:
            add(zip(remaining, keys.slots, elements.timestamps or repeat(NO_TIMESTAMP), strict=False))
        except USER_ERRORS as error:
            at = len(values) - length_hint(remaining) - 1
            raise TaskFailure.of(
                self.label, error, short_repr(values[at]), short_repr(keys.keys[at])
            ) from error
        yield from self._out.take()

    def _tumble(self, elements: Iterable[tuple[Any, Hashable, int]]) -> None:
        size, offset, first, more = self._size, self._offset, self._contents.first, self._contents.more
        pane: Table | None = None
        current = None
        for value, slot, timestamp in elements:
            start = timestamp - (timestamp - offset) % size
            if start != current:
                pane = self._pane(start, timestamp)
                current = start
            if pane is None:
                self._leave_out(value, timestamp)
                continue
            held = pane.get(slot)
            pane[slot] = first(value) if held is None else more(held, value)

    def _slide_over(self, elements: Iterable[tuple[Any, Hashable, int]]) -> None:
        size, slide, offset = self._size, self._slide, self._offset
        first, more = self._contents.first, self._contents.more
        known = self._panes.get
        for value, slot, timestamp in elements:
            taken = False
            last = timestamp - (timestamp - offset) % slide
            for start in range(last, timestamp - size, -slide):
                pane = known(start)
                if pane is None:
                    pane = self._pane(start, timestamp)
                    if pane is None:
                        break  # the windows before this one ended earlier still
                taken = True
                held = pane.get(slot)
                pane[slot] = first(value) if held is None else more(held, value)
            if not taken:
                self._leave_out(value, time_of(timestamp))

    def _pane(self, start: int, timestamp: int) -> Table | None:
        """Return the contents of the window that begins at a time, ``None`` if it is over."""
        pane = self._panes.get(start)
        if pane is None:
            time_of(timestamp)
            end = start + self._size - 1
            if min(end, MAX_WATERMARK) <= self._timers.watermark:
                return None
            if end > MAX_WATERMARK:
                raise TimerError(f"{TimeWindow(start, end + 1)!r} ends after 2^63 - 1 ms")
            pane = self._panes[start] = {}
            heappush(self._starts, start)
        return pane

    def advance(self, watermark: int) -> Iterator[Event]:
        timers, starts = self._timers, self._starts
        timers.watermark = max(timers.watermark, watermark)
        before = len(starts)
        while starts and starts[0] + self._size - 1 <= timers.watermark:
            start = heappop(starts)
            yield from self._close(TimeWindow(start, start + self._size), self._panes.pop(start))
        if self._keys and (len(starts) < before or not starts):
            self._forget_keys()
        yield Watermark(watermark)

    def _close(self, window: TimeWindow, pane: Table) -> Iterator[Event]:
        """Evaluate a window of all keys, one after another, and forget it."""
        key_scope, scope, out, clear = self._scope, self._window_scope, self._out, self._clear
        keys = self._keys
        scope.window = window
        try:
            for slot in _ordered(pane):
                key_scope.slot, scope.slot = slot, (slot, window)
                key_scope.key = scope.key = keys.get(slot, slot)
                self._evaluate(pane[slot], scope.slot)
                if clear is not None:
                    clear(self._process_context)
                if out.is_full:
                    yield from out.take()
        except USER_ERRORS as error:
            raise TaskFailure.of(self.label, error, key=short_repr(key_scope.key)) from error
        key_scope.leave()
        yield from out.take()

    def _add_owned(self, name: str, table: Table, owns: Callable[[Hashable], bool], into: Table) -> None:
        if name != _PANES_TABLE:
            super()._add_owned(name, table, owns, into)
            return
        for start, pane in table.items():
            owned = {slot: held for slot, held in pane.items() if owns(slot)}
            if owned:
                into.setdefault(start, {}).update(owned)

    def _forget_keys(self) -> None:
        """Forget the keys that no window holds, once there are more of them than of the others."""
        held = set().union(*self._panes.values())
        if len(self._keys) >= 2 * len(held):
            for slot in self._keys.keys() - held:
                del self._keys[slot]


def _ordered(pane: Table) -> Iterable[Hashable]:
    try:
        return sorted(pane)  # type: ignore[type-var]
    except TypeError:  # keys that have no order come as they came first
        return list(pane)
