"""A sink of part files in bucket directories, visible only once the job has committed them.

Files in progress lie in a hidden directory below the base path, one for each sink of each job, under the
names they will have. A commit moves them into place one by one; whatever is left in that directory belongs to
attempts that failed.
"""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pystream.errors import SinkError
from pystream.runtime.connectors.buckets import Buckets
from pystream.runtime.connectors.files import local_path, resolve
from pystream.runtime.connectors.part_file import PartFile, PartFormat
from pystream.runtime.connectors.rolling import Rolling
from pystream.runtime.io import WriterContext

if TYPE_CHECKING:
    from pyarrow import NativeFile
    from pyarrow.fs import FileSystem

__all__ = ["FileWriter", "FilesOutput"]


@dataclass(frozen=True, slots=True)
class FilesOutput:
    """Part files below a base path, as a sink.

    Attributes:
        base_path: absolute location of the directory.
        format: what a part file holds.
        buckets: which directory below the base path an element goes to.
        rolling: when a part file is closed.
        check_interval: milliseconds between two looks at the age of open part files.
        prefix: beginning of the name of part files.
        suffix: end of the name of part files.
    """

    base_path: str
    format: PartFormat
    buckets: Buckets
    rolling: Rolling
    check_interval: int
    prefix: str
    suffix: str

    def prepare(self, transaction: str) -> None:
        """Check that the base path is, or can become, a directory that can be written to.

        Raises:
            SinkError: it cannot.
        """
        from pyarrow.fs import FileType

        filesystem, path = resolve(self.base_path)
        try:
            kind = filesystem.get_file_info(path).type
        except OSError as error:
            raise SinkError(f"cannot reach output path {self.base_path}: {error}") from error
        if kind not in (FileType.Directory, FileType.NotFound):
            raise SinkError(
                f"output path {self.base_path} is a file; a file sink writes part files into a directory"
            )
        if local_path(self.base_path) is not None:
            _check_local(path)

    def writer(self, context: WriterContext) -> FileWriter:
        """Open a writer; it makes no file before the first element."""
        return FileWriter(self, context.transaction)

    def prepare_commit(self, transaction: str, messages: Sequence[Any]) -> None:
        """Make the directories of all part files, and check that every file is there.

        Raises:
            SinkError: a directory cannot be made, or a file is gone.
        """
        self._make_ready(transaction, messages)

    def commit(self, transaction: str, messages: Sequence[Any]) -> None:
        """Move every part file named in ``messages`` into place; those that are in place stay there.

        Raises:
            SinkError: a file cannot be moved, or is gone.
        """
        filesystem, base = resolve(self.base_path)
        staging = _staging(base, transaction)
        for name in self._make_ready(transaction, messages):
            try:
                filesystem.move(f"{staging}/{name}", f"{base}/{name}")
            except OSError as error:
                raise SinkError(f"cannot commit part file {base}/{name}: {error}") from error
        _remove(filesystem, staging)

    def abort(self, transaction: str, messages: Sequence[Any] = ()) -> None:
        """Remove every file still in progress, and every file named in ``messages`` that is in place.

        Raises:
            SinkError: one cannot be removed.
        """
        filesystem, base = resolve(self.base_path)
        for name in _names(messages):
            try:
                if _exists(filesystem, f"{base}/{name}"):
                    filesystem.delete_file(f"{base}/{name}")
            except OSError as error:
                raise SinkError(f"cannot remove part file {base}/{name}: {error}") from error
        _remove(filesystem, _staging(base, transaction))

    def _make_ready(self, transaction: str, messages: Sequence[Any]) -> list[str]:
        """Make directories and return the names of the files that are not in place yet."""
        filesystem, base = resolve(self.base_path)
        staging = _staging(base, transaction)
        pending = []
        for name in _names(messages):
            try:
                if _exists(filesystem, f"{staging}/{name}"):
                    pending.append(name)
                elif not _exists(filesystem, f"{base}/{name}"):
                    raise SinkError(f"cannot commit part file {base}/{name}: it is gone from {staging}")
            except OSError as error:
                raise SinkError(f"cannot commit part file {base}/{name}: {error}") from error
        for directory in dict.fromkeys(f"{base}/{name}".rpartition("/")[0] for name in pending):
            try:
                filesystem.create_dir(directory)
            except OSError as error:
                raise SinkError(f"cannot make {directory} for part files: {error}") from error
        return pending


def _names(messages: Sequence[Any]) -> Iterator[str]:
    return (name for message in messages for name in message)


def _check_local(path: str) -> None:
    existing = path
    while not os.path.exists(existing):
        existing = os.path.dirname(existing)
    if not os.path.isdir(existing):
        raise SinkError(f"output path {path} cannot be made: {existing} is a file")
    if not os.access(existing, os.W_OK | os.X_OK):
        raise SinkError(f"output path {path} cannot be written: no permission to write in {existing}")


def _staging(base: str, transaction: str) -> str:
    return f"{base}/.inprogress.{transaction}"


def _exists(filesystem: FileSystem, path: str) -> bool:
    from pyarrow.fs import FileType

    kind: FileType = filesystem.get_file_info(path).type
    return kind != FileType.NotFound


def _remove(filesystem: FileSystem, directory: str) -> None:
    try:
        if _exists(filesystem, directory):
            filesystem.delete_dir(directory)
    except OSError as error:
        raise SinkError(f"cannot remove files in progress below {directory}: {error}") from error


class _OpenPart:
    """A part file in progress."""

    __slots__ = ("created", "file", "name", "stream", "updated")

    def __init__(self, name: str, stream: NativeFile, file: PartFile, now: int) -> None:
        self.name = name
        self.stream = stream
        self.file = file
        self.created = now
        self.updated = now


def _system_time() -> int:
    return time.time_ns() // 1_000_000


class FileWriter:
    """Write the elements of one attempt of one subtask to part files, one open file a bucket.

    Args:
        output: the sink.
        transaction: names the directory of the files in progress.
        clock: returns processing time in milliseconds since the epoch.
    """

    def __init__(
        self, output: FilesOutput, transaction: str, clock: Callable[[], int] = _system_time
    ) -> None:
        self._output = output
        self._filesystem, base = resolve(output.base_path)
        self._staging = _staging(base, transaction)
        self._encode = output.format.encoder()
        self._uid = uuid.uuid4()
        self._clock = clock
        self._counter = 0
        self._open: dict[str, _OpenPart] = {}
        self._names: list[str] = []
        self._next_check = clock() + output.check_interval

    def write(self, values: list[Any]) -> None:
        """Write elements in order to the files of their buckets.

        Raises:
            SinkError: a file cannot be made or written.
        """
        now = self._clock()
        self._close_what_is_due(now)
        for bucket, members in self._output.buckets.divide(values, now):
            try:
                self._write_to(bucket, members, now)
            except OSError as error:
                raise SinkError(f"cannot write below {self._output.base_path}: {error}") from error

    def finish(self) -> list[str]:
        """Close all files.

        Returns:
            The names of the files written, below the base path.
        """
        for bucket in list(self._open):
            self._close(bucket)
        return self._names

    def abort(self) -> None:
        """Close all files and remove them."""
        for part in self._open.values():
            # A disk that is full must not keep the files from being removed.
            with suppress(OSError):
                part.file.close()
            with suppress(OSError):
                part.stream.close()
        self._open.clear()
        for name in self._names:
            self._filesystem.delete_file(f"{self._staging}/{name}")
        self._names.clear()

    def _close_what_is_due(self, now: int) -> None:
        if now < self._next_check:
            return
        self._next_check = now + self._output.check_interval
        is_due = self._output.rolling.is_due
        for bucket in [b for b, part in self._open.items() if is_due(part.created, part.updated, now)]:
            self._close(bucket)

    def _write_to(self, bucket: str, values: list[Any], now: int) -> None:
        limit = self._output.rolling.size_limit
        encoded = self._encode(values)
        start = 0
        while start < len(values):
            part = self._open.get(bucket)
            if part is not None and limit is not None and part.file.size() > limit:
                self._close(bucket)
                part = None
            if part is None:
                part = self._open[bucket] = self._new_part(bucket, now)
            start += part.file.write(encoded, start, limit)
            part.updated = now

    def _new_part(self, bucket: str, now: int) -> _OpenPart:
        _check_bucket(bucket)
        output = self._output
        name = f"{output.prefix}-{self._uid}-{self._counter}{output.suffix}"
        name = f"{bucket}/{name}" if bucket else name
        path = f"{self._staging}/{name}"
        self._filesystem.create_dir(path.rpartition("/")[0])
        stream = self._filesystem.open_output_stream(path, compression=None)
        self._counter += 1
        self._names.append(name)
        return _OpenPart(name, stream, output.format.open(stream), now)

    def _close(self, bucket: str) -> None:
        part = self._open.pop(bucket)
        try:
            part.file.close()
            part.stream.close()
        except OSError as error:
            raise SinkError(f"cannot finish part file {part.name}: {error}") from error


def _check_bucket(bucket: object) -> None:
    if not isinstance(bucket, str):
        raise SinkError(f"a bucket id must be a str, not {bucket!r}")
    if bucket and not {"", ".", ".."}.isdisjoint(bucket.split("/")):
        raise SinkError(f"a bucket id names a directory below the base path, as in 'a/b', not {bucket!r}")
