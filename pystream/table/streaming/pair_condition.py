"""PairCondition: the further condition of a join, on the fields of two rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pystream.datastream.functions import RuntimeContext
from pystream.table.evaluation import Evaluation

__all__ = ["PairCondition"]


class PairCondition:
    """A condition that pairs of rows fulfil apart from equal keys; null counts as false.

    Args:
        evaluation: the condition on the fields of the left row and then the right one; ``None`` if all pairs
            fulfil it.
    """

    def __init__(self, evaluation: Evaluation | None) -> None:
        self._evaluation = evaluation

    @property
    def is_always_true(self) -> bool:
        """Whether all pairs fulfil it."""
        return self._evaluation is None

    def open(self, runtime_context: RuntimeContext) -> None:
        """Open the functions of the program that it calls."""
        if self._evaluation is not None:
            self._evaluation.open(runtime_context)

    def close(self) -> None:
        """Close the functions of the program that it calls."""
        if self._evaluation is not None:
            self._evaluation.close()

    def holds(self, pair: Sequence[Any]) -> bool:
        """Return whether a pair fulfils it."""
        return self._evaluation is None or self._evaluation(pair) is True
