"""FileBacklog: a compact queue of listed files still to be read; and listings in the background."""

from __future__ import annotations

import pickle
import zlib
from collections import deque
from collections.abc import Callable, Iterable
from threading import Thread

from pystream.engine.connectors.files import InputFile

__all__ = ["BackgroundListing", "FileBacklog"]

_PIECE = 1_024
_SECONDS_TO_WAIT = 0.05


class FileBacklog:
    """A queue of files by modification time, then path; all but the next ones are compressed.

    Args:
        files: the files, in any order.

    Attributes:
        size: the bytes of all its files.
    """

    def __init__(self, files: Iterable[InputFile] = ()) -> None:
        ordered = sorted(files, key=lambda file: (file.modified, file.path))
        self.size: int = sum(file.size for file in ordered)
        pieces = (ordered[start : start + _PIECE] for start in range(0, len(ordered), _PIECE))
        self._pieces = deque(zlib.compress(pickle.dumps(piece), 1) for piece in pieces)
        self._next: deque[InputFile] = deque()

    def __bool__(self) -> bool:
        return bool(self._next or self._pieces)

    def pop(self) -> InputFile:
        """Remove the first file and return it."""
        if not self._next:
            self._next.extend(pickle.loads(zlib.decompress(self._pieces.popleft())))
        file = self._next.popleft()
        self.size -= file.size
        return file


class BackgroundListing:
    """A listing in a thread of its own.

    Args:
        list_files: lists the files.
    """

    def __init__(self, list_files: Callable[[], FileBacklog]) -> None:
        self._list_files = list_files
        self._backlog: FileBacklog | None = None
        self._error: Exception | None = None
        self._thread = Thread(target=self._run, name="file listing", daemon=True)
        self._thread.start()

    def is_finished(self) -> bool:
        """Return whether the listing is finished, after a short wait, as small ones soon are."""
        self._thread.join(_SECONDS_TO_WAIT)
        return not self._thread.is_alive()

    def result(self) -> FileBacklog:
        """Return the files found; only once it is finished.

        Raises:
            Exception: the error of the listing.
        """
        if self._error is not None:
            raise self._error
        assert self._backlog is not None
        return self._backlog

    def _run(self) -> None:
        try:
            self._backlog = self._list_files()
        except Exception as error:  # noqa: BLE001 - raised by result()
            self._error = error
