"""PendingSavepoint: a savepoint that subtasks have written, until its epoch is committed."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from typing import Any

from pystream.engine.state.errors import StateMigrationError
from pystream.engine.state.evolution import StateHistory, StateType, merged_history
from pystream.errors import CheckpointError
from pystream.hosts.unbounded.identity import JobIdentity
from pystream.hosts.unbounded.reports import SubtaskReport
from pystream.hosts.unbounded.savepoint import SavepointMetadata
from pystream.hosts.unbounded.savepoint_files import SavedOperator, SavepointFiles

__all__ = ["PendingSavepoint"]


class PendingSavepoint:
    """Complete the savepoint of an epoch.

    Args:
        location: location of the savepoint.
        job_id: the hexadecimal id of the job.
        identity: the operators of the job.
        epoch: number of the epoch.
    """

    def __init__(self, location: str, job_id: str, identity: JobIdentity, epoch: int) -> None:
        self._location = location
        self._job_id = job_id
        self._identity = identity
        self._epoch = epoch
        self._metadata: SavepointMetadata | None = None

    def prepare(self, reports: Sequence[SubtaskReport], positions: Mapping[str, Any]) -> None:
        """Write everything but the description; the epoch has run.

        Args:
            reports: those of its subtasks.
            positions: the positions of sources after it, by uid.

        Raises:
            CheckpointError: a subtask could not write its state, or the rest cannot be written.
        """
        failed = next((report for report in reports if report.savepoint_error), None)
        if failed is not None:
            raise CheckpointError(failed.savepoint_error)
        saved = [each for report in reports for each in report.saved]
        types = _types(saved)
        files = SavepointFiles(self._location)
        own_files = (files.write_positions(positions), files.write_types(types))
        self._metadata = SavepointMetadata.of(
            self._job_id, self._epoch, self._identity, saved, types, own_files
        )

    def complete(self) -> None:
        """Write the description, which makes the savepoint valid; the epoch is committed.

        Raises:
            CheckpointError: it cannot be written.
        """
        assert self._metadata is not None
        self._metadata.write(self._location)

    def discard(self) -> None:
        """Remove what was written, after a failure."""
        SavepointFiles(self._location).discard()


def _types(saved: Sequence[SavedOperator]) -> dict[str, StateHistory]:
    """Return the types of the states of each operator, which some subtasks may not have used."""
    found: dict[str, dict[str, list[Sequence[StateType]]]] = {}
    for each in saved:
        states = found.setdefault(each.uid, {})
        for name, history in pickle.loads(each.types).items():
            states.setdefault(name, []).append(history)
    try:
        return {
            uid: {name: merged_history(name, histories) for name, histories in states.items()}
            for uid, states in found.items()
        }
    except StateMigrationError as error:
        raise CheckpointError(f"the savepoint cannot be completed: {error}") from error
