"""Watcher: calls a function as soon as a certain file of a job appears."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

__all__ = ["SAVEPOINTS", "AtFile", "Watcher"]

SAVEPOINTS = "savepoints"
"""Stands for the directory of savepoints; other directories are in that of the job."""

_INTERVAL = 0.001


@dataclass(frozen=True, slots=True)
class AtFile:
    """The moment at which a file appears.

    Attributes:
        below: its directory.
        number: number of files that appear there before it while the process runs.
        millis: time from its appearance to the moment.
    """

    below: str
    number: int
    millis: int


class Watcher:
    """Look for new files in a thread, within a ``with`` block; their temporary files count, too.

    Args:
        directory: the directory, which need not exist.
        at: the moment to wait for.
        call: called at that moment, unless the block has ended.
    """

    def __init__(self, directory: Path, at: AtFile, call: Callable[[], object]) -> None:
        self._directory = directory
        self._at = at
        self._call = call
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self.appeared = ""

    def __enter__(self) -> Self:
        self._known = set(self._files())
        self._thread.start()
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        count = 0
        while not self._ended.wait(_INTERVAL):
            for path in self._files():
                if path in self._known:
                    continue
                self._known.add(path)
                count += 1
                if count > self._at.number:
                    time.sleep(self._at.millis / 1000)
                    self.appeared = os.path.relpath(path, self._directory)
                    self._call()
                    return

    def _files(self) -> Iterator[str]:
        for parent, _, names in os.walk(self._directory):
            for name in names:
                yield os.path.join(parent, name)
