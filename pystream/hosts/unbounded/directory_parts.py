"""The parts of a job's directory: what they show of the state in it, and what is missing."""

from __future__ import annotations

import json
from collections.abc import Iterator

from pystream.engine.connectors.storage import Storage

__all__ = [
    "EPOCHS",
    "LOCAL",
    "PARTS",
    "REAL_TIME",
    "SINKS",
    "SPARK",
    "is_incomplete",
    "missing_parts",
    "parts_with_state",
    "spark_checkpoint",
]

EPOCHS, SPARK, LOCAL, SINKS, REAL_TIME = "epochs", "spark", "local", "sinks", "real-time"
PARTS = (EPOCHS, SPARK, LOCAL, SINKS, REAL_TIME)

_BEING_WRITTEN = ".inprogress"
_SPARK_METADATA = "metadata"


def is_incomplete(name: str) -> bool:
    """Return whether a name is that of a file that is being written."""
    return name.startswith(_BEING_WRITTEN)


def parts_with_state(storage: Storage, path: str) -> list[str]:
    """Return the parts whose content shows that the job has begun its first epoch.

    Spark's checkpoint shows it only once a batch is committed: it is older than the job's first plan.

    Raises:
        OSError: the directory cannot be read.
    """
    return [
        part
        for part in PARTS
        if _has_files(storage, f"{path}/{part}/commits" if part == SPARK else f"{path}/{part}")
    ]


def missing_parts(storage: Storage, path: str, *, checkpoint: str, real_time: bool) -> Iterator[str]:
    """Yield what is missing in the directory of a job that has begun its first epoch, for messages.

    Args:
        storage: the file system.
        path: the directory.
        checkpoint: the id of Spark's checkpoint; empty for none.
        real_time: whether the job runs in Spark's Real-Time Mode.

    Raises:
        OSError: the directory cannot be read.
    """
    log = REAL_TIME if real_time else EPOCHS
    if not _has_files(storage, f"{path}/{log}"):
        yield f"{log}/ is missing or empty"
    if checkpoint:
        found = spark_checkpoint(storage, path)
        if not found:
            yield f"{SPARK}/{_SPARK_METADATA} is missing"
        elif found != checkpoint:
            yield f"{SPARK}/ is the checkpoint of another job"


def spark_checkpoint(storage: Storage, path: str) -> str:
    """Return the id of Spark's checkpoint in the directory of a job, empty if there is none.

    Raises:
        OSError: it cannot be read.
    """
    content = storage.read(f"{path}/{SPARK}/{_SPARK_METADATA}")
    if content is None:
        return ""
    try:
        return str(json.loads(content)["id"])
    except (ValueError, KeyError, TypeError):
        return "unreadable"


def _has_files(storage: Storage, directory: str) -> bool:
    return not all(map(is_incomplete, storage.names(directory)))
