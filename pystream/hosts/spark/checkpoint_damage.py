"""Find damaged files in Spark's checkpoint, which its errors seldom name."""

from __future__ import annotations

import re
import struct
import zlib

from pystream.engine.connectors.storage import Storage, storage_of
from pystream.errors import CheckpointError
from pystream.hosts.spark.errors import gist
from pystream.hosts.unbounded.lost_state import REMEDY, StateLostError

__all__ = ["checkpoint_damage"]

_HEADER = struct.Struct(">4si")  # of a file of checksums: its magic, and the number of bytes for each
_MAGIC = b"crc\0"
_MOST_NAMED = 3
_OF_CHECKPOINT = re.compile(
    r"CANNOT_LOAD_STATE_STORE|loadStateStore|STREAMING_CHECKPOINT|FAILED_TO_READ_OPERATOR_METADATA"
)


def checkpoint_damage(job_name: str, location: str, text: str) -> CheckpointError | None:
    """Return the error of a job that cannot resume because its checkpoint is damaged; ``None`` otherwise.

    Args:
        job_name: name of the job.
        location: location of the checkpoint.
        text: the error of Spark, with the stack of Java.
    """
    storage, path = storage_of(location)
    missing = re.findall(rf"{re.escape(path)}/\S+(?= does not exist)", text)
    try:
        found = [f"{each} is missing" for each in missing] + [
            f"{path}/{name} is damaged" for name in _damaged(storage, path)
        ]
    except OSError:  # Spark's own error names the cause
        found = []
    if not (found or _OF_CHECKPOINT.search(text)):
        return None
    cause = "; ".join(found[:_MOST_NAMED]) or f"a file in it is missing or damaged ({gist(text)})"
    kind = StateLostError if found else CheckpointError  # without proof, Spark may succeed the next time
    return kind(f"job {job_name!r} cannot resume from Spark's checkpoint {path}: {cause}; {REMEDY}")


def _damaged(storage: Storage, path: str) -> list[str]:
    """Return the names of the files that are empty, or differ from their checksums."""
    names = storage.files_below(path)
    return [name for name in sorted(names) if not _is_hidden(name) and _is_damaged(storage, path, name)]


def _is_hidden(name: str) -> bool:
    return name.rpartition("/")[2].startswith(".")


def _is_damaged(storage: Storage, path: str, name: str) -> bool:
    content = storage.read(f"{path}/{name}")
    if content is None:  # it has been removed since it was listed
        return False
    parent, slash, file = name.rpartition("/")
    checksums = storage.read(f"{path}/{parent}{slash}.{file}.crc")
    return not content or (checksums is not None and not _match(content, checksums))


def _match(content: bytes, checksums: bytes) -> bool:
    if len(checksums) < _HEADER.size:
        return False
    magic, size = _HEADER.unpack_from(checksums)
    if magic != _MAGIC or size <= 0:
        return False
    sums = (zlib.crc32(content[at : at + size]) for at in range(0, len(content), size))
    return checksums[_HEADER.size :] == b"".join(each.to_bytes(4, "big") for each in sums)
