"""In batch execution memory is bounded by what one key needs, not by what all keys do."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pystream.common import Types
from pystream.datastream import (
    KeyedProcessFunction,
    RuntimeContext,
    RuntimeExecutionMode,
    StreamExecutionEnvironment,
)
from pystream.datastream.state import ListStateDescriptor

KEYS, A_KEY, PARTS = 600, 200_000, 4
ALL_STATE = KEYS * A_KEY

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def held_memory() -> int:
    """How many bytes of memory this process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


class Hoards(KeyedProcessFunction[int, int, int]):
    """Keeps A_KEY bytes of each key; gives by how much that made the process grow."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.parts = runtime_context.get_list_state(
            ListStateDescriptor("parts", Types.PRIMITIVE_ARRAY(Types.BYTE()))
        )
        self.before = held_memory()

    def process_element(self, value: int, ctx: KeyedProcessFunction.Context) -> Iterator[int]:
        self.parts.add(value.to_bytes(4, "big") * (A_KEY // PARTS // 4))
        held = list(self.parts)
        if len(held) == PARTS:
            assert sum(map(len, held)) == A_KEY
            yield held_memory() - self.before


def growth(env: StreamExecutionEnvironment, mode: RuntimeExecutionMode) -> int:
    """By how much the only worker grows that keeps the state of all keys, or of one after another."""
    env.set_runtime_mode(mode)
    numbers = env.from_collection(list(range(KEYS * PARTS)), Types.LONG())
    grown = numbers.key_by(lambda number: number % KEYS, Types.LONG()).process(Hoards(), Types.LONG())
    with grown.execute_and_collect() as results:
        measured: list[int] = list(results)
    assert len(measured) == KEYS
    return max(measured)


def test_in_batch_the_state_of_a_key_is_gone_before_the_next_one_begins(
    env: StreamExecutionEnvironment,
) -> None:
    assert growth(env, RuntimeExecutionMode.BATCH) < ALL_STATE / 10


def test_the_measure_sees_the_state_of_all_keys_where_it_is_kept(env: StreamExecutionEnvironment) -> None:
    assert growth(env, RuntimeExecutionMode.STREAMING) > ALL_STATE / 2  # a worker may begin with free memory
