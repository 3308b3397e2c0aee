"""Merge the small part files of a job before they are published."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from pystream.engine.connectors.files import resolve
from pystream.engine.connectors.job_record import staging_path
from pystream.engine.connectors.storage import storage_of
from pystream.errors import SinkError

if TYPE_CHECKING:
    from pyarrow import NativeFile
    from pyarrow.fs import FileSystem

__all__ = ["COMPACTED", "Compaction", "Compactor", "Concatenation", "Copy"]

COMPACTED = "compacted-"
"""The start of the names of merged files."""

_CHUNK = 4 * 1024 * 1024


class Compactor(Protocol):
    """Merges several files into one; picklable."""

    def compact(self, filesystem: FileSystem, paths: Sequence[str], output: NativeFile) -> None:
        """Write the contents of files to a new one.

        Raises:
            SinkError: they cannot become one file.
        """


@dataclass(frozen=True, slots=True)
class Concatenation:
    """Concatenate files.

    Attributes:
        delimiter: written after each of them.
        header_size: bytes at the start of every file, kept of the first only.
    """

    delimiter: bytes
    header_size: int = 0

    def compact(self, filesystem: FileSystem, paths: Sequence[str], output: NativeFile) -> None:
        """Concatenate files into a new one."""
        for number, path in enumerate(paths):
            with filesystem.open_input_stream(path, compression=None) as file:
                if number:
                    file.read(self.header_size)
                _copy(file, output)
            output.write(self.delimiter)


@dataclass(frozen=True, slots=True)
class Copy:
    """Copy a single file unchanged."""

    def compact(self, filesystem: FileSystem, paths: Sequence[str], output: NativeFile) -> None:
        """Copy a file to a new one.

        Raises:
            SinkError: there is more than one.
        """
        if len(paths) > 1:
            raise SinkError(
                f"identical_file_compactor copies single files, but {len(paths)} are to become one: "
                f"{', '.join(paths[:3])}, …; use concat_file_compactor, or a lower size threshold"
            )
        with filesystem.open_input_stream(paths[0], compression=None) as file:
            _copy(file, output)


@dataclass(frozen=True, slots=True)
class Compaction:
    """Decide which part files are merged, and merge them.

    Attributes:
        size_threshold: total bytes of the files merged into one; ``None`` merges all files of a bucket.
        threads: how many groups of files are merged at once.
        compactor: makes one file of a group.
        checkpoints: number of checkpoints of an unbounded job after which all files are merged; if ``None``,
            they wait until the threshold is reached, or the job ends.
    """

    size_threshold: int | None
    threads: int
    compactor: Compactor
    checkpoints: int | None = None

    def merge(self, base_path: str, transaction: str, names: Sequence[str]) -> list[str]:
        """Merge part files in progress; runs on the driver.

        Args:
            base_path: location of the sink's directory.
            transaction: of the sink.
            names: the files, below the base path.

        Returns:
            The names of the files that take their place, in the order of the first of each.

        Raises:
            SinkError: a file cannot be read or written, or a group cannot become one file.
        """
        filesystem, _ = resolve(base_path)
        storage, base = storage_of(base_path)
        staging = staging_path(base, transaction)

        def merged(group: list[str]) -> str:
            directory, slash, first = group[0].rpartition("/")
            name = f"{directory}{slash}{COMPACTED}{first}"
            paths = [f"{staging}/{part}" for part in group]
            try:
                with filesystem.open_output_stream(f"{staging}/{name}", compression=None) as output:
                    self.compactor.compact(filesystem, paths, output)
                storage.sync(f"{staging}/{name}")
                for path in paths:
                    storage.remove(path)
            except OSError as error:
                raise SinkError(f"cannot compact part files into {base}/{name}: {error}") from error
            return name

        with ThreadPoolExecutor(self.threads, "pystream-compaction") as pool:
            return list(pool.map(merged, self._groups(filesystem, staging, names)))

    def _groups(self, filesystem: FileSystem, staging: str, names: Sequence[str]) -> list[list[str]]:
        buckets: dict[str, list[str]] = {}
        for name in names:
            buckets.setdefault(name.rpartition("/")[0], []).append(name)
        return [group for files in buckets.values() for group in self._divided(filesystem, staging, files)]

    def _divided(self, filesystem: FileSystem, staging: str, names: list[str]) -> Iterator[list[str]]:
        if self.size_threshold is None:
            yield names
            return
        group: list[str] = []
        size = 0
        for name in names:
            group.append(name)
            size += filesystem.get_file_info(f"{staging}/{name}").size or 0
            if size >= self.size_threshold:
                yield group
                group, size = [], 0
        if group:
            yield group


def _copy(source: NativeFile, target: NativeFile) -> None:
    while chunk := source.read(_CHUNK):
        target.write(chunk)
