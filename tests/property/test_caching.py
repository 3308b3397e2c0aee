"""A program with a cache has the same results as without, in the job that fills it and in later ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from pystream.common import Configuration, Time, Types, WatermarkStrategy
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import (
    DataStream,
    KeyedProcessFunction,
    OutputTag,
    ProcessFunction,
    RuntimeExecutionMode,
)
from pystream.datastream.window import TumblingEventTimeWindows
from pystream.testing import local_environment

PAIR = Types.TUPLE([Types.LONG(), Types.LIST(Types.LONG())])
ASIDE = OutputTag("aside", PAIR)
Pair = tuple[int, list[int]]
Step = Callable[[DataStream[Any]], DataStream[Any]]


class ByNumber(TimestampAssigner[Pair]):
    def extract_timestamp(self, value: Pair, record_timestamp: int) -> int:
        return value[0] * 10


class Remember(ProcessFunction[Pair, Pair]):
    """Change what was given before, and note time and watermark."""

    def open(self, runtime_context: Any) -> None:
        self.last: list[int] = []

    def process_element(self, value: Pair, ctx: ProcessFunction.Context) -> Iterator[Any]:
        self.last.append(-1)
        self.last = [*value[1], ctx.timestamp() % 100, ctx.timer_service().current_watermark() % 100]
        yield value[0], self.last
        if value[0] % 3 == 0:
            yield ASIDE, (value[0] + 1, self.last)


class Timer(KeyedProcessFunction[int, Pair, Pair]):
    def process_element(self, value: Pair, ctx: KeyedProcessFunction.Context) -> Iterator[Pair]:
        ctx.timer_service().register_event_time_timer(value[0] * 10 + 15)
        yield value

    def on_timer(self, timestamp: int, ctx: KeyedProcessFunction.OnTimerContext[int]) -> Iterator[Pair]:
        yield timestamp % 100, [ctx.get_current_key()]


def changed(value: Pair) -> Pair:
    value[1].append(len(value[1]))
    return value


def both(one: Pair, other: Pair) -> Pair:
    return one[0], [*one[1], *other[1]][:5]


def key(value: Pair) -> int:
    return value[0] % 3


STEPS: dict[str, Step] = {
    "map": lambda stream: stream.map(changed, PAIR),
    "pickled": lambda stream: stream.map(lambda value: changed(value)),
    "filter": lambda stream: stream.filter(lambda value: value[0] % 4 != 1),
    "flat map": lambda stream: stream.flat_map(lambda value: [value] * (value[0] % 3), PAIR),
    "times": lambda stream: stream.assign_timestamps_and_watermarks(
        WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(ByNumber())
    ),
    "process": lambda stream: stream.process(Remember(), PAIR),
    "side output": lambda stream: stream.process(Remember(), PAIR).get_side_output(ASIDE),
    "reduce": lambda stream: stream.key_by(key, Types.LONG()).reduce(both),
    "windows": lambda stream: (
        stream.key_by(key, Types.LONG())
        .window(TumblingEventTimeWindows.of(Time.milliseconds(30)))
        .reduce(both, output_type=PAIR)
    ),
    "timers": lambda stream: stream.key_by(key, Types.LONG()).process(Timer(), PAIR),
    "own chain": lambda stream: stream.map(changed, PAIR).disable_chaining(),
}
NAMES = st.lists(st.sampled_from(sorted(STEPS)), max_size=3)


class Case(NamedTuple):
    numbers: list[int]
    before: list[str]
    after: list[str]
    mode: RuntimeExecutionMode

    def begun(self) -> DataStream[Any]:
        configuration = Configuration()
        configuration.set_string("pipeline.auto-watermark-interval", "0")
        env = local_environment(configuration)
        env.set_runtime_mode(self.mode)
        pairs: list[Pair] = [(number, [number]) for number in self.numbers]
        return _with_steps(env.from_collection(pairs, PAIR), ["times", *self.before])


def _ends_in_time(case: Case) -> bool:
    """Return whether no window or timer comes after the end of time, which is when batch mode reduces."""
    names = [*case.before, *case.after]
    after = names[names.index("reduce") :] if "reduce" in names else []
    return not {"windows", "timers"} & set(after) or case.mode is RuntimeExecutionMode.STREAMING


def _with_steps(stream: DataStream[Any], names: list[str]) -> DataStream[Any]:
    for name in names:
        stream = STEPS[name](stream)
    return stream


CASES = st.builds(
    Case,
    st.lists(st.integers(0, 20), max_size=12),
    NAMES,
    NAMES,
    st.sampled_from([RuntimeExecutionMode.STREAMING, RuntimeExecutionMode.BATCH]),
).filter(_ends_in_time)


def results(stream: DataStream[Any]) -> list[Any]:
    with stream.execute_and_collect() as elements:
        return list(elements)


@given(CASES)
@settings(max_examples=60)
def test_results_are_the_same_with_a_cache_and_without(case: Case) -> None:
    expected = results(_with_steps(case.begun(), case.after))
    cached = case.begun().cache()
    assert results(_with_steps(cached, case.after)) == expected
    assert "(filled)" in repr(cached)
    assert results(_with_steps(cached, case.after)) == expected


@given(CASES)
@settings(max_examples=30)
def test_functions_after_a_cache_do_not_change_its_elements(case: Case) -> None:
    expected = results(case.begun())
    cached = case.begun().cache()
    for names in (case.after, ["map", *case.after], []):
        elements = results(_with_steps(cached, names))
    assert elements == expected
