"""The driver sides of the sinks of a job that commits epochs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from pystream.engine.connectors.interfaces import EpochEnd, PreparedCommit, SinkCommitter
from pystream.engine.connectors.job_record import epoch_transaction_of
from pystream.engine.exception_encoding import summarize
from pystream.engine.task_info import JobInfo
from pystream.errors import PyStreamError, SinkError
from pystream.hosts.lowering import label_of
from pystream.plan.nodes import SinkNode

__all__ = ["Commits", "Committers", "commit_of"]

Commits = Mapping[str, PreparedCommit]
"""The prepared commits of an epoch, by the uid of the sink."""

_NOTHING = PreparedCommit(None, None)


def commit_of(commits: Commits, uid: str) -> PreparedCommit:
    """Return the prepared commit of a sink, an empty one if there is none."""
    return commits.get(uid, _NOTHING)


class Committers:
    """The committers of all sinks of a job; errors name the sink.

    Args:
        job: the job; its id must stay the same when it is resumed.
        directory: location of the directory of the job, empty if it has none.
        sinks: the sinks by the numbers of their edges.

    Attributes:
        labels: the names of the sinks for messages, by uid.
    """

    def __init__(self, job: JobInfo, directory: str, sinks: Mapping[int, SinkNode]) -> None:
        self._uids = {number: node.uid for number, node in sinks.items()}
        self.labels: Mapping[str, str] = {node.uid: str(label_of(node)) for node in sinks.values()}
        self._committers: dict[str, SinkCommitter] = {
            node.uid: node.target.committer(epoch_transaction_of(job.job_id, node.uid), job, directory)
            for node in sinks.values()
        }

    def open(self) -> None:
        """Prepare the targets.

        Raises:
            PyStreamError: a sink failed.
        """
        for uid, committer in self._committers.items():
            with self._failures(uid, "open"):
                committer.open()

    def last_committed(self) -> dict[str, int]:
        """Return the last epoch that the target of each sink knows to be committed, by label; -1 for none.

        Raises:
            PyStreamError: a sink failed.
        """
        known = {}
        for uid, committer in self._committers.items():
            with self._failures(uid, "read the last epoch of"):
                known[self.labels[uid]] = committer.last_committed()
        return known

    def prepare(
        self, end: EpochEnd, before: Commits, messages: Mapping[int, Sequence[Any]]
    ) -> dict[str, PreparedCommit]:
        """Make the output of an epoch durable.

        Args:
            end: the end of the epoch.
            before: the commits of the previous epoch.
            messages: those of the writers of each sink, by the number of its edge.

        Raises:
            PyStreamError: a sink failed.
        """
        commits = {}
        for number, uid in self._uids.items():
            with self._failures(uid, "prepare the commit of", end.number):
                state = commit_of(before, uid).state
                commits[uid] = self._committers[uid].prepare(end, state, messages.get(number, ()))
        return commits

    def commit(self, epoch: int, commits: Commits, *, repeated: bool = False) -> None:
        """Make the output of an epoch visible.

        Args:
            epoch: its number.
            commits: its commits.
            repeated: whether they were started before.

        Raises:
            PyStreamError: a sink failed.
        """
        for uid, committer in self._committers.items():
            action = commit_of(commits, uid).action
            if action is not None:
                with self._failures(uid, "commit", epoch):
                    committer.commit(epoch, action, repeated=repeated)

    def restore(self, commits: Commits) -> None:
        """Remove all output that is neither visible nor part of the commits.

        Raises:
            PyStreamError: a sink failed.
        """
        for uid, committer in self._committers.items():
            with self._failures(uid, "recover"):
                committer.restore(commit_of(commits, uid).state)

    def next_time(self, commits: Commits) -> int | None:
        """Return when a checkpoint can first make more output visible, in ms since the Unix epoch.

        It is ``None`` if that takes further elements.
        """
        times = (c.next_time(commit_of(commits, uid).state) for uid, c in self._committers.items())
        return min((time for time in times if time is not None), default=None)

    def end(self, *, complete: bool) -> None:
        """Remove the files that the job keeps for its own use.

        Args:
            complete: whether the job has finished: all its input is processed.

        Raises:
            PyStreamError: a sink failed.
        """
        for uid, committer in self._committers.items():
            with self._failures(uid, "end"):
                committer.end(complete=complete)

    def close(self) -> None:
        """Release the connections of all committers.

        Raises:
            PyStreamError: a sink failed; the others are closed all the same.
        """
        failures = []
        for uid, committer in self._committers.items():
            try:
                with self._failures(uid, "close"):
                    committer.close()
            except PyStreamError as error:
                failures.append(error)
        if failures:
            raise failures[0]

    @contextmanager
    def _failures(self, uid: str, verb: str, epoch: int | None = None) -> Iterator[None]:
        try:
            yield
        except PyStreamError as error:
            error.add_note(f"in sink {self.labels[uid]}")
            raise
        except Exception as error:
            of_epoch = "" if epoch is None else f" epoch {epoch}"
            raise SinkError(
                f"sink {self.labels[uid]} failed to {verb}{of_epoch}: {summarize(error)}"
            ) from error
