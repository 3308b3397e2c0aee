"""Queries in plans: the chains of their inputs and results, and the stages these become."""

from __future__ import annotations

from typing import Any

import pytest

from pystream.common import Types
from pystream.datastream import DataStream, StreamExecutionEnvironment
from pystream.errors import UnsupportedOperationError
from pystream.hosts.lowering import Stage, lower
from pystream.hosts.spark.query_inputs import parts_of_queries
from pystream.plan.query import InputColumn, Query, QueryInput
from pystream.testing import local_environment

ONE = (QueryInput("t0", (InputColumn("n", 0),)),)
ROW = Types.ROW_NAMED(["n"], [Types.LONG()])


@pytest.fixture
def env() -> StreamExecutionEnvironment:
    return local_environment().set_parallelism(2)


def query(stream: DataStream[Any], *, is_ordered: bool = False, is_bounded: bool = True) -> DataStream[Any]:
    """Return the results of a query of a stream, which is not run."""
    plan = Query("SELECT n FROM {t0}", ONE, {}, is_ordered, is_bounded, False)
    return stream.get_execution_environment()._query(plan, [stream], ["numbers"], ROW)


def stages(*streams: DataStream[Any]) -> list[Stage]:
    env = streams[0].get_execution_environment()
    sinks = [stream.print()._node_id for stream in streams]
    return lower(env._request(sinks, None).plan, batch=False)


def test_a_query_starts_a_stage_and_its_input_ends_one(env: StreamExecutionEnvironment) -> None:
    numbers = env.generate_sequence(1, 9).map(abs, Types.LONG())
    first, second = stages(query(numbers).map(str, Types.STRING()))
    assert (first.table is not None, first.outputs, first.sinks) == (True, (), ())
    assert second.source is not None
    assert first.table is not None
    assert second.source.inputs == (first.table.id,)
    assert (second.table, second.inputs, len(second.sinks)) == (None, (), 1)


def test_an_input_with_other_readers_is_a_stage_of_its_own(env: StreamExecutionEnvironment) -> None:
    numbers = env.generate_sequence(1, 9).map(abs, Types.LONG())
    before, table, results = stages(query(numbers), numbers)
    assert (before.table, len(before.outputs)) == (None, 2)
    assert [edge.source for edge in table.inputs] == [before.chain]
    assert table.table is not None
    assert results.source is not None
    assert results.source.inputs == (table.table.id,)


def test_ordered_results_have_one_subtask(env: StreamExecutionEnvironment) -> None:
    numbers = env.generate_sequence(1, 9)
    assert query(numbers, is_ordered=True).get_parallelism() == 1
    assert query(numbers).get_parallelism() == 2


def test_a_query_of_an_unbounded_stream_has_its_parallelism(env: StreamExecutionEnvironment) -> None:
    numbers = env.generate_sequence(1, 9).map(abs, Types.LONG()).set_parallelism(3)
    assert query(numbers, is_bounded=False).get_parallelism() == 3


def test_the_input_of_an_unbounded_query_is_part_of_its_stage(env: StreamExecutionEnvironment) -> None:
    inner = query(env.generate_sequence(1, 9).map(abs, Types.LONG()))
    first, second, last = parts_of_queries(stages(query(inner.map(abs, ROW))))
    assert (first.part_of, second.part_of, last.part_of) == (last.chain, last.chain, None)


def test_an_unbounded_query_after_state_or_an_exchange_is_refused(env: StreamExecutionEnvironment) -> None:
    numbers = env.generate_sequence(1, 9)
    keyed = numbers.key_by(lambda n: n % 2).reduce(lambda a, b: a + b)
    with pytest.raises(UnsupportedOperationError, match=r"'numbers'.*as after key_by\(\)"):
        parts_of_queries(stages(query(keyed)))
    with pytest.raises(UnsupportedOperationError, match="if other operators read it, too"):
        parts_of_queries(stages(query(numbers.map(abs, Types.LONG())), numbers.rebalance()))
