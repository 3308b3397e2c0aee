"""IterationHead: the operator at the head of a loop."""

from __future__ import annotations

from collections.abc import Iterator

from pystream.engine.events import Elements, Event
from pystream.engine.operators.operator import Operator
from pystream.engine.spec import OperatorSpec
from pystream.kinds import OperatorKind, keeps_no_state

__all__ = ["ITERATION", "IterationHead"]


class IterationHead(Operator):
    """Pass on the elements from outside the loop and those fed back."""

    @classmethod
    def make(cls, spec: OperatorSpec, batch: bool) -> IterationHead:
        """Return the operator of a specification."""
        return cls(spec.label)

    def process(self, elements: Elements, side: int) -> Iterator[Event]:
        yield elements


ITERATION = OperatorKind("Iteration", IterationHead.make, keeps_type=True, keeps_state=keeps_no_state)
