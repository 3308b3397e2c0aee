"""Functions that get the elements of a job as data frames."""

from __future__ import annotations

from typing import Any

import pytest

from pystream.common import Types
from pystream.datastream import StreamExecutionEnvironment

pytestmark = pytest.mark.spark


def test_a_bounded_job_calls_the_function_once() -> None:
    calls: list[tuple[list[Any], int]] = []
    env = StreamExecutionEnvironment.get_execution_environment()
    pairs = env.from_collection(
        [(1, "a"), (2, "b")], Types.ROW_NAMED(["n", "s"], [Types.INT(), Types.STRING()])
    )
    pairs.foreach_batch(lambda frame, n: calls.append((sorted(map(tuple, frame.collect())), n)))
    env.execute()
    assert calls == [([(1, "a"), (2, "b")], 0)]
