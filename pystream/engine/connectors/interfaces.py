"""Interfaces of sources, bounded and unbounded, read by splits, and of sinks, which write files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from pystream.kinds import SourceColumns

__all__ = ["BoundedSink", "BoundedSource", "Poll", "SinkWriter", "SplitEnumerator", "UnboundedSource"]


class BoundedSource(Protocol):
    """A finite input; picklable. The driver divides it into splits, and the workers read them.

    Splits are picklable and opaque to the host.
    """

    @property
    def is_bounded(self) -> bool:
        """Whether the input ends."""
        ...

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


class Poll(NamedTuple):
    """The input that an unbounded source has for one epoch.

    Attributes:
        splits: one sequence of splits per subtask, read in that order; empty for one with nothing to read.
        size: its size, in units of the source.
        change: advances the position of the enumerator, for ``resume``; picklable.
        is_cut: whether the limit left more to read, which is available at once.
    """

    splits: Sequence[Sequence[Any]]
    size: int
    change: Any
    is_cut: bool = False


class SplitEnumerator(Protocol):
    """The driver side of an unbounded source: divides the arriving input into epochs.

    Mirrors ``org.apache.flink.api.connector.source.SplitEnumerator``.
    """

    @property
    def is_ended(self) -> bool:
        """Whether no further input will come."""
        ...

    def poll(self, now: int, limit: int) -> Poll | None:
        """Return the input of the next epoch, ``None`` if there is none at the moment; does not wait.

        Args:
            now: processing time in ms since the epoch.
            limit: its maximum size in units of the source; a single split may exceed it.

        Raises:
            PyStreamError: the input cannot be read; the message names it.
        """
        ...

    def next_poll(self, now: int) -> int | None:
        """Return the time, in ms since the epoch, before which ``poll`` finds nothing; ``None`` once ended."""
        ...

    def snapshot(self) -> Any:
        """Return the position after the last poll, for ``resume``; picklable."""
        ...

    def close(self) -> None:
        """Release threads and connections."""


@runtime_checkable
class UnboundedSource(Protocol):
    """An input that may never end; picklable, and without an open connection.

    A host that stops and starts again repeats the splits of an epoch that was not completed, and resumes
    the enumerator after the last one.

    Attributes:
        first_limit: the limit of the first polls, in units of the source, before its speed is known.
    """

    first_limit: int

    @property
    def is_bounded(self) -> bool:
        """Whether the input ends; the source is then a ``BoundedSource``, too."""
        ...

    @property
    def columns(self) -> SourceColumns:
        """The process in which elements are available as columns; for workers, ``read`` yields columns."""
        ...

    def enumerator(
        self, parallelism: int, position: Any | None = None, changes: Sequence[Any] = ()
    ) -> SplitEnumerator:
        """Return an enumerator at a position; runs on the driver.

        Args:
            parallelism: number of subtasks.
            position: the ``snapshot`` of another one, ``None`` to start at the beginning.
            changes: the changes by the polls after that snapshot, in order.

        Raises:
            PyStreamError: the input is missing; the message names it.
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
