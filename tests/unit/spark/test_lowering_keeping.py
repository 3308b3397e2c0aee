"""For which operators a task is told that their functions keep nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pystream.common import Row, Types
from pystream.datastream import FlatMapFunction, StreamExecutionEnvironment
from pystream.runtime.spec import OperatorSpec
from pystream.spark.lowering import lower

ROWS = Types.ROW_NAMED(["n", "tags"], [Types.LONG(), Types.LIST(Types.STRING())])
SEEN: list[Any] = []


def doubled(row: Row) -> list[Row]:
    return [row, Row(row[0] * 2, row[1])]


def keeping(row: Row) -> list[Row]:
    SEEN.append(row)
    return SEEN


class Doubled(FlatMapFunction[Any, Any]):
    def flat_map(self, value: Any) -> list[Any]:
        return [value, value]


@pytest.mark.parametrize(
    ("function", "input_type", "expected"),
    [
        (doubled, ROWS, True),
        (keeping, ROWS, False),
        (Doubled(), ROWS, False),
        (doubled, Types.PICKLED_BYTE_ARRAY(), False),  # whose values may have methods that keep
    ],
)
def test_a_task_is_told_what_is_certain(
    function: Callable[[Any], Any], input_type: Any, expected: bool
) -> None:
    env = StreamExecutionEnvironment.get_execution_environment().set_parallelism(1)
    env.from_collection([Row(1, ["a"])], input_type).flat_map(function, output_type=ROWS).print()
    stages = lower(env._optimized(env._sinks), batch=False)
    (operator,) = (
        consumer
        for stage in stages
        for consumer in stage.task.consumers
        if isinstance(consumer, OperatorSpec)
    )
    assert operator.keeps_nothing is expected
