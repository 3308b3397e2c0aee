"""Part files: the interface of their formats, and the policies by which they are closed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pyarrow import NativeFile

__all__ = ["PartFile", "PartFormat", "RollAtEnd", "RollBySizeAndTime", "Rolling"]


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

    def encoder(self) -> Callable[[list[Any]], Any]:
        """Return a function that encodes a batch for one or several files.

        Raises:
            ElementFailure: user code failed on an element.
        """
        ...

    def open(self, stream: NativeFile) -> PartFile:
        """Open a part file on an empty stream, which the caller closes."""
        ...


@dataclass(frozen=True, slots=True)
class RollBySizeAndTime:
    """Close a part file by size, age or inactivity.

    Attributes:
        part_size: bytes; a file that has grown beyond takes no further element.
        rollover_interval: milliseconds a file may stay open.
        inactivity_interval: milliseconds a file may stay open without being written to.
    """

    part_size: int
    rollover_interval: int
    inactivity_interval: int

    @property
    def size_limit(self) -> int | None:
        """The size beyond which a file takes no further element."""
        return self.part_size

    def is_due(self, created: int, updated: int, now: int) -> bool:
        """Return whether a file must be closed because of its age; all times in milliseconds."""
        return now - created >= self.rollover_interval or now - updated >= self.inactivity_interval


@dataclass(frozen=True, slots=True)
class RollAtEnd:
    """Close part files only when the job ends."""

    @property
    def size_limit(self) -> int | None:
        """No limit: files are not closed by size."""
        return None

    def is_due(self, created: int, updated: int, now: int) -> bool:
        """Return False: files are not closed by age."""
        return False


Rolling = RollBySizeAndTime | RollAtEnd
