"""The file source: lists files, assigns them to subtasks and reads them in a format."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from pystream.engine.connectors.compression import DECOMPRESSION_ERRORS
from pystream.engine.connectors.files import InputFile, list_files, resolve
from pystream.engine.connectors.splits import FileSplit, assign_splits, first_part
from pystream.engine.connectors.text_files import TextLineReader
from pystream.errors import SourceError
from pystream.kinds import SourceColumns

if TYPE_CHECKING:
    from pyarrow import NativeFile

__all__ = ["DirectoryFilter", "FileReader", "FilesInput"]


class FileReader(Protocol):
    """Reads the elements of a file; picklable."""

    def yields_columns(self) -> bool:
        """Return whether it may yield columns instead of lists."""
        ...

    def can_split(self, file: InputFile) -> bool:
        """Return whether the file may be read from the middle."""
        ...

    def read(self, file: NativeFile, split: FileSplit) -> Iterator[Sequence[Any]]:
        """Yield the elements that start in the byte range of ``split``, in order, in bounded batches.

        Args:
            file: the file, open at its start.
            split: the range to read.
        """
        ...


class DirectoryFilter(Protocol):
    """Tells which directories may have files that are wanted; picklable."""

    def admits(self, names: Sequence[str]) -> bool:
        """Return whether a directory may have some.

        Args:
            names: the names of the directories above it, below the location, and its own.
        """
        ...


@dataclass(frozen=True, slots=True)
class FilesInput:
    """A bounded source of the files under some locations.

    Attributes:
        roots: absolute locations of files, and of directories to read all files below.
        reader: the format.
        split_files: whether large files may be cut into byte ranges where the format allows it. The
            elements of a file that is not split come from one subtask, in order.
        path_pattern: a regular expression that paths of files must match entirely; others are left out.
        directories: tells which directories are listed; all are unless given.
    """

    roots: tuple[str, ...]
    reader: FileReader
    split_files: bool
    path_pattern: str | None = None
    directories: DirectoryFilter | None = None

    @property
    def is_bounded(self) -> bool:
        """True, as the input ends."""
        return True

    def splits(self, parallelism: int) -> Sequence[Sequence[FileSplit]]:
        """List the files and assign each subtask about the same number of bytes.

        Raises:
            SourceError: a location is missing or cannot be listed.
        """
        return assign_splits(list(self.files()), parallelism, self._can_split)

    def files(self, *, may_lack_matches: bool = False) -> Iterator[InputFile]:
        """Yield the files.

        Args:
            may_lack_matches: whether there may be no file that matches a location which is a pattern yet.

        Raises:
            SourceError: a location is missing or cannot be listed.
        """
        pattern = None if self.path_pattern is None else re.compile(self.path_pattern)
        admits = None if self.directories is None else self.directories.admits
        for root in self.roots:
            for file in list_files(root, may_lack_matches=may_lack_matches, admits=admits):
                if pattern is None or pattern.fullmatch(file.path):
                    yield file

    def size(self, split: FileSplit) -> int:
        """Return the number of bytes of a split, 0 if its reader reports no progress."""
        return split.length if isinstance(self.reader, TextLineReader) else 0

    def first_part(self, split: FileSplit, size: int) -> tuple[FileSplit, FileSplit | None]:
        """Return the first part of a split, of about the given size, and the rest; ``None`` if undivided."""
        return first_part(split, size, can_cut=self.reader.can_split(split.file))

    def cost(self, split: FileSplit) -> int:
        """Return the cost of reading a split, in bytes."""
        return split.cost

    def length(self, split: FileSplit) -> int:
        """Return the number of bytes of a split."""
        return split.length

    def measure(self, values: list[str]) -> int:
        """Return the approximate number of bytes of these lines."""
        return sum(map(len, values)) + len(values)

    @property
    def columns(self) -> SourceColumns:
        """The process in which elements are available as columns."""
        return SourceColumns.WORKERS if self.reader.yields_columns() else SourceColumns.NONE

    def _can_split(self, file: InputFile) -> bool:
        return self.split_files and self.reader.can_split(file)

    def read(self, split: FileSplit) -> Iterator[Sequence[Any]]:
        """Yield the elements of a split in order.

        Raises:
            SourceError: the file is gone, damaged, or not as long as when it was listed; the message names it
                and the place.
        """
        path, size = split.file.path, split.file.size
        filesystem, _ = resolve(split.file.root)
        try:
            with filesystem.open_input_file(path) as file:
                if file.size() != size:
                    raise SourceError(
                        f"cannot read {path}: it had {size} bytes when it was listed, and has {file.size()} "
                        "now; write a file elsewhere, and move it to its place when it is complete"
                    )
                yield from self.reader.read(file, split)
        except DECOMPRESSION_ERRORS as error:
            raise SourceError(f"cannot read {path}: {error}") from error
