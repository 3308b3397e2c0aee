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
_TRIAL_SECONDS = 0.15


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
        until: when to have done, by ``monotonic``; each kind of job has a turn even if it is later.
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
                self._begin(contender, cell)
            for turn in range(self._pace.turns):
                for contender in self._contenders:
                    if not turn or (monotonic() < until and turn < contender.turns):
                        self._measure(contender, cell)

    def _begin(self, contender: Contender, cell: Cell) -> None:
        """Warm up, and find out how many records to measure with."""
        known = self.measured[contender.name, cell]
        counts = self._counts(cell)
        try:
            few = known.few = self._few(contender, cell)
            if contender.slow:
                known.records = _nearest(counts, guess(cell) * self._pace.slow_job)
                return
            records, taken = 4 * FEW, 0.0
            while taken < _TRIAL_SECONDS and records < counts[-1]:
                records = _nearest(counts, records * 8)
                taken = self._run(contender, cell, records) - few
                if taken >= _TRIAL_SECONDS:  # unless it was the first use of something
                    taken = self._run(contender, cell, records) - few
            known.records = self._enough(known, records, taken)
        except LeftOutError as error:
            self._leave_out(known, error)

    def _counts(self, cell: Cell) -> list[int]:
        counts = self._data.counts(cell.shape)
        if cell.operator in KEYED:
            return [count for count in counts if self._data.are_unique(cell.shape, count)]
        return counts

    def _enough(self, known: Measured, records: int, taken: float) -> int:
        """Return how many records a job should have, given what so many take net of the beginning."""
        wanted = max(self._pace.job, 2 * known.few)
        return _nearest(self._counts(known.cell), records * wanted / max(taken, _TRIAL_SECONDS / 3))

    def _few(self, contender: Contender, cell: Cell) -> float:
        """Return what a job of few records takes; jobs of the slow contenders are run for it once a kind."""
        if not contender.overhead:
            return 0.0
        seen = self.few.setdefault((contender.name, cell.operator in KEYED), [])
        if contender.slow and seen:
            return min(seen)
        seen.append(min(self._run(contender, cell, FEW) for _ in range(1 if contender.slow else 3)))
        return seen[-1]

    def _measure(self, contender: Contender, cell: Cell) -> None:
        known = self.measured[contender.name, cell]
        if known.left_out:
            return
        try:
            taken = self._run(contender, cell, known.records)
            if not known.seconds and not contender.slow:
                records = self._enough(known, known.records, taken - known.few)
                if records > 2 * known.records:  # the trial was slow, as the first of its kind
                    known.records = records
                    taken = self._run(contender, cell, records)
            known.seconds.append(taken)
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
