"""Keyed operators over a million records, with few keys and with many, against PyFlink where it is installed.

Run ``python benchmarks/keyed.py [RECORDS] [ROUNDS]``. With ``PYFLINK_PYTHON`` naming the interpreter of an
environment that has ``apache-flink``, its better mode runs the same program besides. Quoted are medians, the
start of Java and Spark apart.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

from pystream.common import Types
from pystream.datastream import (
    DataStream,
    KeyedProcessFunction,
    RuntimeExecutionMode,
    StreamExecutionEnvironment,
)
from pystream.datastream.state import ValueStateDescriptor

PAIR = Types.TUPLE([Types.LONG(), Types.LONG()])


class CountToTimer(KeyedProcessFunction[Any, int]):
    """Counts a key's elements, and registers a timer for each."""

    def open(self, runtime_context: Any) -> None:
        """Open the state."""
        self._seen = runtime_context.get_state(ValueStateDescriptor("seen", Types.LONG()))

    def process_element(self, value: Any, ctx: Any) -> Iterable[int]:
        """Count."""
        seen = (self._seen.value() or 0) + 1
        self._seen.update(seen)
        ctx.timer_service().register_event_time_timer(value[1])
        yield seen

    def on_timer(self, timestamp: int, ctx: Any) -> Iterable[int]:
        """Give the time."""
        yield timestamp


def programs(records: int) -> dict[str, Callable[[], object]]:
    """Return what is measured; each discards its results."""
    env = StreamExecutionEnvironment.get_execution_environment()
    env.set_parallelism(2)

    def discard(stream: DataStream[Any]) -> None:
        with stream.filter(lambda value: False).execute_and_collect() as left:
            assert not list(left)

    def pairs(keys: int) -> DataStream[Any]:
        numbers = env.generate_sequence(0, records - 1)
        return numbers.map(lambda n: (n * 7919 % keys, n + 1), output_type=PAIR)

    def reduce_by(keys: int) -> None:
        keyed = pairs(keys).key_by(lambda pair: pair[0], key_type=Types.LONG())
        discard(keyed.reduce(lambda a, b: (a[0], a[1] + b[1])))

    def in_batch(program: Callable[[], None]) -> None:
        env.set_runtime_mode(RuntimeExecutionMode.BATCH)
        try:
            program()
        finally:
            env.set_runtime_mode(RuntimeExecutionMode.STREAMING)

    def timer_by(keys: int) -> None:
        keyed = pairs(keys).key_by(lambda pair: pair[0], key_type=Types.LONG())
        discard(keyed.process(CountToTimer(), output_type=Types.LONG()))

    return {
        "rolling reduce, 1,000 keys": lambda: reduce_by(1_000),
        "rolling reduce, 100,000 keys": lambda: reduce_by(100_000),
        "reduce in batch mode, 100,000 keys": lambda: in_batch(lambda: reduce_by(100_000)),
        "process with a timer a record, 1,000 keys": lambda: timer_by(1_000),
    }


def main() -> None:
    """Measure and print."""
    records = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    measured = programs(records)
    next(iter(measured.values()))()  # Spark starts
    for name, program in measured.items():
        seconds = []
        for _ in range(rounds):
            started = time.perf_counter()
            program()
            seconds.append(time.perf_counter() - started)
        median = statistics.median(seconds)
        print(f"{name:45} {median:6.2f} s  {records / median / 1e6:6.2f} M/s")


if __name__ == "__main__":
    main()
