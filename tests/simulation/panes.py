"""Simple models of processing-time and count windows, and of windows with other triggers and evictors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pystream.engine.events import MAX_WATERMARK, NO_TIMESTAMP
from tests.simulation.models import Output, Value, Windows

__all__ = ["ByClock", "Counting", "Panes", "TriggerKind"]

Window = tuple[int, int]
Pane = tuple[str, Window]
Timed = tuple[Value, int]
Evict = Callable[[list[Timed]], list[Timed]]
TriggerKind = str  # "end", "count" or "continuous"


class ByClock(Windows):
    """Processing-time windows, for which no element is late."""

    def element(self, side: int, value: Value, timestamp: int, now: int) -> None:
        super().element(side, value, now, now)

    def advance(self, watermark: int, now: int) -> None:
        if watermark == MAX_WATERMARK:
            super().advance(MAX_WATERMARK, now)

    def tick(self, now: int) -> None:
        super().advance(now, now)


@dataclass
class Counting:
    """Windows of a number of elements of a key, one ending every ``slide`` elements."""

    size: int
    slide: int
    result: Callable[[str, int, list[Value]], Any]
    out: Output = field(default_factory=list)
    elements: dict[str, list[Value]] = field(default_factory=dict)

    def element(self, side: int, value: Value, timestamp: int, now: int) -> None:
        elements = self.elements.setdefault(value[0], [])
        elements.append(value)
        if len(elements) >= self.size and (len(elements) - self.size) % self.slide == 0:
            result = self.result(value[0], MAX_WATERMARK, elements[-self.size :])
            self.out.append((None, result, MAX_WATERMARK))

    def advance(self, watermark: int, now: int) -> None:
        pass

    def tick(self, now: int) -> None:
        pass


@dataclass
class Panes:
    """Keeps each window of each key with its elements, and looks through all timers each time.

    Attributes:
        windows: gives the windows of a time, each by its start and end.
        in_event_time: whether that is the time of the element, not of the clock.
        trigger: when a window fires: at its end, at every ``number`` elements, or at the multiples of
            ``number`` after its first element and at its end.
        number: see there.
        purges: whether a window is emptied when it fires.
        lateness: how long after its end a window takes elements.
        before: which elements stay in a window that is to fire.
        after: which stay in it afterwards.
        result: what a window gives.
    """

    windows: Callable[[int], list[Window]]
    in_event_time: bool
    trigger: TriggerKind
    number: int
    purges: bool
    lateness: int
    before: Evict
    after: Evict
    result: Callable[[str, int, list[Value]], Any]
    out: Output = field(default_factory=list)
    panes: dict[Pane, list[Timed]] = field(default_factory=dict)
    counts: dict[Pane, int] = field(default_factory=dict)
    next_times: dict[Pane, int] = field(default_factory=dict)
    timers: set[tuple[int, Pane]] = field(default_factory=set)
    watermark: int = NO_TIMESTAMP

    def element(self, side: int, value: Value, timestamp: int, now: int) -> None:
        windows = self.windows(timestamp if self.in_event_time else now)
        open_ = [w for w in windows if not self.in_event_time or self._gone(w) > self.watermark]
        for window in open_:
            pane = value[0], window
            self.panes.setdefault(pane, []).append((value, timestamp))
            if self._fires_at_element(pane, timestamp):
                self._fire(pane)
            self.timers.add((self._gone(window), pane))
        if not open_ and timestamp + self.lateness <= self.watermark:
            self.out.append(("late", value, timestamp))

    def advance(self, watermark: int, now: int) -> None:
        self.watermark = watermark
        if self.in_event_time or watermark == MAX_WATERMARK:
            self._pass(watermark)

    def tick(self, now: int) -> None:
        if not self.in_event_time:
            self._pass(now)

    def _gone(self, window: Window) -> int:
        return window[1] - 1 + (self.lateness if self.in_event_time else 0)

    def _fires_at_element(self, pane: Pane, timestamp: int) -> bool:
        last = pane[1][1] - 1
        if self.trigger == "count":
            self.counts[pane] = self.counts.get(pane, 0) + 1
            return self.counts[pane] % self.number == 0
        if self.in_event_time and last <= self.watermark:
            return True
        self.timers.add((last, pane))
        if self.trigger == "continuous" and pane not in self.next_times:
            self._wait(pane, timestamp - timestamp % self.number + self.number)
        return False

    def _wait(self, pane: Pane, time: int) -> None:
        self.next_times[pane] = min(time, pane[1][1] - 1)
        self.timers.add((self.next_times[pane], pane))

    def _pass(self, until: int) -> None:
        while due := sorted(timer for timer in self.timers if timer[0] <= until):
            for time, pane in due:
                if (time, pane) in self.timers:
                    self.timers.remove((time, pane))
                    self._due(time, pane)

    def _due(self, time: int, pane: Pane) -> None:
        last = pane[1][1] - 1
        again = self.trigger == "continuous" and time < last and self.next_times.get(pane) == time
        if again:
            self._wait(pane, time + self.number)
        if again or (self.trigger != "count" and time == last):
            self._fire(pane)
        if time == self._gone(pane[1]):
            self.panes.pop(pane, None)
            self.counts.pop(pane, None)
            self.timers.discard((self.next_times.pop(pane, NO_TIMESTAMP), pane))

    def _fire(self, pane: Pane) -> None:
        held = self.panes.get(pane)
        if held is None:
            return
        held = self.before(held)
        key, (_, end) = pane
        self.out.append((None, self.result(key, end - 1, [value for value, _ in held]), end - 1))
        self.panes[pane] = self.after(held)
        if self.purges:
            del self.panes[pane]
