"""Complete or roll back jobs that died while they wrote to a base path."""

from __future__ import annotations

import json
import os
import socket
from dataclasses import dataclass
from enum import StrEnum

from pystream.engine.connectors.file_commits import OWNER
from pystream.engine.connectors.file_lock import FileLock
from pystream.engine.connectors.job_files import JobFiles
from pystream.engine.connectors.job_record import (
    FilesState,
    JobRecord,
    Owner,
    home_of,
    is_unbounded,
    job_of,
    record_path,
    temporary_path,
)
from pystream.engine.connectors.storage import Storage, storage_of
from pystream.errors import ConnectorError, SinkError

__all__ = ["Leftover", "Outcome", "recover"]


class Outcome(StrEnum):
    """The outcome of recovering the files of a job.

    Attributes:
        COMPLETED: all are visible.
        ROLLED_BACK: all are removed.
        RUNNING: the job is alive, and they are not touched.
        UNKNOWN: it cannot be determined whether the job is alive, e.g. if it ran on another machine.
        FAILED: they cannot be completed or rolled back.
        RESUMABLE: the job is unbounded, runs or can be resumed, and they are not touched.
    """

    COMPLETED = "completed"
    ROLLED_BACK = "rolled back"
    RUNNING = "running"
    UNKNOWN = "unknown"
    FAILED = "failed"
    RESUMABLE = "resumable"

    @property
    def is_settled(self) -> bool:
        """Whether no files of the job are left in progress."""
        return self in (Outcome.COMPLETED, Outcome.ROLLED_BACK)


@dataclass(frozen=True, slots=True)
class Leftover:
    """A job with files in progress in a base path.

    Attributes:
        outcome: the outcome, or that of a recovery.
        text: the outcome in one line.
    """

    outcome: Outcome
    text: str


@dataclass(frozen=True, slots=True)
class _Options:
    dry_run: bool
    roll_back: bool
    force: bool


def recover(
    location: str, *, dry_run: bool = False, roll_back: bool = False, force: bool = False
) -> list[Leftover]:
    """Complete or roll back all jobs that died while they wrote to a base path, in all their base paths.

    Unbounded jobs are reported only: they recover their files themselves when they are resumed.

    Args:
        location: the base path.
        dry_run: whether only to report, without changes.
        roll_back: whether to also roll back jobs that could be completed.
        force: whether to treat a job as dead if its state is unknown; then, two recoveries may collide.

    Returns:
        The jobs that were found.

    Raises:
        ConnectorError: the base path cannot be listed.
    """
    storage, base = storage_of(location)
    try:
        names = storage.names(base)
    except OSError as error:
        raise SinkError(f"cannot list {location}: {error}") from error
    jobs = sorted({job for name in names if (job := job_of(name)) is not None})
    options = _Options(dry_run, roll_back, force)
    found = (_recover_job(storage, base, job, options) for job in jobs)
    unbounded = [_unbounded(storage, base, name) for name in sorted(names) if is_unbounded(name)]
    return [*(leftover for leftover in found if leftover is not None), *dict.fromkeys(unbounded)]


def _recover_job(storage: Storage, base: str, job_id: str, options: _Options) -> Leftover | None:
    """Recover a job that has files in a base path; return ``None`` if none are left."""
    path = record_path(base, job_id)
    try:
        data = storage.read(path)
        if data is None:
            return _remove_unrecorded(storage, base, job_id, options)
        home = home_of(data)
        home_storage, home_base = storage_of(home)
        path = record_path(home_base, job_id)
        found = home_storage.read(path)
        if found is None:
            return _remove_unrecorded(storage, base, job_id, options)
        lock = _lock(JobRecord.from_bytes(found).owner, path, options)
        if isinstance(lock, Leftover):
            return lock
        # Until it was locked, the record could still change.
        record = JobRecord.from_bytes(home_storage.read(path) or b"")
    except FileNotFoundError:
        return None
    except (ConnectorError, OSError, ValueError) as error:
        return Leftover(Outcome.FAILED, f"cannot read {path}: {error}")
    return _settle(JobFiles(record, lock), record, options)


def _unbounded(storage: Storage, base: str, name: str) -> Leftover:
    """Describe an unbounded job by its staging directory."""
    try:
        owner = json.loads(storage.read(f"{base}/{name}/{OWNER}") or b"{}")
    except (OSError, ValueError):
        owner = {}
    job, directory = owner.get("job", "?"), owner.get("directory", "?")
    return Leftover(
        Outcome.RESUMABLE,
        f"unbounded job {job!r} has files in progress in {base}: it is running, or can be "
        f"resumed from {directory} with `pystream run --resume`; remove its directories by hand only to give "
        "up these files",
    )


def _lock(owner: Owner, path: str, options: _Options) -> FileLock | Leftover:
    """Take the lock that makes this process the owner of a job.

    Raises:
        FileNotFoundError: the job has ended.
    """
    if owner.lock and owner.host == socket.gethostname():
        try:
            lock = FileLock.take(owner.lock)
        except FileNotFoundError:  # removed by a restart of the machine, or by a clean-up there
            if _is_running(owner.process) and not options.force:
                return _unknown(owner, path, "its lock file is gone")
            return FileLock.on_this_machine()
        if lock is not None and not options.dry_run:
            lock.path = owner.lock  # removed with the lock, as by its owner
    elif not owner.lock:
        lock = FileLock.take(path)
    elif options.force:
        return FileLock.on_this_machine()
    else:
        return _unknown(owner, path, "only that machine can tell")
    if lock is None:
        return Leftover(
            Outcome.RUNNING, f"process {owner.process} on {owner.host} still runs the job of {path}"
        )
    return lock


def _unknown(owner: Owner, path: str, why: str) -> Leftover:
    return Leftover(
        Outcome.UNKNOWN, f"process {owner.process} on {owner.host} may still run the job of {path}: {why}"
    )


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _settle(files: JobFiles, record: JobRecord, options: _Options) -> Leftover:
    is_in_place = record.state is FilesState.REPLACING
    publishes = is_in_place or (record.state is FilesState.PUBLISHING and not options.roll_back)
    outcome = Outcome.COMPLETED if publishes else Outcome.ROLLED_BACK
    job = f"job {record.job_id} ({record.name!r})"
    try:
        if options.dry_run:
            files.release()
        elif publishes:
            files.complete()
        else:
            files.roll_back()
    except ConnectorError as error:
        verb = "complete" if publishes else "roll back"
        return Leftover(Outcome.FAILED, f"cannot {verb} {job}: {error}")
    if publishes:
        published = ", ".join(f"{len(sink.names)} files in {sink.base_path}" for sink in record.sinks)
        return Leftover(outcome, f"{_verb('completed', 'complete', options)} {job}: {published}")
    removed = ", ".join(record.base_paths)
    return Leftover(outcome, f"{_verb('rolled back', 'roll back', options)} {job} in {removed}")


def _verb(past: str, infinitive: str, options: _Options) -> str:
    return f"would {infinitive}" if options.dry_run else past


def _remove_unrecorded(storage: Storage, base: str, job_id: str, options: _Options) -> Leftover | None:
    """Remove the files in progress of a job whose record is gone."""
    names = [name for name in storage.names(base) if job_of(name) == job_id]
    temporary = temporary_path(base, job_id)
    if not options.dry_run:
        for name in names:
            path = f"{base}/{name}"
            if path not in (temporary, record_path(base, job_id)):
                storage.remove_tree(path)
        storage.remove(temporary)
        storage.remove(record_path(base, job_id))
    if all(f"{base}/{name}" == temporary for name in names):
        return None
    verb = _verb("rolled back", "roll back", options)
    return Leftover(Outcome.ROLLED_BACK, f"{verb} job {job_id} in {base}, whose record is gone")
