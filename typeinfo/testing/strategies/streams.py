"""Strategies of streams: events out of order, duplicates of them, and watermarks among them."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

__all__ = ["Event", "EventStream", "Watermark", "event_streams"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Event(Generic[T]):
    """A value that arrives.

    Args:
        value: the value.
        timestamp: its event time in milliseconds.
        channel: the parallel input that it arrives on.
    """

    value: T
    timestamp: int
    channel: int = 0


@dataclass(frozen=True, slots=True)
class Watermark:
    """The promise that a channel has no further events up to this timestamp, except late ones."""

    timestamp: int
    channel: int = 0


Item: TypeAlias = Event[T] | Watermark


@dataclass(frozen=True, slots=True)
class EventStream(Generic[T]):
    """Events and watermarks in the order in which they arrive.

    Args:
        items: all of them.
    """

    items: tuple[Event[T] | Watermark, ...]

    def __iter__(self) -> Iterator[Event[T] | Watermark]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def channel(self, number: int) -> EventStream[T]:
        """Return the events of one channel, in order."""
        return EventStream(tuple(item for item in self.items if item.channel == number))

    def events(self) -> list[Event[T]]:
        """Return the events in the order in which they arrive."""
        return [item for item in self.items if isinstance(item, Event)]

    def in_order(self) -> list[Event[T]]:
        """Return the events by timestamp; those of one timestamp as they arrive."""
        return sorted(self.events(), key=lambda event: event.timestamp)

    def watermarks(self) -> list[Watermark]:
        """Return the watermarks in the order in which they arrive."""
        return [item for item in self.items if isinstance(item, Watermark)]

    def late(self) -> list[Event[T]]:
        """Return the events that arrive at or behind a watermark of their channel."""
        passed: dict[int, int] = {}
        found = []
        for item in self.items:
            if isinstance(item, Watermark):
                passed[item.channel] = item.timestamp
            elif item.channel in passed and item.timestamp <= passed[item.channel]:
                found.append(item)
        return found

    def disorder(self) -> int:
        """Return the maximum delay in ms of an event behind an earlier one of its channel."""
        newest: dict[int, int] = {}
        most = 0
        for event in self.events():
            newest[event.channel] = max(event.timestamp, newest.get(event.channel, event.timestamp))
            most = max(most, newest[event.channel] - event.timestamp)
        return most

    def replay(self, on_event: Callable[[T, int], Any], on_watermark: Callable[[int], Any]) -> None:
        """Pass all items in order to functions, such as the methods of a test harness.

        Args:
            on_event: takes value and timestamp, e.g. ``harness.process_element``.
            on_watermark: takes a timestamp, e.g. ``harness.process_watermark``.
        """
        for item in self.items:
            if isinstance(item, Event):
                on_event(item.value, item.timestamp)
            else:
                on_watermark(item.timestamp)


def event_streams(
    values: SearchStrategy[T],
    *,
    max_disorder: int = 0,
    max_lateness: int = 0,
    duplicates: bool = False,
    watermarks: bool = True,
    channels: int = 1,
    max_gap: int = 10,
    start: int = 0,
    max_size: int = 8,
) -> SearchStrategy[EventStream[T]]:
    """Return a strategy of streams of events.

    It shrinks to few events, in order, without duplicates, one millisecond after the other or at once.

    Args:
        values: the values of the events, e.g. ``values(Types.of(Order))``.
        max_disorder: by how many milliseconds an event arrives behind a later one, at most.
        max_lateness: by how many milliseconds an event is late, at most: watermarks run ahead of what
            ``max_disorder`` allows by up to this. With 0 no event is ever late.
        duplicates: whether an event may arrive again, equal and with the same timestamp, on its channel.
        watermarks: whether watermarks come between the events. They rise on each channel; after the last
            event there is no final one, as end of input is another thing.
        channels: on how many parallel inputs the events arrive.
        max_gap: how many milliseconds lie between one timestamp and the next later one, at most.
        start: the first timestamp there can be, in milliseconds.
        max_size: how many different events there are, at most.

    Raises:
        ValueError: a bound is negative, or there is no channel.
    """
    if min(max_disorder, max_lateness, max_gap, max_size) < 0 or channels < 1:
        raise ValueError("the bounds of a stream cannot be negative, and it needs a channel")
    delays = st.integers(0, max_disorder)
    arrivals = st.lists(delays, min_size=1, max_size=2) if duplicates else st.tuples(delays)
    event = st.tuples(st.integers(0, max_gap), arrivals, st.integers(0, channels - 1), values)
    leads = st.none() | st.integers(0, max_lateness) if watermarks else st.none()
    return _streams(st.lists(event, max_size=max_size), leads, start, max_disorder)


@st.composite
def _streams(
    draw: st.DrawFn, events: SearchStrategy[Any], leads: SearchStrategy[int | None], start: int, disorder: int
) -> EventStream[Any]:
    arriving: list[tuple[int, Event[Any]]] = []
    timestamp = start
    for gap, delays, channel, value in draw(events):
        timestamp += gap
        for copies, delay in enumerate(delays):
            own = copy.deepcopy(value) if copies else value
            arriving.append((timestamp + delay, Event(own, timestamp, channel)))
    arriving.sort(key=lambda arrival: arrival[0])  # none is overtaken by what is newer by more than a delay

    items: list[Event[Any] | Watermark] = []
    newest: dict[int, int] = {}
    passed: dict[int, int] = {}
    for _, event in arriving:
        items.append(event)
        channel = event.channel
        newest[channel] = max(event.timestamp, newest.get(channel, event.timestamp))
        lead = draw(leads)
        if lead is not None:
            mark = newest[channel] - disorder - 1 + lead
            if channel not in passed or mark > passed[channel]:
                passed[channel] = mark
                items.append(Watermark(mark, channel))
    return EventStream(tuple(items))
