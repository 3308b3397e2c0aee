"""The rows of a version of a Delta table, and those that are appended later."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pystream.engine.connectors.delta.files import (
    DataFile,
    DeltaRows,
    assigned,
    files_of,
    require_readable,
)
from pystream.engine.connectors.delta.log import DeltaLog, OnChange
from pystream.engine.connectors.interfaces import Backlog, Poll
from pystream.kinds import SourceColumns

__all__ = ["DeltaAppends", "DeltaSnapshot", "Place"]

_MAX_FILES = 10_000


@dataclass(frozen=True, slots=True)
class DeltaSnapshot:
    """The rows of a version of a table, as a bounded source.

    Attributes:
        rows: the table and its columns.
        version: the version.
    """

    rows: DeltaRows
    version: int

    @property
    def is_bounded(self) -> bool:
        """True, as a version never changes."""
        return True

    @property
    def columns(self) -> SourceColumns:
        """The workers, to which columns are available."""
        return SourceColumns.WORKERS

    def splits(self, parallelism: int) -> Sequence[Sequence[DataFile]]:
        """Return the files of each subtask.

        Raises:
            SourceError: the version cannot be read.
        """
        table = self.rows.location.open(self.version)
        require_readable(table)
        return assigned(files_of(table), parallelism)

    def read(self, split: DataFile) -> Iterator[Sequence[Any]]:
        """Yield the rows of a file in order."""
        return self.rows.read(split)


class Place(NamedTuple):
    """A place in the history of a table.

    Attributes:
        version: the version whose files are read.
        taken: how many of them have been read; ``None`` for all.
        is_snapshot: whether they are all files of the table in that version, not only those that it added.
    """

    version: int
    taken: int | None = 0
    is_snapshot: bool = False


@dataclass(frozen=True, slots=True)
class DeltaAppends:
    """The rows of a table, and those that are appended to it later, as an unbounded source.

    Its unit is the byte; opening a file counts as reading 16 KiB.

    Attributes:
        rows: the table and its columns.
        start: the place where a job starts that is not resumed.
        interval: time in ms between two looks for a new version.
        on_change: what to do at a version that does not only append.
    """

    rows: DeltaRows
    start: Place
    interval: int
    on_change: OnChange

    @property
    def is_bounded(self) -> bool:
        """False: versions may always follow."""
        return False

    @property
    def first_limit(self) -> int:
        """The limit of the first polls, 16 MiB."""
        return 16 << 20

    @property
    def columns(self) -> SourceColumns:
        """The workers, to which columns are available."""
        return SourceColumns.WORKERS

    def enumerator(
        self, parallelism: int, position: Place | None = None, changes: Sequence[Place] = ()
    ) -> DeltaEnumerator:
        """Return an enumerator of the files that have not been read.

        Raises:
            SourceError: the table cannot be read from that place on.
        """
        place = [self.start if position is None else position, *changes][-1]
        return DeltaEnumerator(self, parallelism, place)

    def read(self, split: DataFile) -> Iterator[Sequence[Any]]:
        """Yield the rows of a file in order."""
        return self.rows.read(split)


class DeltaEnumerator:
    """Divide the files of one version after the other into epochs.

    Args:
        source: the table.
        parallelism: number of subtasks.
        place: where to start.

    Raises:
        SourceError: the version is gone, or cannot be read.
    """

    is_ended = False

    def __init__(self, source: DeltaAppends, parallelism: int, place: Place) -> None:
        self._source = source
        self._parallelism = parallelism
        self._place = place
        self._log = DeltaLog(source.rows, source.on_change)
        self._due = 0
        self._turn = 0
        table = source.rows.location.open()
        require_readable(table)
        self._log.require_versions_after(place.version, latest=table.version())
        self._files: list[DataFile] = []
        if place.taken is not None and place.is_snapshot:
            self._files = files_of(source.rows.location.open(place.version))[place.taken :]
        elif place.taken is not None:
            self._files = self._log.added(place.version)[place.taken :]

    def poll(self, now: int, limit: int) -> Poll | None:
        """Return the next files, of about ``limit`` bytes."""
        taking: list[DataFile] = []
        size = 0
        while size < limit and len(taking) < _MAX_FILES and self._has_files(now):
            taking.append(self._files.pop(0))
            size += taking[-1].cost
            self._place = self._place._replace(taken=(self._place.taken or 0) + 1)
        if not taking:
            return None
        self._turn += 1
        splits = assigned(taking, self._parallelism, self._turn)
        return Poll(splits, size, self._place, bool(self._files))

    def _has_files(self, now: int) -> bool:
        """Return whether files are left, after a step to the next versions if there are any."""
        while not self._files and now >= self._due:
            following = self._place.version + 1
            if self._log.has(following):
                self._files = self._log.added(following)
                self._place = Place(following)
            else:
                self._due = now + self._source.interval
        return bool(self._files)

    def next_poll(self, now: int) -> int:
        """Return the time of the next look for a version; at once if files are left."""
        return now if self._files else max(now, self._due)

    def backlog(self, now: int) -> Backlog:
        """Return the bytes that are left of the version that is being read."""
        return Backlog(sum(file.cost for file in self._files), "bytes")

    def snapshot(self) -> Place:
        """Return the place after the last poll."""
        return self._place

    def completed(self) -> None:
        """Do nothing: a table does not know its readers."""

    def close(self) -> None:
        """Do nothing: no connection is open."""
