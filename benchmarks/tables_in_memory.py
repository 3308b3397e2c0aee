"""Compare `from_arrow` → `map` and `filter` → `to_arrow` on the local host with plain loops over tuples.

Figures are the processor time of this process, of building the program and of running it, the shortest of
several turns.

    python benchmarks/tables_in_memory.py [--rows 10 1000000 4000000] [--turns 5]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from pystream.common import Configuration, Row, Types
from pystream.datastream import DataStream, StreamExecutionEnvironment

NAMES = ["id", "key", "amount", "name", "flag"]
RECORD = Types.ROW_NAMED(
    NAMES,
    [Types.LONG(), Types.LONG(), Types.DOUBLE(), Types.STRING(), Types.BOOLEAN()],
)


def changed(r: Any) -> Row:
    return Row(r.id % 1000 + 1, r.key, r.amount * 1.5, r.name + "!", not r.flag)


def kept(r: Any) -> bool:
    return bool(r.id % 10 != 0)


def table_of(rows: int) -> pa.Table:
    """Return a table of some rows of five fields."""
    numbers = np.arange(rows)
    columns = [
        numbers,
        numbers % 1000,
        np.random.default_rng(1).random(rows),
        [f"n{n % 5000}" for n in range(rows)],
        numbers % 2 == 0,
    ]
    return pa.table(dict(zip(NAMES, columns, strict=True)))


def loops(table: pa.Table) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield plain loops over the rows of a table as tuples, each with its name."""
    rows = list(zip(*(column.to_pylist() for column in table.columns), strict=True))
    yield (
        "map",
        lambda: [
            (i % 1000 + 1, key, amount * 1.5, name + "!", not flag) for i, key, amount, name, flag in rows
        ],
    )
    yield "filter", lambda: [row for row in rows if row[0] % 10 != 0]


def streams(table: pa.Table) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield programs over a table that do the same, each with its name."""
    configuration = Configuration().set_string("pystream.runner", "local")
    env = StreamExecutionEnvironment.get_execution_environment(configuration)
    env.set_parallelism(1)

    def source() -> DataStream[Any]:
        return env.from_arrow(table)

    yield "map", lambda: source().map(changed, RECORD).to_arrow()
    yield "filter", lambda: source().filter(kept).to_arrow()


def seconds(job: Callable[[], Any], turns: int) -> float:
    """Return the shortest processor time of a job."""
    times = []
    for _ in range(turns):
        started = time.process_time()
        job()
        times.append(time.process_time() - started)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[10, 1_000_000, 4_000_000])
    parser.add_argument("--turns", type=int, default=5)
    arguments = parser.parse_args()
    print(f"{'rows':>10}  {'':6}  {'loop, ms':>9}  {'stream, ms':>10}  {'loop / stream':>13}")
    for rows in arguments.rows:
        table = table_of(rows)
        for (name, loop), (_, stream) in zip(loops(table), streams(table), strict=True):
            plain, ours = seconds(loop, arguments.turns), seconds(stream, arguments.turns)
            print(f"{rows:>10}  {name:6}  {plain * 1e3:>9.1f}  {ours * 1e3:>10.1f}  {plain / ours:>13.2f}")


if __name__ == "__main__":
    main()
