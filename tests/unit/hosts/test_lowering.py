"""Lowering of keyed and two-input operators and side outputs to stages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from pystream.common import Types
from pystream.datastream import (
    CoMapFunction,
    DataStream,
    KeyedCoProcessFunction,
    KeyedProcessFunction,
    OutputTag,
    StreamExecutionEnvironment,
)
from pystream.engine.spec import ExchangeOutput, OperatorSpec
from pystream.hosts.lowering import Stage, lower
from pystream.kinds import PartitionKind

ODD = OutputTag("odd", Types.LONG())


class Both(KeyedCoProcessFunction[Any, Any, Any, Any]):
    def process_element1(self, value: Any, ctx: Any) -> Iterable[Any]:
        yield value

    def process_element2(self, value: Any, ctx: Any) -> Iterable[Any]:
        yield value


class Each(KeyedProcessFunction[Any, Any, Any]):
    def process_element(self, value: Any, ctx: Any) -> Iterable[Any]:
        yield value


class Same(CoMapFunction[Any, Any, Any]):
    def map1(self, value: Any) -> Any:
        return value

    def map2(self, value: Any) -> Any:
        return value


@pytest.fixture
def env() -> StreamExecutionEnvironment:
    return StreamExecutionEnvironment.get_execution_environment().set_parallelism(2)


def stages(stream: DataStream[Any], *, batch: bool = False) -> list[Stage]:
    stream.print()
    environment = stream.get_execution_environment()
    return lower(environment._request(environment._builder.pending, None).plan, batch=batch)


def exchanges(stage: Stage) -> list[ExchangeOutput]:
    found, open_consumers = [], list(stage.task.consumers)
    while open_consumers:
        consumer = open_consumers.pop()
        if isinstance(consumer, OperatorSpec):
            open_consumers += consumer.consumers
        elif isinstance(consumer, ExchangeOutput):
            found.append(consumer)
    return found


def test_a_keyed_exchange_partitions_by_key_group(env: StreamExecutionEnvironment) -> None:
    words = env.from_collection(["a"], Types.STRING())
    source, keyed = stages(words.key_by(len, Types.INT()).process(Each()))
    (exchange,) = exchanges(source)
    assert (exchange.kind, exchange.targets, exchange.key_groups) == (PartitionKind.HASH, 2, 128)
    assert exchange.key is not None
    assert exchange.key.type_info == Types.INT()
    assert not exchange.by_group
    (operator,) = keyed.task.consumers
    assert isinstance(operator, OperatorSpec)
    assert [key.type_info for key in operator.keys] == [Types.INT()]
    assert keyed.task.channels == source.task.parallelism


def test_a_keyed_exchange_is_sorted_by_group_in_batch_mode(env: StreamExecutionEnvironment) -> None:
    keyed = env.from_collection([1], Types.LONG()).key_by(lambda n: n)
    source, receiving = stages(keyed.reduce(lambda a, b: a + b), batch=True)
    assert [exchange.by_group for exchange in exchanges(source)] == [True]
    assert [edge.by_group for edge in receiving.inputs] == [True]


def test_an_exchange_without_keys_is_not_sorted_by_group(env: StreamExecutionEnvironment) -> None:
    source, _ = stages(env.from_collection([1]).broadcast().map(str), batch=True)
    assert [exchange.by_group for exchange in exchanges(source)] == [False]


def test_edges_to_two_inputs_have_their_side_and_type(env: StreamExecutionEnvironment) -> None:
    words = env.from_collection(["a"], Types.STRING())
    numbers = env.from_collection([1], Types.LONG())
    more = env.from_collection([2], Types.LONG())
    connected = words.connect(numbers.union(more)).key_by(len, lambda n: n, Types.INT())
    *_, receiving = stages(connected.process(Both()))
    assert [(edge.side, edge.type_info) for edge in receiving.inputs] == [
        (0, Types.STRING()),
        (1, Types.LONG()),
        (1, Types.LONG()),
    ]
    assert receiving.task.channels == sum(edge.channels for edge in receiving.inputs)


def test_forward_edges_to_two_inputs_have_one_channel(env: StreamExecutionEnvironment) -> None:
    left = env.from_collection([1]).map(str)
    right = env.from_collection([1]).map(str)
    *_, receiving = stages(left.connect(right).map(Same()))
    assert [(edge.side, edge.shuffled, edge.channels) for edge in receiving.inputs] == [
        (0, True, 1),
        (1, True, 1),
    ]


def test_explicit_partitionings_keep_their_side(env: StreamExecutionEnvironment) -> None:
    left, right = env.from_collection([1]), env.from_collection([2])
    *_, receiving = stages(left.rebalance().connect(right.broadcast()).map(Same()))
    assert sorted(edge.side for edge in receiving.inputs) == [0, 1]


def test_side_outputs_share_the_task_of_their_operator(env: StreamExecutionEnvironment) -> None:
    results = env.from_collection([1], Types.LONG()).key_by(lambda n: n).process(Each(), Types.LONG())
    results.get_side_output(ODD).map(lambda n: n).print()
    results.get_side_output(ODD).print()
    *_, receiving = stages(results)
    (operator,) = receiving.task.consumers
    assert isinstance(operator, OperatorSpec)
    (side,) = operator.side_outputs
    assert (side.tag, side.type_info, len(side.consumers)) == ("odd", Types.LONG(), 2)
    assert len(operator.consumers) == 1


def test_a_side_output_has_the_parallelism_of_its_operator(env: StreamExecutionEnvironment) -> None:
    results = env.from_collection([1], Types.LONG()).key_by(lambda n: n).process(Each(), Types.LONG())
    side = results.get_side_output(ODD)
    results.set_parallelism(1)
    side.map(lambda n: n).set_parallelism(1).print()
    (keyed,) = (stage for stage in stages(results) if "KEYED PROCESS" in stage.task.name)
    assert keyed.task.parallelism == 1
    assert "Map" in keyed.task.name
