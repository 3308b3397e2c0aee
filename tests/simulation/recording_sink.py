"""RecordingSink: a sink in memory whose commits are idempotent, and checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pystream.engine.connectors.interfaces import EpochEnd, PreparedCommit
from pystream.engine.task_info import JobInfo, SubtaskInfo
from tests.simulation.crashes import step

__all__ = ["COMMITTED", "RecordingSink"]

COMMITTED: dict[str, dict[int, list[Any]]] = {}
"""The elements that each sink has committed, by epoch."""


@dataclass(frozen=True)
class RecordingSink:
    """A sink with a name, by which `COMMITTED` has what it committed.

    Attributes:
        name: its name.
        first: what to add to the numbers of epochs: a job that starts from a savepoint begins at 0 again.
    """

    name: str
    first: int = 0

    def check(self) -> None:
        pass

    def epoch_writer(self, transaction: str, subtask: SubtaskInfo) -> Writer:
        return Writer()

    def committer(self, transaction: str, job: JobInfo, directory: str) -> Committer:
        return Committer(COMMITTED.setdefault(self.name, {}), self.first)


class Writer:
    def __init__(self) -> None:
        self.values: list[Any] = []

    def write(self, values: list[Any], timestamps: list[int] | None = None, watermark: int = 0) -> None:
        self.values += values

    def finish(self, *, end_of_input: bool = True) -> list[Any]:
        values, self.values = self.values, []
        return values

    def abort(self) -> None:
        self.values = []

    def close(self) -> None:
        pass


class Committer:
    def __init__(self, committed: dict[int, list[Any]], first: int) -> None:
        self.committed = committed
        self.first = first

    def open(self) -> None:
        pass

    def last_committed(self) -> int:
        return max(-1, max(self.committed, default=-1) - self.first)

    def prepare(self, end: EpochEnd, state: Any, messages: Sequence[Any]) -> PreparedCommit:
        return PreparedCommit(None, [value for message in messages for value in message])

    def commit(self, epoch: int, action: Any, *, repeated: bool = False) -> None:
        step("commit of a sink")
        epoch += self.first
        assert self.committed.setdefault(epoch, action) == action, f"another commit of epoch {epoch}"
        assert max(self.committed) == epoch, f"epoch {epoch} is committed after a later one"
        step("a sink has committed")

    def restore(self, state: Any) -> None:
        pass

    def next_time(self, state: Any) -> int | None:
        return None

    def end(self, *, complete: bool) -> None:
        pass

    def close(self) -> None:
        pass
