"""Results: the results of a job, sent from its subtasks to the program, or printed, as they are produced."""

from __future__ import annotations

import os
import pickle
import shutil
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from tqdm import tqdm

from pystream.engine.exchange.elements_format import Payload
from pystream.engine.worker import standard_output
from pystream.hosts.process import new_directory, removed_with
from pystream.hosts.result_files import ChannelReader, ResultFiles
from pystream.hosts.result_memory import ChannelQueue, ResultMemory

__all__ = ["Printer", "Results"]

B = TypeVar("B", bound=Any)
"""A batch of elements: a list or columns, with a length and slices."""

_PAUSE = 0.02


@dataclass(frozen=True, slots=True)
class _Attempt:
    stored: ResultFiles | ResultMemory
    early: bool
    may_break_off: bool


class Results:
    """The results that subtasks send to the program, stored until they are read.

    If a later attempt may have different results, an attempt is read only after it has succeeded. Otherwise
    results are read while they are produced; if such an attempt fails and is followed by another, ``read``
    skips the results that were already read, and ``first`` starts over.
    """

    def __init__(self) -> None:
        self._attempt: _Attempt | None = None
        self._over = threading.Event()
        self._succeeded = False
        self._root: Path | None = None
        self._remove_root: Callable[[], object] = lambda: None
        self._unwanted = False
        self._process = os.getpid()  # in forked processes, no further results arrive
        self._lock = threading.Lock()

    def begin(self, shared: Path | None, *, early: bool, may_break_off: bool = False) -> ResultFiles:
        """Begin an attempt that writes its results to files, and return these.

        Args:
            shared: a directory that the workers share; without one, this process writes the results.
            early: whether they may be read before the attempt succeeds.
            may_break_off: whether a channel may end prematurely because the engine failed, which subtasks
                cannot distinguish from its end; channels then end with the attempt.
        """
        files = self._new_files(shared)
        self._begin(_Attempt(files, early, may_break_off))
        return files

    def begin_in_memory(
        self, channels: Iterable[tuple[int, int]], *, kept: Iterable[tuple[int, int]], early: bool
    ) -> ResultMemory:
        """Begin an attempt that runs in this process, and return the destination of its results.

        Args:
            channels: the edge and the subtask of each channel.
            kept: further channels, which are written to files, to be moved.
            early: whether they may be read before the attempt succeeds.
        """
        memory = ResultMemory(channels, kept, self._new_files)
        self._begin(_Attempt(memory, early, may_break_off=False))
        return memory

    def _begin(self, attempt: _Attempt) -> None:
        if self._attempt is not None and not self._attempt.early:
            self._attempt.stored.remove()
        self._attempt = attempt
        with self._lock:
            if self._unwanted and isinstance(attempt.stored, ResultMemory):
                attempt.stored.drop()

    def _new_files(self, shared: Path | None = None) -> ResultFiles:
        if self._root is None:
            self._root = new_directory(shared)
            self._remove_root = removed_with(self, self._root)
        return ResultFiles(new_directory(self._root))

    def end(self, *, succeeded: bool) -> None:
        """Declare that no attempt follows."""
        with self._lock:
            self._succeeded = succeeded
            self._over.set()
            if self._unwanted:
                self._remove()

    def close(self) -> None:
        """Drop the results in memory, and remove all files, at the end of the job if it is still running."""
        with self._lock:
            self._unwanted = True
            if self._over.is_set():
                self._remove()
            elif self._attempt is not None and isinstance(self._attempt.stored, ResultMemory):
                self._attempt.stored.drop()

    def _remove(self) -> None:
        if self._attempt is not None:
            self._attempt.stored.remove()
        self._remove_root()

    def moved(self, edge: int) -> Path:
        """Move the results of an edge in the last attempt to a separate directory, and return it.

        Args:
            edge: number of the edge within the job.

        Raises:
            OSError: the files are lost.
        """
        assert self._root is not None
        assert self._attempt is not None
        directory = new_directory(self._root.parent)
        try:
            self._attempt.stored.move(edge, directory)
        except OSError:
            shutil.rmtree(directory)
            raise
        return directory

    def read(self, edge: int, channels: int, decode: Callable[[Any], B]) -> Iterator[B]:
        """Yield the results of an edge, one channel after another, as they arrive.

        It ends with the job, and after earlier results if the job failed.

        Args:
            edge: number of the edge within the job.
            channels: parallelism of the sender.
            decode: decodes a frame to elements, in a list or a batch of columns.
        """
        for channel in range(channels):
            yield from self._channel(edge, channel, decode)

    def first(self, limit: int, edge: int, channels: int, decode: Callable[[Any], list[Any]]) -> list[Any]:
        """Return the first elements of ``read``, all from the same attempt.

        Args:
            limit: maximum number; fewer if the job ends before.
            edge: number of the edge within the job.
            channels: parallelism of the sender.
            decode: decodes a frame to elements.
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

    def _channel(self, edge: int, channel: int, decode: Callable[[Any], B]) -> Iterator[B]:
        delivered = 0
        while True:
            attempt, to_skip = self._attempt, delivered
            for frame in self._frames(attempt, edge, channel):
                elements = decode(frame)
                skipped = min(to_skip, len(elements))
                to_skip -= skipped
                if skipped < len(elements):
                    delivered += len(elements) - skipped
                    yield elements[skipped:] if skipped else elements
            if attempt is self._attempt:
                return

    def _frames(self, attempt: _Attempt | None, edge: int, channel: int) -> Iterator[Payload]:
        """Yield the results of an attempt until its channel or the job ends or another attempt starts."""
        reader: ChannelReader | ChannelQueue | None = None
        try:
            while attempt is self._attempt:
                over = self._over.is_set() or os.getpid() != self._process
                if attempt is not None and reader is None and (attempt.early or (over and self._succeeded)):
                    reader = attempt.stored.reader(edge, channel, ended=not attempt.early)
                frame = reader.read() if reader is not None else None
                if frame is not None:
                    yield frame
                elif over or (reader is not None and reader.ended and attempt and not attempt.may_break_off):
                    return
                elif isinstance(reader, ChannelQueue):
                    reader.wait(_PAUSE)
                else:
                    self._over.wait(_PAUSE)
        finally:
            if reader is not None:
                reader.close()


class Printer:
    """Print the results of printing sinks in a thread, one sink after another.

    Args:
        results: the results of the job.
        sinks: the number of channels of each printing sink, and whether it prints to standard error, by its
            edge.

    Attributes:
        error: the failure of standard output, once joined.
    """

    def __init__(self, results: Results, sinks: Mapping[int, tuple[int, bool]]) -> None:
        self.error: OSError | ValueError | None = None
        self._results = results
        self._sinks = sinks
        self._thread = threading.Thread(target=self._print, name="pystream-printer", daemon=True)

    def start(self) -> None:
        """Start the thread, if there are printing sinks."""
        if self._sinks:
            self._thread.start()

    def join(self) -> None:
        """Wait until everything is printed, if the thread was started; the results must have ended."""
        if self._thread.ident is not None:
            self._thread.join()

    def _print(self) -> None:
        try:
            for edge, (channels, to_error) in self._sinks.items():
                for lines in self._results.read(edge, channels, pickle.loads):
                    with tqdm.external_write_mode():  # the progress bar is redrawn below them
                        text = "".join(f"{line}\n" for line in lines)
                        standard_output.write(text, sys.stderr if to_error else None)
        except (OSError, ValueError) as error:
            self.error = error
