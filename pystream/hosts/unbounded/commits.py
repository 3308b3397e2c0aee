"""SinkCommits: the commits of all sinks of an unbounded job, in two phases."""

from __future__ import annotations

import pickle
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from pystream.engine.connectors.interfaces import EpochEnd, PreparedCommit, SinkCommitter
from pystream.engine.connectors.job_record import epoch_transaction_of
from pystream.engine.connectors.publishing import sink_errors
from pystream.engine.connectors.storage import storage_of
from pystream.engine.exception_encoding import summarize
from pystream.engine.task_info import JobInfo
from pystream.errors import PyStreamError, SinkError
from pystream.hosts.lowering import label_of
from pystream.plan.nodes import SinkNode

__all__ = ["SinkCommits"]

_RECORD = re.compile(r"(\d+)\.commit")
_CHECKSUM_BYTES = 4


class _Record(NamedTuple):
    """The prepared commits of an epoch.

    Attributes:
        epoch: its number.
        commits: those of the sinks, by uid.
        titles: names of the sinks, for messages.
    """

    epoch: int
    commits: Mapping[str, PreparedCommit]
    titles: Mapping[str, str]


class SinkCommits:
    """Commit the output of all sinks of a job, exactly once each epoch.

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
        self._sinks = sinks
        self._committers: dict[str, SinkCommitter] = {
            node.uid: node.target.committer(epoch_transaction_of(job.job_id, node.uid), job, job_directory)
            for node in sinks.values()
        }
        self._labels = {node.uid: str(label_of(node)) for node in sinks.values()}
        self._committed = _Record(-1, {}, {})
        self._prepared: _Record | None = None
        self._tried = -1

    def recover(self, committed: int) -> None:
        """Take over after a start or a failure; called before all other methods.

        Commits the last epoch again, drops what was prepared later, and removes the output of attempts that
        were not committed.

        Args:
            committed: number of the last epoch that the engine has committed; -1 for none.

        Raises:
            SinkError: the record of that epoch is missing or damaged, output that it names is missing, or the
                program lacks a sink that has output in progress.
            PyStreamError: a sink failed.
        """
        self._prepared = None
        with sink_errors(f"cannot recover the commits in {self._directory}"):
            has_records = False
            for name in self._storage.names(self._directory):
                match = _RECORD.fullmatch(name)
                has_records = has_records or (match is not None and int(match[1]) <= committed)
                if match is None or int(match[1]) > committed:
                    self._storage.remove(f"{self._directory}/{name}")
        record = self._read(committed) if has_records else _Record(committed, {}, {})
        self._check_sinks(record)
        for uid, committer in self._committers.items():
            with self._failures(uid, "open"):
                committer.open()
        self._tried = committed
        self._commit(record)
        for uid, committer in self._committers.items():
            with self._failures(uid, "recover"):
                committer.restore(_commit_of(record, uid).state)
        with sink_errors(f"cannot remove a record from {self._directory}"):
            for name in self._storage.names(self._directory):
                if name != self._name(committed):
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
            now: processing time in ms since the epoch.
            publishes: whether the epoch ends with a checkpoint of the program.
            last: whether all output must become visible, because the job ends or a savepoint is taken.

        Raises:
            SinkError: it cannot be made durable; the call may be repeated.
            PyStreamError: a sink failed.
        """
        if epoch <= self._committed.epoch:
            raise SinkError(f"epoch {epoch} cannot be prepared: epoch {self._committed.epoch} is committed")
        self._prepared = None
        end = EpochEnd(epoch, now, publishes, last)
        commits = {}
        for number, node in self._sinks.items():
            state = _commit_of(self._committed, node.uid).state
            with self._failures(node.uid, "prepare", epoch):
                commits[node.uid] = self._committers[node.uid].prepare(end, state, messages.get(number, ()))
        record = _Record(epoch, commits, self._labels)
        if self._sinks:
            self._write(record)
        self._prepared = record

    def commit(self, epoch: int) -> None:
        """Make the output of a prepared epoch visible; does nothing if that is done already.

        Raises:
            SinkError: the epoch was not prepared, or its output cannot be made visible; after a failure, the
                call may be repeated.
            PyStreamError: a sink failed.
        """
        if epoch <= self._committed.epoch:
            return
        if self._prepared is None or self._prepared.epoch != epoch:
            raise SinkError(f"epoch {epoch} cannot be committed: it was not prepared")
        self._commit(self._prepared)
        self._end_commit(self._prepared)
        self._prepared = None

    def next_time(self) -> int | None:
        """Return the time, in ms since the epoch, from which on a checkpoint makes more output visible.

        It is ``None`` if that takes further elements.
        """
        times = [
            committer.next_time(_commit_of(self._committed, uid).state)
            for uid, committer in self._committers.items()
        ]
        return min((time for time in times if time is not None), default=None)

    def end(self, *, complete: bool) -> None:
        """Remove what the job keeps beside its output, after the commit of a last epoch.

        Args:
            complete: whether the job has ended by itself, all its input being processed.

        Raises:
            PyStreamError: a sink failed.
        """
        for uid, committer in self._committers.items():
            with self._failures(uid, "end"):
                committer.end(complete=complete)

    def close(self) -> None:
        """Release the connections of committers.

        Raises:
            PyStreamError: a sink failed.
        """
        for uid, committer in self._committers.items():
            with self._failures(uid, "close"):
                committer.close()

    def _commit(self, record: _Record) -> None:
        repeated = self._tried == record.epoch
        self._tried = record.epoch
        for uid, committer in self._committers.items():
            action = _commit_of(record, uid).action
            if action is not None:
                with self._failures(uid, "commit", record.epoch):
                    committer.commit(record.epoch, action, repeated=repeated)

    def _end_commit(self, record: _Record) -> None:
        """Remove the record of the epoch before, which is not needed any more."""
        before, self._committed = self._committed, record
        with sink_errors(f"cannot remove a record from {self._directory}"):
            if before.epoch < record.epoch:
                self._storage.remove(self._path(before.epoch))

    def _check_sinks(self, record: _Record) -> None:
        """Check that the program still has all sinks with output that is not visible."""
        for uid, commit in record.commits.items():
            if uid not in self._committers and commit != PreparedCommit(None, None):
                raise SinkError(
                    f"the program has no sink {record.titles[uid]} any more, but its output is not complete; "
                    "resume the job with this sink, stop it with a savepoint, and start from that"
                )

    @staticmethod
    def _name(epoch: int) -> str:
        return f"{epoch}.commit"

    def _path(self, epoch: int) -> str:
        return f"{self._directory}/{self._name(epoch)}"

    def _read(self, epoch: int) -> _Record:
        path = self._path(epoch)
        with sink_errors(f"cannot read {path}"):
            data = self._storage.read(path)
        remedy = "start the job from a savepoint"
        if data is None:
            raise SinkError(f"{path}, the record of the last commit, is missing: restore it, or {remedy}")
        checksum, content = data[:_CHECKSUM_BYTES], data[_CHECKSUM_BYTES:]
        if checksum != _checksum(content):
            raise SinkError(f"{path}, the record of the last commit, is damaged: restore it, or {remedy}")
        record: _Record = pickle.loads(content)
        return record

    def _write(self, record: _Record) -> None:
        path = self._path(record.epoch)
        content = pickle.dumps(record, pickle.HIGHEST_PROTOCOL)
        with sink_errors(f"cannot write {path}"):
            self._storage.make_directory(self._directory)
            self._storage.replace(path, _checksum(content) + content, f"{path}.new")

    @contextmanager
    def _failures(self, uid: str, verb: str, epoch: int | None = None) -> Iterator[None]:
        """Report failures of a sink with its name."""
        try:
            yield
        except PyStreamError as error:
            error.add_note(f"in sink {self._labels[uid]}")
            raise
        except Exception as error:
            of_epoch = "" if epoch is None else f" epoch {epoch}"
            raise SinkError(
                f"sink {self._labels[uid]} failed to {verb}{of_epoch}: {summarize(error)}"
            ) from error


def _commit_of(record: _Record, uid: str) -> PreparedCommit:
    return record.commits.get(uid, PreparedCommit(None, None))


def _checksum(content: bytes) -> bytes:
    return zlib.crc32(content).to_bytes(_CHECKSUM_BYTES)
