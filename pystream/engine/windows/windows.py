"""Windows and their serializers.

Time and count windows are tuples, which are cheap to hash and to compare: a key can have many of them.
"""

from __future__ import annotations

import struct
from abc import ABC, abstractmethod
from collections.abc import Iterable
from io import BytesIO
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from pystream.engine.events import MAX_WATERMARK
from pystream.engine.windows.errors import WindowError
from typeinfo.errors import short_repr

if TYPE_CHECKING:
    from pystream.engine.windows.assigners import MergingWindowAssigner

__all__ = [
    "CountWindow",
    "CountWindowSerializer",
    "GlobalWindow",
    "GlobalWindowSerializer",
    "TimeWindow",
    "TimeWindowSerializer",
    "Window",
    "WindowSerializer",
]

W = TypeVar("W")

_TIME_WINDOW = struct.Struct(">qq")
_COUNT_WINDOW = struct.Struct(">q")
_GLOBAL_WINDOW = b"\0"


class Window(ABC):
    """A group of elements of one key. Mirrors ``…streaming.api.windowing.windows.Window``.

    Windows that are equal are the same window. A subclass without ``__eq__`` and ``__hash__`` is compared by
    its serialized bytes.
    """

    __slots__ = ()

    @abstractmethod
    def max_timestamp(self) -> int:
        """Return the last ms since the Unix epoch that belongs to the window."""


class _Span(NamedTuple):
    start: int
    end: int


class TimeWindow(_Span, Window):
    """The time interval from ``start`` (inclusive) to ``end`` (exclusive), both in ms since the Unix epoch.

    Windows are ordered by start, then by end. Mirrors ``…streaming.api.windowing.windows.TimeWindow``.
    """

    __slots__ = ()

    def max_timestamp(self) -> int:
        """Return ``end - 1``."""
        return self.end - 1

    def intersects(self, other: TimeWindow) -> bool:
        """Return whether two windows overlap or touch."""
        return self.start <= other.end and self.end >= other.start

    def cover(self, other: TimeWindow) -> TimeWindow:
        """Return the smallest window that contains both."""
        return TimeWindow(min(self.start, other.start), max(self.end, other.end))

    @staticmethod
    def get_window_start_with_offset(timestamp: int, offset: int, window_size: int) -> int:
        """Return the start of the window that contains a time; windows start at ``offset`` + n * size.

        Args:
            timestamp: in ms since the Unix epoch, also before it.
            offset: in ms.
            window_size: in ms.
        """
        return timestamp - (timestamp - offset) % window_size

    @staticmethod
    def merge_windows(
        windows: Iterable[TimeWindow], callback: MergingWindowAssigner.MergeCallback[TimeWindow]
    ) -> None:
        """Call the callback for windows that overlap or touch, directly or through others."""
        merged: list[TimeWindow] = []
        cover: TimeWindow | None = None
        for window in sorted(set(windows)):
            if cover is not None and window.start <= cover.end:
                merged.append(window)
                cover = cover.cover(window)
                continue
            if cover is not None and len(merged) > 1:
                callback.merge(merged, cover)
            merged, cover = [window], window
        if cover is not None and len(merged) > 1:
            callback.merge(merged, cover)


class _Numbered(NamedTuple):
    id: int


class CountWindow(_Numbered, Window):
    """A window with a number, without bounds in time. Mirrors PyFlink's ``CountWindow``."""

    __slots__ = ()

    def max_timestamp(self) -> int:
        """Return 2^63 - 1: a count window has no end in time."""
        return MAX_WATERMARK


class GlobalWindow(Window):
    """The single window of all elements. Mirrors ``…streaming.api.windowing.windows.GlobalWindow``."""

    __slots__ = ()

    @staticmethod
    def get() -> GlobalWindow:
        """Return the window."""
        return _GLOBAL

    def max_timestamp(self) -> int:
        """Return 2^63 - 1: the window never ends."""
        return MAX_WATERMARK

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GlobalWindow)

    def __hash__(self) -> int:
        return hash(GlobalWindow)

    def __reduce__(self) -> tuple[Any, ...]:
        return GlobalWindow.get, ()

    def __repr__(self) -> str:
        return "GlobalWindow"


_GLOBAL = GlobalWindow()


class WindowSerializer(ABC, Generic[W]):
    """Serialize windows.

    Mirrors ``org.apache.flink.api.common.typeutils.TypeSerializer``, as far as windows need it.
    """

    @abstractmethod
    def serialize(self, element: W, stream: BytesIO, /) -> None:
        """Write a window."""

    @abstractmethod
    def deserialize(self, stream: BytesIO, /) -> W:
        """Read the next window."""


class TimeWindowSerializer(WindowSerializer[TimeWindow]):
    """Serialize a TimeWindow as its start and its end, 8 bytes each, big-endian."""

    def serialize(self, element: TimeWindow, stream: BytesIO) -> None:
        """Write a window.

        Raises:
            WindowError: it starts or ends outside of -2^63 to 2^63 - 1.
        """
        stream.write(_packed(_TIME_WINDOW, element))

    def deserialize(self, stream: BytesIO) -> TimeWindow:
        """Read a window.

        Raises:
            WindowError: the stream ends too early.
        """
        return TimeWindow(*_unpacked(_TIME_WINDOW, stream))


class CountWindowSerializer(WindowSerializer[CountWindow]):
    """Serialize a CountWindow as its id, 8 bytes, big-endian."""

    def serialize(self, element: CountWindow, stream: BytesIO) -> None:
        """Write a window.

        Raises:
            WindowError: its id is outside of -2^63 to 2^63 - 1.
        """
        stream.write(_packed(_COUNT_WINDOW, element))

    def deserialize(self, stream: BytesIO) -> CountWindow:
        """Read a window.

        Raises:
            WindowError: the stream ends too early.
        """
        return CountWindow(*_unpacked(_COUNT_WINDOW, stream))


class GlobalWindowSerializer(WindowSerializer[GlobalWindow]):
    """Serialize the GlobalWindow as one byte."""

    def serialize(self, element: GlobalWindow, stream: BytesIO) -> None:
        """Write the window."""
        stream.write(_GLOBAL_WINDOW)

    def deserialize(self, stream: BytesIO) -> GlobalWindow:
        """Read the window."""
        stream.read(len(_GLOBAL_WINDOW))
        return _GLOBAL


def _packed(layout: struct.Struct, window: tuple[int, ...]) -> bytes:
    try:
        return layout.pack(*window)
    except struct.error:
        raise WindowError(
            f"{short_repr(window)} has no bytes: its numbers must be from -2^63 to 2^63 - 1"
        ) from None


def _unpacked(layout: struct.Struct, stream: BytesIO) -> tuple[Any, ...]:
    data = stream.read(layout.size)
    if len(data) < layout.size:
        raise WindowError(f"a window takes {layout.size} bytes, and the stream has only {len(data)} left")
    return layout.unpack(data)
