"""CountWindowOperator: the operator of windows of a number of elements that are folded by columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from pystream.engine.columns.folded_columns import folded_columns
from pystream.engine.context import RuntimeContext
from pystream.engine.events import MAX_WATERMARK, Elements, Event
from pystream.engine.failure import TaskFailure, short_repr
from pystream.engine.keys import CodedKeys, Keys
from pystream.engine.spec import OperatorSpec
from pystream.engine.state.slots import Table
from pystream.engine.vectorised.columns import ColumnValues
from pystream.engine.vectorised.parts import capped
from pystream.engine.windows.adding_operator import AddingWindowOperator, Arriving
from pystream.engine.windows.operator_contexts import TRIGGER_STATE
from pystream.engine.windows.plan import WindowCall, WindowPlan
from pystream.engine.windows.windows import CountWindow

__all__ = ["CountWindowOperator"]

_FEWEST_ELEMENTS = 64  # elements; adding fewer as columns takes longer

_Numbers = npt.NDArray[np.int64]


class _Windows(dict[int, CountWindow]):
    """Windows by their number, each made once."""

    def __missing__(self, id: int) -> CountWindow:
        window = self[id] = CountWindow(id)
        return window


class CountWindowOperator(AddingWindowOperator):
    """An AddingWindowOperator for windows that fire once, when they are full.

    It keeps the state of the assigner and of the trigger.
    """

    def __init__(self, spec: OperatorSpec) -> None:
        super().__init__(spec)
        self._size: int = self._assigner.window_size
        self._slide: int = getattr(self._assigner, "window_slide", self._size)
        self._fold = None if spec.columns is None else spec.columns.fold

    @staticmethod
    def serves(plan: WindowPlan) -> bool:
        """Return whether this class supports the windows of a plan."""
        return plan.is_counted

    def _prepare(self, context: RuntimeContext) -> None:
        super()._prepare(context)
        self._folded = None if self._fold is None else folded_columns(self._fold, self._table)

    def write_columns(self) -> None:
        if self._folded is not None:
            self._folded.write()
        self._write_reduced([self._table])

    def unload(self) -> None:
        super().unload()
        if self._folded is not None:
            self._folded.discard()

    def process_keyed(self, elements: Elements, keys: Keys, side: int) -> Iterator[Event]:
        values = elements.values
        if self._folded is not None:
            if (
                isinstance(values, ColumnValues)
                and isinstance(keys, CodedKeys)
                and len(values) >= _FEWEST_ELEMENTS
            ):
                full = self._add_columns(values, keys)
                if full is not None:
                    yield from self._results_of_full(values, keys, *full)
                    return
            self._folded.release(slot for key in keys.distinct_slots for slot in self._open(key))
        yield from super().process_keyed(elements, keys, side)

    def _add_all(self, arriving: Arriving) -> bool:
        size, slide, out = self._size, self._slide, self._out
        first, more = arriving.adding.first, arriving.adding.more
        copied, windows = arriving.adding.copied, _Windows()
        key_scope, totals, table, counts = self._scope, self._totals, self._table, self._counts
        for value, key, slot, _ in arriving.elements:
            key_scope.slot, key_scope.key = slot, key
            number = totals.get(slot, 0)
            totals[slot] = number + 1
            last = number // slide
            for id in range(last, max((number - size) // slide + 1, 0) - 1, -1):
                if id != last:
                    value = copied(value)  # each window has a copy of the element
                of_window = slot, windows[id]
                held = table.get(of_window)
                held = first(value) if held is None else more(held, value)
                count = number - id * slide + 1
                if count < size:
                    table[of_window], counts[of_window] = held, count
                    continue
                table.pop(of_window, None)
                counts.pop(of_window, None)
                if held is not None:
                    out.element = arriving.shown()
                    self._evaluate_full(held, key, of_window)
                    if out.is_full:
                        return True
        return False

    def _add_columns(self, values: ColumnValues, keys: CodedKeys) -> tuple[_Numbers, list[Any]] | None:
        """Add columns to their windows.

        Returns:
            The positions of the elements that fill a window, and the slots of these windows; ``None`` if
            nothing was added because elements must be added one by one.
        """
        assert self._folded is not None
        codes, slots, size, slide = keys.codes, keys.distinct, self._size, self._slide
        totals = self._totals
        before = np.array([totals.get(slot, 0) for slot in slots], np.int64)
        numbers = before[codes] + _ranks(codes, len(slots))
        last = numbers // slide
        count = last - np.maximum((numbers - size) // slide + 1, 0) + 1
        at = np.repeat(np.arange(len(codes)), count)
        windows = last[at] - (np.arange(len(at)) - np.repeat(np.cumsum(count) - count, count))
        lowest = np.maximum((before - size) // slide + 1, 0)
        offsets = windows - lowest[codes[at]]
        span = int(offsets.max(initial=0)) + 1
        groups, group_of = np.unique(codes[at] * span + offsets, return_inverse=True)
        ids = (groups % span + lowest[groups // span]).tolist()
        of_groups = [
            self._slot(slots[code], id) for code, id in zip((groups // span).tolist(), ids, strict=True)
        ]
        if self._folded.add(values.taken(at) if (count != 1).any() else values, of_groups, group_of) is None:
            return None
        after = before + np.bincount(codes, minlength=len(slots))
        totals.update(zip(slots, after.tolist(), strict=True))
        counts = self._counts
        held = after[groups // span] - np.array(ids, np.int64) * slide
        for slot, number in zip(of_groups, held.tolist(), strict=True):
            if number < size:
                counts[slot] = number
            else:
                counts.pop(slot, None)
        begins = numbers - (size - 1)
        full = np.flatnonzero((begins >= 0) & (begins % slide == 0))
        return full, [
            self._slot(slots[code], id)
            for code, id in zip(codes[full].tolist(), (begins[full] // slide).tolist(), strict=True)
        ]

    def _open(self, key: Any) -> Iterator[Any]:
        """Yield the slots of the windows of a key that have elements and are not full."""
        total = self._totals.get(key, 0)
        first = max((total - self._size) // self._slide + 1, 0)
        return (self._slot(key, id) for id in range(first, -(-total // self._slide)))

    @property
    def _totals(self) -> Table:
        """The number of elements of each key."""
        return self._backend.table(self._assigner._counter.name, self._assigner._counter)

    @property
    def _counts(self) -> Table:
        """The number of elements of each window, as the trigger counts them."""
        trigger: Any = self._plan.trigger
        return self._backend.table(TRIGGER_STATE + trigger._count.name, trigger._count)

    def _slot(self, key: Any, id: int) -> Any:
        return key, CountWindow(id)

    def _results_of_full(
        self, values: ColumnValues, keys: CodedKeys, full: _Numbers, slots: list[Any]
    ) -> Iterator[Event]:
        """Yield the results of windows that are full, and remove their contents.

        Args:
            values: the elements.
            keys: their keys.
            full: the positions of those that fill a window.
            slots: the slots of these windows.
        """
        folded = self._folded
        assert folded is not None
        if self._plan.call is WindowCall.NOTHING:
            results = folded.in_order(slots)
            if results is not None:
                folded.forget(slots)
                for slot in slots:
                    self._table.pop(slot, None)
                yield from capped(results, [MAX_WATERMARK] * len(results))
                return
        folded.release(slots)
        for value, code, slot in zip(values.taken(full), keys.codes[full].tolist(), slots, strict=True):
            key = keys.distinct[code]
            self._out.element = value
            self._scope.slot = self._scope.key = key
            try:
                self._evaluate_full(self._table.pop(slot), key, slot)
            except BaseException as error:
                raise TaskFailure.of(self.label, error, short_repr(value), short_repr(key)) from error
            if self._out.is_full:
                yield from self._out.take()
        self._scope.leave()
        yield from self._out.take()

    def _evaluate_full(self, held: Any, key: Any, slot: Any) -> None:
        """Call the function with the contents of a window of a key that has been removed."""
        scope = self._window_scope
        scope.key, scope.slot, scope.window = key, slot, slot[1]
        self._evaluate(held, slot)


def _ranks(codes: _Numbers, count: int) -> _Numbers:
    """Return for each element the number of earlier ones with the same code."""
    order = np.argsort(codes, kind="stable")
    counts = np.bincount(codes, minlength=count)
    ranks = np.empty(len(codes), np.int64)
    ranks[order] = np.arange(len(codes)) - np.repeat(np.cumsum(counts) - counts, counts)
    return ranks
