"""Iterations: the head of a loop, and the feedback to it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from pystream.engine.events import Elements, Event
from pystream.engine.exchange.rows import Item
from pystream.engine.operators.operator import Operator
from pystream.engine.spec import OperatorSpec
from pystream.kinds import OperatorKind

__all__ = ["ITERATION", "Feedback", "IterationHead"]


class IterationHead(Operator):
    """Pass on the elements from outside the loop and those fed back."""

    @classmethod
    def make(cls, spec: OperatorSpec, batch: bool) -> IterationHead:
        """Return the operator of a specification."""
        return cls(spec.label)

    def process(self, elements: Elements, side: int) -> Iterator[Event]:
        yield elements


ITERATION = OperatorKind("Iteration", IterationHead.make, keeps_type=True)


class Feedback:
    """Queue elements fed back to the head of a loop until all elements before them are processed.

    Args:
        waiting: queue of waiting elements, with the head's uid.
        head: uid of the head.
    """

    takes_columns = False
    ends = None

    def __init__(self, waiting: deque[tuple[str, Elements]], head: str) -> None:
        self._waiting = waiting
        self._head = head

    def write(self, elements: Elements, side: int) -> Iterator[Item]:
        """Queue a batch; the receiver owns it."""
        self._waiting.append((self._head, elements._replace(tag=None, origin=None)))
        return iter(())

    def advance(self, watermark: int) -> Iterator[Item]:
        """Do nothing: watermarks enter a loop only from outside."""
        return iter(())

    def tick(self) -> Iterator[Item]:
        """Do nothing."""
        return iter(())

    end_group = tick
