"""ColumnCollect: the operator of functions that collect columns, and emit results when their input ends."""

from __future__ import annotations

import pickle
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from pystream.engine.events import MAX_BATCH, MAX_WATERMARK, Elements, Event, Watermark
from pystream.engine.failure import TaskFailure, guarded
from pystream.engine.functions import Function
from pystream.engine.operators.operator import Operator
from pystream.engine.spec import OperatorSpec
from pystream.kinds import OperatorKind

__all__ = ["COLUMN_COLLECT", "COLUMN_CO_COLLECT", "ColumnCollectFunction"]


class ColumnCollectFunction(Function):
    """A function of the engine that collects elements, and emits results when its input ends.

    Attributes:
        state: what it has collected, which can be pickled.
    """

    state: Any

    @abstractmethod
    def collect(self, values: Sequence[Any], side: int) -> None:
        """Collect elements, which may be columns.

        Args:
            values: the elements.
            side: the input that they come from, 0 or 1.
        """

    @abstractmethod
    def results(self) -> Iterator[Sequence[Any]]:
        """Yield the results for all elements, which may be columns; called once."""


class ColumnCollect(Operator):
    """Collect elements, and emit results with the last watermark; they have no timestamps."""

    takes_columns = True
    keeps_batches = True

    @classmethod
    def make(cls, spec: OperatorSpec, batch: bool) -> Operator:
        """Return the operator of a specification."""
        return cls(spec, pickle.loads(spec.function))

    def __init__(self, spec: OperatorSpec, function: ColumnCollectFunction) -> None:
        super().__init__(spec.label, (function,))
        self._function = function

    def process(self, elements: Elements, side: int) -> Iterator[Event]:
        return guarded(self._collected(elements, side), partial(TaskFailure.of, self.label))

    def _collected(self, elements: Elements, side: int) -> Iterator[Event]:
        self._function.collect(elements.values, side)
        return
        yield

    def advance(self, watermark: int) -> Iterator[Event]:
        if watermark == MAX_WATERMARK:
            yield from guarded(self._results(), partial(TaskFailure.of, self.label))
        yield Watermark(watermark)

    def _results(self) -> Iterator[Elements]:
        for values in self._function.results():
            for start in range(0, len(values), MAX_BATCH):
                yield Elements(values[start : start + MAX_BATCH])

    def snapshot(self) -> bytes:
        return pickle.dumps(self._function.state, pickle.HIGHEST_PROTOCOL)

    def restore(self, state: bytes | None) -> None:
        if state is not None:
            self._function.state = pickle.loads(state)


COLUMN_COLLECT = OperatorKind("ColumnCollect", ColumnCollect.make, takes_columns=True)
COLUMN_CO_COLLECT = OperatorKind("ColumnCoCollect", ColumnCollect.make, inputs=2, takes_columns=True)
