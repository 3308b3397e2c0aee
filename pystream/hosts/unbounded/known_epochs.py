"""KnownEpochs: the last epoch that a job is known to have committed, before which no attempt begins."""

from __future__ import annotations

from pystream.hosts.unbounded.lost_state import REMEDY, StateLostError

__all__ = ["KnownEpochs"]


class KnownEpochs:
    """The last committed epoch that the process of a job knows of; files and sinks may know a later one.

    Args:
        job_name: name of the job, for messages.
        location: location of its directory.

    Attributes:
        last: number of the last epoch that this process knows of; -1 for none.
    """

    def __init__(self, job_name: str, location: str) -> None:
        self._job_name = job_name
        self._location = location
        self.last: int = -1

    def note(self, committed: int) -> None:
        """Remember that an epoch is committed, in all attempts of this process."""
        self.last = max(self.last, committed)

    def check(self, committed: int) -> None:
        """Check that an attempt does not begin before the last epoch that this process knows of.

        Args:
            committed: number of the last epoch in the state that the attempt begins with; -1 for none.

        Raises:
            StateLostError: it does.
        """
        self.require(committed, self.last, "this process")

    def require(self, committed: int, known: int, witness: str) -> None:
        """Check that an attempt does not begin before an epoch that something shows to be committed.

        Args:
            committed: number of the last epoch in the state that the attempt begins with; -1 for none.
            known: number of the last epoch that the witness knows of; -1 for none.
            witness: what shows it, for messages.

        Raises:
            StateLostError: it does.
        """
        if known > committed:
            found = "has none at all" if committed < 0 else f"ends with epoch {committed}"
            raise StateLostError(
                f"job {self._job_name!r} does not continue: {witness} shows that epoch {known} is committed, "
                f"but the state in {self._location} {found}; output would be written twice. The state is "
                f"missing or an older copy: {REMEDY}"
            )
