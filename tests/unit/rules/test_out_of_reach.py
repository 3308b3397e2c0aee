"""Reasons why an operator that could be lifted elsewhere is not lifted in a program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pystream.common import Time, Types, WatermarkStrategy
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import DataStream, RuntimeExecutionMode, StreamExecutionEnvironment
from pystream.datastream.window import TumblingEventTimeWindows

PAIR = Types.TUPLE([Types.LONG(), Types.LONG()])
SEVERAL = "several operators read the table"
IN_BATCH_MODE = "in batch mode only"
TIMES = "timestamps of elements are not computed by an expression"
DIVIDED = "elements are repartitioned before it"
CHAIN = "it starts a chain of its own"
TOO_LONG = "follows 100 lifted operators"


class Second(TimestampAssigner):
    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        return int(value[1])


class Opened(Second):
    """Cannot be an expression."""

    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        return hash(value)


def pairs(env: StreamExecutionEnvironment) -> DataStream[Any]:
    return env.generate_sequence(0, 9).map(lambda n: (n % 2, n), PAIR)


def summed(stream: DataStream[Any]) -> DataStream[Any]:
    return stream.key_by(lambda p: p[0], Types.LONG()).reduce(lambda a, b: (a[0], a[1] + b[1]))


def windows(stream: DataStream[Any], assigner: TimestampAssigner[Any]) -> DataStream[Any]:
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(assigner)
    keyed = stream.assign_timestamps_and_watermarks(strategy).key_by(lambda p: p[0], Types.LONG())
    window = keyed.window(TumblingEventTimeWindows.of(Time.milliseconds(5)))
    return window.reduce(lambda a, b: (a[0], a[1] + b[1]))


def two_readers(stream: DataStream[Any]) -> DataStream[Any]:
    one = stream.map(lambda p: p[0], Types.LONG())
    return one.union(stream.map(lambda p: p[1], Types.LONG()))


PROGRAMS: dict[str, tuple[Callable[[DataStream[Any]], DataStream[Any]], bool, list[str]]] = {
    "two readers": (two_readers, False, [SEVERAL, SEVERAL]),
    "streaming fold": (summed, False, [IN_BATCH_MODE]),
    "batch fold": (summed, True, []),
    "streaming window": (lambda s: windows(s, Second()), False, [IN_BATCH_MODE]),
    "window of other times": (lambda s: windows(s, Opened()), True, []),
    "window without times": (
        lambda s: (
            s.key_by(lambda p: p[0], Types.LONG())
            .window(TumblingEventTimeWindows.of(Time.milliseconds(5)))
            .reduce(lambda a, b: a)
        ),
        True,
        [TIMES],
    ),
    "window": (lambda s: windows(s, Second()), True, []),
    "rebalanced": (lambda s: s.rebalance().map(lambda p: p[0], Types.LONG()), False, [DIVIDED]),
    "by key": (
        lambda s: s.key_by(lambda p: p[0], Types.LONG()).map(lambda p: p[1], Types.LONG()),
        False,
        [DIVIDED],
    ),
    "new chain": (lambda s: s.map(lambda p: p[0], Types.LONG()).start_new_chain(), False, [CHAIN]),
    "chained": (lambda s: s.map(lambda p: p[0], Types.LONG()), False, []),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_obstacle_is_explained(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    program, batch, expected = PROGRAMS[name]
    env = StreamExecutionEnvironment.get_execution_environment()
    if batch:
        env.set_runtime_mode(RuntimeExecutionMode.BATCH)
    plan = program(pairs(env)).explain()
    said = [line for line in plan.splitlines() if "(not a Spark expression: " in line]
    reasons = [SEVERAL, IN_BATCH_MODE, TIMES, DIVIDED, CHAIN]
    assert [reason for line in said for reason in reasons if reason in line] == expected, plan


def test_the_length_of_lifted_chains_is_limited() -> None:
    stream = StreamExecutionEnvironment.get_execution_environment().generate_sequence(0, 9)
    for _ in range(150):
        stream = stream.map(lambda n: n + 1, Types.LONG())
    plan = stream.explain()
    assert plan.count(" native ") == 100
    assert TOO_LONG in plan
