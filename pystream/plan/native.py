"""NativeStep: the step of a lifted operator on the columns of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pystream.engine.spec import OperatorKind
from pystream.engine.windows.event_windows import EventWindows
from pystream.lifting import Accumulation, Aggregation, Expression
from typeinfo.info import TypeInformation

__all__ = ["NativeStep"]


@dataclass(frozen=True, slots=True)
class NativeStep:
    """An operator whose function was lifted.

    Attributes:
        kind: whether the expression computes the result, a condition, a list of results, a key, or a time.
        expression: computes the result for an element; for ASSIGN_WATERMARKS, also from its time.
        type_info: type of the results, known even where the program says nothing of it.
        timed: whether results have an event time.
        aggregation: the reduction of the elements of a key, for REDUCE and WINDOW.
        accumulation: the aggregation of the elements, for WINDOW.
        windows: the windows, for WINDOW.
    """

    kind: OperatorKind
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
