"""Windows with bounds in local time, and the assigners that compute them or read them from rows."""

from __future__ import annotations

import pickle
from collections.abc import Collection
from io import BytesIO
from typing import Any, NamedTuple, TypeVar, cast

from pystream.datastream.window import (
    EventTimeTrigger,
    TimeWindow,
    Trigger,
    Window,
    WindowAssigner,
    WindowSerializer,
)
from pystream.table.streaming.local_time import LocalTime
from typeinfo.row import Row

__all__ = ["AttachedWindows", "LocalTimeWindow", "LocalTimeWindows"]

T = TypeVar("T")

_NO_CONTEXT: Any = None  # windows of event time need none


class _Bounds(NamedTuple):
    start: int
    end: int
    last: int


class LocalTimeWindow(_Bounds, Window):
    """The local times from ``start`` (inclusive) to ``end`` (exclusive); the last instant is ``last``.

    All are in ms since 1970. Where clocks change, it may last an hour more or less than its bounds say.
    """

    __slots__ = ()

    def max_timestamp(self) -> int:
        """Return the last instant."""
        return self.last


class _Serializer(WindowSerializer[LocalTimeWindow]):
    def serialize(self, element: LocalTimeWindow, stream: BytesIO) -> None:
        stream.write(pickle.dumps(tuple(element)))

    def deserialize(self, stream: BytesIO) -> LocalTimeWindow:
        return LocalTimeWindow(*pickle.load(stream))


class _Local(WindowAssigner[T, LocalTimeWindow]):
    """Base class of assigners of windows in local time.

    Args:
        time: the local time.
    """

    def __init__(self, time: LocalTime) -> None:
        self._time = time

    def _window(self, start: int, end: int) -> LocalTimeWindow:
        return LocalTimeWindow(start, end, self._time.last_instant(end - 1))

    def get_default_trigger(self, env: Any) -> Trigger[T, LocalTimeWindow]:
        """Return a trigger that fires at the last instant."""
        trigger: Any = EventTimeTrigger()
        return cast("Trigger[T, LocalTimeWindow]", trigger)

    def get_window_serializer(self) -> WindowSerializer[LocalTimeWindow]:
        """Return the serializer of the windows."""
        return _Serializer()

    def is_event_time(self) -> bool:
        """Return whether windows end in event time: they do."""
        return True


class LocalTimeWindows(_Local[T]):
    """Assign each element to windows of the local time at its timestamp.

    Mirrors ``…table.runtime.operators.window.tvf.slicing.SliceAssigners`` with a time zone.

    Args:
        windows: assigns windows of a timestamp, such as `TumblingEventTimeWindows`.
        time: the local time.
    """

    def __init__(self, windows: WindowAssigner[T, TimeWindow], time: LocalTime) -> None:
        super().__init__(time)
        self._windows = windows

    def assign_windows(
        self, element: T, timestamp: int, context: WindowAssigner.WindowAssignerContext
    ) -> Collection[LocalTimeWindow]:
        """Return the windows of the local time."""
        return self.at(element, timestamp)

    def at(self, element: T, timestamp: int) -> Collection[LocalTimeWindow]:
        """Return the windows of an element at a time in ms since the Unix epoch."""
        windows = self._windows.assign_windows(element, self._time.at(timestamp), _NO_CONTEXT)
        return [self._window(window.start, window.end) for window in windows]

    def __repr__(self) -> str:
        return f"LocalTimeWindows({self._windows!r})"


class AttachedWindows(_Local[Row[Any]]):
    """Assign each row to the window whose bounds it has.

    Mirrors ``…table.runtime.operators.window.tvf.slicing.SliceAssigners.WindowedSliceAssigner``.

    Args:
        start: position of the start, a naive datetime, among the fields of a row.
        end: position of the end.
        time: the local time of the bounds.
    """

    def __init__(self, start: int, end: int, time: LocalTime) -> None:
        super().__init__(time)
        self._start, self._end = start, end

    def assign_windows(
        self, element: Row[Any], timestamp: int, context: WindowAssigner.WindowAssignerContext
    ) -> Collection[LocalTimeWindow]:
        """Return the window of a row."""
        time = self._time
        return (self._window(time.of_datetime(element[self._start]), time.of_datetime(element[self._end])),)

    def __repr__(self) -> str:
        return "AttachedWindows()"
