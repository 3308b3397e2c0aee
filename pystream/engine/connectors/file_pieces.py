"""FilePieces: the part of a backlog of files that is read in one epoch."""

from __future__ import annotations

from typing import NamedTuple

from pystream.engine.connectors.file_source import FilesInput
from pystream.engine.connectors.splits import FileSplit, first_part

__all__ = ["FilePieces", "PartlyRead"]

_MAX_FILES = 10_000


class PartlyRead(NamedTuple):
    """A file that has been read in part.

    Attributes:
        rest: the range that is left.
        subtask: the subtask that reads all of it, ``None`` if any may.
    """

    rest: FileSplit
    subtask: int | None


class FilePieces:
    """The splits of one poll; every subtask gets about the same number of bytes.

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
        self.size: int = 0
        self.count: int = 0

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
