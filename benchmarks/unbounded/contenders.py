"""The contenders, and the target ratios between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.unbounded.cases import Case


def _peers(case: Case) -> bool:
    return not case.name.startswith("stored")


def _all(case: Case) -> bool:
    return True


def _rates(case: Case) -> bool:
    return _peers(case) and not case.is_latency


def _windows(case: Case) -> bool:
    return case.kind == "window"


@dataclass(frozen=True, slots=True)
class Contender:
    """A contender.

    Attributes:
        name: its name in the results.
        runner: the module that runs it.
        runs: whether it runs a case.
        package: the package whose environment it runs in, ``None`` for that of this process.
    """

    name: str
    runner: str
    runs: Callable[[Case], bool]
    package: str | None = None


CONTENDERS = (
    Contender("pystream", "pystream_runner", _all),
    Contender("pystream 5 s", "pystream_runner", _rates),
    Contender("pystream local", "pystream_runner", _peers),
    Contender("pystream bounded", "pystream_runner", _rates),
    Contender("PySpark rows", "pyspark_runner", _peers),
    Contender("PySpark pandas", "pyspark_runner", _rates),
    Contender("PySpark windows", "pyspark_runner", _windows),
    Contender("PyFlink process", "pyflink_runner", _peers, "pyflink"),
    Contender("PyFlink thread", "pyflink_runner", _peers, "pyflink"),
)


@dataclass(frozen=True, slots=True)
class Target:
    """A ratio to reach.

    Attributes:
        theirs: contenders to compare with; the best one counts.
        least: the ratio to reach.
        title: their name in the results.
        ours: the contender that is compared.
    """

    theirs: tuple[str, ...]
    least: float
    title: str
    ours: str = "pystream"


TARGETS = (
    Target(("PyFlink process", "PyFlink thread"), 10, "PyFlink's better mode"),
    Target(("PySpark rows", "PySpark pandas"), 5, "PySpark's transformWithState"),
    Target(("pystream bounded",), 0.5, "pystream bounded"),
    Target(("pystream bounded",), 0.5, "pystream bounded", ours="pystream 5 s"),
)
LEAST_OF_STORED = 0.5
"""The rate with a million keys stored, as a part of that with those touched only."""
