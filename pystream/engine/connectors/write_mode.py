"""WriteMode: what to do about an output path that exists, and making room for new output there."""

from __future__ import annotations

from enum import IntEnum

from pystream.engine.connectors.storage import storage_of
from pystream.errors import SinkError

__all__ = ["NO_OVERWRITE", "OVERWRITE", "WriteMode", "remove_earlier_files", "require_room"]


class WriteMode(IntEnum):
    """The treatment of an output path that exists.

    Mirrors ``org.apache.flink.core.fs.FileSystem.WriteMode``.
    """

    NO_OVERWRITE = 0
    OVERWRITE = 1


NO_OVERWRITE = WriteMode.NO_OVERWRITE
OVERWRITE = WriteMode.OVERWRITE


def require_room(location: str, mode: WriteMode) -> None:
    """Check that part files may be written to a directory; a file of its name is removed to overwrite it.

    Files whose names start with a dot do not count: they are in progress, or left to recovery.

    Args:
        location: absolute location of the directory.
        mode: whether there may be files already.

    Raises:
        SinkError: there are files and the mode forbids it, or files that no job has written, or the location
            cannot be reached.
    """
    storage, path = storage_of(location)
    try:
        names = _visible(storage.files_below(path))
        is_file = not names and storage.exists(path) and storage.obstacle(path) is not None
        if mode is WriteMode.NO_OVERWRITE and (names or is_file):
            raise SinkError(
                f"output path {location} exists: remove it, or pass WriteMode.OVERWRITE to replace it"
            )
        directories = [name.partition("/")[0] for name in names if "/" in name]
        if directories:
            raise SinkError(
                f"output path {location} has a directory {directories[0]!r}, which no job that writes text "
                "has made: remove it yourself, or write to another path"
            )
        if is_file:
            storage.remove(path)
    except OSError as error:
        raise SinkError(f"cannot reach output path {location}: {error}") from error


def remove_earlier_files(location: str) -> None:
    """Remove the files of earlier output from a directory, other than those whose names start with a dot.

    Raises:
        SinkError: they cannot be removed.
    """
    storage, path = storage_of(location)
    try:
        for name in _visible(storage.files_below(path)):
            storage.remove(f"{path}/{name}")
    except OSError as error:
        raise SinkError(f"cannot remove earlier files of output path {location}: {error}") from error


def _visible(names: set[str]) -> list[str]:
    return sorted(name for name in names if not name.startswith("."))
