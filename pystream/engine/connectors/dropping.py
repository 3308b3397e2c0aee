"""Drop elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pystream.engine.connectors.uncommitted import NothingToCommit
from pystream.engine.events import NO_TIMESTAMP, Timestamps
from pystream.engine.task_info import JobInfo, SubtaskInfo

__all__ = ["DroppingOutput"]


@dataclass(frozen=True, slots=True)
class DroppingOutput:
    """A sink that drops batches of elements without looking at them, so that columns stay columns."""

    def check(self) -> None:
        """Do nothing: there is no target."""

    def epoch_writer(self, transaction: str, subtask: SubtaskInfo) -> DroppingWriter:
        """Return a writer that drops its elements."""
        return DroppingWriter()

    def committer(self, transaction: str, job: JobInfo, directory: str) -> NothingToCommit:
        """Return a committer that does nothing."""
        return NothingToCommit()


class DroppingWriter:
    """Drop batches of elements."""

    def write(
        self, values: Sequence[Any], timestamps: Timestamps | None = None, watermark: int = NO_TIMESTAMP
    ) -> None:
        """Drop the elements."""

    def finish(self, *, end_of_input: bool = True) -> None:
        """Do nothing: nothing was written."""

    def abort(self) -> None:
        """Do nothing: nothing was written."""

    def close(self) -> None:
        """Do nothing: there are no resources."""
