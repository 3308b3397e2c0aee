"""SinkCommits: the commits of all sinks of an unbounded job, in two phases."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pystream.engine.connectors.interfaces import EpochEnd, PreparedCommit
from pystream.engine.connectors.publishing import sink_errors
from pystream.engine.connectors.storage import storage_of
from pystream.engine.stored_data import dump_data
from pystream.engine.task_info import JobInfo
from pystream.errors import SinkError
from pystream.hosts.committers import Commits, Committers
from pystream.hosts.unbounded.checked_file import (
    UnusableFileError,
    data_of,
    read_checked,
    remedied,
    write_checked,
)
from pystream.hosts.unbounded.known_epochs import KnownEpochs
from pystream.plan.nodes import SinkNode

__all__ = ["SinkCommits"]

_RECORD = re.compile(r"(\d+)\.commit")


class _Record(NamedTuple):
    """The prepared commits of an epoch.

    Attributes:
        epoch: its number.
        commits: those of the sinks.
        labels: names of the sinks for messages, by uid.
    """

    epoch: int
    commits: Commits
    labels: Mapping[str, str]


class SinkCommits:
    """Commit the output of all sinks of a job, exactly once for each epoch.

    `prepare` makes the output of an epoch durable, with one record for all sinks; once the engine has
    committed the epoch, `commit` makes it visible. A process that takes over calls `recover` first.

    Args:
        directory: location of a directory for the records; nothing else may be in it.
        job: the job; its id must stay the same when it is resumed.
        job_directory: location of the directory of the job, shown to users.
        sinks: the sinks by the numbers of their edges.
    """

    def __init__(
        self, directory: str, job: JobInfo, job_directory: str, sinks: Mapping[int, SinkNode]
    ) -> None:
        self._storage, self._directory = storage_of(directory)
        self._job_id = job.job_id
        self._has_sinks = bool(sinks)
        self._committers = Committers(job, job_directory, sinks)
        self._committed = _Record(-1, {}, {})
        self._prepared: _Record | None = None
        self._tried = -1

    def recover(self, committed: int, known: KnownEpochs) -> None:
        """Take over after a start or a failure; called before all other methods.

        Commits the last epoch again, drops what was prepared later, and removes the output of attempts that
        were not committed.

        Args:
            committed: number of the last epoch that the engine has committed; -1 for none.
            known: refuses an epoch before one that a record or a target shows to be committed.

        Raises:
            CheckpointError: the record of that epoch is missing or damaged, or later epochs were committed.
            SinkError: output that it names is missing, or the program lacks a sink with output in progress.
            PyStreamError: a sink failed.
        """
        self._prepared = None
        numbers = self._numbers()
        last = max(numbers, default=0)  # the epoch before it was committed when its record was written
        known.require(committed, last - 1, f"{self._directory}/{_name(last)}")
        has_committed = min(numbers, default=committed + 1) <= committed or (
            self._has_sinks and committed >= 0
        )
        record = self._read(committed) if has_committed else _Record(committed, {}, {})
        self._check_sinks(record)
        self._committers.open()
        for label, epoch in self._committers.last_committed().items():
            known.require(committed, epoch, f"the target of sink {label}")
        self._tried = committed
        self._commit(record)
        self._committers.restore(record.commits)
        with sink_errors(f"cannot write {self._directory}"):
            if self._has_sinks:
                self._storage.make_directory(self._directory, private=True)
            for name in self._storage.names(self._directory):
                if name != _name(committed):
                    self._storage.remove(f"{self._directory}/{name}")
        self._committed = record

    def prepare(
        self,
        epoch: int,
        messages: Mapping[int, Sequence[Any]],
        now: int,
        publishes: bool = True,
        last: bool = False,
    ) -> None:
        """Make the output of an epoch durable; the epoch before must be committed.

        Args:
            epoch: its number.
            messages: those of the writers of each sink, by the number of its edge.
            now: processing time in ms since the Unix epoch.
            publishes: whether the epoch ends with a checkpoint of the program.
            last: whether all output must become visible, because the job ends or a savepoint is taken.

        Raises:
            CheckpointError: the record cannot be written; the call may be repeated.
            PyStreamError: a sink failed; the call may be repeated.
        """
        if epoch <= self._committed.epoch:
            raise SinkError(f"epoch {epoch} cannot be prepared: epoch {self._committed.epoch} is committed")
        self._prepared = None
        end = EpochEnd(epoch, now, publishes, last)
        commits = self._committers.prepare(end, self._committed.commits, messages)
        record = _Record(epoch, commits, self._committers.labels)
        if self._has_sinks:
            content = dump_data(record)
            write_checked(self._storage, f"{self._directory}/{_name(epoch)}", content, self._job_id)
        self._prepared = record

    def commit(self, epoch: int) -> None:
        """Make the output of a prepared epoch visible; does nothing if it is visible already.

        Raises:
            SinkError: the epoch was not prepared.
            PyStreamError: a sink failed; the call may be repeated.
        """
        if epoch <= self._committed.epoch:
            return
        record = self._prepared
        if record is None or record.epoch != epoch:
            raise SinkError(f"epoch {epoch} cannot be committed: it was not prepared")
        self._commit(record)
        before, self._committed, self._prepared = self._committed, record, None
        with sink_errors(f"cannot remove a record from {self._directory}"):
            self._storage.remove(f"{self._directory}/{_name(before.epoch)}")

    def next_time(self) -> int | None:
        """Return when a checkpoint can first make more output visible, in ms since the Unix epoch.

        It is ``None`` if that takes further elements.
        """
        return self._committers.next_time(self._committed.commits)

    def end(self, *, complete: bool) -> None:
        """Remove the files that the job keeps for its own use, after the commit of the last epoch.

        Args:
            complete: whether the job has finished: all its input is processed.

        Raises:
            PyStreamError: a sink failed; the call may be repeated.
        """
        self._committers.end(complete=complete)

    def close(self) -> None:
        """Release the connections of sinks.

        Raises:
            PyStreamError: a sink failed.
        """
        self._committers.close()

    def _commit(self, record: _Record) -> None:
        repeated = self._tried == record.epoch
        self._tried = record.epoch
        self._committers.commit(record.epoch, record.commits, repeated=repeated)

    def _numbers(self) -> list[int]:
        """Return the numbers of the epochs with a record."""
        with sink_errors(f"cannot list {self._directory}"):
            names = self._storage.names(self._directory)
        return [int(match[1]) for name in names if (match := _RECORD.fullmatch(name))]

    def _check_sinks(self, record: _Record) -> None:
        """Check that the program still has all sinks with output that is not visible."""
        for uid, commit in record.commits.items():
            if uid not in self._committers.labels and commit != PreparedCommit(None, None):
                raise SinkError(
                    f"the program no longer has sink {record.labels[uid]}, whose output is not complete; "
                    "resume the job with this sink, stop it with a savepoint, and start from that"
                )

    def _read(self, epoch: int) -> _Record:
        path = f"{self._directory}/{_name(epoch)}"
        with remedied():
            content = read_checked(self._storage, path, self._job_id)
            if content is None:
                raise UnusableFileError(
                    f"{path}, the record of the last commit of the job's sinks, is missing"
                )
            record: _Record = data_of(content, path)
        return record


def _name(epoch: int) -> str:
    return f"{epoch}.commit"
