"""FileBacklog: listed files that are still to be read, in little memory."""

from __future__ import annotations

import pickle
import zlib
from collections import deque
from collections.abc import Iterable

from pystream.engine.connectors.files import InputFile

__all__ = ["FileBacklog"]

_PIECE = 1_024


class FileBacklog:
    """Files in the order of their modification, then of their paths; compressed, except for the next ones.

    Args:
        files: the files, in any order.
    """

    def __init__(self, files: Iterable[InputFile] = ()) -> None:
        ordered = sorted(files, key=lambda file: (file.modified, file.path))
        pieces = (ordered[start : start + _PIECE] for start in range(0, len(ordered), _PIECE))
        self._pieces = deque(zlib.compress(pickle.dumps(piece), 1) for piece in pieces)
        self._next: deque[InputFile] = deque()

    def __bool__(self) -> bool:
        return bool(self._next or self._pieces)

    def pop(self) -> InputFile:
        """Remove the first file and return it."""
        if not self._next:
            self._next.extend(pickle.loads(zlib.decompress(self._pieces.popleft())))
        return self._next.popleft()
