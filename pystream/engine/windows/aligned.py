"""AlignedWindowOperator: tumbling and sliding event-time windows, processed in whole batches."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from heapq import heapify, heappop, heappush
from typing import Any, ClassVar

from pystream.engine.context import RuntimeContext
from pystream.engine.events import MAX_WATERMARK, Elements, Event
from pystream.engine.keys import Keys
from pystream.engine.spec import OperatorSpec
from pystream.engine.state.map_state import MapStateDescriptor
from pystream.engine.state.slots import Table
from pystream.engine.windows.time_windows import SlidingEventTimeWindows, TumblingEventTimeWindows, time_of
from pystream.engine.windows.whole_batches import EndedWindow, KeyedElement, WholeBatches, ends_too_late
from pystream.engine.windows.windows import TimeWindow
from typeinfo.pickled import PICKLED_BYTE_ARRAY
from typeinfo.serde.copies import copy_of

__all__ = ["AlignedWindowOperator"]

_PANES_TABLE = "operator:panes"
_PANES = MapStateDescriptor("panes", PICKLED_BYTE_ARRAY, PICKLED_BYTE_ARRAY)
_KEYS = MapStateDescriptor("keys", PICKLED_BYTE_ARRAY, PICKLED_BYTE_ARRAY)


class AlignedWindowOperator(WholeBatches):
    """Replaces WindowOperator if all keys have the same windows and each fires once, at its end.

    Contents are stored in one table per window, by slot, so that no timers or windows are created per
    element.
    """

    assigners: ClassVar[tuple[type[Any], ...]] = (TumblingEventTimeWindows, SlidingEventTimeWindows)

    def __init__(self, spec: OperatorSpec) -> None:
        super().__init__(spec)
        assigner: Any = self._plan.assigner
        self._size: int = assigner.size
        self._offset: int = assigner.offset
        self._slide: int = getattr(assigner, "slide", assigner.size)

    def _prepare(self, context: RuntimeContext) -> None:
        super()._prepare(context)
        self._panes: Table = self._backend.table(_PANES_TABLE, _PANES)
        self._keys: Table = self._backend.table("operator:keys", _KEYS)
        self._in_use = 0  # number of keys in windows at the last check
        self._starts: list[Any] = list(self._panes)
        heapify(self._starts)

    def process_keyed(self, elements: Elements, keys: Keys, side: int) -> Iterator[Event]:
        if keys.slots is not keys.keys:
            self._keys.update(zip(keys.slots, keys.keys, strict=True))
        return super().process_keyed(elements, keys, side)

    def _add_all(self, elements: Iterable[KeyedElement]) -> None:
        if self._slide == self._size:
            self._tumble(elements)
        else:
            self._slide_over(elements)

    def _tumble(self, elements: Iterable[KeyedElement]) -> None:
        size, offset, first, more = self._size, self._offset, self._contents.first, self._contents.more
        pane: Table | None = None
        current = None
        for value, _, slot, timestamp in elements:
            start = timestamp - (timestamp - offset) % size
            if start != current:
                pane = self._pane(start, timestamp)
                current = start
            if pane is None:
                self._handle_late(value, timestamp)
                continue
            held = pane.get(slot)
            pane[slot] = first(value) if held is None else more(held, value)

    def _slide_over(self, elements: Iterable[KeyedElement]) -> None:
        size, slide, offset = self._size, self._slide, self._offset
        first, more = self._contents.first, self._contents.more
        known = self._panes.get
        for value, _, slot, timestamp in elements:
            taken = False
            last = timestamp - (timestamp - offset) % slide
            for start in range(last, timestamp - size, -slide):
                pane = known(start)
                if pane is None:
                    pane = self._pane(start, timestamp)
                    if pane is None:
                        break  # earlier windows ended even before
                if taken:  # each window has a copy of the element
                    value = copy_of(value)
                taken = True
                held = pane.get(slot)
                pane[slot] = first(value) if held is None else more(held, value)
            if not taken:
                self._handle_late(value, time_of(timestamp))

    def _pane(self, start: int, timestamp: int) -> Table | None:
        """Return the pane that starts at a time, ``None`` if its window is over."""
        pane = self._panes.get(start)
        if pane is None:
            time_of(timestamp)
            end = start + self._size - 1
            if min(end, MAX_WATERMARK) <= self._timers.watermark:
                return None
            if end > MAX_WATERMARK:
                raise ends_too_late(TimeWindow(start, end + 1))
            pane = self._panes[start] = {}
            heappush(self._starts, start)
        return pane

    def _ended(self, until: int) -> Iterator[EndedWindow]:
        starts, keys = self._starts, self._keys
        while starts and starts[0] + self._size - 1 <= until:
            start = heappop(starts)
            window, pane = TimeWindow(start, start + self._size), self._panes.pop(start)
            for slot in _ordered(pane):
                yield keys.get(slot, slot), slot, window, pane[slot]
        if keys and (not starts or len(keys) > 2 * self._in_use):
            self._forget_keys()

    def _add_owned(self, name: str, table: Table, owns: Callable[[Hashable], bool], into: Table) -> None:
        if name != _PANES_TABLE:
            super()._add_owned(name, table, owns, into)
            return
        for start, pane in table.items():
            owned = {slot: held for slot, held in pane.items() if owns(slot)}
            if owned:
                into.setdefault(start, {}).update(owned)

    def _forget_keys(self) -> None:
        """Discard the keys that no window holds, once their number has doubled."""
        held = set().union(*self._panes.values())
        for slot in self._keys.keys() - held:
            del self._keys[slot]
        self._in_use = len(held)


def _ordered(pane: Table) -> Iterable[Hashable]:
    try:
        return sorted(pane)  # type: ignore[type-var]
    except TypeError:  # unorderable keys stay in order of arrival
        return list(pane)
