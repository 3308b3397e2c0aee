"""The committer of sinks whose writers make their output visible themselves."""

from __future__ import annotations

from collections.abc import Sequence

from pystream.engine.connectors.interfaces import EpochEnd, PreparedCommit

__all__ = ["NothingToCommit"]


class NothingToCommit:
    """Do nothing at the commit of an epoch: at its end, the writers have flushed all output."""

    def open(self) -> None:
        """Do nothing: the writers connect to the target."""

    def last_committed(self) -> int:
        """Return -1: the target does not show what is committed."""
        return -1

    def prepare(self, end: EpochEnd, state: object, messages: Sequence[object]) -> PreparedCommit:
        """Return a commit of nothing."""
        return PreparedCommit(None, None)

    def commit(self, epoch: int, action: object, *, repeated: bool = False) -> None:
        """Do nothing: output is visible already."""

    def restore(self, state: object) -> None:
        """Do nothing: output of an epoch that failed stays, and is written again."""

    def next_time(self, state: object) -> int | None:
        """Return ``None``: no output waits for a checkpoint."""
        return None

    def end(self, *, complete: bool) -> None:
        """Do nothing: there are no other files."""

    def close(self) -> None:
        """Do nothing: there are no connections."""
