"""Interfaces of bounded sources, read by splits, and of sinks, which write files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from pystream.kinds import SourceColumns

__all__ = ["BoundedSink", "BoundedSource", "SinkWriter"]


class BoundedSource(Protocol):
    """A finite input; picklable. The driver divides it into splits, and the workers read them.

    Splits are picklable and opaque to the host.
    """

    @property
    def columns(self) -> SourceColumns:
        """The process in which elements are available as columns; for workers, ``read`` yields columns."""
        ...

    def splits(self, parallelism: int) -> Sequence[Sequence[Any]]:
        """Divide the input among ``parallelism`` subtasks; runs on the driver.

        Returns:
            One sequence of splits per subtask, read in that order; empty for a subtask with nothing to read.

        Raises:
            PyStreamError: the input is missing or cannot be listed; the message names it.
        """
        ...

    def read(self, split: Any) -> Iterator[Sequence[Any]]:
        """Yield the elements of one split in order, in batches of bounded length; runs on a worker.

        A batch may be ``Elements`` with timestamps, and a ``Watermark`` may be yielded between two batches.
        """
        ...


class SinkWriter(Protocol):
    """The worker side of a sink: one per attempt of a subtask."""

    def write(self, values: list[Any]) -> None:
        """Write a batch of elements in order; nothing becomes visible before the job publishes it."""

    def finish(self) -> Any:
        """Flush and close; return a picklable message that describes the output to the driver."""

    def abort(self) -> None:
        """Close and remove the output."""


class BoundedSink(Protocol):
    """A sink that writes files; picklable. It makes writers on the workers.

    The files of all sinks of a job are published at once by the driver.
    """

    @property
    def base_path(self) -> str:
        """The location of the directory that files are published to."""
        ...

    def check(self) -> None:
        """Check the target before the job starts; runs on the driver.

        Raises:
            PyStreamError: the target cannot be written.
        """

    def writer(self, transaction: str) -> SinkWriter:
        """Open a writer; runs on a worker.

        Args:
            transaction: the result of ``transaction_of`` for the job and the sink, the same for all its
                writers.
        """
        ...

    def finish(self, transaction: str, messages: Sequence[Any]) -> Sequence[str]:
        """Return the names of the files to publish, below the base path; runs on the driver.

        Args:
            transaction: that of the writers.
            messages: the results of the writers.
        """
        ...
