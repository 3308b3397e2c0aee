"""FileLookup: the rows of files by key."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from pystream.engine.connectors.file_source import FilesInput
from pystream.engine.connectors.files import InputFile
from pystream.engine.connectors.lookup import Key, hashed_key
from pystream.engine.connectors.splits import assign_splits
from pystream.engine.events import RecordErrors

__all__ = ["FileLookup"]

_LISTING_INTERVAL = 1.0  # seconds


class FileLookup:
    """Finds rows of files in memory, where it keeps all of them.

    Files are listed again after a second, and read again if one of them was added, changed or removed.

    Args:
        files: the files.
        positions: the fields of a row that are its key.
        clock: returns the time in seconds.
    """

    def __init__(
        self, files: FilesInput, positions: Sequence[int], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._files = files
        self._positions = tuple(positions)
        self._clock = clock
        self._rows: dict[Key, list[Any]] = {}
        self._listed: list[InputFile] | None = None
        self._next_listing = 0.0

    def open(self) -> None:
        """Do nothing: the files are read at the first lookup."""

    def close(self) -> None:
        """Forget the rows."""
        self._rows, self._listed = {}, None

    def rows(self, key: Key) -> Sequence[Any]:
        """Return the rows with a key, in the order of the files.

        Raises:
            SourceError: a file is missing, or cannot be read.
        """
        if self._listed is None or self._clock() >= self._next_listing:
            self._refresh()
        return self._rows.get(hashed_key(key), ())

    def _refresh(self) -> None:
        listed = list(self._files.files())
        if listed != self._listed:
            self._rows = self._read(listed)
            self._listed = listed
        self._next_listing = self._clock() + _LISTING_INTERVAL

    def _read(self, files: list[InputFile]) -> dict[Key, list[Any]]:
        found: defaultdict[Key, list[Any]] = defaultdict(list)
        (splits,) = assign_splits(files, 1, lambda _: False)
        for split in splits:
            for batch in self._files.read(split):
                if isinstance(batch, RecordErrors):
                    continue
                for row in batch:
                    found[hashed_key(row[position] for position in self._positions)].append(row)
        return dict(found)
