"""FileMonitor: finds new files under some locations, and divides them into epochs."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple

from pystream.engine.connectors.file_backlog import BackgroundListing, FileBacklog
from pystream.engine.connectors.file_pieces import FilePieces, PartlyRead
from pystream.engine.connectors.file_source import FilesInput
from pystream.engine.connectors.files import InputFile, local_path
from pystream.engine.connectors.interfaces import Backlog, Poll
from pystream.engine.connectors.splits import FileSplit
from pystream.errors import ConnectorError

__all__ = ["FileMonitor", "FilesProgress"]

_logger = logging.getLogger(__name__)

_LISTING_MS = 50
_DIGEST_BYTES = 16
_AUTHORITY = re.compile(r"[^:/]+://[^/]*")


class FilesProgress(NamedTuple):
    """The progress of one poll, or of all polls.

    Attributes:
        seen: the digests of the files taken up, joined.
        partly_read: the files that are not read to their end.
    """

    seen: bytes
    partly_read: tuple[PartlyRead, ...]


class FileMonitor:
    """List the locations at intervals, and divide the new files into epochs.

    The files of a listing are taken up in the order of their modification; the locations are listed again, in
    the background, once all have been taken up. Of these files, only digests of their paths are kept. A
    listing that fails after the first one is logged and repeated after the interval, as in Flink.

    Args:
        files: the locations and the format.
        interval: time between two listings in ms.
        parallelism: number of subtasks.
        known: the progress before.

    Raises:
        SourceError: a location is missing or cannot be listed.
    """

    def __init__(
        self, files: FilesInput, interval: int, parallelism: int, known: Sequence[FilesProgress]
    ) -> None:
        self._files = files
        self._interval = interval
        self._parallelism = parallelism
        self._seen = {digest for progress in known for digest in _digests(progress.seen)}
        self._unreported: list[bytes] = []
        self._partly_read = known[-1].partly_read if known else ()
        self._backlog = FileBacklog(self._unseen())
        self._listing: BackgroundListing | None = None
        self._due: int | None = None  # time of the next listing; set by the first poll

    @property
    def is_ended(self) -> bool:
        """False, as further input may always come."""
        return False

    def poll(self, now: int, limit: int) -> Poll | None:
        """Return the next files, and parts of files, of about ``limit`` bytes and of a bounded number."""
        if self._due is None:
            self._due = now + self._interval
        elif now >= self._due and not self._has_more() and self._listing is None:
            self._due = now + self._interval
            self._listing = BackgroundListing(lambda: FileBacklog(self._unseen()))
        self._finish_listing()
        taking = FilePieces(self._files, self._parallelism, limit, turn=len(self._seen))
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
        if self._listing is not None:
            return now + _LISTING_MS
        return now if self._due is None or self._has_more() else self._due

    def backlog(self, now: int) -> Backlog:
        """Return the bytes that are left of the files of the last listing."""
        return Backlog(self._backlog.size + sum(part.rest.length for part in self._partly_read), "bytes")

    def snapshot(self) -> FilesProgress:
        """Return the progress of all polls."""
        return FilesProgress(b"".join(self._seen), self._partly_read)

    def completed(self) -> None:
        """Do nothing: files stay where they are."""

    def close(self) -> None:
        """Do nothing: the thread of a current listing ends when the listing does."""

    def _has_more(self) -> bool:
        return bool(self._partly_read or self._backlog)

    def _finish_listing(self) -> None:
        """Take the result of a listing, if one is finished."""
        if self._listing is None or not self._listing.is_finished():
            return
        listing, self._listing = self._listing, None
        try:
            self._backlog = listing.result()
        except ConnectorError as error:
            _logger.warning("%s; it is listed again in %d ms", error, self._interval)

    def _unseen(self) -> Iterator[InputFile]:
        found = set()
        for file in self._files.files(may_lack_matches=True):
            digest = _digest(file)
            if digest not in self._seen and digest not in found:
                found.add(digest)
                yield file


def _digest(file: InputFile) -> bytes:
    """Return a digest of the file system and the path of a file."""
    authority = None if local_path(file.root) is not None else _AUTHORITY.match(file.root)
    location = f"{authority[0]}\n{file.path}" if authority else file.path
    return blake2b(location.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES).digest()


def _digests(joined: bytes) -> Iterator[bytes]:
    return (joined[at : at + _DIGEST_BYTES] for at in range(0, len(joined), _DIGEST_BYTES))
