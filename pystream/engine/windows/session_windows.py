"""Session window assigners: a session ends after a gap without elements."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable
from typing import Any, Generic

from typing_extensions import TypeVar

from pystream.engine.windows.arguments import LengthOfTime, positive, to_milliseconds
from pystream.engine.windows.assigners import MergingWindowAssigner
from pystream.engine.windows.errors import WindowTypeError
from pystream.engine.windows.time_windows import EventTimeAssigner, ProcessingTimeAssigner
from pystream.engine.windows.windows import TimeWindow
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr

__all__ = [
    "DynamicEventTimeSessionWindows",
    "DynamicGap",
    "DynamicProcessingTimeSessionWindows",
    "EventTimeSessionWindows",
    "ProcessingTimeSessionWindows",
    "SessionWindowTimeGapExtractor",
]

T = TypeVar("T")
E = TypeVar("E", contravariant=True, default=Any)


class SessionWindowTimeGapExtractor(ABC, Generic[E]):
    """Extract the session gap of an element.

    Mirrors ``…windowing.assigners.SessionWindowTimeGapExtractor``.
    """

    @abstractmethod
    def extract(self, element: E, /) -> int:
        """Return the gap in ms, greater than 0."""


GapExtractor = SessionWindowTimeGapExtractor | Callable[[Any], int]


class _Sessions(MergingWindowAssigner[T, TimeWindow]):
    """Base class of session assigners: windows that overlap or touch merge."""

    def merge_windows(
        self, windows: Iterable[TimeWindow], callback: MergingWindowAssigner.MergeCallback[TimeWindow]
    ) -> None:
        TimeWindow.merge_windows(windows, callback)


@checks_arguments(WindowTypeError, methods=False)
class _FixedGap(_Sessions[T]):
    """Sessions with a fixed gap.

    Attributes:
        session_gap: time without elements after which a session ends, in ms.
    """

    def __init__(self, session_gap: int) -> None:
        self.session_gap: int = positive(session_gap, f"the gap of {type(self).__name__}")

    def _windows_at(self, time: int, element: T) -> Collection[TimeWindow]:
        return (TimeWindow(time, time + self.session_gap),)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.session_gap})"


@checks_arguments(WindowTypeError, methods=False)
class DynamicGap(_Sessions[T]):
    """Sessions with a gap per element.

    Attributes:
        extractor: extracts the gap.
    """

    def __init__(self, session_window_time_gap_extractor: GapExtractor) -> None:
        extractor: Any = session_window_time_gap_extractor
        self.extractor: GapExtractor = extractor
        self._extract: Callable[[Any], int] = getattr(extractor, "extract", extractor)
        if not callable(self._extract):
            raise WindowTypeError(
                f"{type(self).__name__} takes a SessionWindowTimeGapExtractor or a function, not"
                f" {short_repr(extractor)}"
            )

    def gap_of(self, element: T) -> int:
        """Return the gap of an element, in ms."""
        return positive(self._extract(element), "the gap of a session")

    def _windows_at(self, time: int, element: T) -> Collection[TimeWindow]:
        return (TimeWindow(time, time + self.gap_of(element)),)

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


@checks_arguments(WindowTypeError, methods=False)
class EventTimeSessionWindows(_FixedGap[T], EventTimeAssigner[T]):
    """Assign elements to sessions by event time: windows with gaps of inactivity between them.

    Mirrors ``…windowing.assigners.EventTimeSessionWindows``.

    Args:
        session_gap: time without elements after which a session ends, in ms.

    Examples:
        >>> from pystream.common import Time
        >>> from pystream.datastream.window import EventTimeSessionWindows
        >>> EventTimeSessionWindows.with_gap(Time.minutes(10)).assign_windows("a", 0, None)
        (TimeWindow(start=0, end=600000),)
    """

    @staticmethod
    def with_gap(size: LengthOfTime) -> EventTimeSessionWindows[Any]:
        """Return an assigner of sessions with a fixed gap."""
        return EventTimeSessionWindows(to_milliseconds(size, "EventTimeSessionWindows.with_gap"))

    @staticmethod
    def with_dynamic_gap(extractor: GapExtractor) -> DynamicEventTimeSessionWindows[Any]:
        """Return an assigner of sessions with a gap per element."""
        return DynamicEventTimeSessionWindows(extractor)


@checks_arguments(WindowTypeError, methods=False)
class ProcessingTimeSessionWindows(_FixedGap[T], ProcessingTimeAssigner[T]):
    """Assign elements to sessions by processing time: windows with gaps of inactivity between them.

    Mirrors ``…windowing.assigners.ProcessingTimeSessionWindows``.

    Args:
        session_gap: time without elements after which a session ends, in ms.
    """

    @staticmethod
    def with_gap(size: LengthOfTime) -> ProcessingTimeSessionWindows[Any]:
        """Return an assigner of sessions with a fixed gap."""
        return ProcessingTimeSessionWindows(to_milliseconds(size, "ProcessingTimeSessionWindows.with_gap"))

    @staticmethod
    def with_dynamic_gap(extractor: GapExtractor) -> DynamicProcessingTimeSessionWindows[Any]:
        """Return an assigner of sessions with a gap per element."""
        return DynamicProcessingTimeSessionWindows(extractor)


@checks_arguments(WindowTypeError, methods=False)
class DynamicEventTimeSessionWindows(DynamicGap[T], EventTimeAssigner[T]):
    """Assign elements to event-time sessions with a gap per element.

    Mirrors ``…windowing.assigners.DynamicEventTimeSessionWindows``.

    Args:
        session_window_time_gap_extractor: returns the gap of an element in ms.
    """

    @staticmethod
    def with_dynamic_gap(extractor: GapExtractor) -> DynamicEventTimeSessionWindows[Any]:
        """Return an assigner of sessions with a gap per element."""
        return DynamicEventTimeSessionWindows(extractor)


@checks_arguments(WindowTypeError, methods=False)
class DynamicProcessingTimeSessionWindows(DynamicGap[T], ProcessingTimeAssigner[T]):
    """Assign elements to processing-time sessions with a gap per element.

    Mirrors ``…windowing.assigners.DynamicProcessingTimeSessionWindows``.

    Args:
        session_window_time_gap_extractor: returns the gap of an element in ms.
    """

    @staticmethod
    def with_dynamic_gap(extractor: GapExtractor) -> DynamicProcessingTimeSessionWindows[Any]:
        """Return an assigner of sessions with a gap per element."""
        return DynamicProcessingTimeSessionWindows(extractor)
