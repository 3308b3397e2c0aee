"""For which operators a task is told that their functions keep nothing."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from pystream.common import Configuration, Row, Types
from pystream.datastream import DataStream, FlatMapFunction, StreamExecutionEnvironment
from pystream.runtime.spec import OperatorSpec
from pystream.spark.lowering import lower

ROWS = Types.ROW_NAMED(["n", "tags"], [Types.LONG(), Types.LIST(Types.STRING())])
SEEN: list[Any] = []


def doubled(row: Row) -> list[Row]:
    return [row, Row(row[0] * 2, row[1])]


def keeping(row: Row) -> list[Row]:
    SEEN.append(row)
    return SEEN


def kept(row: Row) -> Row:
    SEEN.append(row)
    return row


def kept_so_far(row: Row) -> bool:
    SEEN.append(row)
    return True


class Doubled(FlatMapFunction[Any, Row]):
    def flat_map(self, value: Any) -> list[Row]:
        return [value, value]


def tags(row: Row) -> list[str]:
    return list(row[1])


def itself(row: Row) -> Row:
    return row


def operators(stream: DataStream[Any]) -> dict[str, bool]:
    """Return what each operator of a program is told, by its kind."""
    stream.print()
    env = stream.get_execution_environment()
    found: dict[str, bool] = {}
    consumers: list[Any] = []
    for stage in lower(env._optimized(env._sinks), batch=False):
        consumers += [*stage.task.consumers, *(joint.operator for joint in stage.task.joints)]
    while consumers:
        consumer = consumers.pop()
        if isinstance(consumer, OperatorSpec):
            found[consumer.kind.value] = consumer.keeps_nothing
            consumers += consumer.consumers
    return found


def rows() -> DataStream[Row]:
    configuration = Configuration.from_dict({"pystream.lifting": "false"})
    env = StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(1)
    stream: DataStream[Row] = env.from_arrow(pa.table({"n": pa.array([1]), "tags": pa.array([["a"]])}))
    return stream


@pytest.mark.parametrize(("function", "expected"), [(doubled, True), (keeping, False), (Doubled(), False)])
def test_a_task_is_told_what_is_certain(function: Any, expected: bool) -> None:
    assert operators(rows().flat_map(function, output_type=ROWS)) == {"FlatMap": expected}


def test_values_with_methods_may_keep() -> None:
    env = StreamExecutionEnvironment.get_execution_environment().set_parallelism(1)
    pickled = env.from_collection([Row(1, ["a"])], Types.PICKLED_BYTE_ARRAY()).rebalance()
    assert operators(pickled.flat_map(doubled, output_type=ROWS)) == {"FlatMap": False}


def test_elements_of_a_map_of_certain_elements_share_nothing() -> None:
    assert operators(rows().map(itself, ROWS).flat_map(doubled, ROWS)) == {"Map": True, "FlatMap": True}


def test_elements_that_a_predicate_may_keep_are_not_certain() -> None:
    kept = rows().filter(kept_so_far).map(itself, ROWS)
    assert operators(kept) == {"Filter": False, "Map": False}


def test_results_of_a_flat_map_may_share_parts() -> None:
    assert operators(rows().flat_map(doubled, ROWS).map(itself, ROWS)) == {"FlatMap": True, "Map": False}


def test_elements_that_were_exchanged_share_nothing() -> None:
    exchanged = rows().flat_map(doubled, ROWS).rebalance().map(itself, ROWS)
    assert operators(exchanged) == {"FlatMap": True, "Map": True}


def test_elements_of_several_inputs_are_exchanged() -> None:
    source = rows()
    joined = source.map(itself, ROWS).union(source.map(kept, ROWS)).flat_map(doubled, ROWS)
    assert operators(joined)["FlatMap"] is True
