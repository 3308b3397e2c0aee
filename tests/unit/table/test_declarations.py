"""The watermark that a table declares."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from pystream.common import Instant, Types
from pystream.datastream import ProcessFunction
from pystream.table import Schema, StreamTableEnvironment
from pystream.testing import local_environment


class Times(ProcessFunction[Any, Any]):
    def process_element(self, value: Any, ctx: Any) -> Any:
        yield ctx.timestamp(), ctx.timer_service().current_watermark()


@pytest.mark.parametrize(("delay", "behind"), [(0, 1), (1, 1000), (3, 3000)])
def test_the_watermark_is_the_largest_time_less_the_delay(delay: int, behind: int) -> None:
    env = local_environment().set_parallelism(1)
    env.get_config().set_auto_watermark_interval(0)
    t_env = StreamTableEnvironment.create(env)
    times = [datetime(1970, 1, 1, 0, 0, second) for second in (10, 30, 20)]
    stream = env.from_collection(times, Types.SQL_TIMESTAMP())
    schema = Schema.new_builder().watermark("f0", f"f0 - INTERVAL '{delay}' SECOND").build()
    seen = t_env.to_data_stream(t_env.from_data_stream(stream, schema)).process(Times())
    first = -(2**63)
    assert list(seen.execute_and_collect()) == [
        (10_000, first),
        (30_000, 10_000 - behind),
        (20_000, 30_000 - behind),
    ]


def test_times_in_the_local_zone() -> None:
    env = local_environment().set_parallelism(1)
    t_env = StreamTableEnvironment.create(env)
    pair = Types.ROW_NAMED(["n", "ts"], [Types.INT(), Types.INSTANT()])
    stream = env.from_collection([(1, Instant.of_epoch_milli(1234))], pair)
    schema = Schema.new_builder().watermark("ts", "ts").build()
    seen = t_env.to_data_stream(t_env.from_data_stream(stream, schema)).process(Times())
    assert [time for time, _ in seen.execute_and_collect()] == [1234]
