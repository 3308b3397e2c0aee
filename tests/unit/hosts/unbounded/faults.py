"""Faults in operations on files, as audit hooks see them."""

from __future__ import annotations

import errno
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["Fault", "Killed", "injected"]

_STEPS = {"open", "os.listdir", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.scandir"}
_WRITES = {"open", "os.mkdir", "os.rename"}


class Killed(BaseException):
    """The process is dead."""


class Fault:
    """Kills the process before a step, or lets the disk be full at it; counts the steps.

    Args:
        root: directory whose files count.
        at: the number of the step, from 1; 0 for none.
        is_full: whether the disk is full, for a single step.
    """

    def __init__(self, root: Path, at: int, *, is_full: bool = False) -> None:
        self._root = str(root)
        self._at = at
        self._is_full = is_full
        self.steps = 0

    @property
    def has_struck(self) -> bool:
        return 0 < self._at <= self.steps

    def step(self) -> None:
        """Count a step of another system."""
        self.steps += 1
        if self.has_struck and not self._is_full:
            raise Killed

    def see(self, event: str, path: str) -> None:
        if path.startswith(self._root) and event in (_WRITES if self._is_full else _STEPS):
            self.step()
            if self._is_full and self.steps == self._at:
                raise OSError(errno.ENOSPC, "No space left on device", path)


_active: list[Fault] = []


def _hook(event: str, arguments: tuple[object, ...]) -> None:
    if _active and event in _STEPS:
        _active[0].see(event, str(arguments[0]))


_installed: list[bool] = []


@contextmanager
def injected(fault: Fault) -> Iterator[Fault]:
    """Inject a fault; a process that was killed does no further step, whatever it catches."""
    if not _installed:
        sys.addaudithook(_hook)
        _installed.append(True)
    _active.append(fault)
    try:
        yield fault
    finally:
        _active.clear()
