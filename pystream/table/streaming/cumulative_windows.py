"""CumulativeEventTimeWindows: windows that share a start and grow step by step."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, TypeVar

from pystream.datastream.window import TimeWindow
from pystream.engine.windows.arguments import LengthOfTime, positive, to_milliseconds, whole
from pystream.engine.windows.errors import WindowError
from pystream.engine.windows.time_windows import EventTimeAssigner, time_of

__all__ = ["CumulativeEventTimeWindows"]

T = TypeVar("T")


class CumulativeEventTimeWindows(EventTimeAssigner[T]):
    """Assign each element to the windows that contain its timestamp; one ends every ``step``.

    From the same start, windows grow by a step each up to the maximum size; then the next ones start. These
    are the windows of ``CUMULATE`` in SQL. Mirrors
    ``…table.runtime.operators.window.groupwindow.assigners.CumulativeWindowAssigner``.

    Args:
        size: the maximum size, in ms.
        step: the interval between the ends of windows, in ms; the maximum size is a multiple of it.
        offset: offset of the starts of windows from multiples of the maximum size, in ms.

    Raises:
        WindowError: the maximum size is not a multiple of the step, or one of them is not above 0.

    Examples:
        >>> from pystream.common import Time
        >>> from pystream.table.streaming.cumulative_windows import CumulativeEventTimeWindows
        >>> windows = CumulativeEventTimeWindows.of(Time.seconds(15), Time.seconds(5))
        >>> sorted(window.end for window in windows.assign_windows("a", 7_000, None))
        [10000, 15000]
    """

    def __init__(self, size: int, step: int, offset: int) -> None:
        name = type(self).__name__
        self.size: int = positive(size, f"the maximum size of {name}")
        self.step: int = positive(step, f"the step of {name}")
        self.offset: int = whole(offset, f"the offset of {name}")
        if self.size % self.step:
            raise WindowError(
                f"{name} needs a maximum size that is a multiple of the step, not size {size} and step"
                f" {step} ms"
            )

    @staticmethod
    def of(
        size: LengthOfTime, step: LengthOfTime, offset: LengthOfTime | None = None
    ) -> CumulativeEventTimeWindows[Any]:
        """Return an assigner of windows up to a size, aligned to multiples of it plus the offset."""
        what = "CumulativeEventTimeWindows.of"
        return CumulativeEventTimeWindows(
            to_milliseconds(size, what),
            to_milliseconds(step, what),
            0 if offset is None else to_milliseconds(offset, what),
        )

    def _windows_at(self, time: int, element: T) -> Collection[TimeWindow]:
        start = TimeWindow.get_window_start_with_offset(time_of(time), self.offset, self.size)
        return [TimeWindow(start, end) for end in range(start + self.size, time, -self.step)]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.size}, {self.step}, {self.offset})"
