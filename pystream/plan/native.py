"""NativeStep: a lifted operator as a step on the columns of a table."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

from pystream.expressions.folds import Aggregation, Reduction
from pystream.kinds import EventWindows, Lifting
from pystream.lifting import Expression
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
        reduction: the reduction of the elements of a key or window, by a reduce function or by a field.
        aggregation: the aggregation of the elements of a window, by an aggregate function.
        windows: the windows, for WINDOW_FOLD.
    """

    lifting: Lifting
    expression: Expression
    type_info: TypeInformation[Any]
    timed: bool
    _: KW_ONLY
    reduction: Reduction | None = None
    aggregation: Aggregation | None = None
    windows: EventWindows | None = None

    @property
    def computed(self) -> tuple[Expression, ...]:
        """All expressions that are computed."""
        whole = self.aggregation
        if whole is None:
            return (self.expression,)
        return self.expression, *(part.value for part in whole.parts), whole.emits, whole.result
