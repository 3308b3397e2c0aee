"""KeyedReduce: the rolling fold of a keyed stream."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pystream.runtime.context import RuntimeContext
from pystream.runtime.events import MAX_WATERMARK, Elements, Event
from pystream.runtime.failure import USER_ERRORS, TaskFailure, short_repr
from pystream.runtime.keyed.operator import KeyedOperator
from pystream.runtime.spec import OperatorSpec
from pystream.runtime.state.descriptors import ValueStateDescriptor
from pystream.runtime.state.interfaces import ValueState
from pystream.runtime.time_domain import TimeDomain
from pystream.runtime.timers import Timer

__all__ = ["KeyedReduce"]

_NOTHING = object()


class KeyedReduce(KeyedOperator):
    """Folds the elements of each key; gives every intermediate fold, or the last one only."""

    def __init__(self, spec: OperatorSpec, *, last_only: bool) -> None:
        super().__init__(spec)
        self._reduce = getattr(self._function, "reduce", self._function)
        self._last_only = last_only
        self._type_info = spec.output_type

    def _prepare(self, context: RuntimeContext) -> None:
        descriptor: ValueStateDescriptor[Any] = ValueStateDescriptor("fold", self._type_info)
        self._folds = self._backend.table("fold", descriptor, ValueState)

    def process(self, elements: Elements, side: int) -> Iterator[Event]:
        values = elements.values
        keys = self._readers[side].read(values)
        folds, reduce = self._folds, self._reduce
        results: list[Any] = []
        append = results.append
        value = slot = None
        try:
            for value, slot in zip(values, keys.slots, strict=True):
                fold = folds.get(slot, _NOTHING)
                if fold is not _NOTHING:
                    value = reduce(fold, value)
                folds[slot] = value
                append(value)
        except USER_ERRORS as error:
            at = len(results)
            raise TaskFailure.of(
                self.label, error, short_repr(values[at]), short_repr(keys.keys[at])
            ) from error
        if not self._last_only:
            yield Elements(results, elements.timestamps)

    def end_of_key(self) -> Iterator[Event]:
        folds = list(self._folds.values())
        self._folds.clear()
        if folds and self._last_only:
            yield Elements(folds, [MAX_WATERMARK] * len(folds))

    def _work_of(self, side: int) -> Any:
        raise AssertionError("whole batches are folded at once")

    def _fire(self, timer: Timer, domain: TimeDomain) -> None:
        raise AssertionError("a reduce function registers no timers")
