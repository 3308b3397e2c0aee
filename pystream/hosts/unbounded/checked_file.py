"""Small files that are written atomically, and whose contents are verified when they are read."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from pystream.engine.connectors.storage import Storage
from pystream.errors import CheckpointError

__all__ = [
    "OTHER_REMEDIES",
    "REMEDY",
    "RESUME",
    "UnusableFileError",
    "read_checked",
    "remedied",
    "write_checked",
    "write_durably",
]

OTHER_REMEDIES = "start the job from a savepoint, or remove the job's directory to start over"
REMEDY = f"restore the file, {OTHER_REMEDIES}"
RESUME = "resume the job"

_MAGIC = b"pystream"
_VERSION = 1
_HEADER = struct.Struct("<8sBIQ")


class UnusableFileError(CheckpointError):
    """A file was read, but its content is incomplete, damaged or unknown to this program."""


@contextmanager
def remedied() -> Iterator[None]:
    """Say in the error of an unusable file of a job what to do about it."""
    try:
        yield
    except UnusableFileError as error:
        raise CheckpointError(f"{error}; {REMEDY}") from error.__cause__


def write_checked(storage: Storage, path: str, content: bytes, *, then: str = RESUME) -> None:
    """Write a file atomically and durably, with a checksum; its directory must exist.

    Args:
        storage: its file system.
        path: its path.
        content: its content.
        then: for errors, what to do once their cause is fixed.

    Raises:
        CheckpointError: it cannot be written.
    """
    header = _HEADER.pack(_MAGIC, _VERSION, zlib.crc32(content), len(content))
    write_durably(storage, path, header + content, then=then)


def read_checked(storage: Storage, path: str) -> bytes | None:
    """Return the content of a file of `write_checked`, ``None`` if it does not exist.

    Raises:
        UnusableFileError: it is incomplete or damaged.
        CheckpointError: it cannot be read.
    """
    try:
        data = storage.read(path)
    except OSError as error:
        raise CheckpointError(f"cannot read {path}: {error}") from error
    if data is None:
        return None
    if len(data) < _HEADER.size:
        raise UnusableFileError(f"{path} is incomplete: it has only {len(data)} bytes")
    magic, version, checksum, size = _HEADER.unpack_from(data)
    if magic != _MAGIC:
        raise UnusableFileError(f"{path} is damaged, or not a file of pystream")
    if version != _VERSION:
        raise UnusableFileError(
            f"{path} has format {version}, but this version of pystream reads format {_VERSION}"
        )
    content = data[_HEADER.size :]
    if len(content) != size:
        raise UnusableFileError(f"{path} is incomplete: it has {len(content)} of {size} bytes")
    if zlib.crc32(content) != checksum:
        raise UnusableFileError(f"{path} is damaged: its checksum does not match")
    return content


def write_durably(storage: Storage, path: str, content: bytes, *, then: str = RESUME) -> None:
    """Write a file atomically and durably, replacing an existing one; its directory must exist.

    Args:
        storage: its file system.
        path: its path.
        content: its content.
        then: for errors, what to do once their cause is fixed.

    Raises:
        CheckpointError: it cannot be written.
    """
    directory, _, name = path.rpartition("/")
    try:
        storage.replace(path, content, f"{directory}/.inprogress.{name}")
    except OSError as error:
        raise CheckpointError(f"cannot write {path}: {error}; fix the cause, then {then}") from error
