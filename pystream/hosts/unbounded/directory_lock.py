"""A lock for a directory that only one process at a time may use."""

from __future__ import annotations

import json
import os
import socket
from datetime import UTC, datetime

from pystream.engine.connectors.file_lock import FileLock

__all__ = ["LOCK_NAME", "holder_of", "lock_directory"]

LOCK_NAME = "lock"


def lock_directory(directory: str) -> FileLock | None:
    """Lock a local directory until the lock is closed or this process ends.

    Returns:
        The lock; ``None`` while another job holds it.

    Raises:
        OSError: the directory cannot be written.
    """
    path = f"{directory}/{LOCK_NAME}"
    while True:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
        try:
            lock = FileLock.take(path)
        except FileNotFoundError:  # the holder has removed the directory, or it was renamed
            os.makedirs(directory, 0o700, exist_ok=True)
            continue
        if lock is not None:
            holder = {"host": socket.gethostname(), "process": os.getpid(), "since": _now()}
            with open(path, "w", encoding="utf-8") as file:
                json.dump(holder, file)
        return lock


def holder_of(directory: str) -> str:
    """Describe the process that locked a directory, for messages."""
    try:
        with open(f"{directory}/{LOCK_NAME}", encoding="utf-8") as file:
            holder = json.load(file)
        host, process, since = holder["host"], holder["process"], holder["since"]
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
    if (host, process) == (socket.gethostname(), os.getpid()):
        return f"this process, since {since}"
    return f"process {process} on {host}, since {since}"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
