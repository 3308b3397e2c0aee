"""JobDirectory: the durable state of an unbounded job, from which it resumes."""

from __future__ import annotations

import hashlib
import json
import logging
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from enum import Enum
from typing import Any

from pystream.engine.connectors.file_lock import FileLock
from pystream.engine.connectors.files import absolute_location
from pystream.engine.connectors.storage import Storage, storage_of
from pystream.errors import CheckpointError, ConfigurationError
from pystream.hosts.process import new_directory, removed_with
from pystream.hosts.unbounded.checked_file import write_durably
from pystream.hosts.unbounded.directory_lock import LOCK_NAME, holder_of, lock_directory
from pystream.hosts.unbounded.identity import Compatibility, JobIdentity, compare
from pystream.settings.modes import ExternalizedCheckpointCleanup, Runner
from pystream.settings.options import CHECKPOINT_DIRECTORY, REAL_TIME, RUNNER

__all__ = ["Ending", "JobDirectory", "directory_name"]

_LOG = logging.getLogger(__name__)
_FORMAT = 2
_RECORD = "job.json"
_SPARK, _LOCAL, _EPOCHS, _SINKS, _REAL_TIME = "spark", "local", "epochs", "sinks", "real-time"
_BEING_WRITTEN = ".inprogress"
_LONGEST_NAME = 100
_OTHER_CHARACTERS = re.compile(r"[^A-Za-z0-9_.-]+")


class Ending(Enum):
    """The end of a job: FINISHED includes a stop with a savepoint, INTERRUPTED the end of its process."""

    FINISHED = "finished"
    CANCELED = "cancelled"
    FAILED = "failed"
    INTERRUPTED = "interrupted"

    def keeps_state(self, retention: ExternalizedCheckpointCleanup | None) -> bool:
        """Return whether state stays after the end, so that the job can resume."""
        if self is Ending.CANCELED:
            return retention is ExternalizedCheckpointCleanup.RETAIN_ON_CANCELLATION
        return self is not Ending.FINISHED


@dataclass(frozen=True, slots=True)
class _Stored:
    """The content of ``job.json``."""

    job_id: str
    created: str
    runner: str
    savepoint: str
    identity: JobIdentity
    is_discarded: bool = False


class JobDirectory:
    """The directory of a job; `open` returns it, locked for this process.

    Attributes:
        location: its location.
        job_id: the hexadecimal id of the job, the same after it resumes.
        savepoint: the location of the savepoint that the job started from; empty for none.
        compatibility: the differences from the program that stored its state; ``None`` for a new job.
    """

    def __init__(
        self,
        location: str,
        stored: _Stored,
        lock: FileLock | None,
        compatibility: Compatibility | None = None,
    ) -> None:
        self.location = location
        self.job_id: str = stored.job_id
        self.savepoint: str = stored.savepoint
        self.compatibility = compatibility
        self._stored = stored
        self._lock = lock
        self._storage, self._path = storage_of(location)
        self._remove_temporary: Callable[[], object] | None = None

    @classmethod
    def open(
        cls,
        parent: str | None,
        identity: JobIdentity,
        job_id: str,
        *,
        runner: Runner,
        resume: bool = False,
        savepoint: str = "",
        real_time: bool = False,
    ) -> JobDirectory:
        """Create the directory of a new job, or open that of a job to resume.

        Args:
            parent: location of the directory of all jobs, ``execution.checkpointing.dir``; ``None`` for a
                temporary directory, which is removed at the end.
            identity: the operators of the job; its name names the directory.
            job_id: the hexadecimal id of a new job.
            runner: the host; only the same one can resume from the state.
            resume: whether the job resumes from the state in its directory.
            savepoint: location of the savepoint that a new job starts from, for which the state of an earlier
                job of this name is moved aside; not used by a job that resumes.
            real_time: whether the job runs in Spark's Real-Time Mode; only such a job can resume from the
                state of one.

        Raises:
            CheckpointError: there is state, but the job does not resume; there is none, but it does; it is
                that of another host or mode; another process runs the job; or the directory is not one of a
                job, or cannot be written.
            ConfigurationError: the job is to resume, but ``parent`` is ``None``.
        """
        if parent is None:
            return cls._temporary(identity, job_id, runner, resume=resume, savepoint=savepoint)
        location = f"{absolute_location(parent).rstrip('/')}/{directory_name(identity.name)}"
        storage, path = storage_of(location)
        try:
            _check_place(storage, path, identity.name, resume=resume)
            storage.make_directory(path)
            lock = _lock(storage, path, identity.name)
        except OSError as error:
            raise CheckpointError(f"cannot write {location}: {error}") from error
        try:
            stored = _read(storage, path)
            if stored is not None and _has_state(storage, path, stored):
                if resume:
                    _check_runner(stored, runner, location)
                    _check_mode(storage, path, identity.name, real_time=real_time)
                    return cls(location, stored, lock, compare(stored.identity, identity))
                if not savepoint:
                    raise CheckpointError(_REFUSAL.format(name=identity.name, location=location))
                lock = _move_aside(storage, path, stored, lock)
            elif resume:
                raise _nothing_to_resume(identity.name, location)
            new = cls(location, _Stored(job_id, _now(), runner.value, savepoint, identity), lock)
            new._remove_state()
            new.accept(identity)
        except BaseException as error:
            if lock is not None:
                lock.close()
            if isinstance(error, OSError):
                raise CheckpointError(f"cannot write {location}: {error}") from error
            raise
        return new

    @classmethod
    def _temporary(
        cls, identity: JobIdentity, job_id: str, runner: Runner, *, resume: bool, savepoint: str
    ) -> JobDirectory:
        if resume:
            raise ConfigurationError(
                f"{CHECKPOINT_DIRECTORY.key} is not set: job {identity.name!r} has no state to resume"
            )
        directory = new_directory()
        new = cls(str(directory), _Stored(job_id, _now(), runner.value, savepoint, identity), None)
        new._remove_temporary = removed_with(new, directory)
        return new

    @property
    def is_temporary(self) -> bool:
        """Whether the directory is removed at the end, however the job ends."""
        return self._remove_temporary is not None

    @property
    def is_resumed(self) -> bool:
        """Whether the job resumes from the state in this directory."""
        return self.compatibility is not None

    @property
    def spark(self) -> str:
        """The location of Spark's checkpoint."""
        return f"{self.location}/{_SPARK}"

    @property
    def local(self) -> str:
        """The location of the state of the local host."""
        return f"{self.location}/{_LOCAL}"

    @property
    def epochs(self) -> str:
        """The location of the epoch log."""
        return f"{self.location}/{_EPOCHS}"

    @property
    def sinks(self) -> str:
        """The location of the prepared commits of sinks."""
        return f"{self.location}/{_SINKS}"

    @property
    def real_time(self) -> str:
        """The location of the checkpoints of Spark's Real-Time Mode."""
        return f"{self.location}/{_REAL_TIME}"

    @property
    def stored(self) -> JobIdentity:
        """The operators of the program whose state is in this directory."""
        return self._stored.identity

    def accept(self, identity: JobIdentity) -> None:
        """Store the operators of the program whose state is in this directory from now on.

        Raises:
            CheckpointError: the directory cannot be written.
        """
        self._store(replace(self._stored, identity=identity))

    def end(self, ending: Ending, retention: ExternalizedCheckpointCleanup | None) -> None:
        """Remove the directory unless the job may resume, and release it; it must not be used afterwards.

        Args:
            ending: how the job has ended.
            retention: the setting ``execution.checkpointing.externalized-checkpoint-retention``.

        Raises:
            CheckpointError: it cannot be removed.
        """
        try:
            if not self.is_temporary and not ending.keeps_state(retention):
                # If the process dies here, the record says that the rest of the directory is to be discarded.
                self._store(replace(self._stored, is_discarded=True))
                self._remove_state()
                self._storage.remove_tree(self._path)
        except OSError as error:
            raise CheckpointError(f"cannot remove {self.location}: {error}; remove it by hand") from error
        finally:
            self.close()

    def close(self) -> None:
        """Release the directory, and remove it if it is temporary."""
        if self._remove_temporary is not None:
            self._remove_temporary()
        if self._lock is not None:
            self._lock.close()

    def _store(self, stored: _Stored) -> None:
        self._stored = stored
        described = {"format": _FORMAT, **asdict(stored)}
        content = json.dumps(described, indent=2, ensure_ascii=False).encode()
        write_durably(self._storage, f"{self._path}/{_RECORD}", content)

    def _remove_state(self) -> None:
        """Remove everything but the record and the lock.

        Raises:
            OSError: it cannot be removed.
        """
        for name in (_EPOCHS, _SPARK, _LOCAL, _SINKS, _REAL_TIME):
            self._storage.remove_tree(f"{self._path}/{name}")


_REFUSAL = (
    "a job named {name!r} has state in {location}; resume it with `pystream run --resume`, start from a "
    "savepoint with -s, choose another name, or remove the directory"
)


def directory_name(job_name: str) -> str:
    """Return the name of the directory of a job, which is the job's name if that is a valid file name."""
    plain = _OTHER_CHARACTERS.sub("-", job_name)[:_LONGEST_NAME]
    if plain == job_name and plain.strip(".") and not plain.startswith("."):
        return plain
    return f"{plain.strip('.-') or 'job'}-{hashlib.sha256(job_name.encode()).hexdigest()[:8]}"


def _check_place(storage: Storage, path: str, job_name: str, *, resume: bool) -> None:
    obstacle = storage.obstacle(path)
    if obstacle is not None:
        raise CheckpointError(f"{path} cannot be the directory of job {job_name!r}: {obstacle}")
    names = {name for name in storage.names(path) if not name.startswith(_BEING_WRITTEN)}
    if resume and _RECORD not in names:
        raise _nothing_to_resume(job_name, path)
    if _RECORD not in names and names - {LOCK_NAME}:
        raise CheckpointError(
            f"{path} is not the directory of a job: it has files, but no {_RECORD}; choose another name for "
            f"job {job_name!r}, or another {CHECKPOINT_DIRECTORY.key}"
        )


def _nothing_to_resume(job_name: str, location: str) -> CheckpointError:
    return CheckpointError(
        f"job {job_name!r} cannot resume: there is no state in {location}; check the name of the job and "
        f"{CHECKPOINT_DIRECTORY.key}, or start it without --resume"
    )


def _check_runner(stored: _Stored, runner: Runner, location: str) -> None:
    """Check that a host can resume from a state.

    Raises:
        CheckpointError: another host has stored it.
    """
    if stored.runner != runner.value:
        raise CheckpointError(
            f"job {stored.identity.name!r} cannot resume on {runner}: its state in {location} is that of "
            f"{Runner(stored.runner)}; set {RUNNER.key} to {stored.runner}, or stop the job there with a "
            "savepoint, and start from that"
        )


def _check_mode(storage: Storage, path: str, job_name: str, *, real_time: bool) -> None:
    """Check that a job runs in the mode of its state.

    Raises:
        CheckpointError: it does not.
    """
    was_real_time = bool(storage.names(f"{path}/{_REAL_TIME}"))
    if was_real_time != real_time:
        raise CheckpointError(
            f"job {job_name!r} cannot resume: its state in {path} is that of a job "
            f"{'in' if was_real_time else 'outside of'} Real-Time Mode; set {REAL_TIME.key} to "
            f"{str(was_real_time).lower()}, or remove the directory to start over"
        )


def _lock(storage: Storage, path: str, job_name: str) -> FileLock | None:
    """Lock a directory, if its file system has locks."""
    if not storage.can_lock(path):
        return None
    lock = lock_directory(path)
    if lock is None:
        raise CheckpointError(f"job {job_name!r} is running: {path} is in use by {holder_of(path)}")
    return lock


def _read(storage: Storage, path: str) -> _Stored | None:
    """Return the content of ``job.json``, ``None`` if it does not exist."""
    data = storage.read(f"{path}/{_RECORD}")
    if data is None:
        return None
    try:
        value: dict[str, Any] = json.loads(data)
        if value["format"] != _FORMAT:
            raise CheckpointError(
                f"{path}/{_RECORD} has format {value['format']}, but this version of pystream reads format "
                f"{_FORMAT}; resume the job with the version that wrote it"
            )
        return _Stored(
            value["job_id"],
            value["created"],
            value["runner"],
            value["savepoint"],
            JobIdentity.of_json(value["identity"]),
            value["is_discarded"],
        )
    except (ValueError, KeyError, TypeError) as error:
        raise CheckpointError(
            f"{path}/{_RECORD} is damaged ({type(error).__name__}: {error}); restore the file, start the job "
            "from a savepoint under another name, or remove the directory to start over"
        ) from error


def _has_state(storage: Storage, path: str, stored: _Stored) -> bool:
    """Return whether a job has started its first epoch or query, or is to start from a savepoint."""
    if stored.is_discarded:
        return False
    return bool(stored.savepoint) or any(storage.names(f"{path}/{each}") for each in (_EPOCHS, _REAL_TIME))


def _move_aside(storage: Storage, path: str, stored: _Stored, lock: FileLock | None) -> FileLock | None:
    """Move the state of an earlier job aside, and return the lock of a new directory."""
    aside = f"{path}.replaced-{stored.job_id[:8]}"
    try:
        storage.move(path, aside)
        storage.make_directory(path)
        new_lock = _lock(storage, path, stored.identity.name)
    except OSError as error:
        raise CheckpointError(
            f"the state of an earlier job in {path} cannot be moved to {aside}: {error}; remove it, or "
            "choose another name for the job"
        ) from error
    if lock is not None:
        lock.close()
    _LOG.warning("the job starts from a savepoint; the earlier state in %s is now in %s", path, aside)
    return new_lock


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
