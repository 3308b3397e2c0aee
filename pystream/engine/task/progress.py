"""Progress of the tasks of a job, sent to the driver by UDP: lost messages do no harm."""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol, Self, runtime_checkable

__all__ = ["Measurable", "Progress", "ProgressReporter", "counted", "received", "reporting"]

_MESSAGE = struct.Struct("!qqq")
_INTERVAL = 0.1


@runtime_checkable
class Measurable(Protocol):
    """Interface of sources that know their size, in a unit of their choice such as bytes."""

    def size(self, split: Any) -> int:
        """Return the size of a split."""
        ...

    def measure(self, values: Any) -> int:
        """Return the size of a batch of elements, in units of the source."""
        ...


class Progress(NamedTuple):
    """The amount of work that a task has done.

    Attributes:
        measured: its share of the input, in the units of the sources that know their size.
        read: number of elements that came from sources.
        received: number of elements that came from other tasks or from Spark.
    """

    measured: int = 0
    read: int = 0
    received: int = 0

    def plus(self, other: Progress) -> Progress:
        """Return the sum of two progress values."""
        return Progress(*map(sum, zip(self, other, strict=True)))

    def encoded(self) -> bytes:
        """Encode as a message."""
        return _MESSAGE.pack(*self)

    @classmethod
    def decode(cls, message: bytes) -> Self:
        """Decode a message."""
        return cls(*_MESSAGE.unpack(message))


class ProgressReporter:
    """Report the progress of a subtask to the driver.

    Args:
        address: host and port the driver listens on.
    """

    def __init__(self, address: tuple[str, int]) -> None:
        self._address = address
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._unsent = Progress()
        self._due = time.monotonic() + _INTERVAL

    def add(self, progress: Progress) -> None:
        """Add progress, reported at once or a little later."""
        self._unsent = self._unsent.plus(progress)
        if time.monotonic() >= self._due:
            self._send()

    def close(self) -> None:
        """Report the rest and close the socket."""
        self._send()
        self._socket.close()

    def _send(self) -> None:
        self._socket.sendto(self._unsent.encoded(), self._address)
        self._unsent = Progress()
        self._due = time.monotonic() + _INTERVAL


def counted(values: Sequence[Any]) -> Progress:
    """Return the progress for a batch of a source that measures its size in elements."""
    return Progress(measured=len(values), read=len(values))


def received(values: Sequence[Any]) -> Progress:
    """Return the progress for a batch of elements from other tasks."""
    return Progress(received=len(values))


@contextmanager
def reporting(
    address: tuple[str, int] | None, progress: Callable[[Sequence[Any]], Progress]
) -> Iterator[Callable[[Sequence[Any]], None] | None]:
    """Yield a function that reports processed elements, or ``None`` without an address.

    Args:
        address: host and port the driver listens on.
        progress: returns the progress for a batch of elements.
    """
    if address is None:
        yield None
        return
    reporter = ProgressReporter(address)
    try:
        yield lambda values: reporter.add(progress(values))
    finally:
        reporter.close()
