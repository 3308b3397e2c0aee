"""The files of one job, published all or none, however the job ends.

While a job runs, each of its base paths holds

- ``.inprogress.<job>.<sink>/``, the staging directory of a sink: part files under their final names, and
- ``.inprogress.<job>.json``: in the home of the job its record, in the others a pointer to the home.

The owner of a job keeps its record locked. One atomic replacement of the record decides about the files of
all sinks: a job without an owner whose record says PUBLISHING is completed by the next owner, any other
is rolled back. The record is the first of these files to appear and the last to be removed.

Earlier files that the job replaces are removed once all of its own are in place. The record says REPLACING
before the first of them is removed: from then on, the job can only be completed.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Self

from pystream.engine.connectors.file_lock import FileLock
from pystream.engine.connectors.files import HIDDEN, local_path
from pystream.engine.connectors.interfaces import FinishedFiles
from pystream.engine.connectors.job_record import (
    MARKER,
    FilesState,
    JobRecord,
    Owner,
    SinkFiles,
    pointer_to,
    record_path,
    staging_path,
    temporary_path,
    transaction_of,
)
from pystream.engine.connectors.publishing import (
    directories_of,
    mark,
    move_into_place,
    remove_marker,
    sink_errors,
)
from pystream.engine.connectors.storage import Storage, storage_of
from pystream.errors import SinkError

__all__ = ["JobFiles"]


class JobFiles:
    """The files of a job, for their owner: the job itself or the process that recovers it.

    `publish`, `complete` and `roll_back` end the ownership.

    Args:
        record: the record of the job.
        lock: shows others that the job is alive; ``None`` where files cannot be locked.
    """

    def __init__(self, record: JobRecord, lock: FileLock | None) -> None:
        self._record = record
        self._lock = lock

    @classmethod
    def begin(cls, job_id: str, name: str, base_paths: Mapping[int, str]) -> Self:
        """Prepare base paths for the files of a job.

        Args:
            job_id: hexadecimal id of the job.
            name: its display name.
            base_paths: the location each sink writes to, by the number of the sink.

        Raises:
            SinkError: one cannot be written to.
        """
        sinks = [SinkFiles(base_path, number) for number, base_path in base_paths.items()]
        # If files can be locked, every machine that sees the record can determine whether the job is alive.
        sinks.sort(key=lambda sink: local_path(sink.base_path) is None)
        owner = Owner(socket.gethostname(), os.getpid())
        files = cls(JobRecord(job_id, name, FilesState.WRITING, owner, tuple(sinks)), None)
        try:
            files._begin()
        except BaseException as error:
            files._roll_back_after(error)
            raise
        return files

    def publish(self, files: Mapping[int, FinishedFiles]) -> None:
        """Publish the files of all sinks, or none.

        Args:
            files: the complete files of each sink, by its number.

        Raises:
            SinkError: they cannot be published, or earlier files cannot be removed.
        """
        try:
            self._begin_publishing(files)
            self._complete()
        except BaseException as error:
            if self._record.state is FilesState.REPLACING:
                self.release()
                error.add_note(
                    "the files of the job are in place, but earlier ones that they replace may be, too: once "
                    f"the cause is fixed, `pystream recover {self._record.base_paths[0]}` ends the "
                    "publication"
                )
            else:
                self._roll_back_after(error)
            raise
        try:
            self._end()
        finally:
            self.release()

    def complete(self) -> None:
        """Continue an interrupted publication.

        Raises:
            SinkError: a file is missing, or cannot be moved.
        """
        try:
            self._complete()
            self._end()
        finally:
            self.release()

    def roll_back(self) -> None:
        """Remove all files of the job, even those already in place.

        Raises:
            SinkError: one cannot be removed.
        """
        try:
            if self._record.state is FilesState.PUBLISHING:
                self._write_record(replace(self._record, state=FilesState.REMOVING))
            if self._record.state is FilesState.REMOVING:
                self._remove_markers()
            for sink in self._record.sinks:
                self._remove(sink)
            for base_path in dict.fromkeys(sink.base_path for sink in self._record.sinks if sink.marked):
                mark(base_path)
            self._end()
        finally:
            self.release()

    def release(self) -> None:
        """Release the ownership; the next owner recovers the job unless it has ended."""
        if self._lock is not None:
            self._lock.close()

    def _begin(self) -> None:
        for base_path in self._record.base_paths:
            storage, base = storage_of(base_path)
            with sink_errors(f"cannot make {base}"):
                storage.make_directory(base)
        if not self._record.sinks:
            return
        home, *others = self._record.base_paths
        storage, base = storage_of(home)
        with sink_errors(f"cannot lock files in {base}"):
            if not storage.can_lock(base):
                self._lock = FileLock.on_this_machine()
                owner = replace(self._record.owner, lock=self._lock.path)
                self._record = replace(self._record, owner=owner)
        self._write_record(self._record)
        for base_path in others:
            self._write(base_path, pointer_to(home))
        for sink in self._record.sinks:
            storage, _, staging = self._locate(sink)
            with sink_errors(f"cannot make {staging}"):
                storage.make_directory(staging, private=True)

    def _begin_publishing(self, files: Mapping[int, FinishedFiles]) -> None:
        sinks = [
            replace(
                sink,
                names=tuple(files[sink.number].names),
                earlier=tuple(self._earlier(sink, files[sink.number].replaced)),
                markers=tuple(self._new(sink, files[sink.number].markers)),
            )
            for sink in self._record.sinks
        ]
        for sink in sinks:
            self._check(sink)
        sinks = [replace(sink, marked=_is_marked(sink.base_path)) for sink in sinks]
        self._write_record(replace(self._record, state=FilesState.PUBLISHING, sinks=tuple(sinks)))

    def _check(self, sink: SinkFiles) -> None:
        """Check that files are complete, make them durable, and check that they can be moved into place."""
        storage, base, staging = self._locate(sink)
        with sink_errors(f"cannot publish part files in {base}"):
            staged = storage.files_below(staging)
            for name in sink.names:
                if name not in staged:
                    raise SinkError(f"cannot publish part file {base}/{name}: it is gone from {staging}")
            for below in directories_of(sink.names):
                obstacle = storage.obstacle(f"{base}/{below}")
                if obstacle is not None:
                    raise SinkError(f"cannot make {base}/{below} for part files: {obstacle}")
                storage.sync(f"{staging}/{below}")
            for below in directories_of(sink.earlier):
                obstacle = storage.obstacle(f"{base}/{below}")
                if obstacle is not None:
                    raise SinkError(f"cannot replace the files in {base}/{below}: {obstacle}")

    def _earlier(self, sink: SinkFiles, directories: Sequence[str]) -> Iterator[str]:
        """Yield the visible files below directories."""
        storage, base, _ = self._locate(sink)
        for below in directories:
            with sink_errors(f"cannot list {base}/{below}"):
                names = storage.files_below(f"{base}/{below}" if below else base)
            yield from (
                f"{below}/{name}" if below else name for name in sorted(names) if not name.startswith(HIDDEN)
            )

    def _new(self, sink: SinkFiles, names: Sequence[str]) -> Iterator[str]:
        """Yield the names of files that do not exist yet."""
        storage, base, _ = self._locate(sink)
        with sink_errors(f"cannot read {base}"):
            yield from (name for name in names if not storage.exists(f"{base}/{name}"))

    def _complete(self) -> None:
        self._remove_markers()
        if self._record.state is FilesState.PUBLISHING:
            for sink in self._record.sinks:
                self._move(sink)
            if any(sink.earlier for sink in self._record.sinks):
                self._write_record(replace(self._record, state=FilesState.REPLACING))
        if self._record.state is FilesState.REPLACING:
            for sink in self._record.sinks:
                self._remove_earlier(sink)
        for base_path in self._record.base_paths:
            mark(base_path)

    def _remove_markers(self) -> None:
        for base_path in self._record.base_paths:
            remove_marker(base_path)

    def _move(self, sink: SinkFiles) -> None:
        storage, base, staging = self._locate(sink)
        with sink_errors(f"cannot publish part files in {base}"):
            if not storage.exists(staging):
                return  # removed once all files are in place
            staged = storage.files_below(staging)
            for name in sink.names:
                if name not in staged and not storage.exists(f"{base}/{name}"):
                    raise SinkError(f"cannot publish part file {base}/{name}: it is gone from {staging}")
            directories = directories_of(sink.names)
            for below in directories:
                storage.make_directory(f"{base}/{below}")
            for name in sink.names:
                if name in staged:
                    move_into_place(storage, f"{staging}/{name}", f"{base}/{name}")
            for name in sink.markers:
                storage.touch(f"{base}/{name}")
            for below in directories:
                storage.sync(f"{base}/{below}")
            storage.remove_tree(staging)

    def _remove(self, sink: SinkFiles) -> None:
        storage, base, staging = self._locate(sink)
        with sink_errors(f"cannot remove part files in {base}"):
            if self._record.state is FilesState.REMOVING:
                _remove_files(storage, base, [*sink.markers, *sink.names])
            storage.remove_tree(staging)

    def _remove_earlier(self, sink: SinkFiles) -> None:
        storage, base, _ = self._locate(sink)
        with sink_errors(f"cannot remove files in {base} that others replace"):
            _remove_files(storage, base, sink.earlier)
            for below in directories_of(sink.earlier):
                with suppress(FileNotFoundError):
                    storage.sync(f"{base}/{below}" if below else base)

    def _roll_back_after(self, error: BaseException) -> None:
        try:
            self.roll_back()
        except Exception as besides:  # noqa: BLE001 - the first error is the one to report
            error.add_note(f"also, the files of the job could not be removed: {besides}")

    def _end(self) -> None:
        for base_path in reversed(self._record.base_paths):
            storage, base = storage_of(base_path)
            with sink_errors(f"cannot remove the record of the job in {base}"):
                storage.remove(temporary_path(base, self._record.job_id))
                storage.remove(record_path(base, self._record.job_id))

    def _locate(self, sink: SinkFiles) -> tuple[Storage, str, str]:
        """Return the storage of a sink, the base path in it, and the staging directory."""
        storage, base = storage_of(sink.base_path)
        return storage, base, staging_path(base, transaction_of(self._record.job_id, sink.number))

    def _write_record(self, record: JobRecord) -> None:
        if record.sinks:
            lock = self._write(record.base_paths[0], record.to_bytes(), locked=not record.owner.lock)
            if lock is not None:
                self.release()
                self._lock = lock
        self._record = record

    def _write(self, base_path: str, data: bytes, *, locked: bool = False) -> FileLock | None:
        storage, base = storage_of(base_path)
        path, temporary = (place(base, self._record.job_id) for place in (record_path, temporary_path))
        with sink_errors(f"cannot write {path}"):
            return storage.replace(path, data, temporary, locked=locked)


def _remove_files(storage: Storage, base: str, names: Sequence[str]) -> None:
    """Remove files, and their directories that are then empty."""
    for name in names:
        storage.remove(f"{base}/{name}")
    for below in reversed(directories_of(names)):
        if below:
            storage.remove_empty(f"{base}/{below}")


def _is_marked(base_path: str) -> bool:
    storage, base = storage_of(base_path)
    with sink_errors(f"cannot read {base}"):
        return storage.exists(f"{base}/{MARKER}")
