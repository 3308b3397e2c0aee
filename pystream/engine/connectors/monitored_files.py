"""MonitoredFiles: an unbounded source of the files that appear under some locations."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, NamedTuple

from pystream.engine.connectors.file_backlog import FileBacklog
from pystream.engine.connectors.file_source import FilesInput
from pystream.engine.connectors.files import InputFile, list_files, local_path, resolve
from pystream.engine.connectors.interfaces import Poll
from pystream.engine.connectors.splits import FileSplit, first_part
from pystream.errors import ConnectorError, SourceError
from pystream.kinds import SourceColumns

__all__ = ["FilesProgress", "MonitoredFiles", "MonitoringEnumerator"]

_logger = logging.getLogger(__name__)

_MAX_FILES = 10_000
_DIGEST_BYTES = 16
_AUTHORITY = re.compile(r"[^:/]+://[^/]*")


@dataclass(frozen=True, slots=True)
class MonitoredFiles:
    """The files under some locations, and those that appear there later, as an unbounded source.

    Its unit is the byte; opening a file counts as reading 16 KiB.

    Attributes:
        files: the locations and the format.
        interval: time between two listings in ms.
    """

    files: FilesInput
    interval: int

    @property
    def is_bounded(self) -> bool:
        """Whether the input ends, which it does not."""
        return False

    @property
    def first_limit(self) -> int:
        """The limit of the first polls, 16 MiB."""
        return 16 << 20

    @property
    def columns(self) -> SourceColumns:
        """The process in which elements are available as columns."""
        return self.files.columns

    def enumerator(
        self, parallelism: int, position: FilesProgress | None = None, changes: Sequence[FilesProgress] = ()
    ) -> MonitoringEnumerator:
        """List the locations, and return an enumerator of the files that have not been seen.

        Raises:
            SourceError: a location is missing or cannot be listed.
        """
        known = changes if position is None else (position, *changes)
        return MonitoringEnumerator(self, parallelism, known)

    def read(self, split: FileSplit) -> Iterator[Sequence[Any]]:
        """Yield the elements of a split in order.

        Raises:
            SourceError: the file is gone or damaged, or its length has changed since it was listed; the
                message names it.
        """
        try:
            yield from self.files.read(split)
        except Exception as error:
            _check_unchanged(split.file, error)
            raise
        _check_unchanged(split.file)


class PartlyRead(NamedTuple):
    """A file of which something is left to read.

    Attributes:
        rest: the range that is left.
        subtask: the subtask that reads all of it, ``None`` if any may.
    """

    rest: FileSplit
    subtask: int | None


class FilesProgress(NamedTuple):
    """The progress of one poll, or of all polls.

    Attributes:
        seen: the digests of the files taken up, joined.
        partly_read: the files of which something is left at its end.
    """

    seen: bytes
    partly_read: tuple[PartlyRead, ...]


class MonitoringEnumerator:
    """Lists the locations at intervals, and divides the files not seen before into epochs.

    The files of a listing are taken up in the order of their modification; they are listed again once all of
    them have been read. Of files taken up, only digests of their paths are kept. A listing that fails after
    the first one is logged and repeated after the interval, as in Flink.

    Args:
        source: the locations, the format and the interval.
        parallelism: number of subtasks.
        known: the progress before.

    Raises:
        SourceError: a location is missing or cannot be listed.
    """

    def __init__(self, source: MonitoredFiles, parallelism: int, known: Sequence[FilesProgress]) -> None:
        self._files = source.files
        self._interval = source.interval
        self._parallelism = parallelism
        self._seen = {digest for progress in known for digest in _digests(progress.seen)}
        self._unreported: list[bytes] = []
        self._partly_read = known[-1].partly_read if known else ()
        self._backlog = FileBacklog(self._unseen())
        self._due: int | None = None  # time of the next listing, known from the first poll on

    @property
    def is_ended(self) -> bool:
        """Whether no further input will come: never."""
        return False

    def poll(self, now: int, limit: int) -> Poll | None:
        """Return the next files, and parts of files, of about ``limit`` bytes and of a bounded number."""
        if self._due is None:
            self._due = now + self._interval
        elif now >= self._due and not self._has_more():
            self._due = now + self._interval
            self._list()
        taking = _Taking(self._files, self._parallelism, limit, turn=len(self._seen))
        for rest, subtask in self._partly_read:
            taking.take(rest, None if subtask is None else subtask % self._parallelism)
        while self._backlog and taking.has_room():
            file = self._backlog.pop()
            self._unreported.append(_digest(file))
            if file.size:
                taking.take(FileSplit(0, 0, file.size, file))
        self._seen.update(self._unreported)
        if not taking.count:
            return None
        self._partly_read = tuple(taking.partly_read)
        change = FilesProgress(b"".join(self._unreported), self._partly_read)
        self._unreported.clear()
        return Poll(taking.splits, taking.size, change, self._has_more())

    def next_poll(self, now: int) -> int:
        """Return the time of the next listing; at once if files of the last one are left."""
        return now if self._due is None or self._has_more() else self._due

    def snapshot(self) -> FilesProgress:
        """Return the progress of all polls."""
        return FilesProgress(b"".join(self._seen), self._partly_read)

    def close(self) -> None:
        """Do nothing."""

    def _has_more(self) -> bool:
        return bool(self._partly_read or self._backlog)

    def _list(self) -> None:
        try:
            self._backlog = FileBacklog(self._unseen())
        except ConnectorError as error:
            _logger.warning("%s; they are listed again in %d ms", error, self._interval)

    def _unseen(self) -> Iterator[InputFile]:
        found = set()
        for root in self._files.roots:
            for file in list_files(root, may_lack_matches=True):
                digest = _digest(file)
                if digest not in self._seen and digest not in found:
                    found.add(digest)
                    yield file


class _Taking:
    """The splits of one poll.

    Args:
        files: the format.
        parallelism: number of subtasks.
        limit: the size after which nothing is taken up.
        turn: determines the subtask preferred among those with as many bytes.
    """

    def __init__(self, files: FilesInput, parallelism: int, limit: int, turn: int) -> None:
        self._files = files
        self._limit = limit
        self._fair = -(-limit // parallelism)
        self._sizes = [0] * parallelism
        self._order = sorted(range(parallelism), key=lambda subtask: (subtask - turn) % parallelism)
        self.splits: list[list[FileSplit]] = [[] for _ in range(parallelism)]
        self.partly_read: list[PartlyRead] = []
        self.size = 0
        self.count = 0

    def has_room(self) -> bool:
        """Return whether another file may be taken up."""
        return self.size < self._limit and self.count < _MAX_FILES

    def take(self, rest: FileSplit, subtask: int | None = None) -> None:
        """Add a file, or as much of it as fits.

        Args:
            rest: the range of the file to read.
            subtask: the subtask that reads it; chosen if ``None``.
        """
        can_cut = self._files.reader.can_split(rest.file)
        left: FileSplit | None = rest
        while left is not None and (left.start == 0 or not self.count or self.size < self._limit):
            chosen = self._least_busy() if subtask is None else subtask
            split, left = first_part(left, self._fair - self._sizes[chosen], can_cut=can_cut)
            self._add(chosen, split)
            if not self._files.split_files:
                subtask = chosen
                break
        if left is not None:
            self.partly_read.append(PartlyRead(left, subtask))

    def _least_busy(self) -> int:
        return min(self._order, key=lambda subtask: self._sizes[subtask])

    def _add(self, subtask: int, split: FileSplit) -> None:
        self.splits[subtask].append(split)
        self._sizes[subtask] += split.cost
        self.size += split.cost
        self.count += 1


def _check_unchanged(file: InputFile, error: Exception | None = None) -> None:
    """Raise an error that says so if a file has changed since it was listed.

    Args:
        file: the file as listed.
        error: the error of reading it, ``None`` if it was read to its end; it may be gone then.
    """
    from pyarrow.fs import FileType

    filesystem, _ = resolve(file.root)
    try:
        info = filesystem.get_file_info(file.path)
    except OSError:
        return
    if info.type == FileType.NotFound:
        if error is None:
            return
        change = "it was there when its directory was listed, and is gone; leave files there until read"
    elif info.size != file.size:
        change = f"it had {file.size} bytes when its directory was listed, and has {info.size} now"
    else:
        return
    raise SourceError(
        f"cannot read {file.path}: {change}. Write files elsewhere, or under a name that begins with '.' or "
        "'_', and move complete ones into a monitored directory"
    ) from error


def _digest(file: InputFile) -> bytes:
    """Return a digest of the file system and the path of a file."""
    authority = None if local_path(file.root) is not None else _AUTHORITY.match(file.root)
    location = f"{authority[0]}\n{file.path}" if authority else file.path
    return blake2b(location.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES).digest()


def _digests(joined: bytes) -> Iterator[bytes]:
    return (joined[at : at + _DIGEST_BYTES] for at in range(0, len(joined), _DIGEST_BYTES))
