"""SendBuffer: batches of elements with timestamps and watermarks, encoded as frames for other tasks."""

from __future__ import annotations

import pickle
from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pystream.engine.events import NO_TIMESTAMP, Elements, Event, Watermark

__all__ = ["SendBuffer", "read_frame"]

_COUNT = 4  # bytes of the length of the pickled marks


class SendBuffer:
    """A buffer of elements and watermarks for one receiver."""

    __slots__ = ("_timestamps", "_watermarks", "values")

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._timestamps: array[int] | None = None
        self._watermarks: list[tuple[int, int]] = []

    def add(self, values: Sequence[Any], timestamps: list[int] | None) -> None:
        """Add elements, with timestamps if any element has one."""
        if timestamps is not None:
            if self._timestamps is None:
                self._timestamps = array("q", [NO_TIMESTAMP]) * len(self.values)
            self._timestamps.extend(timestamps)
        elif self._timestamps is not None:
            self._timestamps.extend(array("q", [NO_TIMESTAMP]) * len(values))
        self.values += values

    def mark(self, watermark: int) -> None:
        """Add a watermark; only the last of several in a row is kept."""
        position = len(self.values)
        if self._watermarks and self._watermarks[-1][0] == position:
            self._watermarks.pop()
        self._watermarks.append((position, watermark))

    def parts(self, limit: int) -> Iterator[SendBuffer]:
        """Split the buffer into frames of at most the given number of elements."""
        if len(self.values) <= limit:
            yield self
            return
        marks = iter([*self._watermarks, (len(self.values) + 1, 0)])
        position, watermark = next(marks)
        for start in range(0, len(self.values), limit):
            part = SendBuffer()
            end = min(start + limit, len(self.values))
            part.values = self.values[start:end]
            part._timestamps = None if self._timestamps is None else self._timestamps[start:end]
            while position <= end:
                part._watermarks.append((position - start, watermark))
                position, watermark = next(marks)
            yield part

    def dump(self, serialize: Callable[[list[Any]], bytes]) -> bytes:
        """Encode the frame, with the elements encoded by a serializer."""
        marks = b""
        if self._timestamps is not None or self._watermarks:
            times = None if self._timestamps is None else self._timestamps.tobytes()
            marks = pickle.dumps((times, self._watermarks), pickle.HIGHEST_PROTOCOL)
        return len(marks).to_bytes(_COUNT, "big") + marks + serialize(self.values)


def read_frame(data: bytes, deserialize: Callable[[bytes], list[Any]]) -> Iterator[Event]:
    """Decode a frame: yield its elements and watermarks, in order."""
    end = _COUNT + int.from_bytes(data[:_COUNT], "big")
    values = deserialize(data[end:])
    if end == _COUNT:
        yield Elements(values)
        return
    times, watermarks = pickle.loads(data[_COUNT:end])
    timestamps: list[int] | None = None
    if times is not None:
        stamps: array[int] = array("q")
        stamps.frombytes(times)
        timestamps = stamps.tolist()
    start = 0
    for position, watermark in watermarks:
        if position > start:
            yield _part(values, timestamps, start, position)
        start = position
        yield Watermark(watermark)
    if start < len(values):
        yield _part(values, timestamps, start, len(values))


def _part(values: list[Any], timestamps: list[int] | None, start: int, end: int) -> Elements:
    return Elements(values[start:end], None if timestamps is None else timestamps[start:end])
