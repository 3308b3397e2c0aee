"""Part files: the contract between the file sink and the formats it writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pyarrow import NativeFile

__all__ = ["PartFile", "PartFormat"]


class PartFile(Protocol):
    """One open part file."""

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
            How many elements were written; at least one.
        """
        ...

    def close(self) -> None:
        """Write the buffered elements and the end of the file."""


class PartFormat(Protocol):
    """Writes part files; a picklable value."""

    def encoder(self) -> Callable[[list[Any]], Any]:
        """Return a function that makes a batch ready to be written, to one file or to several.

        Raises:
            ElementFailure: user code failed on an element.
        """
        ...

    def open(self, stream: NativeFile) -> PartFile:
        """Begin a part file on an empty stream, which its caller closes."""
        ...
