"""Window assigners by time: tumbling and sliding windows; and global windows."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection
from typing import Any, TypeVar

from pystream.engine.events import NO_TIMESTAMP
from pystream.engine.windows.arguments import LengthOfTime, to_milliseconds, whole
from pystream.engine.windows.assigners import WindowAssigner
from pystream.engine.windows.builtin_triggers import EventTimeTrigger, NeverTrigger, ProcessingTimeTrigger
from pystream.engine.windows.errors import WindowError, WindowTypeError
from pystream.engine.windows.triggers import Trigger
from pystream.engine.windows.windows import (
    GlobalWindow,
    GlobalWindowSerializer,
    TimeWindow,
    TimeWindowSerializer,
    WindowSerializer,
)
from typeinfo.arguments import checks_arguments

__all__ = [
    "EventTimeAssigner",
    "GlobalWindows",
    "ProcessingTimeAssigner",
    "SlidingEventTimeWindows",
    "SlidingProcessingTimeWindows",
    "TumblingEventTimeWindows",
    "TumblingProcessingTimeWindows",
    "time_of",
]

T = TypeVar("T")


class _TimeWindows(WindowAssigner[T, TimeWindow]):
    """Base class of assigners of time windows."""

    @abstractmethod
    def _windows_at(self, time: int, element: T) -> Collection[TimeWindow]:
        """Return the windows of an element that contain a time."""

    def get_window_serializer(self) -> WindowSerializer[TimeWindow]:
        return TimeWindowSerializer()


class EventTimeAssigner(_TimeWindows[T]):
    """Base class of event-time window assigners."""

    def assign_windows(
        self, element: T, timestamp: int, context: WindowAssigner.WindowAssignerContext
    ) -> Collection[TimeWindow]:
        """Return the windows of the element's timestamp, the latest first."""
        return self._windows_at(timestamp, element)

    def get_default_trigger(self, env: Any) -> Trigger[T, TimeWindow]:
        return EventTimeTrigger()

    def is_event_time(self) -> bool:
        return True


class ProcessingTimeAssigner(_TimeWindows[T]):
    """Base class of processing-time window assigners."""

    def assign_windows(
        self, element: T, timestamp: int, context: WindowAssigner.WindowAssignerContext
    ) -> Collection[TimeWindow]:
        """Return the windows of the processing time, the latest first."""
        return self._windows_at(context.get_current_processing_time(), element)

    def get_default_trigger(self, env: Any) -> Trigger[T, TimeWindow]:
        return ProcessingTimeTrigger()

    def is_event_time(self) -> bool:
        return False


def time_of(timestamp: int) -> int:
    """Return an element's timestamp.

    Raises:
        WindowError: it has none.
    """
    if timestamp <= NO_TIMESTAMP:
        raise WindowError(
            "an element without a timestamp has no event-time window: give the stream timestamps with"
            " assign_timestamps_and_watermarks(…), or use windows of processing time"
        )
    return timestamp


@checks_arguments(WindowTypeError, methods=False)
class _Tumbling(_TimeWindows[T]):
    """Base class of tumbling windows: fixed size, no gaps, no overlap.

    Attributes:
        size: in ms.
        offset: offset of the starts of windows from multiples of the size, in ms.
    """

    def __init__(self, size: int, offset: int) -> None:
        name = type(self).__name__
        self.size: int = whole(size, f"the size of {name}")
        self.offset: int = whole(offset, f"the offset of {name}")
        if abs(self.offset) >= self.size:
            raise WindowError(
                f"{name} needs a size above 0 and an offset smaller than the size, not size {size} and"
                f" offset {offset} ms"
            )

    def _windows_at(self, time: int, element: T) -> Collection[TimeWindow]:
        size = self.size
        start = time_of(time) - (time - self.offset) % size
        return (TimeWindow(start, start + size),)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.size}, {self.offset})"


@checks_arguments(WindowTypeError, methods=False)
class TumblingEventTimeWindows(_Tumbling[T], EventTimeAssigner[T]):
    """Assign each element to one window by event time; windows have a fixed size and do not overlap.

    Mirrors ``…windowing.assigners.TumblingEventTimeWindows``.

    Args:
        size: in ms.
        offset: offset of the starts of windows from multiples of the size, in ms.

    Examples:
        >>> from pystream.common import Time
        >>> from pystream.datastream.window import TumblingEventTimeWindows
        >>> minutes = TumblingEventTimeWindows.of(Time.minutes(1))
        >>> minutes.assign_windows("a", 90_000, None)
        (TimeWindow(start=60000, end=120000),)
    """

    @staticmethod
    def of(size: LengthOfTime, offset: LengthOfTime | None = None) -> TumblingEventTimeWindows[Any]:
        """Return an assigner of windows of a size, aligned to multiples of it plus the offset."""
        return TumblingEventTimeWindows(*_lengths("TumblingEventTimeWindows.of", size, offset))


@checks_arguments(WindowTypeError, methods=False)
class TumblingProcessingTimeWindows(_Tumbling[T], ProcessingTimeAssigner[T]):
    """Assign each element to one window by processing time; windows have a fixed size and do not overlap.

    Mirrors ``…windowing.assigners.TumblingProcessingTimeWindows``.

    Args:
        size: in ms.
        offset: offset of the starts of windows from multiples of the size, in ms.
    """

    @staticmethod
    def of(size: LengthOfTime, offset: LengthOfTime | None = None) -> TumblingProcessingTimeWindows[Any]:
        """Return an assigner of windows of a size, aligned to multiples of it plus the offset."""
        return TumblingProcessingTimeWindows(*_lengths("TumblingProcessingTimeWindows.of", size, offset))


@checks_arguments(WindowTypeError, methods=False)
class _Sliding(_TimeWindows[T]):
    """Base class of sliding windows: fixed size, started at a fixed interval.

    Attributes:
        size: in ms.
        slide: interval between the starts of windows, in ms.
        offset: offset of the starts of windows from multiples of the slide, in ms.
    """

    def __init__(self, size: int, slide: int, offset: int) -> None:
        name = type(self).__name__
        self.size: int = whole(size, f"the size of {name}")
        self.slide: int = whole(slide, f"the slide of {name}")
        self.offset: int = whole(offset, f"the offset of {name}")
        if abs(self.offset) >= self.slide or self.size <= 0:
            raise WindowError(
                f"{name} needs a size and a slide above 0 and an offset smaller than the slide, not size"
                f" {size}, slide {slide} and offset {offset} ms"
            )

    def _windows_at(self, time: int, element: T) -> Collection[TimeWindow]:
        size, slide = self.size, self.slide
        last = time_of(time) - (time - self.offset) % slide
        return [TimeWindow(start, start + size) for start in range(last, time - size, -slide)]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.size}, {self.slide}, {self.offset})"


@checks_arguments(WindowTypeError, methods=False)
class SlidingEventTimeWindows(_Sliding[T], EventTimeAssigner[T]):
    """Assign each element to the windows that contain its timestamp; one starts every ``slide``.

    With a slide above the size there are gaps, and elements in them are dropped. Mirrors
    ``…windowing.assigners.SlidingEventTimeWindows``.

    Args:
        size: in ms.
        slide: interval between the starts of windows, in ms.
        offset: offset of the starts of windows from multiples of the slide, in ms.

    Examples:
        >>> from pystream.common import Time
        >>> from pystream.datastream.window import SlidingEventTimeWindows
        >>> windows = SlidingEventTimeWindows.of(Time.seconds(10), Time.seconds(5))
        >>> sorted(window.start for window in windows.assign_windows("a", 12_000, None))
        [5000, 10000]
    """

    @staticmethod
    def of(
        size: LengthOfTime, slide: LengthOfTime, offset: LengthOfTime | None = None
    ) -> SlidingEventTimeWindows[Any]:
        """Return an assigner of windows of a size, aligned to multiples of the slide plus the offset."""
        return SlidingEventTimeWindows(*_lengths("SlidingEventTimeWindows.of", size, slide, offset))


@checks_arguments(WindowTypeError, methods=False)
class SlidingProcessingTimeWindows(_Sliding[T], ProcessingTimeAssigner[T]):
    """Assign each element to the windows that contain the processing time; one starts every ``slide``.

    Mirrors ``…windowing.assigners.SlidingProcessingTimeWindows``.

    Args:
        size: in ms.
        slide: interval between the starts of windows, in ms.
        offset: offset of the starts of windows from multiples of the slide, in ms.
    """

    @staticmethod
    def of(
        size: LengthOfTime, slide: LengthOfTime, offset: LengthOfTime | None = None
    ) -> SlidingProcessingTimeWindows[Any]:
        """Return an assigner of windows of a size, aligned to multiples of the slide plus the offset."""
        return SlidingProcessingTimeWindows(*_lengths("SlidingProcessingTimeWindows.of", size, slide, offset))


def _lengths(what: str, *lengths: LengthOfTime | None) -> list[int]:
    return [0 if length is None else to_milliseconds(length, what) for length in lengths]


class GlobalWindows(WindowAssigner[T, GlobalWindow]):
    """Assign all elements to a single window, which fires only if it is given a trigger.

    Mirrors ``…windowing.assigners.GlobalWindows``.
    """

    @staticmethod
    def create() -> GlobalWindows[Any]:
        """Return the assigner."""
        return GlobalWindows()

    def assign_windows(
        self, element: T, timestamp: int, context: WindowAssigner.WindowAssignerContext
    ) -> Collection[GlobalWindow]:
        return (GlobalWindow.get(),)

    def get_default_trigger(self, env: Any) -> Trigger[T, GlobalWindow]:
        return NeverTrigger()

    def get_window_serializer(self) -> WindowSerializer[GlobalWindow]:
        return GlobalWindowSerializer()

    def is_event_time(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "GlobalWindows()"
