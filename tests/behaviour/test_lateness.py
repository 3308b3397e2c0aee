"""With an interval of 0 between watermarks, the same elements are late on both hosts and in every run."""

from __future__ import annotations

import pytest

from pystream.common import Time, Types, WatermarkStrategy
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import OutputTag, StreamExecutionEnvironment
from pystream.datastream.window import TumblingEventTimeWindows
from tests.simulation.same_on_hosts import same_on_hosts

PAIR = Types.TUPLE([Types.STRING(), Types.LONG()])
LATE = OutputTag("late", PAIR)


class Second(TimestampAssigner[tuple[str, int]]):
    def extract_timestamp(self, value: tuple[str, int], record_timestamp: int) -> int:
        return value[1]


def test_a_watermark_follows_every_element(env: StreamExecutionEnvironment) -> None:
    env.get_config().set_auto_watermark_interval(0)
    strategy = WatermarkStrategy[tuple[str, int]].for_monotonous_timestamps()
    windowed = (
        env.from_collection([("k", 1_000), ("k", 61_000), ("k", 3_000)], PAIR)
        .assign_timestamps_and_watermarks(strategy.with_timestamp_assigner(Second()))
        .key_by(lambda pair: pair[0], Types.STRING())
        .window(TumblingEventTimeWindows.of(Time.minutes(1)))
        .side_output_late_data(LATE)
        .reduce(lambda a, b: (a[0], a[1] + b[1]))
    )
    late = windowed.get_side_output(LATE).map(lambda pair: ("late", pair[1]), PAIR)
    with windowed.union(late).execute_and_collect() as results:
        assert sorted(results) == [("k", 1_000), ("k", 61_000), ("late", 3_000)]


@pytest.mark.parametrize("seed", [3, 12])
def test_random_programs_have_the_same_results_at_any_pace_and_on_both_hosts(host: str, seed: int) -> None:
    same_on_hosts(seed, ("local",) if host == "local" else ("local", "spark"))
