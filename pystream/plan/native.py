"""NativeStep: a lifted operator as a step on the columns of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pystream.kinds import EventWindows, Lifting
from pystream.lifting import Accumulation, Aggregation, Expression
from typeinfo.info import TypeInformation

__all__ = ["NativeStep"]


@dataclass(frozen=True, slots=True)
class NativeStep:
    """A lifted operator as a step on the columns of a table.

    Attributes:
        lifting: the purpose of the expression.
        expression: the result for an element; for timestamps, also of the previous one; for folds, the key.
        type_info: type of the results, known even if the program declares none.
        timed: whether results have a timestamp.
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
        """All expressions that are computed."""
        whole = self.accumulation
        if whole is None:
            return (self.expression,)
        return self.expression, *(part.value for part in whole.parts), whole.emits, whole.result
