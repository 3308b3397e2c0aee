"""The processes of a session: what memory they take by their part in a job, and how to end them all."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

DRIVER, JAVA, WORKERS = "driver", "Java", "workers"

_OF_WORKERS = (b"pyspark.worker", b"pyspark.daemon", b"pystream.hosts.spark.worker_daemon")
"""In the command lines of workers and of the process that forks them."""

_STATE, _SESSION, _RESIDENT_PAGES = 0, 3, 21
"""Positions of fields in ``/proc/PID/stat`` after the name of the program."""


def memory(session: int) -> dict[str, int]:
    """Return the resident bytes of the processes of a session, by their part in the job."""
    found = {DRIVER: 0, JAVA: 0, WORKERS: 0}
    for part, size in processes(session):
        found[part] += size
    return found


def processes(session: int) -> Iterator[tuple[str, int]]:
    """Yield the part in the job and the resident bytes of each process of a session."""
    for process, fields in _members(session):
        try:
            command = Path(f"/proc/{process}/cmdline").read_bytes()
        except OSError:  # it has ended
            continue
        if b"java" in command.split(b"\0")[0]:  # its command line names the module of the workers, too
            part = JAVA
        else:
            part = WORKERS if any(name in command for name in _OF_WORKERS) else DRIVER
        yield part, int(fields[_RESIDENT_PAGES]) * os.sysconf("SC_PAGE_SIZE")


def end(session: int) -> None:
    """Kill the processes of a session, those that they start meanwhile included."""
    while running := [process for process, fields in _members(session) if fields[_STATE] not in "ZX"]:
        for process in running:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:  # it has ended
                continue


def _members(session: int) -> Iterator[tuple[int, list[str]]]:
    for directory in Path("/proc").iterdir():
        if not directory.name.isdecimal():
            continue
        try:
            fields = (directory / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        if int(fields[_SESSION]) == session:
            yield int(directory.name), fields
