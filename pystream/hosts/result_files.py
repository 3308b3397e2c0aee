"""ResultFiles: results in files, written by subtasks and read concurrently by this process.

A channel consists of all that one run of a subtask writes for one edge, in a series of files. Each holds
length-prefixed frames. A file is complete once the next one exists; the last one is complete once an empty
file exists beside it.

Spark may repeat a completed run of a subtask if another subtask of the same Spark task fails. The last
run counts: without ``spark.speculation``, and unless an executor is lost, Spark starts it only after all
others have failed, so the downstream tasks read its rows.
"""

from __future__ import annotations

import os
import shutil
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from pystream.engine.exchange.rows import END_OF_CHANNEL, OutputRow

__all__ = ["ChannelReader", "ChannelWriter", "ResultFiles", "ResultWriters", "frames_of"]

_LENGTH = struct.Struct("!q")
_FILE_BYTES = 64 << 20
_END = "end"


@dataclass(frozen=True, slots=True)
class ResultFiles:
    """The files with the results of one attempt of a job.

    Attributes:
        directory: shared by this process and the workers.
    """

    directory: Path

    def writer(self, edge: int, channel: int, run: int) -> ChannelWriter:
        """Return a writer for one run of a subtask.

        Args:
            edge: number of the edge within the job.
            channel: index of the subtask.
            run: number of the run, greater than those of earlier runs of the same subtask.
        """
        return ChannelWriter(self._prefix(edge, channel) / str(run))

    def reader(self, edge: int, channel: int, *, ended: bool) -> ChannelReader | None:
        """Return a reader of the last run of a channel, or ``None`` if there is none yet.

        Args:
            edge: number of the edge within the job.
            channel: index of the subtask.
            ended: whether to wait for a completed run.
        """
        run = _last_run(self._prefix(edge, channel), _END if ended else "0")
        return None if run is None else ChannelReader(run)

    def move(self, edge: int, target: Path) -> None:
        """Move the last run of each channel of an edge to a directory, for ``frames_of``.

        Args:
            edge: number of the edge within the job.
            target: an empty directory on the same device; each run is named by its channel there.

        Raises:
            OSError: the files are lost.
        """
        for path in self.directory.iterdir():
            of, _, channel = path.name.partition("-")
            run = _last_run(path, _END) if of == str(edge) else None
            if run is not None:
                run.rename(target / channel)

    def remove(self) -> None:
        """Remove all files."""
        shutil.rmtree(self.directory, ignore_errors=True)

    def _prefix(self, edge: int, channel: int) -> Path:
        return self.directory / f"{edge}-{channel}"


@dataclass(slots=True)
class ChannelWriter:
    """Write the frames of one run of a subtask."""

    path: Path
    _file: BinaryIO | None = None
    _number: int = 0
    _written: int = 0

    def write(self, payload: bytes) -> None:
        """Write a frame, which readers see at once."""
        if self._file is None or self._written >= _FILE_BYTES:
            self._open_next()
        assert self._file is not None
        self._file.write(_LENGTH.pack(len(payload)))
        self._file.write(payload)
        self._file.flush()
        self._written += len(payload)

    def end(self) -> None:
        """Mark the end of the frames."""
        if self._file is None:
            self._open_next()
        self.close()
        (self.path / _END).touch()

    def close(self) -> None:
        """Close the file, at the end or after a failure."""
        if self._file is not None:
            self._file.close()

    def _open_next(self) -> None:
        self.close()
        if self._number == 0:  # not the parents, which are removed once the results are no longer needed
            self.path.parent.mkdir(exist_ok=True)
            self.path.mkdir()
        self._file = (self.path / str(self._number)).open("xb")
        self._number += 1
        self._written = 0


class ResultWriters:
    """Write the results of several channels.

    Args:
        files: the files to write.
        channels: the edge and the subtask of each channel.
        run: number of the run of the subtasks, greater than those of earlier runs.
    """

    def __init__(self, files: ResultFiles, channels: Iterable[tuple[int, int]], run: int = 0) -> None:
        self._writers = {channel: files.writer(*channel, run) for channel in channels}

    def write(self, row: OutputRow) -> bool:
        """Write the payload of a row and return True if it is a result."""
        writer = self._writers.get((row.edge, row.channel))
        if writer is None or row.seq == END_OF_CHANNEL:
            return False
        writer.write(row.payload)
        return True

    def end(self) -> None:
        """Mark the end of all channels."""
        for writer in self._writers.values():
            writer.end()

    def close(self) -> None:
        """Close all files, at the end or after a failure."""
        for writer in self._writers.values():
            writer.close()


@dataclass(slots=True)
class ChannelReader:
    """Read the frames of a channel, and remove its files once they are read."""

    path: Path
    ended: bool = field(default=False, init=False)
    _file: BinaryIO | None = None
    _number: int = 0

    def read(self) -> bytes | None:
        """Return the next frame, ``None`` if there is none yet; ``ended`` says whether none will follow."""
        while True:
            is_last = (self.path / _END).exists()
            is_complete = is_last or (self.path / str(self._number + 1)).exists()
            if self._file is None:
                self._file = (self.path / str(self._number)).open("rb")
            frame = _frame(self._file)
            if frame is not None or not is_complete:
                return frame
            if is_last and not (self.path / str(self._number + 1)).exists():
                self.ended = True
                return None
            self.close()
            (self.path / str(self._number)).unlink()
            self._number += 1

    def close(self) -> None:
        """Close the file that is being read."""
        if self._file is not None:
            self._file.close()
            self._file = None


def frames_of(run: Path) -> Iterator[bytes]:
    """Yield the frames of a completed run; its files are kept."""
    for number in range(len(list(run.iterdir())) - 1):
        with (run / str(number)).open("rb") as file:
            while (frame := _frame(file)) is not None:
                yield frame


def _last_run(channel: Path, file: str) -> Path | None:
    """Return the last run of a channel that has a file with a name."""
    runs = (path.parent for path in channel.glob(f"*/{file}"))
    return max(runs, key=lambda run: int(run.name), default=None)


def _frame(file: BinaryIO) -> bytes | None:
    start = file.tell()
    header = file.read(_LENGTH.size)
    if len(header) == _LENGTH.size:
        (length,) = _LENGTH.unpack(header)
        if os.fstat(file.fileno()).st_size >= file.tell() + length:
            return file.read(length)
    file.seek(start)
    return None
