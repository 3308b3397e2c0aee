"""What a part file holds: the contract between the file sink and the formats it writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pyarrow import NativeFile

__all__ = ["PartFile", "PartFormat"]


class PartFile(Protocol):
    """One open part file."""

    def size(self) -> int:
        """Return the bytes written so far."""
        ...

    def write(self, values: list[Any], size_limit: int | None) -> int:
        """Write elements until the file has grown beyond ``size_limit``.

        Returns:
            How many of ``values``, which is not empty, were written; at least one.
        """
        ...

    def close(self) -> None:
        """Write what is still held back, and the end of the file."""


class PartFormat(Protocol):
    """How part files are written: a picklable value."""

    def open(self, stream: NativeFile) -> PartFile:
        """Begin a part file on an empty stream, which its caller closes."""
        ...
