"""Move complete part files to where readers see them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from pystream.engine.connectors.job_record import MARKER
from pystream.engine.connectors.storage import Storage, storage_of
from pystream.errors import SinkError

__all__ = ["directories_of", "mark", "move_into_place", "remove_marker", "sink_errors"]


def directories_of(names: Iterable[str]) -> list[str]:
    """Return the directories of files and all their parents, parents first; "" is the base path."""
    found = set()
    for name in names:
        found.add("")
        directory = name.rpartition("/")[0]
        while directory not in found:
            found.add(directory)
            directory = directory.rpartition("/")[0]
    return sorted(found)


def move_into_place(storage: Storage, source: str, target: str) -> None:
    """Move a file into a directory that is known to exist."""
    try:
        storage.move(source, target)
    except FileNotFoundError:
        # A concurrent roll-back of another job removes empty directories, even those just created here.
        storage.make_directory(target.rpartition("/")[0])
        storage.move(source, target)


def mark(base_path: str) -> None:
    """Create the marker in a base path, a sign that no job is writing to it.

    Raises:
        SinkError: it cannot be written.
    """
    storage, base = storage_of(base_path)
    with sink_errors(f"cannot write {base}/{MARKER}"):
        storage.touch(f"{base}/{MARKER}")
        storage.sync(base)


def remove_marker(base_path: str) -> None:
    """Remove the marker from a base path.

    Raises:
        SinkError: it cannot be removed.
    """
    storage, base = storage_of(base_path)
    with sink_errors(f"cannot remove {base}/{MARKER}"):
        storage.remove(f"{base}/{MARKER}")


@contextmanager
def sink_errors(doing: str) -> Iterator[None]:
    """Report file-system errors as errors of a sink."""
    try:
        yield
    except OSError as error:
        raise SinkError(f"{doing}: {error}") from error
