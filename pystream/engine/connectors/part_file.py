"""Part files: the interface between the file sink and file formats."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pyarrow import NativeFile

__all__ = ["PartFile", "PartFormat"]


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
