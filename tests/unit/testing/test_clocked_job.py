"""ClockedJob: unbounded programs driven by a manual clock."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pystream.common import Time, Types, WatermarkStrategy
from pystream.datastream import KeyedProcessFunction, StreamExecutionEnvironment
from pystream.datastream.connectors import DataGeneratorSource, RateLimiterStrategy
from pystream.datastream.window import TumblingProcessingTimeWindows
from pystream.errors import ConfigurationError, JobExecutionError
from pystream.testing import ClockedJob, ManualClock, local_environment


class Reminder(KeyedProcessFunction[int, int, str]):
    """Emits each element, and an hour later a reminder of it."""

    def process_element(self, value: int, ctx: KeyedProcessFunction.Context) -> Iterator[str]:
        timers = ctx.timer_service()
        timers.register_processing_time_timer(timers.current_processing_time() + 3_600_000)
        yield f"{value} at {timers.current_processing_time()}"

    def on_timer(self, timestamp: int, ctx: KeyedProcessFunction.OnTimerContext) -> Iterator[str]:
        yield f"remember {ctx.get_current_key()} at {timestamp}"


def environment(seed: int | None = None) -> StreamExecutionEnvironment:
    return local_environment(clock=ManualClock(), seed=seed)


def numbers(env: StreamExecutionEnvironment, rate: float) -> Any:
    source = DataGeneratorSource(
        lambda index: index,
        DataGeneratorSource.UNBOUNDED,
        RateLimiterStrategy.per_second(rate),
        type_info=Types.LONG(),
    )
    return env.from_source(source, WatermarkStrategy.no_watermarks(), "numbers")


def test_timers_fire_on_an_idle_stream() -> None:
    slow = numbers(environment(), 2**-13)
    reminders = slow.key_by(lambda n: n, Types.LONG()).process(Reminder(), Types.STRING())
    with ClockedJob(reminders) as job:
        assert job.advance_to(0) == ["0 at 0"]
        assert job.advance_to(3_599_999) == []
        assert job.advance_to(3_600_000) == ["remember 0 at 3600000"]
        assert job.advance_to(8_192_000) == ["1 at 8192000"]
        assert job.advance_to(12_000_000) == ["remember 1 at 11792000"]


def test_windows_of_processing_time() -> None:
    keyed = numbers(environment(), 1).key_by(lambda n: n % 2, Types.LONG())
    sums = keyed.window(TumblingProcessingTimeWindows.of(Time.seconds(10))).reduce(lambda a, b: a + b)
    with ClockedJob(sums) as job:
        for second in range(10):
            assert job.advance_to(second * 1_000) == []
        assert sorted(job.advance_to(10_000)) == [0 + 2 + 4 + 6 + 8, 1 + 3 + 5 + 7 + 9]


def test_every_run_is_the_same_also_with_a_seed() -> None:
    def run(seed: int | None) -> list[list[tuple[int, int]]]:
        env = environment(seed)
        env.set_parallelism(3)
        spread = numbers(env, 10).rebalance().map(lambda n: (n % 2, n))
        with ClockedJob(spread.key_by(lambda pair: pair[0]).reduce(lambda a, b: b)) as job:
            return [job.advance_to(second * 5_000) for second in range(4)]

    assert run(None) == run(None)
    assert run(7) == run(7)
    assert run(7) != run(8)
    assert [sorted(results) for results in run(7)] == [sorted(results) for results in run(None)]


def test_a_failure_is_raised_by_the_step() -> None:
    with ClockedJob(numbers(environment(), 1).map(lambda n: 1 // (2 - n))) as job:
        assert job.advance_to(1_000) == [0, 1]
        with pytest.raises(JobExecutionError, match="ZeroDivisionError"):
            job.advance_to(2_000)


def test_a_job_that_never_rests_is_reported() -> None:
    source = DataGeneratorSource(lambda n: n, DataGeneratorSource.UNBOUNDED, type_info=Types.LONG())
    endless = environment().from_source(source, WatermarkStrategy.no_watermarks(), "endless")
    with pytest.raises(JobExecutionError, match="still busy at time 0"):
        ClockedJob(endless, timeout=0.05)


def test_refusals() -> None:
    with pytest.raises(ConfigurationError, match=r"local_environment\(clock=ManualClock\(\)\)"):
        ClockedJob(numbers(local_environment(), 1))
    with pytest.raises(ConfigurationError, match="needs an unbounded source"):
        ClockedJob(environment().from_collection([1]))
