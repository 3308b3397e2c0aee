"""Random processing-time and count windows, and windows with other triggers and evictors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from pystream.common import Types
from pystream.datastream import DataStream, WindowFunction
from pystream.datastream.window import (
    ContinuousEventTimeTrigger,
    CountTrigger,
    EventTimeTrigger,
    GlobalWindows,
    ProcessingTimeSessionWindows,
    PurgingTrigger,
    SlidingEventTimeWindows,
    SlidingProcessingTimeWindows,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
)
from pystream.engine.events import MAX_WATERMARK, NO_TIMESTAMP
from pystream.engine.windows.evictors import CountEvictor, TimeEvictor
from tests.simulation.functions import LATE, Gather
from tests.simulation.models import Model, Value
from tests.simulation.panes import ByClock, Counting, Panes, Timed
from tests.unit.engine.windows.model import FixedWindows, Sessions

__all__ = ["Drawn", "by_clock", "by_number", "triggered"]


@dataclass(frozen=True)
class Drawn:
    """Windows of a keyed stream, and their model.

    Attributes:
        text: what they are, in words.
        result: what pystream makes of them.
        late: whether late elements go to a side output.
        make: makes the model.
    """

    text: str
    result: DataStream[Any]
    late: bool
    make: Callable[[], Model]


class Listed(WindowFunction[Any, Any, str, Any]):
    """Gives key, end and all that the window holds, in order."""

    def apply(self, key: str, window: Any, inputs: Iterable[Any]) -> Iterator[Any]:
        yield listed(key, window.max_timestamp(), list(inputs))


def listed(key: str, end: int, values: list[Value]) -> Any:
    return key, "pane", end, tuple(values)


def key_of(value: Any) -> str:
    return str(value[0])


def by_clock(random: Random, stream: DataStream[Any]) -> Drawn:
    """Draw tumbling, sliding or session windows of processing time."""
    keyed = stream.key_by(key_of, Types.STRING())
    size, slide = random.choice([1, 5, 40, 100]), random.choice([1, 4, 30])
    offset = random.randrange(size)
    match random.choice(["tumbling", "sliding", "session"]):
        case "tumbling":
            windowed = keyed.window(TumblingProcessingTimeWindows(size, offset))
            windows = FixedWindows(size, size, offset, 0).windows
        case "sliding":
            windowed = keyed.window(SlidingProcessingTimeWindows(size, slide, offset % slide))
            windows = FixedWindows(size, slide, offset % slide, 0).windows
        case _:
            gap = size + 1
            sessions = keyed.window(ProcessingTimeSessionWindows(gap)).apply(Gather())
            return Drawn(f"sessions by the clock {gap=}", sessions, False, partial(_sessions, gap))
    text = f"{windowed._assigner!r}"
    make = partial(Panes, windows, False, "end", 0, False, 0, _all, _all, listed)
    return Drawn(text, windowed.apply(Listed()), False, make)


def _sessions(gap: int) -> Model:
    return ByClock(Sessions(0), gap, False, _gathered)


def _gathered(key: str, start: int, end: int, values: list[Value]) -> Any:
    return key, start, end, tuple(values)


def by_number(random: Random, stream: DataStream[Any]) -> Drawn:
    """Draw tumbling or sliding windows of a number of elements."""
    size, slide = random.choice([1, 2, 5]), random.choice([0, 1, 2, 3, 7])
    result = stream.key_by(key_of, Types.STRING()).count_window(size, slide).apply(Listed())
    make = partial(Counting, size, slide or size, listed)
    return Drawn(f"count windows {size=} {slide=}", result, False, make)


def triggered(random: Random, stream: DataStream[Any]) -> Drawn:
    """Draw windows of event time, or the one of all times, with a trigger and an evictor."""
    size, slide = random.choice([5, 12, 40]), random.choice([1, 4, 12, 30])
    lateness = random.choice([0, 0, 3, 20])
    kind = random.choice(["tumbling", "sliding", "global"])
    trigger_kind = "count" if kind == "global" else random.choice(["end", "count", "continuous"])
    number = random.choice([1, 2, 3, 7])
    trigger: Any = {
        "end": EventTimeTrigger(),
        "count": CountTrigger.of(number),
        "continuous": ContinuousEventTimeTrigger(number),
    }[trigger_kind]
    purges = random.random() < 0.4
    assigner: Any = {
        "tumbling": TumblingEventTimeWindows(size, 0),
        "sliding": SlidingEventTimeWindows(size, slide, 0),
        "global": GlobalWindows(),
    }[kind]
    keyed: Any = stream.key_by(key_of, Types.STRING())
    windowed = keyed.window(assigner).trigger(PurgingTrigger.of(trigger) if purges else trigger)
    windowed = windowed.allowed_lateness(lateness)
    evictor, afterwards = random.choice(["", "count", "time"]), random.random() < 0.5
    kept = random.choice([1, 3, 10])
    evict = _all
    if evictor == "count":
        windowed, evict = windowed.evictor(CountEvictor.of(kept, afterwards)), partial(_last, kept)
    if evictor == "time":
        windowed, evict = windowed.evictor(TimeEvictor(kept, afterwards)), partial(_latest, kept)
    late = random.random() < 0.6
    if late:
        windowed = windowed.side_output_late_data(LATE)
    windows = FixedWindows(size, slide if kind == "sliding" else size, 0, lateness).windows
    make = partial(
        Panes,
        _always if kind == "global" else windows,
        kind != "global",
        trigger_kind,
        number,
        purges,
        lateness,
        _all if afterwards else evict,
        evict if afterwards else _all,
        listed,
    )
    text = f"{assigner!r} {trigger!r} {purges=} {lateness=} {evictor=} {kept=} {afterwards=}"
    return Drawn(text, windowed.apply(Listed()), late, make)


def _always(time: int) -> list[tuple[int, int]]:
    return [(NO_TIMESTAMP, MAX_WATERMARK + 1)]


def _all(elements: list[Timed]) -> list[Timed]:
    return elements


def _last(kept: int, elements: list[Timed]) -> list[Timed]:
    return elements[-kept:]


def _latest(kept: int, elements: list[Timed]) -> list[Timed]:
    latest = max(time for _, time in elements)
    return [element for element in elements if latest - element[1] < kept]
