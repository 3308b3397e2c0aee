"""Interfaces of sources, bounded and unbounded, read by splits, and of sinks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple, Protocol, Self, runtime_checkable

from pystream.engine.events import NO_TIMESTAMP, Timestamps
from pystream.engine.task_info import JobInfo, SubtaskInfo
from pystream.kinds import SourceColumns

__all__ = [
    "Backlog",
    "BoundedSink",
    "BoundedSource",
    "ConnectedSource",
    "EpochEnd",
    "EpochSink",
    "FinishedFiles",
    "Poll",
    "PreparedCommit",
    "SinkCommitter",
    "SinkWriter",
    "SplitEnumerator",
    "UnboundedSource",
]


class BoundedSource(Protocol):
    """A finite input; picklable. The driver divides it into splits, and the workers read them.

    Splits are picklable and opaque to the host.
    """

    @property
    def is_bounded(self) -> bool:
        """Whether the input is bounded."""
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

        A batch may be ``Elements`` with timestamps. A ``Watermark`` may be yielded between two batches, and
        ``RecordErrors`` for records that were skipped.
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


class Backlog(NamedTuple):
    """The input of a source that is available but not read yet.

    Attributes:
        size: its size.
        unit: the unit of the size.
    """

    size: int
    unit: Literal["bytes", "records"]


class SplitEnumerator(Protocol):
    """The driver side of an unbounded source: divides the arriving input into epochs.

    Mirrors ``org.apache.flink.api.connector.source.SplitEnumerator``.
    """

    @property
    def is_ended(self) -> bool:
        """Whether no further input will come."""
        ...

    def poll(self, now: int, limit: int) -> Poll | None:
        """Return the input of the next epoch without waiting; ``None`` if there is none at the moment.

        Args:
            now: processing time in ms since the Unix epoch.
            limit: its maximum size in units of the source; a single split may exceed it.

        Raises:
            PyStreamError: the input cannot be read; the message names it.
        """
        ...

    def next_poll(self, now: int) -> int | None:
        """Return the time in ms before which ``poll`` finds nothing; ``None`` once the input has ended."""
        ...

    def backlog(self, now: int) -> Backlog | None:
        """Return the input that a poll would find, without the limit; ``None`` if its size is unknown.

        Args:
            now: processing time in ms since the Unix epoch.
        """
        ...

    def snapshot(self) -> Any:
        """Return the position after the last poll, for ``resume``; picklable."""
        ...

    def completed(self) -> None:
        """Note that all input of polls so far is processed, durably.

        Called after every epoch that is committed, and on a new enumerator, unless its last epoch is still to
        be repeated. Hence an epoch that was committed just before a failure is noted by the next enumerator.

        Raises:
            PyStreamError: the job fails; it may be resumed.
        """

    def close(self) -> None:
        """Release threads and connections."""


@runtime_checkable
class UnboundedSource(Protocol):
    """An input that may never end; picklable, and without an open connection.

    A host that stops and starts again repeats the splits of an epoch that was not completed, and resumes
    the enumerator after the last one.
    """

    @property
    def first_limit(self) -> int:
        """The limit of the first polls, in units of the source, before its speed is known."""
        ...

    @property
    def is_bounded(self) -> bool:
        """Whether the input is bounded."""
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
            position: the ``snapshot`` of another one, ``None`` for the initial one.
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


@runtime_checkable
class ConnectedSource(Protocol):
    """A source whose connections for reading stay open between splits."""

    def connected(self) -> Self:
        """Return the source with connections of its own, for another job."""
        ...

    def disconnect(self) -> None:
        """Close the connections of this process; the next split that is read opens them again."""


class SinkWriter(Protocol):
    """The worker side of a sink: one per attempt of a subtask."""

    def write(
        self, values: Sequence[Any], timestamps: Timestamps | None = None, watermark: int = NO_TIMESTAMP
    ) -> None:
        """Write a batch of elements in order; nothing becomes visible before it is committed.

        Args:
            values: the elements, as a list or as ``ColumnValues``.
            timestamps: the event time of each in ms since the Unix epoch, or ``None`` where none has one.
            watermark: the current watermark.
        """

    def finish(self, *, end_of_input: bool = True) -> Any:
        """Flush what was written since the last call.

        Args:
            end_of_input: whether no element follows; otherwise, those of the next epoch do.

        Returns:
            A picklable message that describes the output to the driver.
        """

    def abort(self) -> None:
        """Remove the output since the last `finish`; nothing but `close` may follow."""

    def close(self) -> None:
        """Release files and connections; called once."""


class FinishedFiles(NamedTuple):
    """The files that a sink publishes at the end of a job.

    Attributes:
        names: their paths below the base path.
        replaced: directories below the base path, "" for itself, whose earlier files they replace.
        markers: the paths of empty files that tell that those in their directories are complete.
    """

    names: Sequence[str]
    replaced: Sequence[str] = ()
    markers: Sequence[str] = ()


@runtime_checkable
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

    def finish(self, transaction: str, messages: Sequence[Any]) -> FinishedFiles:
        """Return the files to publish; runs on the driver.

        Args:
            transaction: that of the writers.
            messages: the results of the writers.
        """
        ...


class EpochEnd(NamedTuple):
    """The end of an epoch, at which sinks prepare their commits.

    Attributes:
        number: the number of the epoch within the job; 0 for the only one of a bounded job.
        now: processing time in ms since the Unix epoch.
        publishes: whether it is a checkpoint of the program, at which output may become visible.
        last: whether all output must become visible, because the job ends or a savepoint is taken.
    """

    number: int
    now: int
    publishes: bool = True
    last: bool = False


class PreparedCommit(NamedTuple):
    """The output of an epoch that is ready to be committed; picklable.

    Attributes:
        state: the output that later commits are about; ``None`` for none.
        action: what the commit of this epoch does; ``None`` for nothing.
    """

    state: Any
    action: Any


class SinkCommitter(Protocol):
    """The driver side of a sink in a job of epochs: commits their output in two phases.

    It stores nothing itself: its caller stores the prepared commits of all sinks at once.
    """

    def open(self) -> None:
        """Prepare the target; called before all other methods.

        Raises:
            SinkError: it cannot be written to.
        """

    def last_committed(self) -> int:
        """Return the last epoch that the target shows to be committed; -1 for none.

        A job whose state is older than that has lost its last state. Called after `open`.

        Raises:
            PyStreamError: the target cannot be read.
        """
        ...

    def prepare(self, end: EpochEnd, state: Any, messages: Sequence[Any]) -> PreparedCommit:
        """Make the output of an epoch durable, without making it visible; may be called again.

        Args:
            end: the end of the epoch.
            state: the state after the previous epoch, ``None`` for none.
            messages: those of the writers of the epoch.

        Raises:
            SinkError: it cannot be made durable.
        """
        ...

    def commit(self, epoch: int, action: Any, *, repeated: bool = False) -> None:
        """Make output visible.

        Args:
            epoch: the number of the epoch.
            action: that of its prepared commit.
            repeated: whether the same commit was started before, and may have been completed.

        Raises:
            PyStreamError: it cannot be made visible.
        """

    def restore(self, state: Any) -> None:
        """Remove all output that is neither visible nor part of a state.

        Raises:
            SinkError: output of the state is missing.
        """

    def next_time(self, state: Any) -> int | None:
        """Return when a checkpoint can first make more output visible, in ms since the Unix epoch.

        It is ``None`` if that takes further elements.
        """
        ...

    def end(self, *, complete: bool) -> None:
        """Remove what the job keeps for its own use, after a commit that left no state.

        Args:
            complete: whether the job has finished: all its input is processed.
        """

    def close(self) -> None:
        """Release connections."""


class EpochSink(Protocol):
    """A sink for jobs of epochs; picklable. It makes writers on the workers and a committer on the driver.

    A bounded job is a single epoch for it.
    """

    def check(self) -> None:
        """Check the target before the job starts; runs on the driver.

        Raises:
            PyStreamError: the target cannot be written.
        """

    def epoch_writer(self, transaction: str, subtask: SubtaskInfo) -> SinkWriter:
        """Open a writer; runs on a worker.

        Args:
            transaction: the result of ``epoch_transaction_of`` for the job and the sink.
            subtask: the subtask that writes.
        """
        ...

    def committer(self, transaction: str, job: JobInfo, directory: str) -> SinkCommitter:
        """Return the committer; runs on the driver.

        Args:
            transaction: that of the writers.
            job: the job.
            directory: location of the directory of the job, empty if it has none.
        """
        ...
