"""WaitingQueue: asynchronous results, emitted in order or as they complete between watermarks."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pystream.engine.events import Watermark

__all__ = ["PendingElement", "WaitingQueue"]


@dataclass(slots=True, eq=False)
class PendingElement:
    """An element in flight.

    Attributes:
        value: the element.
        timestamp: its event time.
        results: its results, once it is done.
        error: the failure, if there are no results.
        work: the task of its call; the event loop itself holds no strong reference to it.
    """

    value: Any
    timestamp: int
    results: list[Any] = field(default_factory=list)
    error: BaseException | None = None
    work: asyncio.Task[None] | None = None
    segment: _Segment = field(init=False)


@dataclass(slots=True)
class _Segment:
    """Elements that may overtake each other, and the watermark behind them."""

    open: int = 0
    done: list[PendingElement] = field(default_factory=list)
    watermark: int | None = None


class WaitingQueue:
    """The elements in flight and the watermarks between them.

    Elements between two watermarks leave as they complete; to keep their order, each gets its own segment.
    Mirrors ``…operators.async.queue.OrderedStreamElementQueue`` and ``UnorderedStreamElementQueue``.
    """

    def __init__(self, *, ordered: bool) -> None:
        self._ordered = ordered
        self._segments: deque[_Segment] = deque()
        self._entries = 0

    def __len__(self) -> int:
        return self._entries

    def put(self, entry: PendingElement) -> None:
        """Add an element."""
        segments = self._segments
        if not segments or self._ordered or segments[-1].watermark is not None:
            segments.append(_Segment())
        entry.segment = segments[-1]
        entry.segment.open += 1
        self._entries += 1

    def put_watermark(self, watermark: int) -> None:
        """Add a watermark, which is emitted after all elements before it."""
        if not self._segments or self._segments[-1].watermark is not None:
            self._segments.append(_Segment())
        self._segments[-1].watermark = watermark

    def done(self, entry: PendingElement) -> None:
        """Record that an element is done."""
        entry.segment.open -= 1
        entry.segment.done.append(entry)

    def take(self) -> Iterator[PendingElement | Watermark]:
        """Remove and yield the results that can be emitted."""
        segments = self._segments
        while segments:
            first = segments[0]
            leaving, first.done = first.done, []
            self._entries -= len(leaving)
            yield from leaving
            if first.open:
                return
            segments.popleft()
            if first.watermark is not None:
                yield Watermark(first.watermark)
