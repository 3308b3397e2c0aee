"""Sinks written in Python: a writer on the workers, and a committer on the driver."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pystream.engine.connectors.interfaces import EpochEnd, PreparedCommit
from pystream.engine.events import NO_TIMESTAMP, Timestamps
from pystream.engine.failure import ElementFailure
from pystream.engine.task_info import JobInfo, SubtaskInfo
from typeinfo.pickling import dumps

__all__ = [
    "CommitterInitContext",
    "CommittingOutput",
    "SinkWriterContext",
    "WriterInitContext",
    "gathered",
]


class CommitterInitContext:
    """The job for which a committer is created.

    Mirrors ``org.apache.flink.api.connector.sink2.CommitterInitContext``.
    """

    def __init__(self, job: JobInfo) -> None:
        self._job = job

    def get_job_id(self) -> str:
        """Return the hexadecimal id of the job, within which ids of checkpoints are unique.

        A resumed job keeps it; a job that starts from a savepoint has another.
        """
        return self._job.job_id

    def get_job_name(self) -> str:
        """Return the name of the job."""
        return self._job.job_name


class WriterInitContext(CommitterInitContext):
    """The subtask for which a sink writer is created.

    Mirrors ``org.apache.flink.api.connector.sink2.WriterInitContext``.
    """

    def __init__(self, subtask: SubtaskInfo) -> None:
        super().__init__(subtask.job)
        self._subtask = subtask

    def get_subtask_id(self) -> int:
        """Return the number of the subtask, from 0."""
        return self._subtask.index

    def get_number_of_parallel_subtasks(self) -> int:
        """Return the parallelism of the sink."""
        return self._subtask.parallelism

    def get_attempt_number(self) -> int:
        """Return the attempt number of the subtask, from 0."""
        return self._subtask.attempt_number


class SinkWriterContext:
    """The times of an element that is written, in ms since the Unix epoch.

    Mirrors ``org.apache.flink.api.connector.sink2.SinkWriter.Context``.
    """

    __slots__ = ("_timestamp", "_watermark")

    def __init__(self, timestamp: int | None, watermark: int) -> None:
        self._timestamp = timestamp
        self._watermark = watermark

    def timestamp(self) -> int | None:
        """Return the timestamp of the element; ``None`` if it has none."""
        return self._timestamp

    def current_watermark(self) -> int:
        """Return the watermark; -2**63 before the first one."""
        return self._watermark


class _Writer(Protocol):
    def write(self, element: Any, context: SinkWriterContext, /) -> None: ...
    def flush(self, end_of_input: bool, /) -> None: ...
    def prepare_commit(self) -> Iterable[Any]: ...
    def close(self) -> None: ...


class _Committer(Protocol):
    def commit(self, checkpoint_id: int, committables: Sequence[Any], /) -> None: ...
    def close(self) -> None: ...


def gathered(
    end: EpochEnd, state: tuple[bytes, ...] | None, messages: Sequence[bytes | None]
) -> PreparedCommit:
    """Return a commit of messages at the next checkpoint, each kept until then.

    Args:
        end: the end of an epoch.
        state: the messages since the last checkpoint.
        messages: those of the epoch; ``None`` for nothing.
    """
    found = (*(state or ()), *(message for message in messages if message is not None)) or None
    return PreparedCommit(None, found) if end.publishes or end.last else PreparedCommit(found, None)


@dataclass(frozen=True, slots=True)
class CommittingOutput:
    """A sink of a program, with a writer and a committer.

    Attributes:
        payload: the pickled sink.
        description: its class and where it is defined.
    """

    payload: bytes = field(repr=False)
    description: str

    def check(self) -> None:
        """Do nothing: the committer is opened before the job starts."""

    def epoch_writer(self, transaction: str, subtask: SubtaskInfo) -> CommittingWriter:
        """Return the program's writer."""
        sink = pickle.loads(self.payload)
        return CommittingWriter(sink.create_writer(WriterInitContext(subtask)))

    def committer(self, transaction: str, job: JobInfo, directory: str) -> CheckpointCommitter:
        """Return the program's committer."""
        return CheckpointCommitter(self.payload, job)


class CommittingWriter:
    """Write elements with the program's writer, which stays open from epoch to epoch.

    Args:
        writer: the program's writer.
    """

    def __init__(self, writer: _Writer) -> None:
        self._writer = writer

    def write(
        self, values: Sequence[Any], timestamps: Timestamps | None = None, watermark: int = NO_TIMESTAMP
    ) -> None:
        """Write elements in order.

        Raises:
            ElementFailure: the writer raised.
        """
        write = self._writer.write
        context = SinkWriterContext(None, watermark)
        for number, value in enumerate(values):
            if timestamps is not None:
                timestamp = timestamps[number]
                context = SinkWriterContext(None if timestamp == NO_TIMESTAMP else timestamp, watermark)
            try:
                write(value, context)
            except BaseException as error:
                raise ElementFailure(value) from error

    def finish(self, *, end_of_input: bool = True) -> bytes | None:
        """Flush the writer.

        Returns:
            What is to be committed, pickled; ``None`` for nothing.
        """
        self._writer.flush(end_of_input)
        committables = list(self._writer.prepare_commit())
        return dumps(committables) if committables else None

    def abort(self) -> None:
        """Do nothing: output has no effect before it is committed."""

    def close(self) -> None:
        """Close the writer."""
        self._writer.close()


class CheckpointCommitter:
    """Commit what the writers prepared at each checkpoint.

    Args:
        payload: the pickled sink.
        job: the job.
    """

    def __init__(self, payload: bytes, job: JobInfo) -> None:
        self._payload = payload
        self._job = job
        self._committer: _Committer | None = None

    def open(self) -> None:
        """Create the program's committer."""
        if self._committer is None:
            sink = pickle.loads(self._payload)
            self._committer = sink.create_committer(CommitterInitContext(self._job))

    def last_committed(self) -> int:
        """Return -1: the target does not show what is committed."""
        return -1

    def prepare(
        self, end: EpochEnd, state: tuple[bytes, ...] | None, messages: Sequence[bytes | None]
    ) -> PreparedCommit:
        """Gather the committables for the next checkpoint."""
        return gathered(end, state, messages)

    def commit(self, epoch: int, action: tuple[bytes, ...], *, repeated: bool = False) -> None:
        """Call the program's committer, with the number of the epoch as the id of the checkpoint."""
        assert self._committer is not None
        self._committer.commit(epoch, [one for payload in action for one in pickle.loads(payload)])

    def restore(self, state: object) -> None:
        """Do nothing: output has no effect before it is committed."""

    def next_time(self, state: tuple[bytes, ...] | None) -> int | None:
        """Return 0 if committables wait for a checkpoint, otherwise ``None``."""
        return None if state is None else 0

    def end(self, *, complete: bool) -> None:
        """Do nothing: there are no other files."""

    def close(self) -> None:
        """Close the program's committer."""
        committer, self._committer = self._committer, None
        if committer is not None:
            committer.close()
