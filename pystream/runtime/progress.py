"""How far the sources of a job have come, told to the driver by datagrams that may get lost without harm."""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Iterator, Sequence
from typing import Any, Protocol, runtime_checkable

__all__ = ["MESSAGE", "Measurable", "ProgressReporter"]

MESSAGE = struct.Struct("!q")
"""How much more was read."""

_INTERVAL = 0.1


@runtime_checkable
class Measurable(Protocol):
    """A source that knows how much there is to read, in units of its own."""

    def size(self, split: Any) -> int:
        """Return how much a split holds."""
        ...

    def measure(self, values: Any) -> int:
        """Return how much of the input a batch of elements was."""
        ...


class ProgressReporter:
    """Tells the driver how much a subtask has read.

    Args:
        address: host and port the driver listens on.
    """

    def __init__(self, address: tuple[str, int]) -> None:
        self._address = address
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._unsent = 0
        self._due = time.monotonic() + _INTERVAL

    def watch(self, source: Measurable, batches: Iterator[Sequence[Any]]) -> Iterator[Sequence[Any]]:
        """Yield batches, telling of them once they are worked on."""
        for batch in batches:
            yield batch
            self._unsent += source.measure(batch)
            if time.monotonic() >= self._due:
                self.send()

    def send(self) -> None:
        """Tell what was not told yet."""
        self._socket.sendto(MESSAGE.pack(self._unsent), self._address)
        self._unsent = 0
        self._due = time.monotonic() + _INTERVAL

    def close(self) -> None:
        """Tell the rest and stop."""
        self.send()
        self._socket.close()
