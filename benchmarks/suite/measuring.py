"""Taking turns: all contenders run a job once a turn, so that what disturbs one disturbs its rivals."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic

from benchmarks.suite.contenders import KEYED, Cell, Contender, guess
from benchmarks.suite.data import DataSets
from benchmarks.suite.processes import Runner
from benchmarks.suite.runner import LeftOutError, Request

FEW = 1_000
_GROWTH = 16


@dataclass(slots=True)
class Measured:
    """What is known of one contender and one kind of job.

    Attributes:
        contender: its name.
        cell: the kind of job.
        records: how many each job works on.
        few: seconds of a job of ``FEW`` records, 0 if they are not subtracted.
        seconds: what the jobs took.
        left_out: why there are none.
    """

    contender: str
    cell: Cell
    records: int = 0
    few: float = 0.0
    seconds: list[float] = field(default_factory=list)
    left_out: str = ""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long to measure.

    Attributes:
        turns: how many turns at most.
        job: seconds a job should take.
        slow_job: the same for the slow contenders, what it takes to begin apart.
        until: when to have done, by ``monotonic``; each kind of job has two turns even if it is later, of the
            slow contenders one.
    """

    turns: int
    job: float
    slow_job: float
    until: float


class Measurement:
    """All that is measured.

    Attributes:
        measured: by contender and kind of job, in the order of the contenders.
        few: seconds of jobs of ``FEW`` records, by contender and whether they are keyed.
    """

    def __init__(
        self,
        contenders: Sequence[Contender],
        cells: Sequence[Cell],
        runners: Mapping[str, Runner],
        data: DataSets,
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
        """Measure one kind of job after the other, each for its share of the time that is left."""
        for at, cell in enumerate(self._cells):
            _tell(f"{cell.operator} {cell.shape}")
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
        """Warm up, find out how many records a job should have, and measure the first that has as many."""
        known = self.measured[contender.name, cell]
        try:
            known.few = self._few(contender, cell)
            if contender.slow:
                known.records = _nearest(self._counts(cell), guess(cell) * self._pace.slow_job)
                known.seconds.append(self._run(contender, cell, known.records))
            else:
                self._grow(contender, known)
        except LeftOutError as error:
            self._leave_out(known, error)

    def _grow(self, contender: Contender, known: Measured) -> None:
        """Run jobs of more and more records until one that is not the first of its size takes long enough."""
        counts = self._counts(known.cell)
        wanted = max(self._pace.job, known.few)
        records, is_warm = 32 * FEW, False
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
        """Return what a job of few records takes; jobs of the slow contenders are run for it once a kind."""
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
        _tell(f"{known.contender} is left out of {known.cell.operator} {known.cell.shape}: {error}")

    def _run(self, contender: Contender, cell: Cell, records: int) -> float:
        path = self._data.directory(cell.shape, records)
        request = Request(contender.name, cell.operator, cell.shape, records, str(path))
        return self._runners[contender.runner].seconds(request)


def _nearest(counts: Iterable[int], wanted: float) -> int:
    return min(counts, key=lambda count: max(count / wanted, wanted / count))


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
