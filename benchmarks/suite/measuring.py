"""Measurement in turns: each contender runs a job once per turn, so that disturbances affect all of them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Protocol

from benchmarks.suite.contenders import KEYED, Cell, Contender, estimated_rate
from benchmarks.suite.processes import Runner
from benchmarks.suite.runner import LeftOutError, Request

FEW = 1_000
_GROWTH = 16


@dataclass(slots=True)
class Measured:
    """The measurements of a job of one contender.

    Attributes:
        contender: name of the contender.
        cell: the job.
        records: number of records of each run.
        few: seconds of a run on ``FEW`` records, 0 if they are not subtracted.
        seconds: durations of the runs.
        left_out: reason why there are none.
    """

    contender: str
    cell: Cell
    records: int = 0
    few: float = 0.0
    seconds: list[float] = field(default_factory=list)
    left_out: str = ""


@dataclass(frozen=True, slots=True)
class Pace:
    """Limits of the duration.

    Attributes:
        turns: maximum number of turns.
        job: intended seconds of a run.
        slow_job: intended seconds of a run of a slow contender, without its start.
        until: time to end at, by ``monotonic``. Even after it each job has two turns, or one for slow
            contenders.
    """

    turns: int
    job: float
    slow_job: float
    until: float


class Data(Protocol):
    """Data sets by shape of their records and by size."""

    def counts(self, shape: str) -> list[int]:
        """Return the possible sizes, in ascending order."""
        ...

    def are_unique(self, shape: str, records: int) -> bool:
        """Return whether a data set of this size has no record twice, as jobs with keys or time require."""
        ...

    def directory(self, shape: str, records: int) -> Path:
        """Return the directory of a data set, whose number of records is one of ``counts`` or ``FEW``."""
        ...


class Measurement:
    """The measurement of all contenders and jobs.

    Attributes:
        measured: results by contender and job, in the order of the contenders.
        few: seconds of runs on ``FEW`` records, by contender and whether the job is keyed.
    """

    def __init__(
        self,
        contenders: Sequence[Contender],
        cells: Sequence[Cell],
        runners: Mapping[str, Runner],
        data: Data,
        pace: Pace,
    ) -> None:
        self._contenders = [c for c in contenders if c.runner in runners]
        self._cells = cells
        self._runners = runners
        self._data = data
        self._pace = pace
        self.measured = {(c.name, cell): Measured(c.name, cell) for c in self._contenders for cell in cells}
        self.few: dict[tuple[str, bool], list[float]] = {}

    def run(self) -> None:
        """Measure one job after another, each for its share of the remaining time."""
        for at, cell in enumerate(self._cells):
            _log(f"{cell.operator} {cell.shape}")
            now = monotonic()
            until = now + (self._pace.until - now) / (len(self._cells) - at)
            for contender in self._contenders:
                self._first_turn(contender, cell)
            for turn in range(1, self._pace.turns):
                for contender in self._contenders:
                    is_due = turn == 1 and not contender.slow
                    if is_due or (monotonic() < until and turn < contender.turns):
                        self._turn(contender, cell)

    def _first_turn(self, contender: Contender, cell: Cell) -> None:
        """Warm up, determine the number of records, and measure the first run on that number."""
        known = self.measured[contender.name, cell]
        try:
            known.few = self._few(contender, cell)
            if contender.slow:
                known.records = _nearest(self._counts(cell), estimated_rate(cell) * self._pace.slow_job)
                known.seconds.append(self._run(contender, cell, known.records))
            else:
                self._grow(contender, known)
        except LeftOutError as error:
            self._leave_out(known, error)

    def _grow(self, contender: Contender, known: Measured) -> None:
        """Increase the number of records until the second run on the same number takes long enough."""
        counts = self._counts(known.cell)
        wanted = max(self._pace.job, known.few)
        records, is_warm = _nearest(counts, 32 * FEW), False
        while True:
            taken = self._run(contender, known.cell, records)
            net = taken - known.few
            if net < wanted / 2 and records < counts[-1]:
                records = _nearest(counts, records * min(_GROWTH, wanted / max(net, wanted / _GROWTH)))
                is_warm = False
            elif is_warm:
                break
            else:
                is_warm = True
        known.records = records
        known.seconds.append(taken)

    def _counts(self, cell: Cell) -> list[int]:
        counts = self._data.counts(cell.shape)
        if cell.operator in KEYED:
            return [count for count in counts if self._data.are_unique(cell.shape, count)]
        return counts

    def _few(self, contender: Contender, cell: Cell) -> float:
        """Return the seconds of a run on ``FEW`` records, measured only once for slow contenders."""
        if not contender.overhead:
            return 0.0
        seen = self.few.setdefault((contender.name, cell.operator in KEYED), [])
        if contender.slow and seen:
            return min(seen)
        seen.append(min(self._run(contender, cell, FEW) for _ in range(1 if contender.slow else 3)))
        return seen[-1]

    def _turn(self, contender: Contender, cell: Cell) -> None:
        known = self.measured[contender.name, cell]
        if known.left_out:
            return
        try:
            known.seconds.append(self._run(contender, cell, known.records))
        except LeftOutError as error:
            self._leave_out(known, error)

    def _leave_out(self, known: Measured, error: LeftOutError) -> None:
        known.left_out = str(error)
        _log(f"{known.contender} is left out of {known.cell.operator} {known.cell.shape}: {error}")

    def _run(self, contender: Contender, cell: Cell, records: int) -> float:
        path = self._data.directory(cell.shape, records)
        request = Request(contender.name, cell.operator, cell.shape, records, str(path))
        return self._runners[contender.runner].seconds(request)


def _nearest(counts: Iterable[int], wanted: float) -> int:
    return min(counts, key=lambda count: max(count / wanted, wanted / count))


def _log(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
