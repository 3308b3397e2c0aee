"""Taking turns: every contender runs every job once a round, as long as there is time."""

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
        seconds: what the jobs took.
        left_out: why there are none.
    """

    contender: str
    cell: Cell
    records: int = 0
    seconds: list[float] = field(default_factory=list)
    left_out: str = ""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long to measure.

    Attributes:
        rounds: how many rounds at most.
        job: seconds a job should take.
        slow_job: the same for the slow contenders, what it takes to begin apart.
        until: when to stop, by ``monotonic``.
    """

    rounds: int
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
        self.rounds = 0

    def run(self) -> None:
        """Measure until all rounds are done or the time is up."""
        for number in range(self._pace.rounds):
            if number and self._is_over():
                return
            for cell in self._cells:
                _tell(f"round {number + 1}: {cell.operator} {cell.shape}")
                for contender in self._contenders:
                    if self._takes_part(contender, number) and not self._is_over():
                        if not number:
                            self._begin(contender, cell)
                        self._measure(contender, cell)
            for contender in self._contenders:
                if self._takes_part(contender, number):
                    self._measure_few(contender)
            self.rounds = number + 1

    def _is_over(self) -> bool:
        return monotonic() > self._pace.until

    def _takes_part(self, contender: Contender, number: int) -> bool:
        """Tell whether a contender is measured in a round: the slow ones in the first and the last."""
        return not contender.slow or number in (0, self._pace.rounds - 1)

    def overhead(self, contender: Contender, cell: Cell) -> float:
        """Return what a job takes however few its records are, as far as that was seen."""
        times = self.few.get((contender.name, cell.operator in KEYED))
        return min(times) if times and contender.overhead else 0.0

    def _begin(self, contender: Contender, cell: Cell) -> None:
        """Warm up, and find out how many records to measure with."""
        known = self.measured[contender.name, cell]
        counts = self._data.counts(cell.shape)
        if cell.operator in KEYED:
            counts = [count for count in counts if self._data.are_unique(cell.shape, count)]
        if contender.slow:
            known.records = _nearest(counts, guess(cell) * self._pace.slow_job)
            return
        try:
            few = min(self._run(contender, cell, FEW) for _ in range(2)) if contender.overhead else 0.0
            records, taken = 4 * FEW, 0.0
            while taken < _TRIAL_SECONDS and records < counts[-1]:
                records = _nearest(counts, records * 8)
                taken = self._run(contender, cell, records) - few
                if taken >= _TRIAL_SECONDS:  # unless it was the first use of something
                    taken = self._run(contender, cell, records) - few
            wanted = max(self._pace.job, 2 * few)
            known.records = _nearest(counts, records * wanted / max(taken, _TRIAL_SECONDS / 3))
        except LeftOutError as error:
            known.left_out = str(error)
            _tell(f"{contender.name} is left out of {cell.operator} {cell.shape}: {error}")

    def _measure_few(self, contender: Contender) -> None:
        if not contender.overhead:
            return
        for keyed in (False, True):
            cells = [
                cell
                for cell in self._cells
                if (cell.operator in KEYED) is keyed and self.measured[contender.name, cell].seconds
            ]
            for cell in cells[-1:]:
                times = self.few.setdefault((contender.name, keyed), [])
                try:
                    times.append(self._run(contender, cell, FEW))
                except LeftOutError as error:
                    _tell(f"{contender.name}: {error}")

    def _measure(self, contender: Contender, cell: Cell) -> None:
        known = self.measured[contender.name, cell]
        if known.left_out:
            return
        try:
            known.seconds.append(self._run(contender, cell, known.records))
        except LeftOutError as error:
            known.left_out = str(error)
            _tell(f"{contender.name} is left out of {cell.operator} {cell.shape}: {error}")

    def _run(self, contender: Contender, cell: Cell, records: int) -> float:
        path = self._data.directory(cell.shape, records)
        request = Request(contender.name, cell.operator, cell.shape, records, str(path))
        return self._runners[contender.runner].seconds(request)


def _nearest(counts: Iterable[int], wanted: float) -> int:
    return min(counts, key=lambda count: max(count / wanted, wanted / count))


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
