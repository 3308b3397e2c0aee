"""Merge segments of part files in the staging directory of a sink."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from pystream.engine.connectors.file_segments import Part, Segment
from pystream.engine.connectors.files import resolve
from pystream.engine.connectors.part_file import PartFormat
from pystream.engine.connectors.storage import storage_of
from pystream.errors import SinkError

if TYPE_CHECKING:
    from pyarrow import NativeFile
    from pyarrow.fs import FileSystem

    Merge = Callable[[FileSystem, Sequence[str], NativeFile], Any]

__all__ = ["FAN_IN", "SegmentMerging"]

FAN_IN = 32
"""Number of segments of one level that are merged to one of the next level, to bound their number."""


class _Output(Protocol):
    @property
    def base_path(self) -> str: ...
    @property
    def format(self) -> PartFormat: ...


class SegmentMerging:
    """Merge segments for the commit of an epoch; the merged files are removed only at the commit.

    Args:
        output: the sink.
        staging: its staging directory.
        epoch: the number of the epoch.

    Attributes:
        obsolete: the names of the files that were merged into others.
    """

    def __init__(self, output: _Output, staging: str, epoch: int) -> None:
        self._format = output.format
        self._filesystem, _ = resolve(output.base_path)
        self._storage, _ = storage_of(output.base_path)
        self._staging = staging
        self._count = 0
        self.epoch = epoch
        self.obsolete: list[str] = []

    def file_of(self, part: Part) -> str:
        """Return the name of a file with the content of a part."""
        names = [segment.name for segment in part.segments]
        return names[0] if len(names) == 1 else self.merged(names, self._format.merge)[0]

    def condensed(self, part: Part) -> Part:
        """Return a part with a bounded number of segments.

        Elements are copied as often as the logarithm of the number of segments demands.
        """
        segments = list(part.segments)
        while len(run := _last_run(segments)) >= FAN_IN:
            name, size = self.merged([segment.name for segment in run], self._format.merge)
            segments[-len(run) :] = [
                run[-1]._replace(name=name, size=size, created=run[0].created, level=run[0].level + 1)
            ]
        return part._replace(segments=tuple(segments))

    def merged(self, names: Sequence[str], merge: Merge) -> tuple[str, int]:
        """Merge files.

        Args:
            names: the files.
            merge: writes their content to a stream.

        Returns:
            The name of the new file, and its size.

        Raises:
            SinkError: one cannot be read, or the new one cannot be written.
        """
        from pyarrow import ArrowException

        name = f"merged-{self.epoch}-{self._count}"
        path = f"{self._staging}/{name}"
        try:
            with self._filesystem.open_output_stream(path, compression=None) as output:
                merge(self._filesystem, [f"{self._staging}/{other}" for other in names], output)
                size = output.tell()
            self._storage.sync(path)
        except (OSError, ArrowException) as error:
            with suppress(OSError):  # frees the space if the disk is full
                self._storage.remove(path)
            raise SinkError(f"cannot merge part files in {self._staging}: {error}") from error
        self._count += 1
        self.obsolete += names
        return name, size


def _last_run(segments: Sequence[Segment]) -> list[Segment]:
    """Return the segments at the end that have the same level."""
    run: list[Segment] = []
    for segment in reversed(segments):
        if run and segment.level != run[0].level:
            break
        run.append(segment)
    return run[::-1]
