"""Models of operators that are as simple as possible: one subtask, plain dicts and lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from pystream.engine.events import MAX_WATERMARK, NO_TIMESTAMP, Elements, EndOfGroup, Watermark
from tests.simulation.cluster import Step
from tests.unit.engine.windows.model import FixedWindows, Sessions

__all__ = ["Folding", "Interpreting", "Model", "Windows", "in_batches", "in_stream"]

Value = tuple[str, int, str, int, int]  # key, event time, what to do, a number for it, id
Output = list[tuple[str | None, Any, int]]  # tag, result, event time


class Model(Protocol):
    """An operator of one subtask; its results are appended to ``out``."""

    out: Output

    def element(self, side: int, value: Value, timestamp: int, now: int) -> None: ...

    def advance(self, watermark: int, now: int) -> None: ...

    def tick(self, now: int) -> None: ...


def in_stream(steps: Iterable[Step], model: Model, channels: int) -> Output:
    """Run a model over the events that reached a subtask; event time is the minimum over all channels."""
    reached: dict[Any, int] = {}
    watermark, now = NO_TIMESTAMP, 0
    for arrival, now in steps:
        match arrival.event:
            case Elements(values, timestamps):
                model.tick(now)
                for value, timestamp in zip(values, timestamps or [NO_TIMESTAMP] * len(values), strict=True):
                    model.element(arrival.side, value, timestamp, now)
            case Watermark(timestamp):
                reached[arrival.channel] = max(timestamp, reached.get(arrival.channel, NO_TIMESTAMP))
                if len(reached) == channels and min(reached.values()) > watermark:
                    watermark = min(reached.values())
                    model.advance(watermark, now)
    if watermark < MAX_WATERMARK:
        model.advance(MAX_WATERMARK, now)
    return model.out


def in_batches(steps: Iterable[Step], make: Callable[[], Model], key_of: Callable[[Value], str]) -> Output:
    """Run a model as in batch execution: each key alone, by event time, and its time jumps to the end."""
    out: Output = []
    keys: dict[str, list[tuple[int, int, Value]]] = {}
    for arrival, now in steps:
        if isinstance(arrival.event, Elements):
            values, timestamps = arrival.event.values, arrival.event.timestamps
            for value, timestamp in zip(values, timestamps or [NO_TIMESTAMP] * len(values), strict=True):
                keys.setdefault(key_of(value), []).append((timestamp, arrival.side, value))
        if isinstance(arrival.event, EndOfGroup):
            for elements in keys.values():
                model = make()
                for timestamp, side, value in sorted(elements, key=lambda element: element[0]):
                    model.element(side, value, timestamp, now)
                model.advance(MAX_WATERMARK, now)
                out += model.out
            keys = {}
    assert not keys, "a key group has no end"
    return out


@dataclass
class Interpreting:
    """Follows the instructions in elements, with a list, a map and timers for each key."""

    out: Output = field(default_factory=list)
    lists: dict[str, list[int]] = field(default_factory=dict)
    maps: dict[str, dict[int, int]] = field(default_factory=dict)
    timers: dict[str, set[tuple[int, str]]] = field(
        default_factory=lambda: {"EVENT_TIME": set(), "PROCESSING_TIME": set()}
    )
    watermark: int = NO_TIMESTAMP

    def element(self, side: int, value: Value, timestamp: int, now: int) -> None:
        key, time, order, number, id = value
        numbers, entries = self.lists.setdefault(key, []), self.maps.setdefault(key, {})
        given: list[tuple[str | None, Any]] = []
        match order:
            case "note":
                numbers.append(number)
                given = [(None, (key, "note", side, tuple(numbers)))]
            case "put":
                entries[number % 3] = id
                given = [(None, (key, "map", side, tuple(sorted(entries.items()))))]
            case "clear":
                numbers.clear()
                entries.clear()
            case "side":
                given = [("side", (key, id)), (None, (key, "sent", side, id))]
            case "time":
                given = [(None, (key, "time", timestamp, self.watermark))]
            case "event timer":
                self.timers["EVENT_TIME"].add((time + number, key))
            case "clock timer":
                self.timers["PROCESSING_TIME"].add((now + number, key))
            case "drop timers":
                self.timers["EVENT_TIME"].discard((time + number, key))
                self.timers["PROCESSING_TIME"].discard((now + number, key))
        self.out += [(tag, result, timestamp) for tag, result in given]

    def advance(self, watermark: int, now: int) -> None:
        self.watermark = watermark
        self._fire("EVENT_TIME", watermark)
        if watermark == MAX_WATERMARK:
            self._fire("PROCESSING_TIME", MAX_WATERMARK)

    def tick(self, now: int) -> None:
        self._fire("PROCESSING_TIME", now)

    def _fire(self, domain: str, until: int) -> None:
        timers = self.timers[domain]
        while due := sorted(timer for timer in timers if timer[0] <= until):
            for time, key in due:
                timers.remove((time, key))
                if time % 7 == 0 and domain == "EVENT_TIME":
                    timers.add((time + 5, key))
                total = sum(self.lists.get(key, ()))
                stamp = time if domain == "EVENT_TIME" else NO_TIMESTAMP
                self.out.append((None, (key, "timer", domain, time, total, self.watermark), stamp))


@dataclass
class Folding:
    """Folds the elements of each key; emits every intermediate result, or only the last ones."""

    fold: Callable[[Value, Value], Value]
    last_only: bool
    out: Output = field(default_factory=list)
    folds: dict[str, Value] = field(default_factory=dict)

    def element(self, side: int, value: Value, timestamp: int, now: int) -> None:
        key = value[0]
        self.folds[key] = self.fold(self.folds[key], value) if key in self.folds else value
        if not self.last_only:
            self.out.append((None, self.folds[key], timestamp))

    def advance(self, watermark: int, now: int) -> None:
        if self.last_only:
            self.out += [(None, fold, MAX_WATERMARK) for fold in self.folds.values()]

    def tick(self, now: int) -> None:
        pass


@dataclass
class Windows:
    """Collects elements in event-time windows; results consist of key, window and elements."""

    windows: FixedWindows | Sessions
    gap: int
    everything: bool
    result: Callable[[str, int, int, list[Value]], Any]
    out: Output = field(default_factory=list)

    def element(self, side: int, value: Value, timestamp: int, now: int) -> None:
        key = "all" if self.everything else value[0]
        if isinstance(self.windows, Sessions):
            self.windows.add(key, timestamp, value, self.gap)
        else:
            self.windows.add(key, timestamp, value)
        self._take()

    def advance(self, watermark: int, now: int) -> None:
        self.windows.advance(watermark)
        self._take()

    def tick(self, now: int) -> None:
        pass

    def _take(self) -> None:
        for key, (start, end), values in self.windows.fired:
            self.out.append((None, self.result(key, start, end, values), end - 1))
        self.out += [("late", value, value[1]) for value in self.windows.late]
        self.windows.fired.clear()
        self.windows.late.clear()
