"""SendBuffer: batches of elements with timestamps and watermarks, encoded as frames for other tasks."""

from __future__ import annotations

import pickle
from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any, TypeAlias

from pystream.engine.events import (
    NO_TIMESTAMP,
    Elements,
    Event,
    Timestamps,
    Watermark,
    WatermarkStatus,
    list_of,
)
from pystream.engine.vectorised.columns import ColumnValues, Layout

__all__ = ["SendBuffer", "read_frame"]

Mark: TypeAlias = int | bool
"""A watermark, or whether the channel is idle."""

_COUNT = 4  # bytes of the length of the pickled marks


class SendBuffer:
    """A buffer of elements, watermarks and statuses for one receiver."""

    __slots__ = ("_count", "_marks", "_parts", "_timestamps")

    def __init__(self) -> None:
        self._parts: list[Sequence[Any]] = []
        self._count = 0
        self._timestamps: array[int] | None = None
        self._marks: list[tuple[int, Mark]] = []

    def __len__(self) -> int:
        """Return the number of elements."""
        return self._count

    def add(self, values: Sequence[Any], timestamps: Timestamps | None) -> None:
        """Add elements, with timestamps if any element has one."""
        if timestamps is not None:
            if self._timestamps is None:
                self._timestamps = array("q", [NO_TIMESTAMP]) * self._count
            self._timestamps.extend(timestamps)
        elif self._timestamps is not None:
            self._timestamps.extend(array("q", [NO_TIMESTAMP]) * len(values))
        self._count += len(values)
        last = self._parts[-1] if self._parts else None
        if isinstance(last, list) and not isinstance(values, ColumnValues):
            last += values
        else:
            self._parts.append(values if isinstance(values, ColumnValues) else list(values))

    def mark(self, event: Watermark | WatermarkStatus) -> None:
        """Add a watermark or a status; only the last of several watermarks in a row is kept."""
        position = self._count
        mark: Mark = event.timestamp if isinstance(event, Watermark) else event.idle
        if self._marks and type(mark) is int:
            before, last = self._marks[-1]
            if before == position and type(last) is int:
                self._marks.pop()
        self._marks.append((position, mark))

    @property
    def is_empty(self) -> bool:
        """Whether it holds no elements and no marks."""
        return not (self._count or self._marks)

    def cut(self, count: int) -> Iterator[SendBuffer]:
        """Remove and yield frames of a number of elements, until fewer than that are left."""
        if self._count < count:
            return
        groups, timestamps, marks = _regrouped(self._parts, count), self._timestamps, self._marks
        whole = self._count - self._count % count
        passed = 0
        for start in range(0, whole, count):
            frame, end = SendBuffer(), start + count
            frame._parts, frame._count = next(groups), count
            frame._timestamps = None if timestamps is None else timestamps[start:end]
            while passed < len(marks) and marks[passed][0] <= end:
                position, mark = marks[passed]
                frame._marks.append((position - start, mark))
                passed += 1
            yield frame
        self._count -= whole
        self._parts = next(groups, [])
        self._timestamps = None if timestamps is None else timestamps[whole:]
        self._marks = [(position - whole, mark) for position, mark in marks[passed:]]

    @property
    def values(self) -> Sequence[Any]:
        """All elements: as columns if a part is, and these keep the others as they are; else as a list."""
        parts = self._parts
        layout = next((part.layout for part in parts if isinstance(part, ColumnValues)), None)
        if layout is not None:
            columns = [made for part in parts if (made := _as_columns(part, layout)) is not None]
            if len(columns) == len(parts):
                return ColumnValues.joined(columns)
        return parts[0] if len(parts) == 1 else list(chain.from_iterable(parts))

    def dump(self, dump_elements: Callable[[Sequence[Any]], bytes]) -> bytes:
        """Encode the frame, with the elements encoded by a function."""
        marks = b""
        if self._timestamps is not None or self._marks:
            times = None if self._timestamps is None else self._timestamps.tobytes()
            marks = pickle.dumps((times, self._marks), pickle.HIGHEST_PROTOCOL)
        return b"".join((dump_elements(self.values), marks, len(marks).to_bytes(_COUNT, "big")))


def _as_columns(values: Sequence[Any], layout: Layout) -> ColumnValues | None:
    return values if isinstance(values, ColumnValues) else layout.kept(list_of(values))


def _regrouped(parts: list[Sequence[Any]], count: int) -> Iterator[list[Sequence[Any]]]:
    """Divide elements into groups of ``count``; the last group may be smaller.

    Elements stay in the forms in which they came: columns beside a list stay columns.
    """
    group: list[Sequence[Any]] = []
    free = count
    for part in parts:
        start = 0
        while len(part) - start >= free:
            group.append(part[start : start + free])
            start += free
            yield group
            group, free = [], count
        if start < len(part):
            group.append(part[start:])
            free -= len(part) - start
    if group:
        yield group


def read_frame(data: bytes, load_elements: Callable[[memoryview], Sequence[Any]]) -> Iterator[Event]:
    """Decode a frame: yield its elements, watermarks and statuses, in order."""
    frame = memoryview(data)[:-_COUNT]
    end = len(frame) - int.from_bytes(data[-_COUNT:], "big")
    values = load_elements(frame[:end])
    if end == len(frame):
        yield Elements(values)
        return
    times, marks = pickle.loads(frame[end:])
    timestamps: array[int] | None = None
    if times is not None:
        timestamps = array("q")
        timestamps.frombytes(times)
    start = 0
    for position, mark in marks:
        if position > start:
            yield _part(values, timestamps, start, position)
        start = position
        yield WatermarkStatus(mark) if type(mark) is bool else Watermark(mark)
    if start < len(values):
        yield _part(values, timestamps, start, len(values))


def _part(values: Sequence[Any], timestamps: Timestamps | None, start: int, end: int) -> Elements:
    return Elements(values[start:end], None if timestamps is None else timestamps[start:end])
