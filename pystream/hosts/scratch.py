"""Scratch directories: temporary files that exist while a job runs or its results are read."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Callable
from pathlib import Path

__all__ = ["new_directory", "removed_with"]


def new_directory(parent: Path | None) -> Path:
    """Create a directory, by default below the temporary directory of this machine."""
    return Path(tempfile.mkdtemp(prefix="pystream-", dir=parent))


def removed_with(owner: object, directory: Path) -> Callable[[], object]:
    """Remove a directory when its owner is garbage-collected, at the latest when this process ends.

    Returns:
        A function that removes it immediately.
    """
    return weakref.finalize(owner, _remove, directory, os.getpid())


def _remove(directory: Path, process: int) -> None:
    if os.getpid() == process:  # a forked process shares it with its parent
        shutil.rmtree(directory, ignore_errors=True)
