"""ResultMemory: results that subtasks of this process pass to the program in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import Enum, auto
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TypeAlias

from pystream.engine.exchange.elements_format import Payload, bytes_of
from pystream.engine.exchange.rows import END_OF_CHANNEL, OutputRow
from pystream.hosts.result_files import ChannelReader, ChannelWriter, ResultFiles, ResultWriters

__all__ = ["ChannelQueue", "ResultMemory"]

_HELD_BYTES = 64 << 20  # of results that wait in memory; while more wait, further ones are written to files

_Address: TypeAlias = tuple[int, int]


class _Mark(Enum):
    """An entry of a queue besides the payloads in memory."""

    IN_FILE = auto()
    END = auto()


_Entry: TypeAlias = Payload | _Mark


class ResultMemory:
    """The results of one attempt of a job whose subtasks run in this process.

    One thread writes them, and one thread reads each channel.

    Args:
        channels: the edge and the subtask of each channel.
        kept: further channels, which are written to files, to be moved once they are complete.
        new_files: returns files for results that are kept, or are too large to wait in memory.
    """

    def __init__(
        self, channels: Iterable[_Address], kept: Iterable[_Address], new_files: Callable[[], ResultFiles]
    ) -> None:
        self._new_files = new_files
        self._files: ResultFiles | None = None
        self._channels = {channel: ChannelQueue(channel, self._own_files) for channel in channels}
        kept = list(kept)
        self._kept = ResultWriters(self._own_files(), kept) if kept else None
        self._is_unwanted = False

    def _own_files(self) -> ResultFiles:
        if self._files is None:
            self._files = self._new_files()
        return self._files

    def write(self, row: OutputRow) -> bool:
        """Pass on the payload of a row; return whether its channel is one of these."""
        channel = self._channels.get((row.edge, row.channel))
        if channel is None or row.seq == END_OF_CHANNEL:
            return self._kept is not None and self._kept.write(row)
        if not self._is_unwanted:
            held = sum(other.held for other in self._channels.values())
            channel.put(row.payload, in_memory=held < _HELD_BYTES)
        return True

    def end(self) -> None:
        """Mark the end of all channels."""
        for channel in self._channels.values():
            channel.end()
        if self._kept is not None:
            self._kept.end()

    def close(self) -> None:
        """Close the files that are written, at the end or after a failure."""
        for channel in self._channels.values():
            channel.close_writer()
        if self._kept is not None:
            self._kept.close()

    def reader(self, edge: int, channel: int, *, ended: bool) -> ChannelQueue:
        """Return the reader of a channel, whether or not it is complete."""
        return self._channels[edge, channel]

    def move(self, edge: int, target: Path) -> None:
        """Move the kept channels of an edge to a directory, as ``ResultFiles.move`` does.

        Raises:
            OSError: the files are lost.
        """
        self._own_files().move(edge, target)

    def drop(self) -> None:
        """Drop the results in memory, and all that are still written."""
        self._is_unwanted = True
        for channel in self._channels.values():
            channel.clear()

    def remove(self) -> None:
        """Drop all results, in memory and in files."""
        self.drop()
        if self._files is not None:
            self._files.remove()


class ChannelQueue:
    """The results of one subtask for one edge: in memory, or in a file while too many wait.

    Its queue takes no lock that a signal handler or a forked process would wait for.

    Args:
        address: the edge and the subtask.
        files: returns the files of the attempt.

    Attributes:
        ended: whether all results are read.
    """

    def __init__(self, address: _Address, files: Callable[[], ResultFiles]) -> None:
        self.ended: bool = False
        self._address = address
        self._files = files
        self._queue: SimpleQueue[_Entry] = SimpleQueue()
        self._next: _Entry | None = None  # taken from the queue, and not yet read
        self._added = 0  # bytes in memory: only the writer counts them here,
        self._taken = 0  # and only the reader here
        self._writer: ChannelWriter | None = None
        self._reader: ChannelReader | None = None

    @property
    def held(self) -> int:
        """The number of bytes that wait in memory."""
        return self._added - self._taken

    def put(self, payload: Payload, *, in_memory: bool) -> None:
        """Add a payload."""
        if in_memory:
            self._added += _size(payload)
            self._queue.put(payload)
            return
        if self._writer is None:
            self._writer = self._files().writer(*self._address, 0)
        self._writer.write(bytes_of(payload))
        self._queue.put(_Mark.IN_FILE)

    def end(self) -> None:
        """Mark the end of the results."""
        self._queue.put(_Mark.END)

    def wait(self, seconds: float) -> None:
        """Wait for the next payload or the end, at most for some time."""
        if self._next is None:
            with suppress(Empty):
                self._next = self._queue.get(timeout=seconds)

    def read(self) -> Payload | None:
        """Return the next payload, ``None`` if there is none yet; ``ended`` says whether none will follow."""
        self.wait(0)
        entry = self._next
        if entry is _Mark.END:
            self.ended = True
            return None
        self._next = None
        if entry is _Mark.IN_FILE:
            return self._read_file()
        if entry is not None:
            self._taken += _size(entry)
        return entry

    def _read_file(self) -> bytes | None:
        if self._reader is None:
            self._reader = self._files().reader(*self._address, ended=False)
            assert self._reader is not None
        return self._reader.read()

    def close(self) -> None:
        """Close the file that is being read."""
        if self._reader is not None:
            self._reader.close()

    def close_writer(self) -> None:
        """Close the file that is written."""
        if self._writer is not None:
            self._writer.close()

    def clear(self) -> None:
        """Drop the results in memory."""
        self._queue = SimpleQueue()


def _size(payload: Payload) -> int:
    return len(payload) if isinstance(payload, bytes) else payload.nbytes
