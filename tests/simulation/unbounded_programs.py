"""Random unbounded programs: sources that give their elements over epochs, and several keyed stages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from random import Random
from typing import Any

from pystream.common import Time, Types
from pystream.datastream import DataStream, OutputTag, StreamExecutionEnvironment
from pystream.datastream.window import TumblingEventTimeWindows
from pystream.engine.connectors.interfaces import Poll
from pystream.hosts.job_request import JobRequest
from pystream.kinds import SourceColumns
from pystream.plan.nodes import CollectTarget
from tests.simulation.functions import LATE, SIDE, Gather, Value
from tests.simulation.programs import ELEMENT, KINDS, SHAPES, Source, key_of, random_source, timed
from tests.simulation.recording_sink import RecordingSink
from tests.simulation.unbounded_functions import RULES, AllStates, Numbered, Paired, Ruled

__all__ = ["Drawn", "Epochs", "ScriptedSource", "draw"]

Piece = tuple[int, tuple[tuple[Value, ...], ...]]
"""What arrives at once: its time, and its splits."""


class Epochs(Enum):
    """How a program depends on epochs.

    The results of plain programs, with one source and no parallelism, do not depend on them: they are the
    same if all elements come in ONE, and if they come in SEVERAL. Other programs depend on epochs AND_CLOCK.
    """

    ONE = "one"
    SEVERAL = "several"
    AND_CLOCK = "and clock"


@dataclass(frozen=True)
class ScriptedSource:
    """A source that gives one piece an epoch, from the time of the piece on.

    Attributes:
        pieces: the pieces in order of time.
    """

    pieces: tuple[Piece, ...]
    first_limit = 1
    is_bounded = False
    columns = SourceColumns.NONE

    def enumerator(
        self, parallelism: int, position: int | None = None, changes: Sequence[int] = ()
    ) -> ScriptedEnumerator:
        return ScriptedEnumerator(self, parallelism, (position or 0) + sum(changes))

    def read(self, split: tuple[Value, ...]) -> Iterator[list[Value]]:
        yield list(split)


class ScriptedEnumerator:
    """Gives the pieces of a source from a position on.

    Args:
        source: the source.
        parallelism: number of subtasks.
        position: the number of pieces given before.
    """

    def __init__(self, source: ScriptedSource, parallelism: int, position: int) -> None:
        self._pieces = source.pieces
        self._parallelism = parallelism
        self._position = position

    @property
    def is_ended(self) -> bool:
        return self._position == len(self._pieces)

    def poll(self, now: int, limit: int) -> Poll | None:
        if self.is_ended or self._pieces[self._position][0] > now:
            return None
        splits = self._pieces[self._position][1]
        self._position += 1
        shares = [list(splits[subtask :: self._parallelism]) for subtask in range(self._parallelism)]
        return Poll(shares, len(splits), 1)

    def next_poll(self, now: int) -> int | None:
        return None if self.is_ended else self._pieces[self._position][0]

    def backlog(self, now: int) -> None:
        pass

    def snapshot(self) -> int:
        return self._position

    def completed(self) -> None:
        pass

    def close(self) -> None:
        pass


@dataclass(frozen=True)
class Drawn:
    """A program of a seed.

    Attributes:
        text: what it is, in words.
        request: the job.
        collected: the ids of its collecting sinks by name.
    """

    text: str
    request: JobRequest
    collected: Mapping[str, int]


@dataclass(frozen=True)
class _Result:
    """A stream of results, and its side output."""

    text: str
    stream: DataStream[Any]
    tag: OutputTag[Any] | None = None


def draw(
    seed: int,
    environment: StreamExecutionEnvironment,
    epochs: Epochs = Epochs.AND_CLOCK,
    first_epoch: int = 0,
) -> Drawn:
    """Draw the program of a seed; its results also go to sinks that record them.

    Args:
        seed: the seed.
        environment: a new environment, with the settings of the job.
        epochs: how the program depends on epochs.
        first_epoch: what sinks add to the numbers of epochs.
    """
    is_plain = epochs is not Epochs.AND_CLOCK
    random = Random(seed)
    parallelism = 1 if is_plain else random.randint(1, 3)
    environment.set_parallelism(parallelism)
    environment.set_max_parallelism(random.choice([4, 5, 128]))
    if random.random() < 0.2:
        environment.disable_operator_chaining()
    kind = random.choice(_PLAIN if is_plain else [*_OTHERS, *_OTHERS, *KINDS])
    count = (
        1
        if is_plain
        else 2
        if kind in ("connect", "broadcast", "interval join", "join")
        else random.choice([1, 1, 2])
    )
    typed = random.random() < 0.5
    streams = []
    lines = []
    for number in range(count):
        source = _cut(random_source(random, typed), is_plain=is_plain)
        scripted = _scripted(random, source, at_once=epochs is Epochs.ONE)
        lines += [f"  source {number}: {source}", f"    {scripted}"]
        type_info = ELEMENT if typed else Types.PICKLED_BYTE_ARRAY()
        stream = environment._source(f"source {number}", scripted, type_info, "the simulation")
        streams.append(timed(stream, source))
    result = _OTHERS[kind](random, streams) if kind in _OTHERS else _shape(kind, random, streams)
    results = {f"read {number}": stream for number, stream in enumerate(streams)}
    results["main"] = result.stream
    if result.tag is not None:
        results["side"] = result.stream.get_side_output(result.tag)
    text = f"{kind}: {result.text}"
    last = result.stream
    for stage in range(random.choice([0, 0, 1, 1, 2])):
        keyed = last.key_by(key_of, Types.STRING())
        if random.random() < 0.5 or kind not in _TIMED:
            last = keyed.process(Numbered())
            text += ", numbered"
        else:
            size = random.choice([1, 10, 100])
            last = keyed.window(TumblingEventTimeWindows(size, 0)).apply(Gather())
            text += f", in windows of {size}"
        results[f"stage {stage}"] = last
    collected = {name: stream._target(name, CollectTarget(None)) for name, stream in results.items()}
    sinks = [stream._target(name, RecordingSink(name, first_epoch)) for name, stream in results.items()]
    request = environment._request([*collected.values(), *sinks], "simulation")
    return Drawn("\n".join([f"{text}, {parallelism=}", *lines]), request, collected)


def _cut(source: Source, *, is_plain: bool) -> Source:
    """Return a source of a bounded length; a plain one keeps to one subtask, and out of processing time."""
    elements = source.elements[:_LONGEST]
    if not is_plain:
        return replace(source, elements=elements)
    elements = [(*e[:2], "note" if e[2] == "clock timer" else e[2], *e[3:]) for e in elements]
    return replace(source, elements=elements, parallelism=1, spread=None)


def _scripted(random: Random, source: Source, *, at_once: bool) -> ScriptedSource:
    """Divide elements into pieces that come over time; the last piece is empty and ends the source."""
    elements = list(source.elements)
    pieces: list[Piece] = []
    time = random.randrange(50)
    size = random.choice([1, 3, 10, 100])
    while elements:
        splits: list[tuple[Value, ...]] = []
        for _ in range(random.choice([1, 1, 2, 3])):
            length = random.randint(0, size)
            splits.append(tuple(elements[:length]))
            del elements[:length]
        pieces.append((time, tuple(splits)))
        time += random.choice([0, 0, 1, 7, 30])
    pieces.append((time + random.choice([0, 50, 200]), ()))
    if at_once:
        return ScriptedSource(((0, (tuple(source.elements),)),))
    return ScriptedSource(tuple(pieces))


def _shape(kind: str, random: Random, streams: list[DataStream[Any]]) -> _Result:
    shape = SHAPES[kind](random, streams, False)
    tag = {None: None, "side": SIDE, "late": LATE}[None if shape.side is None else shape.side[0]]
    return _Result(shape.text, shape.bare, tag)


def _keyed(stream: DataStream[Any]) -> Any:
    return stream.key_by(key_of, Types.STRING())


def _states(random: Random, streams: list[DataStream[Any]]) -> _Result:
    united = streams[0].union(*streams[1:]) if len(streams) > 1 else streams[0]
    return _Result("state of all kinds", _keyed(united).process(AllStates()), SIDE)


def _broadcast(random: Random, streams: list[DataStream[Any]]) -> _Result:
    connected = _keyed(streams[0]).connect(streams[1].broadcast(RULES))
    return _Result("rules", connected.process(Ruled()), SIDE)


def _interval_join(random: Random, streams: list[DataStream[Any]]) -> _Result:
    low = random.choice([-20, -5, 0])
    high = low + random.choice([1, 10, 40])
    joined = _keyed(streams[0]).interval_join(_keyed(streams[1]))
    result = joined.between(Time.milliseconds(low), Time.milliseconds(high)).process(Paired())
    return _Result(f"from {low} to {high}", result)


def _window_join(random: Random, streams: list[DataStream[Any]]) -> _Result:
    size = random.choice([5, 20, 100])
    joined = streams[0].join(streams[1]).where(key_of, Types.STRING()).equal_to(key_of)
    result = joined.window(TumblingEventTimeWindows(size, 0)).apply(lambda a, b: (a[0], "joined", a[4], b[4]))
    return _Result(f"in windows of {size}", result)


_LONGEST = 25  # elements of a source
_PLAIN = ("process", "fold", "window", "window by number", "triggered window")
_TIMED = ("fold", "window", "interval join", "join")  # whose results all have event times
_OTHERS: dict[str, Callable[[Random, list[DataStream[Any]]], _Result]] = {
    "states": _states,
    "broadcast": _broadcast,
    "interval join": _interval_join,
    "join": _window_join,
}
