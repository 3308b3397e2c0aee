"""Part files: the interface of their formats, and the policy by which they are closed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pyarrow import NativeFile
    from pyarrow.fs import FileSystem

__all__ = ["PartFile", "PartFormat", "Rolling"]


class PartFile(Protocol):
    """An open part file."""

    def size(self) -> int:
        """Return the bytes written so far."""
        ...

    def write(self, encoded: Any, start: int, size_limit: int | None) -> int:
        """Write elements until the file has grown beyond ``size_limit``.

        Args:
            encoded: the encoder's result for a batch that is not empty.
            start: number of the first element to write; the ones before are in other files.
            size_limit: in bytes.

        Returns:
            The number of elements written; at least one.
        """
        ...

    def close(self) -> None:
        """Write the buffered elements and the end of the file."""


class PartFormat(Protocol):
    """Writes part files; picklable."""

    def encoder(self) -> Callable[[Sequence[Any]], Any]:
        """Return a function that encodes a batch for one or several files.

        Raises:
            ElementFailure: user code failed on an element.
        """
        ...

    def open(self, stream: NativeFile) -> PartFile:
        """Open a part file on an empty stream, which the caller closes."""
        ...

    def merge(self, filesystem: FileSystem, paths: Sequence[str], output: NativeFile) -> None:
        """Write the elements of several part files of this format to a single one, in order."""


@dataclass(frozen=True, slots=True)
class Rolling:
    """When a part file is closed and the next one started; by default, only at the end of the job.

    Attributes:
        size_limit: bytes; a file that has grown beyond takes no further element.
        rollover_interval: milliseconds a file may stay open.
        inactivity_interval: milliseconds a file may stay open without being written to.
        on_checkpoint: whether every checkpoint closes it.
    """

    size_limit: int | None = None
    rollover_interval: float = math.inf
    inactivity_interval: float = math.inf
    on_checkpoint: bool = False

    def is_due(self, created: int, updated: int, now: int) -> bool:
        """Return whether a file must be closed because of its age; all times in milliseconds."""
        return now - created >= self.rollover_interval or now - updated >= self.inactivity_interval
