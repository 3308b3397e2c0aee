"""The command line of runners: one process measures one case and prints one line of JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks.unbounded.cases import CASES, Case

SECONDS_TO_SETTLE = 60
"""Until Java has compiled most of what runs, counted from the first results of a job on Spark."""

_SETTLED = 0.3
"""The part of the latencies that counts as the start of a job."""


@dataclass(frozen=True, slots=True)
class Request:
    """A case to measure.

    Attributes:
        contender: name of the contender.
        name: name of the case.
        seconds: duration of the measurement, after the job has started.
        directory: directory for checkpoints and results.
    """

    contender: str
    name: str
    seconds: float
    directory: str

    @property
    def case(self) -> Case:
        """The case."""
        return CASES[self.name]

    def line(self) -> str:
        """Return the request as an argument."""
        return json.dumps(asdict(self))


def answer(measure: Callable[[Request], dict[str, Any]]) -> None:
    """Measure the request in the first argument, and print the answer; jobs print to standard error.

    The process ends at once, because the threads of a running job might keep it alive.
    """
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    print(json.dumps(measure(Request(**json.loads(sys.argv[1])))), file=answers)
    os._exit(0)


def rates(records: int, seconds: float) -> dict[str, Any]:
    """Return the answer to a case that measures a rate."""
    return {"rate": records / seconds, "records": records, "seconds": round(seconds, 3)}


def latencies(nanoseconds: Sequence[int]) -> dict[str, Any]:
    """Return the answer to a case that measures latency, without the start of the job."""
    settled = sorted(nanoseconds[int(len(nanoseconds) * _SETTLED) :])
    count = len(settled)
    return {
        "records": count,
        "median": settled[count // 2] / 1e6,
        "p99": settled[min(count - 1, count * 99 // 100)] / 1e6,
        "highest": settled[-1] / 1e6,
    }
