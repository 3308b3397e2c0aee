"""The state that a job finds in its directory, and why it cannot use it."""

from __future__ import annotations

from pystream.engine.connectors.storage import Storage
from pystream.errors import CheckpointError
from pystream.hosts.unbounded.directory_lock import LOCK_NAME
from pystream.hosts.unbounded.directory_parts import is_incomplete, missing_parts, parts_with_state
from pystream.hosts.unbounded.directory_record import RECORD, DirectoryRecord, read_record
from pystream.hosts.unbounded.identity import JobIdentity
from pystream.hosts.unbounded.lost_state import REMEDY, StateLostError
from pystream.settings.modes import Runner
from pystream.settings.options import CHECKPOINT_DIRECTORY, REAL_TIME, RUNNER

__all__ = [
    "PUT_BACK",
    "check_mode",
    "check_place",
    "check_runner",
    "found_state",
    "missing_state",
    "nothing_to_resume",
    "refusal",
]

PUT_BACK = f"Put back what is missing, or {REMEDY}"


def check_place(storage: Storage, path: str, job_name: str, *, resume: bool) -> None:
    """Check that a directory is one of a job, or can become one, before anything is written to it."""
    obstacle = storage.obstacle(path)
    if obstacle is not None:
        raise CheckpointError(f"{path} cannot be the directory of job {job_name!r}: {obstacle}")
    names = {name for name in storage.names(path) if not is_incomplete(name)}
    if RECORD in names or parts_with_state(storage, path):
        return
    if resume:
        raise nothing_to_resume(job_name, path)
    if names - {LOCK_NAME}:
        raise CheckpointError(
            f"{path} is not the directory of a job: it has files, but no {RECORD}; choose another name for "
            f"job {job_name!r}, or another {CHECKPOINT_DIRECTORY.key}"
        )


def found_state(storage: Storage, path: str, job_name: str, *, is_replaced: bool) -> DirectoryRecord | None:
    """Return the record of the job that has state in a directory, ``None`` if none has.

    Args:
        storage: its file system.
        path: the directory.
        job_name: the name of the job.
        is_replaced: whether the state is moved aside, whatever it is.

    Raises:
        CheckpointError: the record is missing, damaged or of another job, unless the state is moved aside.
    """
    parts = parts_with_state(storage, path)
    unknown = DirectoryRecord("unknown", "", "", "", JobIdentity(job_name, ()))
    try:
        record = read_record(storage, path)
    except CheckpointError:
        if not is_replaced:
            raise
        return unknown
    if record is None:
        if parts and not is_replaced:
            raise StateLostError(
                f"{path} has state of a job in {_listed(parts)}, but {RECORD} is missing. {PUT_BACK}"
            )
        return unknown if parts else None
    if record.is_discarded or not (record.has_begun or record.savepoint or parts):
        return None
    if record.identity.name != job_name and not is_replaced:
        raise StateLostError(
            f"{path} has the state of job {record.identity.name!r}, not of {job_name!r}: {REMEDY}"
        )
    return record


def missing_state(storage: Storage, path: str, record: DirectoryRecord) -> list[str]:
    """Return what is missing in a directory with the state of a job, for messages."""
    if not (record.has_begun or parts_with_state(storage, path)):
        return []
    checkpoint, real_time = record.spark_checkpoint, record.real_time
    return list(missing_parts(storage, path, checkpoint=checkpoint, real_time=real_time))


def _listed(parts: list[str]) -> str:
    return ", ".join(f"{part}/" for part in parts)


def refusal(storage: Storage, path: str, record: DirectoryRecord, job_name: str) -> CheckpointError:
    """Return the error of a job that is to start where state is."""
    missing = missing_state(storage, path, record)
    if missing:
        return StateLostError(f"job {job_name!r} has state in {path}, but {'; '.join(missing)}. {PUT_BACK}")
    return CheckpointError(
        f"a job named {job_name!r} has state in {path}; resume it with `pystream run --resume`, start from "
        "a savepoint with -s, or choose another name; to start over, which writes its output again, move the "
        "directory away"
    )


def nothing_to_resume(job_name: str, location: str) -> CheckpointError:
    """Return the error of a job that is to resume where no state is."""
    return CheckpointError(
        f"job {job_name!r} cannot resume: there is no state in {location}; check the name of the job and "
        f"{CHECKPOINT_DIRECTORY.key}. A job that has never begun an epoch is started without --resume"
    )


def check_runner(record: DirectoryRecord, runner: Runner, location: str) -> None:
    """Check that a host can resume from a state.

    Raises:
        CheckpointError: another host has stored it.
    """
    if record.runner != runner.value:
        raise CheckpointError(
            f"job {record.identity.name!r} cannot resume on {runner}: its state in {location} is that of "
            f"{Runner(record.runner)}; set {RUNNER.key} to {record.runner}, or stop the job there with a "
            "savepoint, and start from that"
        )


def check_mode(record: DirectoryRecord, location: str, *, real_time: bool) -> None:
    """Check that a job runs in the mode of its state.

    Raises:
        CheckpointError: it does not.
    """
    if record.real_time != real_time:
        raise CheckpointError(
            f"job {record.identity.name!r} cannot resume: its state in {location} is that of a job "
            f"{'in' if record.real_time else 'outside of'} Real-Time Mode; set {REAL_TIME.key} to "
            f"{str(record.real_time).lower()}, or choose another name for the job"
        )
