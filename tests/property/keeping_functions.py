"""Functions that keep, change and emit again the elements that they received or emitted.

Each follows a script. An *isolated* function itself copies all that it receives and emits, which is the
intended meaning of a program: no function can see the changes made by another one.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pystream.common import Time, WatermarkStrategy
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import (
    AggregateFunction,
    AsyncDataStream,
    AsyncFunction,
    BroadcastProcessFunction,
    CoFlatMapFunction,
    CoMapFunction,
    CoProcessFunction,
    DataStream,
    FilterFunction,
    FlatMapFunction,
    KeyedBroadcastProcessFunction,
    KeyedCoProcessFunction,
    KeyedProcessFunction,
    MapFunction,
    OutputTag,
    ProcessFunction,
    ProcessJoinFunction,
    ProcessWindowFunction,
    ReduceFunction,
    WindowFunction,
)
from pystream.datastream.state import MapStateDescriptor
from pystream.datastream.window import (
    ContinuousEventTimeTrigger,
    CountTrigger,
    EventTimeSessionWindows,
    SlidingEventTimeWindows,
    TumblingEventTimeWindows,
)
from typeinfo import Row, Types
from typeinfo.info import TypeInformation

__all__ = ["KINDS", "SHAPES", "STEPS", "Script", "Shape", "thing"]


@dataclass
class Thing:
    n: int
    parts: list[int] = field(default_factory=list)


class Pair(NamedTuple):
    n: int
    parts: list[int]


Step = tuple[str, int]
"""An action, and the number of the object to which it is applied."""

Script = list[Step]
STEPS = (
    *("keep", "keep part", "change given", "change kept", "give", "give kept", "give mixed", "give fresh"),
    "give none",
)


class Shape(NamedTuple):
    make: Callable[[int], Any]
    type_info: TypeInformation[Any] | None


def thing(n: int) -> Thing:
    return Thing(n, [n])


LONGS = Types.LIST(Types.LONG())
SHAPES = {
    "list": Shape(lambda n: [n], Types.of(list[int] | None)),
    "lists": Shape(lambda n: [[n], [n, n]], Types.of(list[list[int]] | None)),
    "dict": Shape(lambda n: {n: [n]}, Types.of(dict[int, list[int]] | None)),
    "thing": Shape(thing, Types.of(Thing | None)),
    "things": Shape(lambda n: [thing(n)], Types.of(list[Thing] | None)),
    "pair": Shape(lambda n: Pair(n, [n]), Types.of(Pair | None)),
    "tuple": Shape(lambda n: (n, [n]), Types.of(tuple[int, list[int]] | None)),
    "row": Shape(lambda n: Row(n=n, m=n), Types.ROW_NAMED(["n", "m"], [Types.LONG(), Types.LONG()])),
    "deep row": Shape(lambda n: Row(n=n, parts=[n]), Types.ROW_NAMED(["n", "parts"], [Types.LONG(), LONGS])),
    "any list": Shape(lambda n: [n], None),
    "any row": Shape(lambda n: Row(n, [n]), None),
    "any set": Shape(lambda n: {n}, None),
    "any thing": Shape(thing, None),
    "any mix": Shape(lambda n: [n, {"a": {n}, "b": (n, [n], thing(n))}, bytearray(b"a")], None),
}


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, (list, tuple, Row)):
        yield from value
    elif isinstance(value, dict):
        yield from value.values()
    elif isinstance(value, Thing):
        yield from (value.n, value.parts)


def _changeable(value: Any) -> Iterator[Any]:
    if isinstance(value, (list, dict, set, bytearray, Row, Thing)):
        yield value
    for part in _parts(value):
        yield from _changeable(part)


def _change(value: Any, which: int, n: int) -> None:
    """Change a part of a value so that the value keeps its type."""
    parts = list(_changeable(value))
    if not parts:
        return
    part = parts[which % len(parts)]
    if isinstance(part, list):
        if all(isinstance(item, int) for item in part):
            part.append(n)
        else:
            part.reverse()
    elif isinstance(part, dict):
        part.update([part.popitem()] if "a" in part else [(n, [n])])
    elif isinstance(part, set):
        part.add(n)
    elif isinstance(part, bytearray):
        part.append(n % 256)
    elif isinstance(part, Row):
        part[0] = n
    else:
        part.n = n


def _mixed(one: Any, other: Any) -> Any:
    """Return a new value of parts of two."""
    if type(one) is not type(other):
        return one
    if isinstance(one, Row):
        return Row(other[0], one[1])
    if isinstance(one, tuple):
        return type(one)(*(other[0], one[1])) if isinstance(one, Pair) else (other[0], one[1])
    if isinstance(one, Thing):
        return Thing(other.n, one.parts)
    if isinstance(one, dict):
        return dict(list({**one, **other}.items())[-2:])
    if isinstance(one, list) and len(one) < 3:
        return [*one[:1], *other[-1:]]
    return one


def number_of(value: Any) -> int:
    """A key: the first number in a value."""
    if isinstance(value, int):
        return value % 2
    if isinstance(value, set):
        return min(value) % 2
    return next((number_of(part) for part in _parts(value)), 0)


SIDE = "side"


@dataclass
class Keeper:
    """Follows a script at each call.

    Attributes:
        kept: the last few objects that it received or emitted.
    """

    script: Script
    shape: Shape
    isolated: bool
    kept: list[Any] = field(default_factory=list)
    calls: int = 0

    def own(self, value: Any) -> Any:
        return copy.deepcopy(value) if self.isolated else value

    def each(self, *given: Any) -> Iterator[Any]:
        """Yield the results of the script for elements, none if there are no objects to apply it to."""
        self.calls += 1
        yield from self._followed([self.own(value) for value in given])

    def _followed(self, given: list[Any]) -> Iterator[Any]:
        for verb, which in self.script:
            held = self.kept if verb.endswith("kept") else given
            if not held and verb != "give fresh":
                continue
            value = held[which % len(held)] if held else None
            n = self.calls * 16 + which
            match verb:
                case "keep":
                    self.kept.append(value)
                case "keep part":
                    self.kept.append(_mixed(value, value))
                case "change given" | "change kept":
                    _change(value, which, n)
                case "give mixed":
                    self.kept.append(_mixed(self.kept[which % len(self.kept)] if self.kept else value, value))
                    yield self.kept[-1]
                case "give fresh":
                    self.kept.append(self.shape.make(n))
                    yield self.kept[-1]
                case "give none":
                    if self.shape.type_info is None or self.shape.type_info.admits_none():
                        yield None
                case _:
                    yield value
            del self.kept[:-4]

    def one(self, *given: Any) -> Any:
        self.calls += 1
        taken = [self.own(value) for value in given]
        return self.own(next(self._followed(taken), taken[0]))

    def several(self, *given: Any) -> list[Any]:
        return [self.own(result) for result in list(self.each(*given))]

    def lazily(self, *given: Any) -> Iterator[Any]:
        for result in self.each(*given):
            yield self.own(result)

    def tagged(self, *given: Any) -> Iterator[Any]:
        tag = side_of(self.shape)
        for number, result in enumerate(self.each(*given)):
            yield (tag, self.own(result)) if number % 2 else self.own(result)

    def lets_pass(self, value: Any) -> bool:
        """Apply the script to the element itself, which is passed on, and then forget it."""
        self.calls += 1
        for _ in self._followed([value]):
            pass
        self.kept = self.own(self.kept)
        return self.calls % 3 > 0


def side_of(shape: Shape) -> OutputTag[Any]:
    return OutputTag(SIDE, shape.type_info or Types.PICKLED_BYTE_ARRAY())


class Program(NamedTuple):
    """The ingredients of a program: a stream and functions for it."""

    stream: DataStream[Any]
    shape: Shape
    keeper: Callable[[], Keeper]

    @property
    def out(self) -> Any:
        return self.shape.type_info

    def with_side(self, results: Any) -> Any:
        return results.union(results.get_side_output(side_of(self.shape)))

    def keyed(self) -> Any:
        return self.stream.key_by(number_of, Types.LONG())

    def timed(self) -> Any:
        strategy: Any = WatermarkStrategy.for_monotonous_timestamps()
        return self.stream.assign_timestamps_and_watermarks(strategy.with_timestamp_assigner(Counting()))

    def timed_by_key(self) -> Any:
        return self.timed().key_by(number_of, Types.LONG())

    def other(self) -> Any:
        return self.stream.map(_itself, self.out)


def _itself(value: Any) -> Any:
    return value


class Counting(TimestampAssigner):
    def __init__(self) -> None:
        self.count = 0

    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        self.count += 1
        return self.count


class _Holding:
    def __init__(self, keeper: Keeper) -> None:
        self.keeper = keeper


class Mapping(_Holding, MapFunction[Any, Any]):
    def map(self, value: Any) -> Any:
        return self.keeper.one(value)


class Listing(_Holding, FlatMapFunction[Any, Any]):
    def flat_map(self, value: Any) -> Any:
        return self.keeper.several(value)


class Generating(_Holding, FlatMapFunction[Any, Any]):
    def flat_map(self, value: Any) -> Any:
        return self.keeper.lazily(value)


class Filtering(_Holding, FilterFunction[Any]):
    def filter(self, value: Any) -> bool:
        return self.keeper.lets_pass(value)


class Processing(_Holding, ProcessFunction[Any, Any]):
    def process_element(self, value: Any, ctx: Any) -> Any:
        return self.keeper.tagged(value)


class KeyedProcessing(_Holding, KeyedProcessFunction[Any, Any, Any]):
    def process_element(self, value: Any, ctx: Any) -> Any:
        ctx.timer_service().register_event_time_timer(ctx.timestamp() + 2)
        return self.keeper.tagged(value)

    def on_timer(self, timestamp: int, ctx: Any) -> Any:
        return self.keeper.tagged()


class CoMapping(_Holding, CoMapFunction[Any, Any, Any]):
    def map1(self, value: Any) -> Any:
        return self.keeper.one(value)

    def map2(self, value: Any) -> Any:
        return self.keeper.one(value)


class CoListing(_Holding, CoFlatMapFunction[Any, Any, Any]):
    def flat_map1(self, value: Any) -> Any:
        return self.keeper.lazily(value)

    def flat_map2(self, value: Any) -> Any:
        return self.keeper.several(value)


class CoProcessing(_Holding, CoProcessFunction[Any, Any, Any]):
    def process_element1(self, value: Any, ctx: Any) -> Any:
        return self.keeper.tagged(value)

    def process_element2(self, value: Any, ctx: Any) -> Any:
        return self.keeper.tagged(value)


class KeyedCoProcessing(_Holding, KeyedCoProcessFunction[Any, Any, Any, Any]):
    def process_element1(self, value: Any, ctx: Any) -> Any:
        return self.keeper.tagged(value)

    def process_element2(self, value: Any, ctx: Any) -> Any:
        return self.keeper.tagged(value)


class Broadcasting(_Holding, BroadcastProcessFunction[Any, Any, Any]):
    def process_element(self, value: Any, ctx: Any) -> Any:
        return self.keeper.tagged(value)

    def process_broadcast_element(self, value: Any, ctx: Any) -> Any:
        return self.keeper.tagged(value)


class KeyedBroadcasting(_Holding, KeyedBroadcastProcessFunction[Any, Any, Any, Any]):
    def process_element(self, value: Any, ctx: Any) -> Any:
        return self.keeper.tagged(value)

    def process_broadcast_element(self, value: Any, ctx: Any) -> Any:
        return self.keeper.tagged(value)


class Reducing(_Holding, ReduceFunction[Any]):
    """Changes the fold in place; it keeps nothing, as a fold is state and not copied."""

    def reduce(self, value1: Any, value2: Any) -> Any:
        keeper = self.keeper
        keeper.calls += 1
        one, other = keeper.own(value1), keeper.own(value2)
        for verb, which in keeper.script:
            if verb.startswith("change"):
                _change(one if verb == "change kept" else other, which, keeper.calls * 16 + which)
        mixing = any(verb == "give mixed" for verb, _ in keeper.script)
        return keeper.own(_mixed(one, other) if mixing else one)


class Aggregating(_Holding, AggregateFunction[Any, Any, Any]):
    """Has the last elements as its accumulator."""

    def create_accumulator(self) -> Any:
        return []

    def add(self, value: Any, accumulator: Any) -> Any:
        keeper = self.keeper
        keeper.calls += 1
        for verb, which in keeper.script:
            if verb == "change kept" and accumulator:
                _change(accumulator[which % len(accumulator)], which, keeper.calls * 16 + which)
        accumulator.append(keeper.own(value))
        return accumulator

    def get_result(self, accumulator: Any) -> Any:
        return self.keeper.own(accumulator[-1])

    def merge(self, acc_a: Any, acc_b: Any) -> Any:
        return acc_a + acc_b


class WindowProcessing(_Holding, ProcessWindowFunction[Any, Any, Any, Any]):
    def process(self, key: Any, context: Any, elements: Any) -> Any:
        return self.keeper.lazily(*elements)


class WindowApplying(_Holding, WindowFunction[Any, Any, Any, Any]):
    def apply(self, key: Any, window: Any, inputs: Any) -> Any:
        return self.keeper.several(*inputs)


class Joining(_Holding, ProcessJoinFunction[Any, Any, Any]):
    def process_element(self, left: Any, right: Any, ctx: Any) -> Any:
        return self.keeper.lazily(left, right)


class Awaiting(_Holding, AsyncFunction[Any, Any]):
    async def async_invoke(self, value: Any) -> Any:
        return self.keeper.several(value)

    def timeout(self, value: Any) -> Any:
        raise TimeoutError


def _pairs(p: Program) -> Any:
    keeper = p.keeper()
    joined: Any = p.timed().join(p.timed()).where(number_of).equal_to(number_of)
    return joined.window(TumblingEventTimeWindows.of(Time.milliseconds(4))).apply(
        lambda one, other: keeper.one(one, other), output_type=p.out
    )


def _groups(p: Program) -> Any:
    keeper = p.keeper()
    joined: Any = p.timed().co_group(p.timed()).where(number_of).equal_to(number_of)
    return joined.window(SlidingEventTimeWindows.of(Time.milliseconds(4), Time.milliseconds(2))).apply(
        lambda ones, others: keeper.lazily(*ones, *others), output_type=p.out
    )


def _interval(p: Program) -> Any:
    joined: Any = p.timed_by_key().interval_join(p.timed_by_key())
    return joined.between(Time.milliseconds(-2), Time.milliseconds(2)).process(Joining(p.keeper()), p.out)


def _loop(p: Program) -> Any:
    loop: Any = p.stream.map(_Fresh(), Types.TUPLE([Types.INT(), LONGS])).iterate()
    body = loop.map(_Aging(p.keeper().isolated), Types.TUPLE([Types.INT(), LONGS]))
    loop.close_with(body.filter(lambda pair: pair[0] < 3))
    return body


class _Fresh(MapFunction[Any, Any]):
    def map(self, value: Any) -> Any:
        return 0, [1]


class _Aging(MapFunction[Any, Any]):
    """Changes all lists it has seen."""

    def __init__(self, isolated: bool) -> None:
        self.isolated = isolated
        self.seen: list[list[int]] = []

    def map(self, value: Any) -> Any:
        age, longs = copy.deepcopy(value) if self.isolated else value
        self.seen.append(longs)
        for seen in self.seen:
            seen.append(age)
        return copy.deepcopy((age + 1, longs)) if self.isolated else (age + 1, longs)


def _broadcast(p: Program) -> Any:
    return p.other().broadcast(MapStateDescriptor("state", Types.LONG(), Types.LONG()))


_SLIDING = SlidingEventTimeWindows.of(Time.milliseconds(4), Time.milliseconds(2))
_TUMBLING = TumblingEventTimeWindows.of(Time.milliseconds(4))
_SESSIONS = EventTimeSessionWindows.with_gap(Time.milliseconds(2))

KINDS: dict[str, Callable[[Program], Any]] = {
    "map": lambda p: p.stream.map(Mapping(p.keeper()), p.out),
    "flat_map of lists": lambda p: p.stream.flat_map(Listing(p.keeper()), p.out),
    "flat_map of generators": lambda p: p.stream.flat_map(Generating(p.keeper()), p.out),
    "filter": lambda p: p.stream.filter(Filtering(p.keeper())),
    "process": lambda p: p.with_side(p.stream.process(Processing(p.keeper()), p.out)),
    "two of them": lambda p: p.stream.map(Mapping(p.keeper()), p.out).union(
        p.stream.flat_map(Generating(p.keeper()), p.out), p.stream.filter(Filtering(p.keeper()))
    ),
    "keyed map": lambda p: p.keyed().map(Mapping(p.keeper()), p.out),
    "keyed flat_map": lambda p: p.keyed().flat_map(Generating(p.keeper()), p.out),
    "keyed filter": lambda p: p.keyed().filter(Filtering(p.keeper())),
    "keyed process": lambda p: p.with_side(p.timed_by_key().process(KeyedProcessing(p.keeper()), p.out)),
    "reduce": lambda p: p.keyed().reduce(Reducing(p.keeper())),
    "co map": lambda p: p.stream.connect(p.other()).map(CoMapping(p.keeper()), p.out),
    "co flat_map": lambda p: p.stream.connect(p.other()).flat_map(CoListing(p.keeper()), p.out),
    "co process": lambda p: p.with_side(p.stream.connect(p.other()).process(CoProcessing(p.keeper()), p.out)),
    "keyed co process": lambda p: p.with_side(
        p.stream.connect(p.other())
        .key_by(number_of, number_of, Types.LONG())
        .process(KeyedCoProcessing(p.keeper()), p.out)
    ),
    "broadcast": lambda p: p.with_side(
        p.stream.connect(_broadcast(p)).process(Broadcasting(p.keeper()), p.out)
    ),
    "keyed broadcast": lambda p: p.with_side(
        p.keyed().connect(_broadcast(p)).process(KeyedBroadcasting(p.keeper()), p.out)
    ),
    "window reduce": lambda p: p.timed_by_key().window(_SLIDING).reduce(Reducing(p.keeper())),
    "window reduce, fired often": lambda p: (
        p.timed_by_key()
        .window(_TUMBLING)
        .trigger(CountTrigger.of(1))
        .reduce(Reducing(p.keeper()), WindowProcessing(p.keeper()), p.out)
    ),
    "window aggregate": lambda p: (
        p.timed_by_key().window(_SLIDING).aggregate(Aggregating(p.keeper()), output_type=p.out)
    ),
    "window process": lambda p: (
        p.timed_by_key().window(_SLIDING).process(WindowProcessing(p.keeper()), p.out)
    ),
    "window process, fired often": lambda p: (
        p.timed_by_key()
        .window(_SLIDING)
        .trigger(ContinuousEventTimeTrigger.of(Time.milliseconds(1)))
        .process(WindowProcessing(p.keeper()), p.out)
    ),
    "window apply": lambda p: p.timed_by_key().window(_SESSIONS).apply(WindowApplying(p.keeper()), p.out),
    "interval join": _interval,
    "window join": _pairs,
    "co group": _groups,
    "async": lambda p: AsyncDataStream.ordered_wait(
        p.stream, Awaiting(p.keeper()), Time.seconds(60), 1, output_type=p.out
    ),
    "iterate": _loop,
}
