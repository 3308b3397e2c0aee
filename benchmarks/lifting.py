"""Measure how long functions take to lift, and compare lifted functions with hand-written columns.

Run ``python benchmarks/lifting.py [ROWS]``; without a number of rows it does only the former.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from pystream.lifting import NotLifted, lift, lift_condition
from typeinfo import Row, TypeInformation, Types

LONG = Types.LONG()
PAIR = Types.TUPLE([Types.INT(), Types.STRING()])
RUNS = 200


def branches(x: int) -> str:
    y = x // 3
    if y > 10:
        label = "large"
    elif y < 0:
        label = "negative"
    else:
        label = "small"
    return f"{label}: {y}"


FUNCTIONS: list[tuple[str, Callable[[Any], Any], TypeInformation[Any]]] = [
    ("x * 2 + 1", lambda x: x * 2 + 1, LONG),
    ("x % 3 == 0", lambda x: x % 3 == 0, LONG),
    ("(t[0] + 1, t[1])", lambda t: (t[0] + 1, t[1]), PAIR),
    ("Row(a % 4, 1)", lambda a: Row(a % 4, 1), LONG),
    ("t[1].strip().lower()", lambda t: t[1].strip().lower().startswith("a"), PAIR),
    ("[(1, w) for w in …]", lambda s: [(1, w) for w in s.lower().split() if len(w) > 1], Types.STRING()),
    ("def with branches", branches, LONG),
    ("not lifted: input()", lambda s: input(s), Types.STRING()),
]


def print_lifting_times() -> None:
    """Print the milliseconds that lifting each function takes: the first time and the median."""
    print(f"{'function':24} {'first ms':>9} {'median ms':>9}")
    for name, function, t in FUNCTIONS:
        times = []
        for _ in range(RUNS):
            start = time.perf_counter()
            found = lift(function, [t])
            times.append((time.perf_counter() - start) * 1000)
        mark = " (not lifted)" if isinstance(found, NotLifted) else ""
        print(f"{name:24} {times[0]:9.2f} {statistics.median(times):9.2f}{mark}")


def print_throughput(rows: int) -> None:
    """Print the rows per second of lifted functions and of hand-written columns."""
    from pyspark.sql import DataFrame
    from pyspark.sql import functions as F  # noqa: N812 - its usual name

    from pystream.hosts.spark.expressions import to_column, to_columns
    from pystream.hosts.spark.session import get_session

    numbers = get_session({"spark.master": "local[2]"}).range(0, rows, 1, 2)
    inputs = [(LONG, [F.col("id")])]
    doubled, third = lift(lambda x: x * 2 + 1, [LONG]), lift_condition(lambda x: x % 3 == 0, LONG)
    assert not isinstance(doubled, NotLifted)
    assert not isinstance(third, NotLifted)
    pairs: dict[str, tuple[DataFrame, DataFrame]] = {
        "map": (numbers.select(*to_columns(doubled, inputs)), numbers.select(F.col("id") * 2 + 1)),
        "filter": (numbers.where(to_column(third, inputs)), numbers.where(F.col("id") % 3 == 0)),
    }
    for name, (lifted, written) in pairs.items():
        best = [min(_seconds(frame) for _ in range(4)) for frame in (lifted, written)]
        print(
            f"{name:8} lifted {rows / best[0] / 1e6:6.1f} M/s, by hand {rows / best[1] / 1e6:6.1f} M/s,"
            f" ratio {best[1] / best[0]:.2f}"
        )


def _seconds(frame: Any) -> float:
    start = time.perf_counter()
    frame.write.format("noop").mode("overwrite").save()
    return time.perf_counter() - start


if __name__ == "__main__":
    print_lifting_times()
    if len(sys.argv) > 1:
        print_throughput(int(sys.argv[1]))
