"""In batch execution, memory holds the state of one key at a time."""

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

KEYS, BYTES_PER_KEY, PARTS_PER_KEY = 600, 200_000, 4
BYTES_OF_ALL_KEYS = KEYS * BYTES_PER_KEY

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def resident_memory() -> int:
    """Return the resident memory of this process in bytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


class KeepState(KeyedProcessFunction[int, int, int]):
    """Keeps BYTES_PER_KEY of state for each key, and emits the growth of the process."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.parts = runtime_context.get_list_state(
            ListStateDescriptor("parts", Types.PRIMITIVE_ARRAY(Types.BYTE()))
        )
        self.before = resident_memory()

    def process_element(self, value: int, ctx: KeyedProcessFunction.Context) -> Iterator[int]:
        self.parts.add(value.to_bytes(4, "big") * (BYTES_PER_KEY // PARTS_PER_KEY // 4))
        held = list(self.parts)
        if len(held) == PARTS_PER_KEY:
            assert sum(map(len, held)) == BYTES_PER_KEY
            yield resident_memory() - self.before


def growth(env: StreamExecutionEnvironment, mode: RuntimeExecutionMode) -> int:
    """Return the maximum growth of the only worker."""
    env.set_runtime_mode(mode)
    numbers = env.from_collection(list(range(KEYS * PARTS_PER_KEY)), Types.LONG())
    grown = numbers.key_by(lambda number: number % KEYS, Types.LONG()).process(KeepState(), Types.LONG())
    with grown.execute_and_collect() as results:
        measured: list[int] = list(results)
    assert len(measured) == KEYS
    return max(measured)


def test_in_batch_mode_the_state_of_a_key_is_released_before_the_next_key(
    env: StreamExecutionEnvironment,
) -> None:
    assert growth(env, RuntimeExecutionMode.BATCH) < BYTES_OF_ALL_KEYS / 10


def test_in_streaming_mode_the_state_of_all_keys_stays_in_memory(env: StreamExecutionEnvironment) -> None:
    # The growth may be less than the state, because a worker may start with free memory.
    assert growth(env, RuntimeExecutionMode.STREAMING) > BYTES_OF_ALL_KEYS / 2
