"""Opens the directory of an unbounded job, if the program fits the state in it."""

from __future__ import annotations

from collections.abc import Mapping

from pystream.errors import CheckpointError
from pystream.hosts.unbounded.identify import KnownStates
from pystream.hosts.unbounded.identity import JobIdentity
from pystream.hosts.unbounded.job_directory import JobDirectory
from pystream.hosts.unbounded.savepoint_check import check_savepoint
from pystream.hosts.unbounded.settings import UnboundedSettings
from pystream.settings.modes import Runner

__all__ = ["open_job_directory"]


def open_job_directory(
    settings: UnboundedSettings,
    identity: JobIdentity,
    known: Mapping[str, KnownStates],
    job_id: str,
    runner: Runner,
) -> JobDirectory:
    """Create the directory of a new job, or open that of a job to resume.

    Args:
        settings: where it is, and what the job starts from.
        identity: the operators of the program.
        known: those of their states that are known before it starts, by uid.
        job_id: the hexadecimal id of a new job.
        runner: the host.

    Returns:
        The directory, locked for this process.

    Raises:
        CheckpointError: it cannot be opened, or the program does not fit the state that the job starts from.
        ConfigurationError: the job is to resume, but has no directory.
    """
    allow = settings.allow_non_restored_state
    if settings.savepoint and not settings.resume:
        check_savepoint(settings.savepoint, identity, known, allow_non_restored_state=allow)
    directory = JobDirectory.open(
        settings.directory,
        identity,
        job_id,
        runner=runner,
        resume=settings.resume,
        savepoint=settings.savepoint,
        real_time=settings.real_time,
    )
    try:
        _check_compatibility(directory, identity, allow_non_restored_state=allow)
    except BaseException:
        directory.close()
        raise
    return directory


def _check_compatibility(
    directory: JobDirectory, identity: JobIdentity, *, allow_non_restored_state: bool
) -> None:
    """Check that a program fits the state that it resumes from, if there is any.

    Raises:
        CheckpointError: it does not.
    """
    differences = directory.compatibility
    if differences is None:
        return
    differences.check(allow_non_restored_state=allow_non_restored_state)
    if not differences.is_same:
        raise CheckpointError(
            f"job {identity.name!r} has changed since it stored its state: only the same program "
            "resumes from a checkpoint; stop it with a savepoint, and start the changed program from that"
        )
