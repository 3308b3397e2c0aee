"""SendBuffer: batches of elements with timestamps and watermarks, encoded as frames for other tasks."""

from __future__ import annotations

import pickle
from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from pystream.engine.events import NO_TIMESTAMP, Elements, Event, Watermark, WatermarkStatus

__all__ = ["SendBuffer", "read_frame"]

Mark: TypeAlias = int | bool
"""A watermark, or whether the channel is idle."""

_COUNT = 4  # bytes of the length of the pickled marks


class SendBuffer:
    """A buffer of elements, watermarks and statuses for one receiver."""

    __slots__ = ("_marks", "_timestamps", "values")

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._timestamps: array[int] | None = None
        self._marks: list[tuple[int, Mark]] = []

    def add(self, values: Sequence[Any], timestamps: list[int] | None) -> None:
        """Add elements, with timestamps if any element has one."""
        if timestamps is not None:
            if self._timestamps is None:
                self._timestamps = array("q", [NO_TIMESTAMP]) * len(self.values)
            self._timestamps.extend(timestamps)
        elif self._timestamps is not None:
            self._timestamps.extend(array("q", [NO_TIMESTAMP]) * len(values))
        self.values += values

    def mark(self, event: Watermark | WatermarkStatus) -> None:
        """Add a watermark or a status; only the last of several watermarks in a row is kept."""
        position = len(self.values)
        mark: Mark = event.timestamp if isinstance(event, Watermark) else event.idle
        if self._marks and type(mark) is int:
            before, last = self._marks[-1]
            if before == position and type(last) is int:
                self._marks.pop()
        self._marks.append((position, mark))

    @property
    def is_empty(self) -> bool:
        """Whether it holds no elements and no marks."""
        return not (self.values or self._marks)

    def cut(self, count: int) -> Iterator[SendBuffer]:
        """Remove and yield frames of a number of elements, until fewer than that are left."""
        values, timestamps, marks = self.values, self._timestamps, self._marks
        whole = len(values) - len(values) % count
        passed = 0
        for start in range(0, whole, count):
            frame, end = SendBuffer(), start + count
            frame.values = values[start:end]
            frame._timestamps = None if timestamps is None else timestamps[start:end]
            while passed < len(marks) and marks[passed][0] <= end:
                position, mark = marks[passed]
                frame._marks.append((position - start, mark))
                passed += 1
            yield frame
        self.values = values[whole:]
        self._timestamps = None if timestamps is None else timestamps[whole:]
        self._marks = [(position - whole, mark) for position, mark in marks[passed:]]

    def dump(self, serialize: Callable[[list[Any]], bytes]) -> bytes:
        """Encode the frame, with the elements encoded by a serializer."""
        marks = b""
        if self._timestamps is not None or self._marks:
            times = None if self._timestamps is None else self._timestamps.tobytes()
            marks = pickle.dumps((times, self._marks), pickle.HIGHEST_PROTOCOL)
        return len(marks).to_bytes(_COUNT, "big") + marks + serialize(self.values)


def read_frame(data: bytes, deserialize: Callable[[bytes], list[Any]]) -> Iterator[Event]:
    """Decode a frame: yield its elements, watermarks and statuses, in order."""
    end = _COUNT + int.from_bytes(data[:_COUNT], "big")
    values = deserialize(data[end:])
    if end == _COUNT:
        yield Elements(values)
        return
    times, marks = pickle.loads(data[_COUNT:end])
    timestamps: list[int] | None = None
    if times is not None:
        stamps: array[int] = array("q")
        stamps.frombytes(times)
        timestamps = stamps.tolist()
    start = 0
    for position, mark in marks:
        if position > start:
            yield _part(values, timestamps, start, position)
        start = position
        yield WatermarkStatus(mark) if type(mark) is bool else Watermark(mark)
    if start < len(values):
        yield _part(values, timestamps, start, len(values))


def _part(values: list[Any], timestamps: list[int] | None, start: int, end: int) -> Elements:
    return Elements(values[start:end], None if timestamps is None else timestamps[start:end])
