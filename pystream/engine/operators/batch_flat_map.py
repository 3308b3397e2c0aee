"""BatchFlatMap: results of whole batches of elements."""

from __future__ import annotations

import pickle
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from pystream.engine.events import Elements, Event, list_of
from pystream.engine.failure import TaskFailure, guarded
from pystream.engine.functions import Function
from pystream.engine.operators.operator import Operator
from pystream.engine.spec import OperatorSpec
from pystream.kinds import OperatorKind, keeps_no_state

__all__ = ["BATCH_FLAT_MAP", "BatchFlatMapFunction"]


class BatchFlatMapFunction(Function):
    """A function of the engine that maps a batch of elements to results, each of one of them."""

    @abstractmethod
    def flat_map_batch(self, values: list[Any]) -> tuple[list[Any], Sequence[int]]:
        """Return the results for some elements, and the position of the element of each."""


class BatchFlatMap(Operator):
    """Map each batch of elements, as it arrives, to results with the times of their elements."""

    keeps_batches = True

    @classmethod
    def make(cls, spec: OperatorSpec, batch: bool) -> Operator:
        """Return the operator of a specification."""
        return cls(spec, pickle.loads(spec.function))

    def __init__(self, spec: OperatorSpec, function: BatchFlatMapFunction) -> None:
        super().__init__(spec.label, (function,))
        self._function = function

    def process(self, elements: Elements, side: int) -> Iterator[Event]:
        return guarded(self._run(elements), partial(TaskFailure.of, self.label))

    def _run(self, elements: Elements) -> Iterator[Elements]:
        times = elements.timestamps
        results, positions = self._function.flat_map_batch(list_of(elements.values))
        if results:
            yield Elements(results, None if times is None else [times[position] for position in positions])


BATCH_FLAT_MAP = OperatorKind("BatchFlatMap", BatchFlatMap.make, keeps_state=keeps_no_state)
