"""Results of a job on their way from its subtasks to the program, as they are made."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pystream.hosts.result_files import ChannelReader, ResultFiles
from pystream.hosts.scratch import new_directory, removed_with

__all__ = ["Results"]

_PAUSE = 0.02


@dataclass(frozen=True, slots=True)
class _Attempt:
    files: ResultFiles
    early: bool
    may_break_off: bool


class Results:
    """Results that subtasks send to the program, kept in files until they are read.

    An attempt that may be followed by another with other results is read when it has succeeded. The results
    of all others are read while they are made; should such an attempt fail and be followed by another,
    ``read`` leaves out what it has read already, and ``first`` starts again.
    """

    def __init__(self) -> None:
        self._attempt: _Attempt | None = None
        self._over = threading.Event()
        self._succeeded = False
        self._root: Path | None = None
        self._remove: Callable[[], object] = lambda: None
        self._unwanted = False
        self._process = os.getpid()  # in others, forked from it, nothing comes any more
        self._lock = threading.Lock()

    def begin(self, shared: Path | None, *, early: bool, may_break_off: bool = False) -> ResultFiles:
        """Begin an attempt and return where its results go.

        Args:
            shared: a directory that the workers share; without one this process is to write the results.
            early: whether they may be read before the attempt succeeds.
            may_break_off: whether a channel may seem to end because the engine failed before its subtask, as
                subtasks cannot tell one from the other; channels then end with the attempt.
        """
        if self._root is None:
            self._root = new_directory(shared)
            self._remove = removed_with(self, self._root)
        if self._attempt is not None and not self._attempt.early:
            shutil.rmtree(self._attempt.files.directory, ignore_errors=True)
        files = ResultFiles(new_directory(self._root))
        self._attempt = _Attempt(files, early, may_break_off)
        return files

    def end(self, *, succeeded: bool) -> None:
        """Tell that no attempt follows."""
        with self._lock:
            self._succeeded = succeeded
            self._over.set()
            if self._unwanted:
                self._remove()

    def close(self) -> None:
        """Remove all files, at the end of the job if that still runs."""
        with self._lock:
            self._unwanted = True
            if self._over.is_set():
                self._remove()

    def moved(self, edge: int) -> Path:
        """Move the results of an edge in the last attempt to a directory of their own, and return it.

        Args:
            edge: number of the edge within the job.

        Raises:
            OSError: the files are lost.
        """
        assert self._root is not None
        assert self._attempt is not None
        directory = new_directory(self._root.parent)
        try:
            self._attempt.files.move(edge, directory)
        except OSError:
            shutil.rmtree(directory)
            raise
        return directory

    def read(self, edge: int, channels: int, decode: Callable[[bytes], list[Any]]) -> Iterator[list[Any]]:
        """Yield the results of an edge, one channel after another, as they come.

        It ends with the job, after what came before if that failed.

        Args:
            edge: number of the edge within the job.
            channels: parallelism of what feeds it.
            decode: makes elements of a frame.
        """
        for channel in range(channels):
            yield from self._channel(edge, channel, decode)

    def first(self, limit: int, edge: int, channels: int, decode: Callable[[bytes], list[Any]]) -> list[Any]:
        """Return the first elements of ``read``, all made by the same attempt.

        Args:
            limit: how many at most; fewer if the job ends before.
            edge: number of the edge within the job.
            channels: parallelism of what feeds it.
            decode: makes elements of a frame.
        """
        while True:
            attempt = self._attempt
            taken: list[Any] = []
            for channel in range(channels):
                for frame in self._frames(attempt, edge, channel):
                    taken += decode(frame)
                    if len(taken) >= limit:
                        return taken[:limit]
            if attempt is self._attempt:
                return taken

    def _channel(self, edge: int, channel: int, decode: Callable[[bytes], list[Any]]) -> Iterator[list[Any]]:
        given = 0
        while True:
            attempt, again = self._attempt, given
            for frame in self._frames(attempt, edge, channel):
                elements = decode(frame)
                known = min(again, len(elements))
                again -= known
                if known < len(elements):
                    given += len(elements) - known
                    yield elements[known:]
            if attempt is self._attempt:
                return

    def _frames(self, attempt: _Attempt | None, edge: int, channel: int) -> Iterator[bytes]:
        """Yield the results of an attempt until its channel or the job ends or another attempt begins."""
        reader: ChannelReader | None = None
        try:
            while attempt is self._attempt:
                over = self._over.is_set() or os.getpid() != self._process
                if attempt is not None and reader is None and (attempt.early or (over and self._succeeded)):
                    reader = attempt.files.reader(edge, channel, ended=not attempt.early)
                frame = reader.read() if reader is not None else None
                if frame is not None:
                    yield frame
                elif over or (reader is not None and reader.ended and attempt and not attempt.may_break_off):
                    return
                else:
                    self._over.wait(_PAUSE)
        finally:
            if reader is not None:
                reader.close()
