"""CacheFiles: cached streams in files, with the frames of each subtask, as sources for later jobs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pystream.engine.events import Event
from pystream.engine.exchange.elements_format import ElementsFormat
from pystream.engine.exchange.send_buffer import read_frame
from pystream.hosts.process import removed_with
from pystream.hosts.result_files import frames_of
from pystream.kinds import SourceColumns
from typeinfo.info import TypeInformation

__all__ = ["CacheFiles", "CacheSource"]


@dataclass(frozen=True, slots=True)
class CacheSource:
    """The elements of a cached stream, with timestamps and watermarks, as a bounded source.

    Attributes:
        runs: the location of the frames of each subtask; subtasks without frames are missing.
        type_info: type of the elements.
    """

    runs: tuple[Path, ...]
    type_info: TypeInformation[Any]

    @property
    def is_bounded(self) -> bool:
        """True, as the input ends."""
        return True

    @property
    def columns(self) -> SourceColumns:
        """The process in which elements are available as columns."""
        return SourceColumns.NONE

    def splits(self, parallelism: int) -> Sequence[Sequence[Path]]:
        """Return for each subtask the file of the subtask with the same number."""
        assert parallelism == len(self.runs)
        return [[run] if run.exists() else [] for run in self.runs]

    def read(self, split: Path) -> Iterator[Event]:
        """Yield elements and watermarks in order."""
        load_elements = ElementsFormat(self.type_info).load
        for frame in frames_of(split):
            yield from read_frame(frame, load_elements)


class CacheFiles:
    """The files of a cached stream, removed when this object is unreferenced or when the process ends.

    Args:
        directory: holds them, by the number of the subtask.
        type_info: type of the elements.
        channels: the number of subtasks.
        batch: whether the job ran in batch mode.
    """

    def __init__(self, directory: Path, type_info: TypeInformation[Any], channels: int, batch: bool) -> None:
        removed_with(self, directory)
        self.channels = channels
        self.batch = batch
        self._type_info = type_info
        self._directory = directory
        self._files = [path for path in directory.rglob("*") if path.is_file()]

    def are_there(self) -> bool:
        """Return whether all files exist; they may be lost with the session or its temporary directory."""
        return self._directory.exists() and all(path.exists() for path in self._files)

    def source(self) -> CacheSource:
        """Return a source of the elements."""
        runs = (self._directory / str(channel) for channel in range(self.channels))
        return CacheSource(tuple(runs), self._type_info)
