"""Broadcast streams: every subtask gets the whole broadcast state, in batch mode before its first element."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pystream.common.typeinfo import Types
from pystream.datastream import (
    BroadcastProcessFunction,
    DataStream,
    KeyedBroadcastProcessFunction,
    RuntimeExecutionMode,
    StreamExecutionEnvironment,
)
from pystream.datastream.state import MapStateDescriptor
from pystream.errors import PlanError, PlanTypeError

RULES: MapStateDescriptor[int, int] = MapStateDescriptor("rules", Types.INT(), Types.INT())


def collected(stream: DataStream[Any]) -> list[Any]:
    with stream.execute_and_collect() as elements:
        return list(elements)


class Lookup(BroadcastProcessFunction[int, int, tuple[int, int]]):
    def process_element(
        self, value: int, ctx: BroadcastProcessFunction.ReadOnlyContext
    ) -> Iterator[tuple[int, int]]:
        yield value, len(list(ctx.get_broadcast_state(RULES)))

    def process_broadcast_element(self, value: int, ctx: BroadcastProcessFunction.Context) -> None:
        ctx.get_broadcast_state(RULES).put(value, value)


class KeyedLookup(KeyedBroadcastProcessFunction[int, int, int, tuple[int, int]]):
    def process_element(
        self, value: int, ctx: KeyedBroadcastProcessFunction.ReadOnlyContext
    ) -> Iterator[tuple[int, int]]:
        yield ctx.get_current_key(), len(list(ctx.get_broadcast_state(RULES)))

    def process_broadcast_element(self, value: int, ctx: KeyedBroadcastProcessFunction.Context) -> None:
        ctx.get_broadcast_state(RULES).put(value, value)


def rules(env: StreamExecutionEnvironment, count: int) -> Any:
    return env.generate_sequence(1, count).map(lambda value: value, Types.INT()).broadcast(RULES)


@pytest.mark.parametrize("count", [3, 30_000])
def test_batch_mode_reads_the_broadcast_side_first_in_every_subtask(
    env2: StreamExecutionEnvironment, count: int
) -> None:
    env2.set_runtime_mode(RuntimeExecutionMode.BATCH)
    elements = env2.generate_sequence(1, 2_000).map(lambda value: value, Types.INT())
    lookups = collected(elements.connect(rules(env2, count)).process(Lookup()))
    assert sorted(lookups) == [(value, count) for value in range(1, 2_001)]


def test_batch_mode_reads_the_broadcast_side_before_all_keys(env2: StreamExecutionEnvironment) -> None:
    env2.set_runtime_mode(RuntimeExecutionMode.BATCH)
    elements = (
        env2.generate_sequence(1, 200).map(lambda value: value, Types.INT()).key_by(lambda value: value % 7)
    )
    lookups = collected(elements.connect(rules(env2, 50)).process(KeyedLookup()))
    assert sorted(lookups) == sorted((value % 7, 50) for value in range(1, 201))


def test_streaming_mode_sends_every_broadcast_element_to_every_subtask(
    env2: StreamExecutionEnvironment,
) -> None:
    class Everything(Lookup):
        def process_broadcast_element(self, value: int, ctx: BroadcastProcessFunction.Context) -> Any:
            yield value, 0

    empty = env2.from_collection([], Types.INT())
    got = collected(
        empty.connect(rules(env2, 3)).process(Everything(), Types.TUPLE([Types.INT(), Types.INT()]))
    )
    assert sorted(got) == [(1, 0), (1, 0), (2, 0), (2, 0), (3, 0), (3, 0)]


def test_wrong_functions_and_streams_are_refused(env: StreamExecutionEnvironment) -> None:
    stream = env.generate_sequence(1, 3)
    connected: Any = stream.connect(rules(env, 3))
    with pytest.raises(PlanTypeError, match=r"a stream without keys .* takes a BroadcastProcessFunction"):
        connected.process(KeyedLookup())
    with pytest.raises(PlanTypeError, match=r"a keyed stream .* takes a KeyedBroadcastProcessFunction"):
        stream.key_by(lambda value: value).connect(rules(env, 3)).process(Lookup())
    with pytest.raises(PlanError, match="two states have the name 'rules'"):
        stream.broadcast(RULES, RULES)
    with pytest.raises(PlanTypeError, match="takes a MapStateDescriptor, not 7"):
        stream.broadcast(RULES, 7)  # type: ignore[call-overload]
    other = StreamExecutionEnvironment.get_execution_environment()
    with pytest.raises(PlanError, match="different environments"):
        stream.connect(rules(other, 3))
