"""Small files that are written atomically, and whose contents are verified when they are read."""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pystream.engine.connectors.storage import Storage
from pystream.engine.stored_data import DataError, load_data
from pystream.errors import CheckpointError
from pystream.hosts.unbounded.lost_state import StateLostError

__all__ = [
    "RESUME",
    "UnusableFileError",
    "data_of",
    "read_checked",
    "remedied",
    "write_checked",
    "write_durably",
]

RESUME = "resume the job"

_REMEDY = "restore the file, or start the job from a savepoint"
_MAGIC = b"pystream"
_VERSION = 2
_START = struct.Struct("<8sB")
_HEADER = struct.Struct("<8sBIQ8s")
_OWNER_BYTES = 8


class UnusableFileError(StateLostError):
    """A file is missing, or its content is incomplete, damaged, of another job or unknown to this program."""


@contextmanager
def remedied() -> Iterator[None]:
    """Say in the error of an unusable file of a job what to do about it."""
    try:
        yield
    except UnusableFileError as error:
        raise UnusableFileError(f"{error}; {_REMEDY}") from error.__cause__


def write_checked(storage: Storage, path: str, content: bytes, owner: str, *, then: str = RESUME) -> None:
    """Write a file atomically and durably, with a checksum; its directory must exist.

    Args:
        storage: its file system.
        path: its path.
        content: its content.
        owner: the id of the job or savepoint that it belongs to.
        then: for errors, what to do once their cause is fixed.

    Raises:
        CheckpointError: it cannot be written.
    """
    header = _HEADER.pack(_MAGIC, _VERSION, zlib.crc32(content), len(content), _digest(owner))
    write_durably(storage, path, header + content, then=then)


def read_checked(storage: Storage, path: str, owner: str) -> bytes | None:
    """Return the content of a file of `write_checked`, ``None`` if it does not exist.

    Args:
        storage: its file system.
        path: its path.
        owner: the id of the job or savepoint that it must belong to.

    Raises:
        UnusableFileError: it is incomplete, damaged, or of another owner.
        CheckpointError: it cannot be read.
    """
    try:
        data = storage.read(path)
    except OSError as error:
        raise CheckpointError(f"cannot read {path}: {error}") from error
    if data is None:
        return None
    if len(data) < _START.size:
        raise UnusableFileError(f"{path} is incomplete: it has only {len(data)} bytes")
    magic, version = _START.unpack_from(data)
    if magic != _MAGIC:
        raise UnusableFileError(f"{path} is damaged, or not a file of pystream")
    if version != _VERSION:
        raise UnusableFileError(
            f"{path} has format {version}, but this version of pystream reads format {_VERSION}"
        )
    if len(data) < _HEADER.size:
        raise UnusableFileError(f"{path} is incomplete: it has only {len(data)} bytes")
    _, _, checksum, size, digest = _HEADER.unpack_from(data)
    content = data[_HEADER.size :]
    if len(content) != size:
        raise UnusableFileError(f"{path} is incomplete: it has {len(content)} of {size} bytes")
    if zlib.crc32(content) != checksum:
        raise UnusableFileError(f"{path} is damaged: its checksum does not match")
    if digest != _digest(owner):
        raise UnusableFileError(f"{path} is a file of another job")
    return content


def data_of(content: bytes, path: str) -> Any:
    """Return the data that the content of a file holds.

    Raises:
        UnusableFileError: it holds something else than data.
    """
    try:
        return load_data(content)
    except DataError as error:
        raise UnusableFileError(f"{path} is not a file that this program has written: {error}") from error


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
        storage.replace(path, content, f"{directory}/.inprogress.{name}", private=True)
    except OSError as error:
        raise CheckpointError(f"cannot write {path}: {error}; fix the cause, then {then}") from error


def _digest(owner: str) -> bytes:
    return hashlib.sha256(owner.encode()).digest()[:_OWNER_BYTES]
