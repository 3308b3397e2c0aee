"""IntervalJoinPlan: all that an interval join must know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pystream.engine.output_tag import OutputTag

__all__ = ["IntervalJoinPlan"]


@dataclass(frozen=True, slots=True)
class IntervalJoinPlan:
    """Describe an interval join; it travels pickled as the function of an OperatorSpec.

    Attributes:
        function: the ProcessJoinFunction.
        lower: how many ms a right element is at least later than a left one; may be negative.
        upper: how many ms it is at most later.
        late_tags: side outputs of late elements of the left and of the right, ``None`` to drop them.
    """

    function: Any
    lower: int
    upper: int
    late_tags: tuple[OutputTag[Any] | None, OutputTag[Any] | None] = (None, None)
