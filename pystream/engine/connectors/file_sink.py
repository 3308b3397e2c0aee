"""The file sink: part files in bucket directories.

Writers put files into the staging directory of their sink. In a bounded job these are part files, under the
names they will have; the job publishes those of the attempts that succeeded. In an unbounded job they are
the segments of one epoch; the committer makes part files from them.
"""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from pystream.engine.connectors.buckets import BucketContext, Buckets
from pystream.engine.connectors.compaction import Compaction
from pystream.engine.connectors.file_commits import FilesCommitter
from pystream.engine.connectors.file_segments import Segment
from pystream.engine.connectors.files import HIDDEN, resolve
from pystream.engine.connectors.interfaces import FinishedFiles
from pystream.engine.connectors.job_record import staging_path
from pystream.engine.connectors.part_file import PartFile, PartFormat, Rolling
from pystream.engine.connectors.storage import storage_of
from pystream.engine.events import NO_TIMESTAMP, Timestamps
from pystream.engine.task_info import JobInfo, SubtaskInfo
from pystream.errors import SinkError

if TYPE_CHECKING:
    from pyarrow import NativeFile

__all__ = ["FileWriter", "FilesOutput", "Replaced", "SegmentWriter"]

_logger = logging.getLogger(__name__)


class Replaced(Enum):
    """The earlier files that the files of a bounded job replace.

    Attributes:
        NONE: none.
        BUCKETS: those of the buckets that the job writes to.
        ALL: all below the base path.
    """

    NONE = auto()
    BUCKETS = auto()
    ALL = auto()


@dataclass(frozen=True, slots=True)
class FilesOutput:
    """A sink of part files below a base path.

    Attributes:
        base_path: absolute location of the directory.
        format: the format of part files.
        buckets: assigns elements to directories below the base path.
        rolling: when a part file is closed.
        check_interval: milliseconds between two checks of the age of open part files.
        prefix: start of the name of part files.
        suffix: end of the name of part files.
        compaction: merges small part files before they are published, or ``None``.
        replaced: the earlier files that those of a bounded job replace, other than hidden ones.
        marker: the name of an empty file that tells that those of a bounded job in its directory are
            complete; empty for none.
    """

    base_path: str
    format: PartFormat
    buckets: Buckets
    rolling: Rolling
    check_interval: int
    prefix: str
    suffix: str
    compaction: Compaction | None = None
    replaced: Replaced = Replaced.NONE
    marker: str = ""

    def check(self) -> None:
        """Check that the base path is, or can become, a writable directory.

        Raises:
            SinkError: it cannot.
        """
        storage, path = storage_of(self.base_path)
        try:
            obstacle = storage.obstacle(path)
        except OSError as error:
            raise SinkError(f"cannot reach output path {self.base_path}: {error}") from error
        if obstacle is not None:
            raise SinkError(
                f"output path {self.base_path} cannot be written: {obstacle}; "
                "a file sink writes part files into a directory"
            )

    def writer(self, transaction: str) -> FileWriter:
        """Return a writer; it creates no file before the first element."""
        return FileWriter(self, transaction)

    def finish(self, transaction: str, messages: Sequence[Any]) -> FinishedFiles:
        """Merge small part files, and return the files to publish."""
        names = [name for message in messages for name in message]
        if self.compaction is not None:
            names = self.compaction.merge(self.base_path, transaction, names)
        directories = sorted({name.rpartition("/")[0] for name in names})
        markers = [f"{below}/{self.marker}".lstrip("/") for below in directories] if self.marker else []
        match self.replaced:
            case Replaced.NONE:
                return FinishedFiles(names, (), markers)
            case Replaced.BUCKETS:
                return FinishedFiles(names, directories, markers)
            case Replaced.ALL:
                return FinishedFiles(names, [""], markers)

    def epoch_writer(self, transaction: str, subtask: SubtaskInfo) -> SegmentWriter:
        """Return a writer of segments; it creates no file before the first element."""
        return SegmentWriter(self, transaction, subtask.index)

    def committer(self, transaction: str, job: JobInfo, directory: str) -> FilesCommitter:
        """Return the committer, which makes part files of segments."""
        return FilesCommitter(self, transaction, job.job_name, directory)


class _OpenPart:
    """A part file in progress."""

    __slots__ = ("created", "file", "name", "size", "stream", "updated")

    def __init__(self, name: str, stream: NativeFile, file: PartFile, now: int) -> None:
        self.name = name
        self.stream = stream
        self.file = file
        self.created = now
        self.updated = now
        self.size = 0


def _system_time() -> int:
    return time.time_ns() // 1_000_000


class FileWriter:
    """Write the elements of one attempt of a subtask to part files, one open file per bucket.

    Args:
        output: the sink.
        transaction: names the directory of the files in progress.
        clock: returns processing time in ms since the Unix epoch.
    """

    def __init__(
        self, output: FilesOutput, transaction: str, clock: Callable[[], int] = _system_time
    ) -> None:
        self._output = output
        self._filesystem, _ = resolve(output.base_path)
        self._storage, base = storage_of(output.base_path)
        self._staging = staging_path(base, transaction)
        self._encode = output.format.encoder()
        self._uid = uuid.uuid4()
        self._clock = clock
        self._counter = 0
        self._open: dict[str, _OpenPart] = {}
        self._names: list[str] = []
        self._next_check = clock() + output.check_interval

    def write(
        self, values: Sequence[Any], timestamps: Timestamps | None = None, watermark: int = NO_TIMESTAMP
    ) -> None:
        """Write elements in order to the files of their buckets.

        Raises:
            SinkError: a file cannot be created or written.
        """
        now = self._clock()
        self._close_due_parts(now)
        for bucket, members in self._output.buckets.divide(values, BucketContext(now, watermark), timestamps):
            try:
                self._write_to(bucket, members, now)
            except OSError as error:
                raise SinkError(f"cannot write below {self._output.base_path}: {error}") from error

    def finish(self, *, end_of_input: bool = True) -> Any:
        """Close all files.

        Returns:
            The names of the files written, below the base path.
        """
        self._close_all()
        names, self._names = self._names, []
        return names

    def abort(self) -> None:
        """Close all files and remove them."""
        for part in self._open.values():
            # A full disk must not prevent the removal of the files.
            with suppress(OSError):
                part.file.close()
            with suppress(OSError):
                part.stream.close()
        self._open.clear()
        for name in self._names:
            self._storage.remove(f"{self._staging}/{name}")
        self._names.clear()

    def close(self) -> None:
        """Do nothing: `finish` and `abort` close the files."""

    def _close_all(self) -> None:
        for bucket in list(self._open):
            self._close(bucket, rolls=False)

    def _close_due_parts(self, now: int) -> None:
        if now < self._next_check:
            return
        self._next_check = now + self._output.check_interval
        is_due = self._output.rolling.is_due
        for bucket in [b for b, part in self._open.items() if is_due(part.created, part.updated, now)]:
            self._close(bucket, rolls=True)

    def _write_to(self, bucket: str, values: Sequence[Any], now: int) -> None:
        limit = self._output.rolling.size_limit
        encoded = self._encode(values)
        start = 0
        while start < len(values):
            part = self._open.get(bucket)
            if part is not None and limit is not None and part.file.size() > limit:
                self._close(bucket, rolls=True)
                part = None
            if part is None:
                part = self._open[bucket] = self._new_part(bucket, now)
            start += part.file.write(encoded, start, limit)
            part.updated = now

    def _new_part(self, bucket: str, now: int) -> _OpenPart:
        _check_bucket(bucket)
        name = self._new_name(bucket)
        self._storage.make_directory_in(self._staging, name.rpartition("/")[0])
        stream = self._filesystem.open_output_stream(f"{self._staging}/{name}", compression=None)
        self._counter += 1
        self._names.append(name)
        return _OpenPart(name, stream, self._output.format.open(stream), now)

    def _new_name(self, bucket: str) -> str:
        """Return the name of the next file in the staging directory."""
        name = f"{self._output.prefix}-{self._uid}-{self._counter}{self._output.suffix}"
        return f"{bucket}/{name}" if bucket else name

    def _close(self, bucket: str, *, rolls: bool) -> _OpenPart:
        """Close the file of a bucket.

        Args:
            bucket: the bucket.
            rolls: whether the rolling policy demands it.
        """
        part = self._open.pop(bucket)
        try:
            part.file.close()
            part.size = part.stream.tell()
            part.stream.close()
            self._storage.sync(f"{self._staging}/{part.name}")
        except OSError as error:
            raise SinkError(f"cannot finish part file {part.name}: {error}") from error
        return part


class SegmentWriter(FileWriter):
    """Write the elements of an epoch to segments, at least one per bucket that receives elements.

    Args:
        output: the sink.
        transaction: names the directory of the files in progress.
        subtask: the index of the subtask.
        clock: returns processing time in ms since the Unix epoch.
    """

    def __init__(
        self,
        output: FilesOutput,
        transaction: str,
        subtask: int,
        clock: Callable[[], int] = _system_time,
    ) -> None:
        super().__init__(output, transaction, clock)
        self._subtask = subtask
        self._segments: list[Segment] = []

    def finish(self, *, end_of_input: bool = True) -> Any:
        """Close all files.

        Returns:
            The index of the subtask and the segments written.
        """
        self._close_all()
        segments, self._segments = self._segments, []
        self._names.clear()
        return self._subtask, segments

    def _new_name(self, bucket: str) -> str:
        return f"{self._uid}-{self._counter}"

    def _close(self, bucket: str, *, rolls: bool) -> _OpenPart:
        part = super()._close(bucket, rolls=rolls)
        self._segments.append(Segment(part.name, bucket, part.size, part.created, part.updated, rolls))
        return part


def _check_bucket(bucket: object) -> None:
    if not isinstance(bucket, str):
        raise SinkError(f"a bucket id must be a str, not {bucket!r}")
    if bucket and not {"", ".", ".."}.isdisjoint(bucket.split("/")):
        raise SinkError(f"a bucket id names a directory below the base path, as in 'a/b', not {bucket!r}")
    if any(part.startswith(HIDDEN) for part in bucket.split("/")):
        _logger.warning(
            "readers of directories skip those whose names begin with . or _, such as the bucket %r", bucket
        )
