"""Random programs: their parts, how pystream runs them, and the models of their results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial, reduce
from random import Random
from typing import Any

from pystream.common import Configuration, Duration, Types, WatermarkStrategy
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import DataStream, OutputTag, StreamExecutionEnvironment
from pystream.datastream.window import (
    EventTimeSessionWindows,
    SlidingEventTimeWindows,
    TumblingEventTimeWindows,
)
from pystream.engine.time.watermark_generators import WatermarkGenerator, WatermarkOutput
from pystream.field_aggregations import AggregationKind
from pystream.hosts.lowering import Stage, lower
from pystream.plan.nodes import CollectTarget
from tests.simulation.functions import (
    LATE,
    SIDE,
    CoInterpreter,
    Gather,
    GatherAll,
    Interpreter,
    Stamp,
    SumAndCount,
    combined,
    joined,
)
from tests.simulation.models import Folding, Interpreting, Model, Value, Windows
from tests.simulation.pane_programs import Drawn, by_clock, by_number, triggered
from tests.unit.engine.windows.model import FixedWindows, Sessions
from typeinfo.info import TypeInformation

__all__ = [
    "ELEMENT",
    "KINDS",
    "SHAPES",
    "Program",
    "Shape",
    "Source",
    "random_program",
    "random_source",
    "timed",
]

ORDERS = ("note", "put", "clear", "side", "time", "event timer", "clock timer", "drop timers")
ELEMENT = Types.TUPLE([Types.STRING(), Types.LONG(), Types.STRING(), Types.LONG(), Types.LONG()])


@dataclass(frozen=True)
class Source:
    """A stream of the program, up to its watermarks.

    Attributes:
        elements: in the order they are read.
        typed: whether their type is declared.
        before: the functions between the source and its watermarks.
        spread: the partitioning between the source and them, if any.
        parallelism: how many subtasks assign watermarks.
        bound: how far out of order elements may be, or ``None`` for no watermarks.
        punctuated: whether watermarks come behind certain elements, not from time to time.
    """

    elements: list[Value]
    typed: bool
    before: tuple[str, ...]
    spread: str | None
    parallelism: int
    bound: int | None
    punctuated: bool

    @cached_property
    def disorder(self) -> int:
        """How far an element is behind the latest before it, at most."""
        highest, most = -(2**63), 0
        for element in self.elements:
            highest = max(highest, element[1])
            most = max(most, highest - element[1])
        return most


@dataclass(frozen=True)
class Program:
    """A program, lowered, and its model.

    Attributes:
        sources: what it reads.
        shape: what it does with that, in words.
        stages: its tasks.
        stage: the one with keys.
        ends: for each tag the edge on which its results come to the driver, with their event times.
        make: makes the model of one of its subtasks.
        batch: whether it runs as in batch execution.
        exact: whether results of different keys come in an order that is promised.
        again: the stage that windows the results once more, and the edge of its results.
        windows: makes the model of its windows, if it has any.
    """

    sources: tuple[Source, ...]
    shape: str
    stages: list[Stage]
    stage: Stage
    ends: dict[str | None, int]
    make: Callable[[], Model]
    batch: bool
    exact: bool
    again: tuple[Stage, int] | None
    windows: Callable[[], Windows] | None

    def key_of(self, value: Value) -> str:
        """Return the key by which the keyed stage partitions an element."""
        return "all" if self.stage.task.max_parallelism == 1 else value[0]

    def __str__(self) -> str:
        lines = [f"{'BATCH' if self.batch else 'STREAMING'} {self.shape}"]
        for source in self.sources:
            lines.append(
                f"  source: {'typed' if source.typed else 'pickled'}, {source.before},"
                f" spread={source.spread}, parallelism={source.parallelism}, bound={source.bound},"
                f" punctuated={source.punctuated}"
            )
            lines += [f"    {element}" for element in source.elements]
        return "\n".join(lines)


@dataclass(frozen=True)
class Shape:
    """An operation on the keyed stream: its results, their side output, and the model."""

    text: str
    bare: DataStream[Any]
    main: DataStream[Any]
    side: tuple[str, DataStream[Any]] | None
    make: Callable[[], Model]
    exact: bool
    windows: Callable[[], Windows] | None = None


class _Time(TimestampAssigner):
    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        return int(value[1])


class Punctuated(WatermarkGenerator):
    """Stays a fixed time behind the highest timestamp, and emits a watermark at marked elements."""

    def __init__(self, bound: int) -> None:
        self.bound = bound
        self.highest = -(2**62)

    def on_event(self, event: Any, event_timestamp: int, output: WatermarkOutput) -> None:
        self.highest = max(self.highest, event_timestamp)
        if marked(event):
            output.emit_watermark(self.highest - self.bound - 1)

    def on_periodic_emit(self, output: WatermarkOutput) -> None:
        pass


def marked(value: Value) -> bool:
    return value[4] % 3 == 0


def prepared(values: list[Value], before: tuple[str, ...]) -> list[Value]:
    """Return elements as the functions between a source and its watermarks change them."""
    for name in before:
        match name:
            case "map":
                values = [moved(value) for value in values]
            case "filter":
                values = [value for value in values if wanted(value)]
            case "flat_map":
                values = [copy for value in values for copy in copies(value)]
    return values


def moved(value: Value) -> Value:
    return value[0], value[1] - 3, *value[2:]


def wanted(value: Value) -> bool:
    return value[4] % 5 != 0


def copies(value: Value) -> list[Value]:
    return [value] * (value[4] % 3)


def key_of(value: Any) -> str:
    return str(value[0])


def random_program(random: Random) -> Program:
    """Draw a program."""
    batch = random.random() < 0.3
    configuration = Configuration()
    configuration.set_string("execution.runtime-mode", "BATCH" if batch else "STREAMING")
    environment = StreamExecutionEnvironment(configuration)
    environment.set_parallelism(random.randint(1, 4))
    environment.set_max_parallelism(random.choice([4, 5, 128]))
    if random.random() < 0.2:
        environment.disable_operator_chaining()
    kind = random.choice(KINDS)
    count = 2 if kind == "connect" else random.choice([1, 1, 2, 3])
    typed = random.random() < 0.5
    sources = tuple(random_source(random, typed) for _ in range(count))
    streams = [timed(_read(environment, source), source) for source in sources]
    shape = SHAPES[kind]
    drawn = shape(random, streams, batch)
    sinks: dict[str | None, int] = {None: _collected(drawn.main)}
    if drawn.side is not None:
        sinks[drawn.side[0]] = _collected(drawn.side[1])
    again = None
    if kind == "window" and random.random() < 0.5:
        windowed = drawn.bare.key_by(key_of, Types.STRING()).window(TumblingEventTimeWindows(100, 0))
        again = _collected(windowed.apply(Gather()))
    plan = environment._request([*sinks.values(), *([] if again is None else [again])], None).plan
    stages = lower(plan, batch=batch)
    edges = {node.id: edge for stage in stages for edge, node in stage.sinks}
    keyed = [stage for stage in stages if getattr(stage.task.consumers[0], "keys", ())]
    return Program(
        sources=sources,
        shape=drawn.text,
        stages=stages,
        stage=keyed[0],
        ends={tag: edges[sink] for tag, sink in sinks.items()},
        make=drawn.make,
        batch=batch,
        exact=drawn.exact and not batch,
        again=None if again is None else (keyed[1], edges[again]),
        windows=drawn.windows,
    )


def random_source(random: Random, typed: bool) -> Source:
    keys = "abcdefgh"[: random.randint(1, 8)]
    time, step = random.randrange(-100, 100), random.choice([1, 3, 10])
    disorder = random.choice([0, 3, 20, 50])
    elements: list[Value] = []
    for id in range(random.choice([0, 1, 5, 20, 60])):
        time += random.randrange(step + 1) + (random.random() < 0.05) * random.randrange(200)
        element = (
            random.choice(keys),
            time - random.randrange(disorder + 1),
            random.choice(ORDERS),
            random.randrange(-10, 40),
            id,
        )
        elements += [element] * (1 + (random.random() < 0.05))
    before = [name for name in ("map", "filter", "flat_map") if random.random() < 0.2]
    random.shuffle(before)
    return Source(
        elements=elements,
        typed=typed,
        before=tuple(before),
        spread=random.choice([None, "rebalance", "shuffle", "rescale", "global_"]),
        parallelism=random.randint(1, 4),
        bound=random.choice([None, 0, 0, 3, 20, 50]),
        punctuated=random.random() < 0.3,
    )


def _read(environment: StreamExecutionEnvironment, source: Source) -> DataStream[Any]:
    return environment.from_collection(list(source.elements), ELEMENT if source.typed else None)


def timed(stream: DataStream[Any], source: Source) -> DataStream[Any]:
    """Return the stream of a source with its partitioning, functions and watermarks."""
    if source.spread is not None:
        stream = getattr(stream, source.spread)()
    output_type: TypeInformation[Any] = ELEMENT if source.typed else Types.PICKLED_BYTE_ARRAY()
    for name in source.before:
        match name:
            case "map":
                stream = stream.map(moved, output_type).set_parallelism(source.parallelism)
            case "filter":
                stream = stream.filter(wanted).set_parallelism(source.parallelism)
            case "flat_map":
                stream = stream.flat_map(copies, output_type).set_parallelism(source.parallelism)
    strategy = WatermarkStrategy.no_watermarks()
    if source.bound is not None:
        strategy = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_millis(source.bound))
        if source.punctuated:
            strategy = WatermarkStrategy.for_generator(partial(Punctuated, source.bound))
    marked = stream.assign_timestamps_and_watermarks(strategy.with_timestamp_assigner(_Time()))
    return marked.set_parallelism(source.parallelism)


def _collected(stream: DataStream[Any]) -> int:
    return stream._target("Collect", CollectTarget(None))


def _stamped(result: DataStream[Any], tag: OutputTag[Any] | None = None) -> DataStream[Any]:
    stream = result if tag is None else result.get_side_output(tag)
    return stream.process(Stamp()).set_parallelism(result.get_parallelism())


def _united(streams: list[DataStream[Any]]) -> DataStream[Any]:
    return streams[0].union(*streams[1:]) if len(streams) > 1 else streams[0]


def _process(random: Random, streams: list[DataStream[Any]], batch: bool) -> Shape:
    result = _united(streams).key_by(key_of, Types.STRING()).process(Interpreter())
    side = "side", _stamped(result, SIDE)
    return Shape("process", result, _stamped(result), side, Interpreting, exact=True)


def _connect(random: Random, streams: list[DataStream[Any]], batch: bool) -> Shape:
    first, second = streams
    connected = first.connect(second).key_by(key_of, key_of, Types.STRING())
    result = connected.process(CoInterpreter())
    side = "side", _stamped(result, SIDE)
    return Shape("connect", result, _stamped(result), side, Interpreting, exact=True)


@dataclass(frozen=True)
class _Aggregating:
    """The definitions of the rolling aggregations of a field, given by its position."""

    kind: AggregationKind

    def __call__(self, a: Value, b: Value) -> Value:
        match self.kind:
            case "sum":
                return *a[:3], a[3] + b[3], a[4]
            case "min":
                return *a[:3], min(a[3], b[3]), a[4]
            case "max":
                return *a[:3], max(a[3], b[3]), a[4]
            case "min_by":
                return b if b[3] < a[3] else a
            case "max_by":
                return b if b[3] > a[3] else a


def _fold(random: Random, streams: list[DataStream[Any]], batch: bool) -> Shape:
    keyed = _united(streams).key_by(key_of, Types.STRING())
    kinds: tuple[AggregationKind, ...] = ("sum", "min", "max", "min_by", "max_by")
    kind: AggregationKind | None = random.choice([None, None, None, *kinds])
    fold: Callable[[Value, Value], Value] = joined
    result = keyed.reduce(joined)
    if kind is not None:
        fold, result = _Aggregating(kind), getattr(keyed, kind)(3)
    text = f"fold by {kind or 'joined'}"
    return Shape(text, result, _stamped(result), None, lambda: Folding(fold, batch), exact=True)


def _window(random: Random, streams: list[DataStream[Any]], batch: bool) -> Shape:
    size, slide = random.choice([1, 5, 12, 40]), random.choice([1, 4, 5, 12, 30])
    lateness = random.choice([0, 0, 3, 20])
    offset = random.randrange(size)
    kind = random.choice(["tumbling", "sliding", "session"])
    everything = random.random() < 0.2
    stream = _united(streams)
    assigner: Any = {
        "tumbling": TumblingEventTimeWindows(size, offset),
        "sliding": SlidingEventTimeWindows(size, slide, offset % slide),
        "session": EventTimeSessionWindows(size),
    }[kind]
    windowed: Any = (
        stream.window_all(assigner) if everything else stream.key_by(key_of, Types.STRING()).window(assigner)
    )
    windowed = windowed.allowed_lateness(lateness)
    late = random.random() < 0.6
    if late:
        windowed = windowed.side_output_late_data(LATE)
    call = random.choice(["apply", "reduce", "bare", "aggregate"])
    gather: Any = GatherAll() if everything else Gather()
    match call:
        case "apply":
            result = windowed.apply(gather)
        case "reduce":
            result = windowed.reduce(combined, gather)
        case "bare":
            result = windowed.reduce(combined)
        case _:
            result = windowed.aggregate(SumAndCount(), gather)

    def make() -> Windows:
        model: FixedWindows | Sessions = Sessions(lateness)
        if kind == "tumbling":
            model = FixedWindows(size, size, offset, lateness)
        if kind == "sliding":
            model = FixedWindows(size, slide, offset % slide, lateness)
        return Windows(model, size, everything, RESULTS[call])

    text = f"{kind} windows {size=} {slide=} {offset=} {lateness=} {everything=} {call}"
    side = ("late", _stamped(result, LATE)) if late else None
    return Shape(text, result, _stamped(result), side, make, exact=True, windows=make)


def _drawn(
    draw: Callable[[Random, DataStream[Any]], Drawn],
    random: Random,
    streams: list[DataStream[Any]],
    batch: bool,
) -> Shape:
    drawn = draw(random, _united(streams))
    side = ("late", _stamped(drawn.result, LATE)) if drawn.late else None
    return Shape(drawn.text, drawn.result, _stamped(drawn.result), side, drawn.make, exact=True)


SHAPES: dict[str, Callable[[Random, list[DataStream[Any]], bool], Shape]] = {
    "process": _process,
    "connect": _connect,
    "fold": _fold,
    "window": _window,
    "window by clock": partial(_drawn, by_clock),
    "window by number": partial(_drawn, by_number),
    "triggered window": partial(_drawn, triggered),
}
KINDS = (
    *("process", "process", "connect", "fold", "window", "window", "window"),
    *("window by clock", "window by number", "triggered window", "triggered window"),
)


def _all(key: str, start: int, end: int, values: list[Value]) -> Any:
    return key, start, end, tuple(values)


def _reduced(key: str, start: int, end: int, values: list[Value]) -> Any:
    return key, start, end, (reduce(combined, values),)


def _bare(key: str, start: int, end: int, values: list[Value]) -> Any:
    return reduce(combined, values)


def _summed(key: str, start: int, end: int, values: list[Value]) -> Any:
    return key, start, end, ((sum(value[3] for value in values), len(values)),)


_Result = Callable[[str, int, int, list[Value]], Any]
RESULTS: dict[str, _Result] = {"apply": _all, "reduce": _reduced, "bare": _bare, "aggregate": _summed}
