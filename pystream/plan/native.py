"""NativeStep: the step of a lifted operator on the columns of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pystream.kinds import EventWindows, Lifting
from pystream.lifting import Accumulation, Aggregation, Expression
from typeinfo.info import TypeInformation

__all__ = ["NativeStep"]


@dataclass(frozen=True, slots=True)
class NativeStep:
    """An operator whose function was lifted.

    Attributes:
        lifting: the use of the expression.
        expression: computes it for an element; a time, also from the one before; for folds, the key.
        type_info: type of the results, known even where the program says nothing of it.
        timed: whether results have an event time.
        aggregation: the reduction of the elements of a key or window.
        accumulation: the aggregation of the elements of a window.
        windows: the windows, for WINDOW_FOLD.
    """

    lifting: Lifting
    expression: Expression
    type_info: TypeInformation[Any]
    timed: bool
    aggregation: Aggregation | None = None
    windows: EventWindows | None = None
    accumulation: Accumulation | None = None

    @property
    def computed(self) -> tuple[Expression, ...]:
        """All that is computed."""
        whole = self.accumulation
        if whole is None:
            return (self.expression,)
        return self.expression, *(part.value for part in whole.parts), whole.emits, whole.result
