"""AlignedWindowOperator: the operator of tumbling and sliding event-time windows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from heapq import heappop, heappush
from itertools import chain
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pystream.engine.columns.folded_columns import FoldedColumns, folded_columns
from pystream.engine.context import RuntimeContext
from pystream.engine.events import MAX_WATERMARK, Elements, Event
from pystream.engine.keys import CodedKeys, Keys
from pystream.engine.spec import OperatorSpec
from pystream.engine.state.backend import OwnState
from pystream.engine.state.evolution import migrate_values
from pystream.engine.state.keyed_content import KeyedContent, Place, divided, earliest
from pystream.engine.state.slots import Table
from pystream.engine.state.state import of_data
from pystream.engine.state.value_state import ValueStateDescriptor
from pystream.engine.timestamps import numbers_of
from pystream.engine.vectorised.columns import ColumnValues
from pystream.engine.vectorised.parts import capped
from pystream.engine.windows.adding_operator import Arriving
from pystream.engine.windows.contents import CONTENTS
from pystream.engine.windows.plan import WindowCall
from pystream.engine.windows.single_firing_operator import (
    EndedWindow,
    SingleFiringWindowOperator,
    ends_too_late,
)
from pystream.engine.windows.time_windows import SlidingEventTimeWindows, TumblingEventTimeWindows, time_of
from pystream.engine.windows.windows import TimeWindow
from typeinfo.pickled import PICKLED_BYTE_ARRAY

__all__ = ["AlignedWindowOperator"]

_KEYS = "keys"
_FEWEST_PER_WINDOW = 32  # elements of a window in a batch, on average; adding fewer as columns takes longer
_FARTHEST = 2**62  # from the Unix epoch, in ms, for windows computed in 64 bits


class AlignedWindowOperator(SingleFiringWindowOperator):
    """A SingleFiringWindowOperator for windows that all keys share.

    The contents of each window are stored in a table of its own, a pane, by slot.
    """

    assigners: ClassVar[tuple[type[Any], ...]] = (TumblingEventTimeWindows, SlidingEventTimeWindows)

    def __init__(self, spec: OperatorSpec) -> None:
        super().__init__(spec)
        assigner: Any = self._plan.assigner
        self._size: int = assigner.size
        self._offset: int = assigner.offset
        self._slide: int = getattr(assigner, "slide", assigner.size)
        self._fold = None if spec.columns is None else spec.columns.fold
        self._folded: dict[int, FoldedColumns] = {}

    def own_states(self) -> tuple[OwnState, ...]:
        return *super().own_states(), OwnState(of_data(ValueStateDescriptor(_KEYS, PICKLED_BYTE_ARRAY)))

    @property
    def layout(self) -> str:
        return f"in panes of {self._size} ms every {self._slide} ms, offset by {self._offset} ms"

    def _migrate_contents(self, table: Table, migration: Callable[[Any], Any]) -> None:
        for pane in table.values():
            migrate_values(pane, migration)

    def _prepare(self, context: RuntimeContext) -> None:
        super()._prepare(context)
        self._panes: Table = self._own[CONTENTS]
        self._keys: Table = self._own[_KEYS]
        self._starts: list[Any] = []

    def _add_all(self, arriving: Arriving) -> bool:
        adding = arriving.adding
        keys, first, more, copied = self._keys, adding.first, adding.more, adding.copied
        pane: Table | None = None
        others: list[Table] = []
        begin = end = 0  # elements from begin to end have the same windows
        for value, key, slot, timestamp in arriving.elements:
            if not begin <= timestamp < end:
                begin, end = self._interval(timestamp)
                panes = self._open_panes(timestamp)
                pane, others = (panes[0], panes[1:]) if panes else (None, [])
            if pane is None:
                arriving.late.append(arriving.position())
                continue
            if slot is not key:
                keys[slot] = key
            held = pane.get(slot)
            pane[slot] = first(value) if held is None else more(held, value)
            for other in others:
                value = copied(value)  # each window has a copy of the element
                held = other.get(slot)
                other[slot] = first(value) if held is None else more(held, value)
        return False

    def process_keyed(self, elements: Elements, keys: Keys, side: int) -> Iterator[Event]:
        if self._add_columns(elements, keys):
            return self._out.take()
        self._write_folded()
        return super().process_keyed(elements, keys, side)

    def _add_columns(self, elements: Elements, keys: Keys) -> bool:
        """Add columns to their windows; return whether it has, false if elements must be added one by one."""
        values, timestamps = elements.values, elements.timestamps
        if (
            self._fold is None
            or timestamps is None
            or not isinstance(keys, CodedKeys)
            or not isinstance(values, ColumnValues)
        ):
            return False
        times = numbers_of(timestamps)
        begins = self._begins(times)
        is_first = np.append(True, begins[1:] != begins[:-1])  # of a run of elements with one interval
        intervals = sorted(pa.array(begins[is_first]).unique().to_pylist())
        if len(intervals) * _FEWEST_PER_WINDOW > len(begins) + _FEWEST_PER_WINDOW:
            return False
        if intervals[0] < -_FARTHEST or intervals[-1] > _FARTHEST:
            return False
        starts_of = {begin: self._open_starts(begin) for begin in intervals}
        undos: list[Callable[[], None]] = []
        for start in dict.fromkeys(chain.from_iterable(starts_of.values())):
            at = np.flatnonzero((times >= start) & (times < start + self._size))
            is_run = len(at) and at[-1] - at[0] == len(at) - 1
            part = values[at[0] : at[-1] + 1] if is_run else values.taken(at)
            undo = self._folded_in(start).add(part, keys.distinct, keys.codes[at])
            if undo is None:
                for undo in reversed(undos):
                    undo()
                return False
            undos.append(undo)
        if ended := [begin for begin, starts in starts_of.items() if not starts]:
            self._handle_all_late(values, np.flatnonzero(np.isin(begins, ended)).tolist(), timestamps)
        return True

    def _folded_in(self, start: int) -> FoldedColumns:
        """Return what the elements of the window that starts at a time are folded to."""
        if start not in self._folded:
            assert self._fold is not None
            self._folded[start] = folded_columns(self._fold, self._panes[start])
        return self._folded[start]

    def write_columns(self) -> None:
        self._write_folded()
        self._write_reduced(self._panes.values())

    def _write_folded(self) -> None:
        for folded in self._folded.values():
            folded.write()
        self._folded.clear()

    def _begins(self, timestamps: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the beginning of the interval around each element, as ``_interval`` does."""
        starts = np.floor_divide(timestamps - self._offset, self._slide) * self._slide + self._offset
        ends = starts + self._size % self._slide
        return np.where(timestamps < ends, starts, ends)

    def _interval(self, timestamp: int) -> tuple[int, int]:
        """Return the interval of time around an element in which all elements have the same windows."""
        start = self._last_start(timestamp)
        end = start + self._size % self._slide  # of the earliest window, if not at a start
        return (start, end) if timestamp < end else (end, start + self._slide)

    def _last_start(self, timestamp: int) -> int:
        return timestamp - (timestamp - self._offset) % self._slide

    def _open_panes(self, timestamp: int) -> list[Table]:
        """Return the panes of the windows of an element that have not ended, the latest first."""
        return [self._panes[start] for start in self._open_starts(timestamp)]

    def _open_starts(self, timestamp: int) -> list[int]:
        """Return the starts of the windows of an element that have not ended, the latest first."""
        starts = range(self._last_start(time_of(timestamp)), timestamp - self._size, -self._slide)
        return [start for start in starts if self._pane(start) is not None]

    def _pane(self, start: int) -> Table | None:
        """Return the pane that starts at a time, ``None`` if its window has ended."""
        pane = self._panes.get(start)
        if pane is None:
            end = start + self._size - 1
            if min(end, MAX_WATERMARK) <= self._timers.watermark:
                return None
            if end > MAX_WATERMARK:
                raise ends_too_late(TimeWindow(start, end + 1))
            pane = self._panes[start] = {}
            heappush(self._starts, start)
        return pane

    def _evaluated(self, watermark: int) -> Iterator[Event]:
        while self._has_ended(watermark):
            results = self._results_of_pane(self._starts[0])
            if results is None:
                self._write_folded()
                yield from super()._evaluated(watermark)
                return
            start = heappop(self._starts)
            del self._panes[start]
            self._folded.pop(start, None)
            yield from capped(results, [start + self._size - 1] * len(results))

    def _results_of_pane(self, start: int) -> ColumnValues | None:
        """Return the results of the windows that start at a time, ``None`` if calls make them."""
        if self._plan.call is not WindowCall.NOTHING:
            return None
        pane, folded = self._panes[start], self._folded.get(start)
        if folded is not None:
            return folded.in_order(_ordered({*pane, *folded.slots}))
        if self._reduced is None or self._keys:
            return None
        return self._results_of_reduced([pane[slot] for slot in _ordered(pane)])

    def _has_ended(self, until: int) -> bool:
        """Return whether the first of the open windows has ended at a time."""
        return bool(self._starts) and self._starts[0] + self._size - 1 <= until

    def _ended(self, until: int) -> Iterator[EndedWindow]:
        keys = self._keys
        while self._has_ended(until):
            start = heappop(self._starts)
            window, pane = TimeWindow(start, start + self._size), self._panes.pop(start)
            self._write_reduced([pane])
            for slot in _ordered(pane):
                yield keys.get(slot, slot), slot, window, pane[slot]
                if slot in keys and not any(slot in other for other in self._panes.values()):
                    del keys[slot]

    # Panes hold the contents of many keys each.

    def add(self, content: KeyedContent) -> None:
        panes = content.tables.get(CONTENTS, {})
        super().add(content._replace(tables=_without_panes(content)))
        for start, pane in panes.items():
            if start in self._panes:
                self._panes[start].update(pane)
            else:
                self._panes[start] = dict(pane)
                heappush(self._starts, start)

    def unload(self) -> None:
        super().unload()
        self._starts = []
        self._folded.clear()

    def split(self, content: KeyedContent, place: Place) -> dict[Any, KeyedContent]:
        parts = super().split(content._replace(tables=_without_panes(content)), place)
        for start, pane in content.tables.get(CONTENTS, {}).items():
            for number, part in divided(pane, None, place).items():
                of_part = parts.setdefault(number, KeyedContent.empty())
                of_part.tables.setdefault(CONTENTS, {})[start] = part
        return parts

    def slots_in(self, content: KeyedContent) -> Iterator[Iterable[Hashable]]:
        yield from super().slots_in(content._replace(tables=_without_panes(content)))
        yield from content.tables.get(CONTENTS, {}).values()

    def count_in(self, content: KeyedContent) -> int:
        panes = content.tables.get(CONTENTS, {})
        others = super().count_in(content._replace(tables=_without_panes(content)))
        return others + sum(map(len, panes.values()))

    def due_in(self, content: KeyedContent) -> tuple[int | None, int | None]:
        starts: list[Any] = list(content.tables.get(CONTENTS, ()))
        event_time, processing_time = super().due_in(content)
        return earliest(event_time, *(start + self._size - 1 for start in starts)), processing_time


def _without_panes(content: KeyedContent) -> dict[str, Table]:
    return {name: table for name, table in content.tables.items() if name != CONTENTS}


def _ordered(pane: Collection[Hashable]) -> list[Hashable]:
    try:
        return sorted(pane)  # type: ignore[type-var]
    except TypeError:  # unorderable keys stay in order of arrival
        return list(pane)
