"""MonitoredFiles: an unbounded source of the files that appear under some locations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pystream.engine.connectors.file_monitor import FileMonitor, FilesProgress
from pystream.engine.connectors.file_source import FilesInput
from pystream.engine.connectors.files import InputFile, resolve
from pystream.engine.connectors.splits import FileSplit
from pystream.errors import SourceError
from pystream.kinds import SourceColumns

__all__ = ["MonitoredFiles"]


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
        """False: the input never ends."""
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
    ) -> FileMonitor:
        """List the locations, and return an enumerator of the files that have not been seen.

        Raises:
            SourceError: a location is missing or cannot be listed.
        """
        known = changes if position is None else (position, *changes)
        return FileMonitor(self.files, self.interval, parallelism, known)

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


def _check_unchanged(file: InputFile, error: Exception | None = None) -> None:
    """Raise an error if a file has changed since it was listed.

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
        change = "it was there when its directory was listed, and is gone now; to resume, put it back"
    elif info.size > file.size:
        change = (
            f"it had {file.size} bytes when its directory was listed, and has {info.size} now; to resume, "
            "truncate it to its former size and put what was appended into another file"
        )
    elif info.size < file.size:
        change = (
            f"it had {file.size} bytes when its directory was listed, and has {info.size} now; to resume, "
            "restore its former content, or pad it to its former size"
        )
    else:
        return
    raise SourceError(
        f"cannot read {file.path}: {change}. Write files elsewhere, or under a name that starts with '.' or "
        "'_', and move complete ones into a monitored directory"
    ) from error
