"""SourceInput: a source divided into splits for each subtask."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from pystream.engine.connectors.collection import MemorySource
from pystream.engine.connectors.interfaces import BoundedSource, ConnectedSource, UnboundedSource
from pystream.engine.epoch import Epoch
from pystream.engine.events import MAX_WATERMARK, Arrival, Elements, RecordErrors, Watermark
from pystream.engine.task.progress import Measurable, Progress, counted
from pystream.errors import UnsupportedOperationError

__all__ = ["SourceInput", "arrivals_of", "disconnect", "end_of_input", "epoch_arrivals"]


@dataclass(frozen=True, slots=True)
class SourceInput:
    """The elements of a source, read by its subtasks.

    Attributes:
        source: reads a split.
        splits: the splits of each subtask, in order.
    """

    source: BoundedSource
    splits: tuple[tuple[Any, ...], ...]

    @staticmethod
    def of(source: BoundedSource, parallelism: int) -> SourceInput:
        """Divide a source among subtasks.

        Raises:
            UnsupportedOperationError: the source is unbounded.
            PyStreamError: the input is missing or cannot be listed.
        """
        if not source.is_bounded:
            raise UnsupportedOperationError(f"a bounded job cannot read {source}, which is unbounded")
        return SourceInput(source, tuple(map(tuple, source.splits(parallelism))))

    def read(self, subtask: int) -> Iterator[Arrival]:
        """Yield the elements of a subtask's splits, with the watermarks among them."""
        return arrivals_of(self.source, self.splits[subtask])

    def progress(self) -> Callable[[Sequence[Any]], Progress]:
        """Return a function that reports the progress of processed elements."""
        if isinstance(self.source, MemorySource):
            return counted
        if not self.total():
            return lambda values: Progress(read=len(values))
        measure = cast(Measurable, self.source).measure
        return lambda values: Progress(measure(values), len(values))

    def total(self) -> int:
        """Return the total size of all splits, 0 if unknown."""
        if not isinstance(self.source, Measurable):
            return 0
        return sum(self.source.size(split) for splits in self.splits for split in splits)


def arrivals_of(source: BoundedSource | UnboundedSource, splits: Iterable[Any]) -> Iterator[Arrival]:
    """Yield the elements of splits, with the watermarks among them."""
    for split in splits:
        for batch in source.read(split):
            if isinstance(batch, (Elements, Watermark, RecordErrors)):
                yield Arrival(batch)
            elif batch:
                yield Arrival(Elements(batch))


def disconnect(source: BoundedSource | UnboundedSource) -> None:
    """Close the connections that a source keeps in this process; for the end of the subtasks that read it."""
    if isinstance(source, ConnectedSource):
        source.disconnect()


def epoch_arrivals(epoch: Epoch, chain: int, source: UnboundedSource, subtask: int) -> Iterator[Arrival]:
    """Yield the input of a subtask with a source in an epoch of an unbounded job.

    Args:
        epoch: the epoch.
        chain: chain id of the stage.
        source: its source.
        subtask: the index of the subtask.
    """
    if chain in epoch.splits:
        yield from arrivals_of(source, epoch.splits[chain][subtask])
    yield from end_of_input(epoch, chain)


def end_of_input(epoch: Epoch, chain: int) -> Iterator[Arrival]:
    """Yield the final watermark if the source of a stage ends with an epoch.

    Args:
        epoch: the epoch.
        chain: chain id of the stage.
    """
    if epoch.drains or chain in epoch.ended:
        yield Arrival(Watermark(MAX_WATERMARK))
