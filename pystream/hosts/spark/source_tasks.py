"""The worker side of the stages with sources of an unbounded job: the functions passed to ``mapInArrow``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain

import pyarrow as pa

from pystream.engine.connectors.number_sequence import NumberRange
from pystream.engine.exchange.rows import OutputRow
from pystream.engine.worker.environment import activate
from pystream.hosts.inputs import end_of_input, epoch_arrivals
from pystream.hosts.spark.epoch_tasks import Level, StagePart, WorkerJob, epoch_number
from pystream.hosts.spark.level_rows import labelled_batches
from pystream.hosts.spark.levels import Address, Routes
from pystream.hosts.spark.rows import as_batches
from pystream.hosts.spark.task_inputs import partition_id
from pystream.hosts.unbounded.epoch_log import EpochLog

__all__ = ["NumberRanges", "SourceLevel", "TableLevel"]

_NUMBERS_PER_ROW = 16_384
_RANGES_PER_BATCH = 1_024


class SourceLevel(Level):
    """Run a stage whose source workers read; each row from Spark stands for one subtask in one epoch.

    Args:
        job: the job.
        part: the stage.
        routes: the routes to the next level, if there is one.
    """

    def __init__(self, job: WorkerJob, part: StagePart, routes: Routes | None) -> None:
        super().__init__(job, [part], routes)
        self._chain = part.chain
        self._parallelism = part.task.parallelism
        self._makes_table = part.makes_table

    def __call__(self, arriving: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        ticks = [tick for batch in arriving for tick in batch.column("value").to_pylist()]
        rows = self.guarded(partial(self._rows, ticks))
        yield from as_batches(rows) if self._makes_table else labelled_batches(rows, self._routes)

    def _rows(self, ticks: list[int]) -> Iterator[OutputRow]:
        for tick in ticks:
            number, index = divmod(tick, self._parallelism)
            epoch = self.epoch(number)
            with self.live(Address(self._chain, index)) as (part, subtask):
                assert part.source is not None
                arrivals = epoch_arrivals(epoch, self._chain, part.source, index)
                yield from subtask.run(arrivals, None)


class TableLevel(Level):
    """Run a stage whose elements are rows of a Spark table, with a partition for each subtask.

    Args:
        job: the job.
        part: the stage.
        routes: the routes to the next level, if there is one.
        first: Spark's number of the first partition.
        source: chain id of the stage whose source the rows come from.
    """

    def __init__(
        self, job: WorkerJob, part: StagePart, routes: Routes | None, first: int, source: int
    ) -> None:
        super().__init__(job, [part], routes)
        self._chain = part.chain
        self._first = first
        self._source = source
        self._makes_table = part.makes_table

    def __call__(self, arriving: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rows = self.guarded(partial(self._rows, arriving))
        yield from as_batches(rows) if self._makes_table else labelled_batches(rows, self._routes)

    def _rows(self, arriving: Iterator[pa.RecordBatch]) -> Iterator[OutputRow]:
        epoch = self.epoch(epoch_number())
        with self.live(Address(self._chain, partition_id() - self._first)) as (part, subtask):
            assert part.columns is not None
            elements = part.columns.batches(arriving, subtask.subtask, subtask.metrics)
            yield from subtask.run(chain(elements, end_of_input(epoch, self._source)), None)


class NumberRanges:
    """Read the ranges of a sequence of numbers: for the tick of a subtask, the bounds of those of its epoch.

    Args:
        job: the job.
        chain: chain id of the stage.
        parallelism: its number of subtasks.
    """

    def __init__(self, job: WorkerJob, chain: int, parallelism: int) -> None:
        self._environment = job.environment
        self._epochs = EpochLog(job.epochs, job.info.job_id)
        self._chain = chain
        self._parallelism = parallelism

    def __call__(self, arriving: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        ticks = [tick for batch in arriving for tick in batch.column("value").to_pylist()]
        with activate(self._environment):
            ranges = [each for tick in ticks for each in self._ranges(tick)]
        for first, last in ranges:
            starts = range(first, last + 1, _NUMBERS_PER_ROW)
            for position in range(0, len(starts), _RANGES_PER_BATCH):
                firsts = starts[position : position + _RANGES_PER_BATCH]
                lasts = [min(start + _NUMBERS_PER_ROW - 1, last) for start in firsts]
                yield pa.RecordBatch.from_pydict(
                    {"first": pa.array(firsts, pa.int64()), "last": pa.array(lasts, pa.int64())}
                )

    def _ranges(self, tick: int) -> list[tuple[int, int]]:
        number, index = divmod(tick, self._parallelism)
        epoch = self._epochs.read(number)
        splits: tuple[NumberRange, ...] = epoch.splits.get(self._chain, {index: ()})[index]
        return [(split.first, split.last) for split in splits]
