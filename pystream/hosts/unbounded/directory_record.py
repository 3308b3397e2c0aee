"""DirectoryRecord: the content of ``job.json`` in the directory of a job."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from pystream.engine.connectors.storage import Storage
from pystream.errors import CheckpointError
from pystream.hosts.unbounded.checked_file import write_durably
from pystream.hosts.unbounded.identity import JobIdentity
from pystream.hosts.unbounded.lost_state import REMEDY, StateLostError

__all__ = ["RECORD", "DirectoryRecord", "read_record", "write_record"]

RECORD = "job.json"
_FORMAT = 3


@dataclass(frozen=True, slots=True)
class DirectoryRecord:
    """The record of a job in its directory.

    Attributes:
        job_id: the hexadecimal id of the job.
        created: the time of its creation in ISO 8601.
        runner: the host.
        savepoint: the location of the savepoint that the job started from; empty for none.
        identity: its name and operators.
        real_time: whether it runs in Spark's Real-Time Mode.
        has_begun: whether its first epoch is planned: from then on, the directory has state.
        spark_checkpoint: the id of Spark's checkpoint, once the job has begun; empty for none.
        is_discarded: whether the rest of the directory is to be removed.
    """

    job_id: str
    created: str
    runner: str
    savepoint: str
    identity: JobIdentity
    real_time: bool = False
    has_begun: bool = False
    spark_checkpoint: str = ""
    is_discarded: bool = False


def write_record(storage: Storage, path: str, record: DirectoryRecord) -> None:
    """Write the record of a job in its directory.

    Raises:
        CheckpointError: it cannot be written.
    """
    content = json.dumps({"format": _FORMAT, **asdict(record)}, indent=2, ensure_ascii=False)
    write_durably(storage, f"{path}/{RECORD}", content.encode())


def read_record(storage: Storage, path: str) -> DirectoryRecord | None:
    """Return the record of a job in its directory, ``None`` if it does not exist.

    Raises:
        CheckpointError: it is damaged, or that of another version.
    """
    data = storage.read(f"{path}/{RECORD}")
    if data is None:
        return None
    try:
        value: dict[str, Any] = json.loads(data)
        version = value.pop("format")
        if version != _FORMAT:
            raise CheckpointError(
                f"{path}/{RECORD} has format {version}, but this version of pystream reads format "
                f"{_FORMAT}; resume the job with the version that wrote it"
            )
        return DirectoryRecord(**{**value, "identity": JobIdentity.of_json(value["identity"])})
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise StateLostError(
            f"{path}/{RECORD} is damaged ({type(error).__name__}: {error}); restore the file; or {REMEDY}"
        ) from error
