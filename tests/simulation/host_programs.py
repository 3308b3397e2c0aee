"""Random programs whose results show which elements were late, to be run on both hosts.

Elements are of the form of ``models.Value``, some with long keys, so that exchanges send them in short rows.
Every result is a text, and all results of a program are one stream.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from pystream.common import Configuration, Duration, Types, WatermarkStrategy
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import (
    DataStream,
    KeyedProcessFunction,
    OutputTag,
    ProcessFunction,
    ProcessJoinFunction,
    SourceContext,
    SourceFunction,
    StreamExecutionEnvironment,
)
from pystream.datastream.window import (
    EventTimeSessionWindows,
    SlidingEventTimeWindows,
    TumblingEventTimeWindows,
)
from tests.simulation.functions import LATE, SIDE, CoInterpreter, Gather, GatherAll, Interpreter
from tests.simulation.models import Value
from tests.simulation.programs import Punctuated, copies, key_of, moved, wanted

__all__ = ["host_program", "unbounded_host_program"]

ELEMENT = Types.TUPLE([Types.STRING(), Types.LONG(), Types.STRING(), Types.LONG(), Types.LONG()])
_ORDERS = ("note", "put", "clear", "side", "time", "time", "event timer", "event timer", "drop timers")
_SPREADS = ("rebalance", "rescale", "shuffle", "global_")
_LONG_TEXT = " " * 30_000
_THIRDS = OutputTag("thirds", ELEMENT)


def host_program(random: Random, configuration: Configuration, *, pauses: bool) -> DataStream[str]:
    """Draw a bounded program, and return its results.

    Args:
        random: what decides.
        configuration: names the host.
        pauses: whether some elements take longer than others, which must not change the results.
    """
    env = _environment(random, configuration)
    drawing = _Drawing(env, random, pauses)
    return drawing.results([drawing.marked() for _ in range(random.choice([1, 1, 2, 3]))])


def unbounded_host_program(random: Random, configuration: Configuration, *, pauses: bool) -> DataStream[str]:
    """Draw an unbounded program, whose exchanges have one sender each: how senders mix is a matter of time.

    Args:
        random: what decides.
        configuration: names the host.
        pauses: whether elements come one by one, in epochs of their own.
    """
    env = _environment(random, configuration)
    drawing = _Drawing(env, random, pauses, one_sender=True)
    source = _Emitting(drawing.elements(), pauses)
    stream = env.add_source(source, type_info=ELEMENT).map(drawing.touched, ELEMENT).set_parallelism(1)
    return drawing.results([drawing.timed(stream, 1)])


def _environment(random: Random, configuration: Configuration) -> StreamExecutionEnvironment:
    configuration.set_string("pipeline.auto-watermark-interval", "0 ms")
    env = StreamExecutionEnvironment(configuration)
    env.set_parallelism(random.randint(1, 4))
    env.set_max_parallelism(random.choice([4, 5, 128]))
    if random.random() < 0.2:
        env.disable_operator_chaining()
    return env


@dataclass
class _Pausing:
    """Returns elements unchanged, some of them after a pause."""

    pauses: bool

    def __call__(self, value: Value) -> Value:
        if self.pauses and value[4] % 11 == 0:
            time.sleep(0.003)
        return value


@dataclass
class _Text:
    """Returns a result of an operator as text."""

    number: int

    def __call__(self, result: Any) -> str:
        return f"{self.number} {result}".replace(_LONG_TEXT, "…")


class _Emitting(SourceFunction[Value]):
    def __init__(self, elements: list[Value], pauses: bool) -> None:
        self.elements = elements
        self.pauses = pauses

    def run(self, ctx: SourceContext[Value], /) -> None:
        for number, element in enumerate(self.elements):
            ctx.collect(element)
            if self.pauses and number % 9 == 0:
                time.sleep(0.02)

    def cancel(self) -> None:
        pass


class _EventTime(TimestampAssigner[Value]):
    def extract_timestamp(self, value: Value, record_timestamp: int) -> int:
        return int(value[1])


class _Counting(KeyedProcessFunction[str, Value, Value]):
    """Passes elements on with the watermark, in the place of their number."""

    def process_element(self, value: Value, ctx: KeyedProcessFunction.Context) -> Iterator[Value]:
        late = ctx.timer_service().current_watermark() >= value[1]
        yield *value[:3], value[3] + 100 * late, value[4]


class _Split(ProcessFunction[Value, Value]):
    """Sends every third element to the side output, too."""

    def process_element(self, value: Value, ctx: ProcessFunction.Context) -> Iterator[Any]:
        if value[4] % 3 == 0:
            yield _THIRDS, value
        yield value


class _Pairs(ProcessJoinFunction[Value, Value, Any]):
    def process_element(self, left: Value, right: Value, ctx: ProcessJoinFunction.Context) -> Iterator[Any]:
        yield "pair", left[4], right[4], ctx.get_timestamp()


class _Drawing:
    """Draws the parts of a program.

    Args:
        env: its environment.
        random: what decides.
        pauses: whether some elements take longer than others.
        one_sender: whether it is unbounded, and operators have one input, which comes from one subtask.
    """

    def __init__(
        self, env: StreamExecutionEnvironment, random: Random, pauses: bool, *, one_sender: bool = False
    ) -> None:
        self.env = env
        self.random = random
        self.touched = _Pausing(pauses)
        self.one_sender = one_sender

    def parallelism(self) -> int:
        return self.random.randint(1, 4)

    def elements(self) -> list[Value]:
        random = self.random
        keys = "abcdefgh"[: random.randint(1, 8)]
        now, step, disorder = 0, random.choice([1, 3, 10]), random.choice([0, 3, 20, 50])
        end_of_key = random.choice(["", "", _LONG_TEXT])
        elements: list[Value] = []
        for id in range(100 if end_of_key else random.choice([0, 1, 5, 60, 200, 400])):
            now += random.randrange(step + 1) + (random.random() < 0.05) * random.randrange(200)
            order, number = random.choice(_ORDERS), random.randrange(-10, 40)
            moment = now - random.randrange(disorder + 1)
            elements.append((random.choice(keys) + end_of_key, moment, order, number, id))
        return elements

    def marked(self) -> DataStream[Value]:
        """Return a stream with times and watermarks, of one strategy or of two that meet again."""
        random = self.random
        stream = self.env.from_collection(self.elements(), random.choice([ELEMENT, None]))
        stream = self.prepared(stream.map(self.touched, ELEMENT).set_parallelism(self.parallelism()))
        if random.random() < 0.3:
            parallelism = random.choice([1, self.parallelism()])
            one, other = self.timed(stream, parallelism), self.timed(stream, parallelism)
            stream = one.union(other.map(moved, ELEMENT).set_parallelism(parallelism))
        else:
            stream = self.timed(stream, self.parallelism())
        return self.prepared(stream)

    def prepared(self, stream: DataStream[Value]) -> DataStream[Value]:
        """Return a stream after some functions and partitionings."""
        random = self.random
        for _ in range(random.choice([0, 0, 1, 2, 3])):
            step = random.choice(["map", "filter", "flat_map", "process", "split", "key", *_SPREADS])
            match step:
                case "map":
                    stream = stream.map(moved, ELEMENT)
                    if random.random() < 0.3:
                        stream = stream.disable_chaining()
                case "filter":
                    stream = stream.filter(wanted)
                case "flat_map":
                    stream = stream.flat_map(copies, ELEMENT)
                case "split":
                    split = stream.process(_Split(), ELEMENT).set_parallelism(self.parallelism())
                    stream = split.union(split.get_side_output(_THIRDS))
                    continue
                case "key" | "process":
                    stream = stream.key_by(key_of, Types.STRING()).process(_Counting(), ELEMENT)
                case _:
                    stream = getattr(stream, step)()
                    continue
            if random.random() < 0.5:
                stream.set_parallelism(self.parallelism())
        return stream

    def timed(self, stream: DataStream[Value], parallelism: int) -> DataStream[Value]:
        """Return a stream with event times and watermarks."""
        random = self.random
        bound = random.choice([0, 0, 3, 20])
        strategy: WatermarkStrategy[Value] = WatermarkStrategy.for_bounded_out_of_orderness(
            Duration.of_millis(bound)
        )
        if random.random() < 0.3:
            strategy = WatermarkStrategy.for_generator(partial(Punctuated, bound))
        timed = stream.assign_timestamps_and_watermarks(strategy.with_timestamp_assigner(_EventTime()))
        return timed.set_parallelism(parallelism)

    def results(self, streams: list[DataStream[Value]]) -> DataStream[str]:
        """Return the results of some operators of streams, all as text."""
        random = self.random
        stream = streams[0].union(*streams[1:]) if len(streams) > 1 else streams[0]
        draws = [self.windowed, self.windowed, self.windowed, self.processed]
        if not self.one_sender:
            draws += [self.connected, self.joined]
        results = random.choice(draws)(streams, stream)
        if not self.one_sender and random.random() < 0.3:
            keyed = results[0].key_by(key_of, Types.STRING())
            again = keyed.window(TumblingEventTimeWindows(100, 0)).side_output_late_data(LATE).apply(Gather())
            results += [again, again.get_side_output(LATE)]
        texts = [result.map(_Text(number), Types.STRING()) for number, result in enumerate(results)]
        return texts[0].union(*texts[1:]) if len(texts) > 1 else texts[0]

    def windowed(self, streams: list[DataStream[Any]], stream: DataStream[Any]) -> list[DataStream[Any]]:
        random = self.random
        size, slide = random.choice([5, 12, 40]), random.choice([4, 5, 12, 30])
        assigner: Any = random.choice(
            [
                TumblingEventTimeWindows(size, 0),
                SlidingEventTimeWindows(size, slide, 0),
                EventTimeSessionWindows(size),
            ]
        )
        is_keyed = random.random() < 0.8
        keyed: Any = (
            stream.key_by(key_of, Types.STRING()).window(assigner)
            if is_keyed
            else stream.window_all(assigner)
        )
        windowed = keyed.allowed_lateness(random.choice([0, 0, 3, 20])).side_output_late_data(LATE)
        result = windowed.apply(Gather() if is_keyed else GatherAll())
        if is_keyed:
            result = result.set_parallelism(self.parallelism())
        return [result, result.get_side_output(LATE)]

    def processed(self, streams: list[DataStream[Any]], stream: DataStream[Any]) -> list[DataStream[Any]]:
        interpreter = Interpreter(shows_watermarks=not self.one_sender)
        result = stream.key_by(key_of, Types.STRING()).process(interpreter)
        result = result.set_parallelism(self.parallelism())
        return [result, result.get_side_output(SIDE)]

    def connected(self, streams: list[DataStream[Any]], stream: DataStream[Any]) -> list[DataStream[Any]]:
        connected = streams[0].connect(stream if len(streams) == 1 else streams[1])
        result = connected.key_by(key_of, key_of, Types.STRING()).process(CoInterpreter())
        return [result.set_parallelism(self.parallelism()), result.get_side_output(SIDE)]

    def joined(self, streams: list[DataStream[Any]], stream: DataStream[Any]) -> list[DataStream[Any]]:
        left = streams[0].key_by(key_of, Types.STRING())
        right = (stream if len(streams) == 1 else streams[1]).key_by(key_of, Types.STRING())
        joined = left.interval_join(right).between(Duration.of_millis(-3), Duration.of_millis(5))
        result = joined.side_output_left_late_data(LATE).process(_Pairs())
        return [result, result.get_side_output(LATE)]
