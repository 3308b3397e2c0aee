"""The record of a job that writes files: its owner, and the state of its files."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Self

__all__ = [
    "MARKER",
    "JobRecord",
    "Owner",
    "SinkFiles",
    "FilesState",
    "epoch_transaction_of",
    "is_unbounded",
    "job_of",
    "home_of",
    "pointer_to",
    "record_path",
    "staging_path",
    "temporary_path",
    "transaction_of",
]

MARKER = "_SUCCESS"
_PREFIX = ".inprogress."
_JOB_FILE = re.compile(re.escape(_PREFIX) + r"([^.]+)\.(?:json|new|\d+)")
_EPOCHS = "epochs"
_UNBOUNDED = re.compile(re.escape(_PREFIX) + rf"[^.]+\.{_EPOCHS}\.[0-9a-f]+")


class FilesState(StrEnum):
    """The state of the files of a job, which decides how they are recovered.

    Attributes:
        WRITING: they are being written; they are removed if the job dies.
        PUBLISHING: all are complete, and are moved into place.
        REPLACING: all are in place, and the earlier files that they replace are removed.
        REMOVING: all are removed, also those already in place.
    """

    WRITING = "writing"
    PUBLISHING = "publishing"
    REPLACING = "replacing"
    REMOVING = "removing"


@dataclass(frozen=True, slots=True)
class SinkFiles:
    """The files of one sink.

    Attributes:
        base_path: location of the directory they are published to.
        number: identifies the sink within the job.
        names: their paths below the base path, once they are complete.
        earlier: the paths of the files that they replace.
        markers: the paths of the empty files that tell that those in their directories are complete.
        marked: whether the directory had a marker before.
    """

    base_path: str
    number: int
    names: tuple[str, ...] = ()
    earlier: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Owner:
    """The process that runs a job.

    Attributes:
        host: its machine.
        process: its id there.
        lock: a file of that machine that it keeps locked; empty if that is the record itself.
    """

    host: str
    process: int
    lock: str = ""


@dataclass(frozen=True, slots=True)
class JobRecord:
    """The record of a job; it lies in the home of the job, the base path of its first sink.

    Attributes:
        job_id: hexadecimal id of the job.
        name: its display name.
        state: the state of its files.
        owner: the process that runs it.
        sinks: the files of its sinks.
    """

    job_id: str
    name: str
    state: FilesState
    owner: Owner
    sinks: tuple[SinkFiles, ...]

    @property
    def base_paths(self) -> list[str]:
        """The base paths of all sinks, the home first."""
        return list(dict.fromkeys(sink.base_path for sink in self.sinks))

    def to_bytes(self) -> bytes:
        """Serialize the record to JSON."""
        return json.dumps(asdict(self), indent=1).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Parse a record from JSON.

        Raises:
            ValueError: the JSON is incomplete, or describes something else.
        """
        try:
            fields = json.loads(data)
            sinks = tuple(_sink_files(sink) for sink in fields["sinks"])
            owner = Owner(**fields["owner"])
            return cls(fields["job_id"], fields["name"], FilesState(fields["state"]), owner, sinks)
        except (KeyError, TypeError) as error:
            raise ValueError(f"not the record of a job: {error!r}") from error


def _sink_files(fields: dict[str, Any]) -> SinkFiles:
    # older records have no files that others replace, and no markers of directories
    names, earlier, markers = (tuple(fields.get(name, ())) for name in ("names", "earlier", "markers"))
    return SinkFiles(fields["base_path"], fields["number"], names, earlier, markers, fields["marked"])


def pointer_to(home: str) -> bytes:
    """Return the content of the pointer file to the record, for the other base paths."""
    return json.dumps({"home": home}).encode()


def home_of(data: bytes) -> str:
    """Return the home named in a pointer or in a record.

    Raises:
        ValueError: it is neither.
    """
    fields = json.loads(data)
    if isinstance(fields, dict) and isinstance(fields.get("home"), str):
        return str(fields["home"])
    return JobRecord.from_bytes(data).sinks[0].base_path


def record_path(base_path: str, job_id: str) -> str:
    """Return the path of the record of a job, or of the pointer to it."""
    return f"{base_path}/{_PREFIX}{job_id}.json"


def temporary_path(base_path: str, job_id: str) -> str:
    """Return the path that the record is written to before it is moved into place."""
    return f"{base_path}/{_PREFIX}{job_id}.new"


def transaction_of(job_id: str, sink: int) -> str:
    """Return the name of the transaction of one sink of a job, unique among all sinks.

    Args:
        job_id: hexadecimal id of the job.
        sink: number of the edge that ends at the sink.
    """
    return f"{job_id}.{sink}"


def epoch_transaction_of(job_id: str, uid: str) -> str:
    """Return the name of the transactions of one sink of a job of epochs, the same for all epochs.

    Args:
        job_id: hexadecimal id of the job, which a resumed job keeps.
        uid: the stable id of the sink, which survives changes of the program.
    """
    return f"{job_id}.{_EPOCHS}.{hashlib.sha256(uid.encode()).hexdigest()[:16]}"


def staging_path(base_path: str, transaction: str) -> str:
    """Return the directory of the files in progress of one sink of a job."""
    return f"{base_path}/{_PREFIX}{transaction}"


def job_of(name: str) -> str | None:
    """Return the id of the running job that a hidden name in a base path belongs to."""
    match = _JOB_FILE.fullmatch(name)
    return match and match[1]


def is_unbounded(name: str) -> bool:
    """Return whether a hidden name in a base path is the staging directory of an unbounded job."""
    return _UNBOUNDED.fullmatch(name) is not None
