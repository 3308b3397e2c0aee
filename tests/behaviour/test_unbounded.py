"""Unbounded programs, which run on both hosts with the same results: operators, partitioning, time and state.

Each job runs many pipelines over sources whose elements arrive in several epochs, and ends with them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from pystream.common import Duration, Row, Time, Types, WatermarkStrategy
from pystream.common.watermark_strategy import TimestampAssigner, WatermarkGenerator
from pystream.datastream import (
    AsyncDataStream,
    AsyncFunction,
    BroadcastProcessFunction,
    CoGroupFunction,
    CoMapFunction,
    DataStream,
    KeyedBroadcastProcessFunction,
    KeyedCoProcessFunction,
    KeyedProcessFunction,
    OutputTag,
    ProcessJoinFunction,
    ProcessWindowFunction,
    RuntimeContext,
    SourceContext,
    SourceFunction,
    StreamExecutionEnvironment,
)
from pystream.datastream.state import MapStateDescriptor, StateTtlConfig, ValueStateDescriptor
from pystream.datastream.window import (
    EventTimeSessionWindows,
    SlidingEventTimeWindows,
    TimeWindow,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
)

LONG, STRING = Types.LONG(), Types.STRING()
PAIR = Types.TUPLE([STRING, LONG])
ROW = Types.ROW_NAMED(["k", "n"], [STRING, LONG])
PATIENCE = 60  # seconds
NONE = WatermarkStrategy.no_watermarks()

Pair = tuple[str, int]


class Parts(SourceFunction[Any]):
    """Emits the parts of a stream, each in an epoch of its own.

    A part has elements, and the watermark after them, with which the second field of an element is its event
    time. It starts when the first element of the part before has been processed.

    Args:
        signs: for the first element of each part, the file that exists once it has been processed.
        parts: the parts.
        after: the files that exist once the source is to begin.
    """

    def __init__(
        self, signs: list[Path], parts: list[tuple[list[Any], int | None]], after: Sequence[Path]
    ) -> None:
        self.signs, self.parts, self.after = signs, parts, after
        self.is_running = True

    def run(self, ctx: SourceContext[Any], /) -> None:
        for path in self.after:
            self.wait_for(path)
        for (elements, watermark), processed in zip(self.parts, self.signs, strict=True):
            with ctx.get_checkpoint_lock():
                for element in elements:
                    if watermark is None:
                        ctx.collect(element)
                    else:
                        ctx.collect_with_timestamp(element, element[1])
                if watermark is not None:
                    ctx.emit_watermark(watermark)
            self.wait_for(processed)

    def wait_for(self, path: Path) -> None:
        deadline = time.monotonic() + PATIENCE
        while self.is_running and not path.exists():
            assert time.monotonic() < deadline, f"{path.name} was not processed"
            time.sleep(0.005)

    def cancel(self) -> None:
        self.is_running = False


def sign(directory: Path, name: str, element: Any) -> Path:
    """Return the path of the file that exists once an element of a source has been processed."""
    return directory / f"{name} {element}"


def arriving(
    env: StreamExecutionEnvironment,
    directory: Path,
    name: str,
    *parts: list[Pair],
    watermarks: list[int] | None = None,
    after: Sequence[Path] = (),
) -> DataStream[Pair]:
    """Return a stream whose parts arrive in an epoch each."""

    def leave_sign(element: Pair) -> Pair:
        sign(directory, name, element).touch()
        return element

    signs = [sign(directory, name, part[0]) for part in parts]
    source = Parts(signs, list(zip_longest(parts, watermarks or ())), after)
    return env.add_source(source, name, PAIR).map(leave_sign, PAIR).set_parallelism(1)


def key(element: Any) -> str:
    return str(element[0])


def added(a: Pair, b: Pair) -> Pair:
    return a[0], a[1] + b[1]


def printed(capsys: pytest.CaptureFixture[str]) -> dict[str, list[str]]:
    """Return the sorted elements printed by each sink, by its name."""
    found: dict[str, list[str]] = {}
    for line in capsys.readouterr().out.splitlines():
        name, _, element = line.partition("> ")
        found.setdefault(name.partition(":")[0], []).append(element)
    return {name: sorted(elements) for name, elements in found.items()}


class CountByKey(KeyedProcessFunction[str, Pair, Any]):
    """Emits the number of the element among those of its key; negative elements go to a side output."""

    negative = OutputTag("negative", PAIR)

    def open(self, runtime_context: RuntimeContext) -> None:
        self.seen = runtime_context.get_state(ValueStateDescriptor("seen", LONG))
        self.elements = runtime_context.get_metrics_group().counter("elements")

    def process_element(self, value: Pair, ctx: Any) -> Iterator[Any]:
        self.elements.inc()
        count = (self.seen.value() or 0) + 1
        self.seen.update(count)
        yield value[0], count
        if value[1] < 0:
            yield self.negative, value


class LastOfBoth(KeyedCoProcessFunction[str, Pair, Pair, str]):
    """Emits the last elements of both streams of a key."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.last = [
            runtime_context.get_state(ValueStateDescriptor(f"side {side}", LONG)) for side in range(2)
        ]

    def _seen(self, side: int, value: Pair) -> Iterator[str]:
        self.last[side].update(value[1])
        both = [state.value() for state in self.last]
        if None not in both:
            yield f"{value[0]} {both[0]} {both[1]}"

    def process_element1(self, value: Pair, ctx: Any) -> Iterator[str]:
        yield from self._seen(0, value)

    def process_element2(self, value: Pair, ctx: Any) -> Iterator[str]:
        yield from self._seen(1, value)


class Side(CoMapFunction[Pair, Pair, str]):
    def map1(self, value: Pair) -> str:
        return f"left {value[0]}{value[1]}"

    def map2(self, value: Pair) -> str:
        return f"right {value[0]}{value[1]}"


RULES: MapStateDescriptor[str, int] = MapStateDescriptor("rules", STRING, LONG)


class Rule(BroadcastProcessFunction[Pair, Pair, str]):
    """Emits the rule for an element, once there is one."""

    def process_element(self, value: Pair, ctx: Any) -> Iterator[str]:
        rule = ctx.get_broadcast_state(RULES).get(value[0])
        if rule is not None:
            yield f"{value[0]}{value[1]} {rule}"

    def process_broadcast_element(self, value: Pair, ctx: Any) -> None:
        ctx.get_broadcast_state(RULES).put(*value)


class KeyedRule(KeyedBroadcastProcessFunction[str, Pair, Pair, str]):
    """Emits the rule for each element of a key so far."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.total = runtime_context.get_state(ValueStateDescriptor("total", LONG))

    def process_element(self, value: Pair, ctx: Any) -> Iterator[str]:
        self.total.update((self.total.value() or 0) + value[1])
        rule = ctx.get_broadcast_state(RULES).get(value[0])
        if rule is not None:
            yield f"{value[0]} {self.total.value()} {rule}"

    def process_broadcast_element(self, value: Pair, ctx: Any) -> None:
        ctx.get_broadcast_state(RULES).put(*value)


class Halved(AsyncFunction[Pair, Pair]):
    async def async_invoke(self, value: Pair) -> list[Pair]:
        await asyncio.sleep(0.001 * (value[1] % 3))
        return [(value[0], value[1] // 2)]


def doubled(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.assign(n=rows["n"] * 2)


def is_large(rows: pa.RecordBatch) -> pa.Array:
    return pc.greater(rows.column("n"), 5)


@pytest.mark.time_limit(120)
def test_operators_over_several_epochs(
    env2: StreamExecutionEnvironment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    letters = arriving(
        env2, tmp_path, "letters", [("a", 1), ("b", 2), ("a", 3)], [("b", 4), ("c", -5)], [("a", 6)]
    )
    others = arriving(env2, tmp_path, "others", [("a", 10)], [("b", 20), ("a", 30)])
    numbers = env2.from_collection([("a", 100), ("d", 200)], PAIR)

    letters.map(lambda e: f"{e[0]}{e[1]}", STRING).filter(lambda text: text != "b2").print("chain")
    sums = letters.key_by(key, STRING).reduce(added)
    sums.print("sums")
    counted = sums.key_by(lambda e: e[1] % 2, LONG).process(CountByKeyParity(), STRING)
    counted.print("counted")
    letters.union(others, numbers).key_by(key, STRING).process(CountByKey(), PAIR).name("union").print(
        "union"
    )
    counts = letters.key_by(key, STRING).process(CountByKey(), PAIR)
    counts.print("counts")
    negative = counts.get_side_output(CountByKey.negative)
    negative.print("negative")
    negative.key_by(key, STRING).process(CountByKey(), PAIR).print("negative counts")
    letters.key_by(key, STRING).connect(others.key_by(key, STRING)).process(LastOfBoth(), STRING).print(
        "both"
    )
    letters.connect(others).map(Side(), STRING).print("sides")
    rows = letters.map(lambda e: Row(k=e[0], n=e[1]), ROW)
    rows.map(doubled, ROW).filter(is_large).print("vectorised")
    AsyncDataStream.ordered_wait(letters, Halved(), Time.seconds(30)).print("ordered")
    AsyncDataStream.unordered_wait(letters, Halved(), Time.seconds(30), 2, PAIR).print("unordered")
    result = env2.execute("operators")

    got = printed(capsys)
    assert got.pop("chain") == ["a1", "a3", "a6", "b4", "c-5"]
    assert got.pop("sums") == ["(a,1)", "(a,10)", "(a,4)", "(b,2)", "(b,6)", "(c,-5)"]
    assert got.pop("counted") == ["0 1", "0 2", "0 3", "0 4", "1 1", "1 2"]
    assert got.pop("union") == [
        f"({k},{n})" for k, count in zip("abcd", (6, 3, 1, 1), strict=True) for n in range(1, count + 1)
    ]
    assert got.pop("counts") == ["(a,1)", "(a,2)", "(a,3)", "(b,1)", "(b,2)", "(c,1)"]
    assert got.pop("negative") == ["(c,-5)"]
    assert got.pop("negative counts") == ["(c,1)"]
    assert {"a 6 30", "b 4 20"} <= set(got.pop("both"))
    left = [f"left {text}" for text in ("a1", "a3", "a6", "b2", "b4", "c-5")]
    assert got.pop("sides") == [*left, "right a10", "right a30", "right b20"]
    assert got.pop("vectorised") == ["+I[a,12]", "+I[a,6]", "+I[b,8]"]
    halves = ["(a,0)", "(a,1)", "(a,3)", "(b,1)", "(b,2)", "(c,-3)"]
    assert got.pop("ordered") == got.pop("unordered") == halves
    assert not got
    assert result.get_accumulator_result("union.elements") == 11


class CountByKeyParity(KeyedProcessFunction[int, Pair, str]):
    def open(self, runtime_context: RuntimeContext) -> None:
        self.seen = runtime_context.get_state(ValueStateDescriptor("seen", LONG))

    def process_element(self, value: Pair, ctx: Any) -> Iterator[str]:
        count = (self.seen.value() or 0) + 1
        self.seen.update(count)
        yield f"{ctx.get_current_key()} {count}"


@pytest.mark.time_limit(120)
def test_partitions_and_broadcasts(
    env2: StreamExecutionEnvironment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = arriving(env2, tmp_path, "rules", [("a", 7)], [("b", 8)])
    all_rules = sign(tmp_path, "rules", ("b", 8))
    letters = arriving(
        env2, tmp_path, "letters", [("a", 1), ("b", 2)], [("b", 4), ("a", 3)], after=[all_rules]
    )
    letters.rebalance().map(lambda e: e, PAIR).print("rebalance")
    letters.rescale().map(lambda e: e, PAIR).print("rescale")
    letters.shuffle().map(lambda e: e, PAIR).print("shuffle")
    letters.broadcast().map(lambda e: e, PAIR).print("broadcast")
    letters.global_().map(lambda e: e, PAIR).print("global")
    letters.partition_custom(lambda k, n: k % n, lambda e: e[1]).map(lambda e: e, PAIR).print("custom")
    letters.connect(rules.broadcast(RULES)).process(Rule(), STRING).print("rule")
    letters.key_by(key, STRING).connect(rules.broadcast(RULES)).process(KeyedRule(), STRING).print(
        "keyed rule"
    )
    env2.execute("partitions")

    got = printed(capsys)
    all_letters = ["(a,1)", "(a,3)", "(b,2)", "(b,4)"]
    for name in ("rebalance", "rescale", "shuffle", "global", "custom"):
        assert got.pop(name) == all_letters, name
    assert got.pop("broadcast") == sorted(all_letters * 2)
    assert got.pop("rule") == ["a1 7", "a3 7", "b2 8", "b4 8"]
    assert got.pop("keyed rule") == ["a 1 7", "a 4 7", "b 2 8", "b 6 8"]
    assert not got


class FieldTime(TimestampAssigner[Pair]):
    def extract_timestamp(self, value: Pair, record_timestamp: int) -> int:
        return value[1]


class AfterEach(WatermarkGenerator):
    """Emits a watermark after each element, 5 ms behind the highest event time."""

    def __init__(self) -> None:
        self.highest = 0

    def on_event(self, event: Any, event_timestamp: int, output: Any) -> None:
        self.highest = max(self.highest, event_timestamp)
        output.emit_watermark(self.highest - 5)

    def on_periodic_emit(self, output: Any) -> None:
        pass


class Window(ProcessWindowFunction[Pair, str, str, TimeWindow]):
    """Emits the key, the window, and the times in it."""

    def process(self, key: str, context: Any, elements: Iterable[Pair]) -> Iterator[str]:
        window = context.window()
        yield f"{key} {window.start}-{window.end} {sorted(time for _, time in elements)}"


class Together(ProcessJoinFunction[Pair, Pair, str]):
    def process_element(self, left: Pair, right: Pair, ctx: Any) -> Iterator[str]:
        yield f"{left[0]} {left[1]} {right[1]}"


class Sides(CoGroupFunction[Pair, Pair, str]):
    def co_group(self, first: Iterable[Pair], second: Iterable[Pair]) -> Iterator[str]:
        yield f"{sorted(time for _, time in first)} {sorted(time for _, time in second)}"


class TimerAfter(KeyedProcessFunction[str, Pair, str]):
    """Emits the number of elements of a key once event time is 10 ms past the first one."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.seen = runtime_context.get_state(ValueStateDescriptor("seen", LONG))

    def process_element(self, value: Pair, ctx: Any) -> None:
        if self.seen.value() is None:
            ctx.timer_service().register_event_time_timer(value[1] + 10)
        self.seen.update((self.seen.value() or 0) + 1)

    def on_timer(self, timestamp: int, ctx: Any) -> Iterator[str]:
        yield f"{ctx.get_current_key()} {timestamp} {self.seen.value()}"
        self.seen.clear()


@pytest.mark.time_limit(120)
def test_event_time_over_several_epochs(
    env2: StreamExecutionEnvironment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    late, tens = OutputTag("late", PAIR), TumblingEventTimeWindows.of(Time.milliseconds(10))
    other = arriving(env2, tmp_path, "other", [("a", 5)], [("b", 13)], watermarks=[7, 40])
    stream = arriving(
        env2,
        tmp_path,
        "stream",
        [("a", 1), ("b", 3), ("a", 8)],
        [("a", 12), ("b", 14)],
        [("a", 2), ("a", 31)],
        [("b", 4), ("b", 33)],
        watermarks=[8, 14, 30, 33],
        after=[sign(tmp_path, "other", ("b", 13))],
    )
    keyed = stream.key_by(key, STRING)

    tumbling = keyed.window(tens).allowed_lateness(15).side_output_late_data(late).process(Window(), STRING)
    tumbling.print("tumbling")
    tumbling.get_side_output(late).print("late")
    sliding = SlidingEventTimeWindows.of(Time.milliseconds(10), Time.milliseconds(5))
    keyed.window(sliding).reduce(added).print("sliding")
    sessions = EventTimeSessionWindows.with_gap(Time.milliseconds(6))
    keyed.window(sessions).process(Window(), STRING).print("sessions")
    keyed.count_window(2).reduce(added).print("count")
    keyed.process(TimerAfter(), STRING).print("timers")
    keyed.window(TumblingEventTimeWindows.of(Time.days(1))).reduce(added).print("end")
    near = keyed.interval_join(other.key_by(key, STRING)).between(Time.milliseconds(-3), Time.milliseconds(4))
    near.process(Together(), STRING).print("interval")
    joined = stream.join(other).where(key).equal_to(key).window(tens)
    joined.apply(lambda a, b: f"{a[0]} {a[1]} {b[1]}", STRING).print("join")
    stream.co_group(other).where(key).equal_to(key).window(tens).apply(Sides(), STRING).print("co-group")
    own = WatermarkStrategy.for_generator(AfterEach).with_timestamp_assigner(FieldTime())
    generated = stream.assign_timestamps_and_watermarks(own).set_parallelism(1)
    generated.key_by(key, STRING).window(tens).process(Window(), STRING).print("generated")
    env2.execute("event time")

    assert printed(capsys) == {
        "tumbling": [
            "a 0-10 [1, 2, 8]",
            "a 0-10 [1, 8]",
            "a 10-20 [12]",
            "a 30-40 [31]",
            "b 0-10 [3]",
            "b 10-20 [14]",
            "b 30-40 [33]",
        ],
        "late": ["(b,4)"],
        "sliding": [f"(a,{total})" for total in (1, 12, 20, 31, 31, 9)]
        + [f"(b,{total})" for total in (14, 14, 3, 3, 33, 33)],
        "sessions": [
            "a 1-7 [1]",
            "a 2-18 [2, 8, 12]",
            "a 31-37 [31]",
            "b 14-20 [14]",
            "b 3-9 [3]",
            "b 33-39 [33]",
        ],
        "count": ["(a,14)", "(a,9)", "(b,17)", "(b,37)"],
        "timers": ["a 11 3", "a 12 2", "b 13 2", "b 14 2"],
        "end": ["(a,54)", "(b,54)"],
        "interval": ["a 1 5", "a 8 5", "b 14 13"],
        "join": ["a 1 5", "a 8 5", "b 14 13"],
        "co-group": ["[1, 8] [5]", "[12] []", "[14] [13]", "[31] []", "[33] []", "[3] []"],
        "generated": [
            "a 0-10 [1, 8]",
            "a 10-20 [12]",
            "a 30-40 [31]",
            "b 0-10 [3]",
            "b 10-20 [14]",
            "b 30-40 [33]",
        ],
    }


class Reminder(KeyedProcessFunction[str, Pair, str]):
    """Emits after a while."""

    def process_element(self, value: Pair, ctx: Any) -> None:
        timers = ctx.timer_service()
        timers.register_processing_time_timer(timers.current_processing_time() + 300)

    def on_timer(self, timestamp: int, ctx: Any) -> Iterator[str]:
        yield f"{ctx.get_current_key()} {ctx.time_domain().name}"


class Remembered(KeyedProcessFunction[str, Pair, str]):
    """Emits the element before, which is forgotten after a while."""

    def open(self, runtime_context: RuntimeContext) -> None:
        descriptor = ValueStateDescriptor("before", LONG)
        descriptor.enable_time_to_live(StateTtlConfig.new_builder(Time.milliseconds(200)).build())
        self.before = runtime_context.get_state(descriptor)

    def process_element(self, value: Pair, ctx: Any) -> Iterator[str]:
        yield f"{value[0]} {self.before.value()}"
        self.before.update(value[1])


@pytest.mark.time_limit(120)
def test_processing_time_passes_while_sources_are_idle(
    env2: StreamExecutionEnvironment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def leaving_sign(name: str) -> Callable[[str], str]:
        def leave_sign(text: str) -> str:
            sign(tmp_path, name, "").touch()
            return text

        return leave_sign

    first = arriving(env2, tmp_path, "first", [("a", 1), ("a", 2)], watermarks=[2])
    # It is idle until timers have fired in both time domains.
    fired = [sign(tmp_path, name, "") for name in ("timers", "event time")]
    second = arriving(env2, tmp_path, "second", [("a", 3)], [("b", 4)], after=fired)
    keyed = first.union(second).key_by(key, STRING)
    keyed.process(Reminder(), STRING).map(leaving_sign("timers"), STRING).print("timers")
    keyed.process(Remembered(), STRING).print("remembered")
    windows = TumblingProcessingTimeWindows.of(Time.milliseconds(100))
    keyed.window(windows).reduce(added).key_by(key, STRING).reduce(added).print("windows")
    idle = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(FieldTime())
    idle = idle.with_idleness(Duration.of_millis(100))
    clocked = first.union(second.assign_timestamps_and_watermarks(idle).set_parallelism(1))
    after = clocked.key_by(key, STRING).process(TimerAfter(), STRING)
    after.map(leaving_sign("event time"), STRING).print("event time")
    env2.execute("processing time")

    got = printed(capsys)
    assert "a PROCESSING_TIME" in got["timers"]
    assert got["remembered"] == ["a 1", "a None", "a None", "b None"]
    assert "(a,3)" in got["windows"]
    assert got["event time"] == ["a 11 2"]
