"""JobDirectory: the durable state of an unbounded job, from which it resumes."""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from enum import Enum
from itertools import chain, count

from pystream.engine.connectors.file_lock import FileLock
from pystream.engine.connectors.files import absolute_location
from pystream.engine.connectors.storage import Storage, storage_of
from pystream.errors import CheckpointError, ConfigurationError
from pystream.hosts.process import new_directory, removed_with
from pystream.hosts.unbounded import directory_parts
from pystream.hosts.unbounded.directory_lock import LOCK_NAME, holder_of, lock_directory
from pystream.hosts.unbounded.directory_record import RECORD, DirectoryRecord, write_record
from pystream.hosts.unbounded.directory_state import (
    PUT_BACK,
    check_mode,
    check_place,
    check_runner,
    found_state,
    missing_state,
    nothing_to_resume,
    refusal,
)
from pystream.hosts.unbounded.identity import Compatibility, JobIdentity, compare
from pystream.hosts.unbounded.lost_state import StateLostError
from pystream.hosts.unbounded.trust import check_trust
from pystream.settings.modes import ExternalizedCheckpointCleanup, Runner
from pystream.settings.options import CHECKPOINT_DIRECTORY

__all__ = ["Ending", "JobDirectory", "directory_name"]

_LOG = logging.getLogger(__name__)
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
        record: DirectoryRecord,
        lock: FileLock | None,
        compatibility: Compatibility | None = None,
    ) -> None:
        self.location = location
        self.job_id: str = record.job_id
        self.savepoint: str = record.savepoint
        self.compatibility = compatibility
        self._record = record
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
            check_place(storage, path, identity.name, resume=resume)
            storage.make_directory(path, private=True)
            check_trust(storage, path)
            lock = _lock(storage, path, identity.name)
        except OSError as error:
            raise CheckpointError(f"cannot write {location}: {error}") from error
        new = DirectoryRecord(job_id, _now(), runner.value, savepoint, identity, real_time)
        try:
            found = found_state(storage, path, identity.name, is_replaced=bool(savepoint) and not resume)
            if found is not None and resume:
                check_runner(found, runner, location)
                check_mode(found, location, real_time=real_time)
                resumed = cls(location, found, lock, compare(found.identity, identity))
                resumed.check()
                return resumed
            if found is not None and not savepoint:
                raise refusal(storage, path, found, identity.name)
            if found is None and resume:
                raise nothing_to_resume(identity.name, location)
            if found is not None:
                lock = _move_aside(storage, path, found, lock)
            started = cls(location, new, lock)
            started._remove_state()
            started.accept(identity)
            if runner is Runner.SPARK and not real_time:
                storage.make_directory(f"{path}/{directory_parts.SPARK}", private=True)
        except BaseException as error:
            if lock is not None:
                lock.close()
            if isinstance(error, OSError):
                raise CheckpointError(f"cannot write {location}: {error}") from error
            raise
        return started

    @classmethod
    def _temporary(
        cls, identity: JobIdentity, job_id: str, runner: Runner, *, resume: bool, savepoint: str
    ) -> JobDirectory:
        if resume:
            raise ConfigurationError(
                f"{CHECKPOINT_DIRECTORY.key} is not set: job {identity.name!r} has no state to resume"
            )
        directory = new_directory()
        record = DirectoryRecord(job_id, _now(), runner.value, savepoint, identity)
        new = cls(str(directory), record, None)
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
        return f"{self.location}/{directory_parts.SPARK}"

    @property
    def local(self) -> str:
        """The location of the state of the local host."""
        return f"{self.location}/{directory_parts.LOCAL}"

    @property
    def epochs(self) -> str:
        """The location of the epoch log."""
        return f"{self.location}/{directory_parts.EPOCHS}"

    @property
    def sinks(self) -> str:
        """The location of the prepared commits of sinks."""
        return f"{self.location}/{directory_parts.SINKS}"

    @property
    def real_time(self) -> str:
        """The location of the checkpoints of Spark's Real-Time Mode."""
        return f"{self.location}/{directory_parts.REAL_TIME}"

    @property
    def stored(self) -> JobIdentity:
        """The operators of the program whose state is in this directory."""
        return self._record.identity

    def accept(self, identity: JobIdentity) -> None:
        """Store the operators of the program whose state is in this directory from now on.

        Raises:
            CheckpointError: the directory cannot be written.
        """
        self._store(replace(self._record, identity=identity))

    def begin(self) -> None:
        """Record that the job has state here, once the input of its first epoch is planned.

        Raises:
            CheckpointError: the directory cannot be written.
        """
        if not self._record.has_begun:
            try:
                checkpoint = directory_parts.spark_checkpoint(self._storage, self._path)
            except OSError as error:
                raise CheckpointError(f"cannot read {self.spark}: {error}") from error
            self._store(replace(self._record, has_begun=True, spark_checkpoint=checkpoint))

    def check_lock(self) -> None:
        """Check that no other process can have taken the directory over.

        Raises:
            StateLostError: one can, or the directory is gone.
        """
        if not self._is_own():
            raise StateLostError(
                f"job {self._record.identity.name!r} no longer owns {self.location}: {self._loss()}; another "
                "process may have resumed the job. If it has not, put back what was removed or moved, and "
                "resume the job"
            )

    def _is_own(self) -> bool:
        """Return whether the lock is still that of this process."""
        lock = f"{self._path}/{LOCK_NAME}"
        try:
            return self._lock is None or self._lock.is_at(lock)
        except OSError as error:
            raise CheckpointError(f"cannot read {lock}: {error}") from error

    def check(self) -> None:
        """Check that an attempt can begin with what is in the directory, or begins the job.

        Raises:
            StateLostError: something is missing, or another process can have taken the directory over.
            CheckpointError: the directory cannot be read.
        """
        self.check_lock()
        name = self._record.identity.name
        try:
            missing = self._missing()
        except OSError as error:
            raise CheckpointError(f"cannot read {self.location}: {error}") from error
        if missing:
            raise StateLostError(
                f"job {name!r} does not continue from {self.location}: {'; '.join(missing)}. {PUT_BACK}"
            )

    def _loss(self) -> str:
        """Describe what has become of the lock."""
        if not self._storage.names(self._path):
            return "the directory is gone or empty"
        return f"its file {LOCK_NAME} was removed or replaced"

    def _missing(self) -> list[str]:
        missing = []
        if not self.is_temporary and not self._storage.exists(f"{self._path}/{RECORD}"):
            missing.append(f"{RECORD} is missing")
        return missing + missing_state(self._storage, self._path, self._record)

    def end(self, ending: Ending, retention: ExternalizedCheckpointCleanup | None) -> None:
        """Remove the directory unless the job may resume, and release it; it must not be used afterwards.

        What another process can have taken over is not removed. A job that has finished has succeeded all the
        same: its last epoch is committed.

        Args:
            ending: how the job has ended.
            retention: the setting ``execution.checkpointing.externalized-checkpoint-retention``.

        Raises:
            CheckpointError: it cannot be removed.
            StateLostError: the job was cancelled, but another process may have taken the directory over.
        """
        try:
            if not self.is_temporary and not ending.keeps_state(retention):
                self._remove(ending)
        except OSError as error:
            raise CheckpointError(f"cannot remove {self.location}: {error}; remove it by hand") from error
        finally:
            self.close()

    def _remove(self, ending: Ending) -> None:
        if ending is Ending.FINISHED and not self._is_own():
            _LOG.warning("%s is not removed: %s; remove it if no job uses it", self.location, self._loss())
            return
        self.check_lock()
        # If the process dies here, the record says that the rest of the directory is to be discarded.
        self._store(replace(self._record, is_discarded=True))
        self._remove_state()
        self._storage.remove_tree(self._path)

    def close(self) -> None:
        """Release the directory, and remove it if it is temporary."""
        if self._remove_temporary is not None:
            self._remove_temporary()
        if self._lock is not None:
            self._lock.close()

    def _store(self, record: DirectoryRecord) -> None:
        self._record = record
        if not self.is_temporary:
            write_record(self._storage, self._path, record)

    def _remove_state(self) -> None:
        """Remove everything but the record and the lock.

        Raises:
            OSError: it cannot be removed.
        """
        for name in directory_parts.PARTS:
            self._storage.remove_tree(f"{self._path}/{name}")


def directory_name(job_name: str) -> str:
    """Return the name of the directory of a job, which is the job's name if that is a valid file name."""
    plain = _OTHER_CHARACTERS.sub("-", job_name)[:_LONGEST_NAME]
    if plain == job_name and plain.strip(".") and not plain.startswith("."):
        return plain
    return f"{plain.strip('.-') or 'job'}-{hashlib.sha256(job_name.encode()).hexdigest()[:8]}"


def _lock(storage: Storage, path: str, job_name: str) -> FileLock | None:
    """Lock a directory, if its file system has locks."""
    if not storage.can_lock(path):
        return None
    lock = lock_directory(path)
    if lock is None:
        raise CheckpointError(f"job {job_name!r} is running: {path} is in use by {holder_of(path)}")
    return lock


def _move_aside(
    storage: Storage, path: str, record: DirectoryRecord, lock: FileLock | None
) -> FileLock | None:
    """Move the state of an earlier job aside, and return the lock of a new directory."""
    try:
        aside = _place_aside(storage, path, record)
        storage.move(path, aside)
        storage.make_directory(path, private=True)
        new_lock = _lock(storage, path, record.identity.name)
    except OSError as error:
        raise CheckpointError(
            f"the state of an earlier job in {path} cannot be moved aside: {error}; move it away, or choose "
            "another name for the job"
        ) from error
    if lock is not None:
        lock.close()
    _LOG.warning("the job starts from a savepoint; the earlier state in %s is now in %s", path, aside)
    return new_lock


def _place_aside(storage: Storage, path: str, record: DirectoryRecord) -> str:
    """Return a name that is free for the state of an earlier job."""
    first = f"{path}.replaced-{record.job_id[:8]}"
    names = chain([first], (f"{first}-{number}" for number in count(2)))
    return next(name for name in names if not storage.exists(name))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
