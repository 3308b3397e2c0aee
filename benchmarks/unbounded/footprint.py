"""The memory of a job's processes and the size of its directories, as Linux reports them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

DRIVER, JAVA, WORKERS = "driver", "Java", "workers"


def memory(session: int) -> dict[str, int]:
    """Return the resident bytes of the processes of a session, by their part in the job."""
    found = {DRIVER: 0, JAVA: 0, WORKERS: 0}
    for directory in Path("/proc").iterdir():
        if not directory.name.isdecimal():
            continue
        try:
            fields = (directory / "stat").read_text().rpartition(")")[2].split()
            command = (directory / "cmdline").read_bytes()
        except OSError:  # it has ended
            continue
        if int(fields[3]) == session:
            part = JAVA if b"java" in command.split(b"\0")[0] else DRIVER
            part = WORKERS if b"pyspark.worker" in command else part
            found[part] += int(fields[21]) * os.sysconf("SC_PAGE_SIZE")
    return found


def size(directory: Path) -> int:
    """Return the bytes of the files below a directory."""
    total = 0
    for parent, _, names in os.walk(directory):
        for name in names:
            try:
                total += os.lstat(os.path.join(parent, name)).st_size
            except FileNotFoundError:  # it has been removed since it was listed
                continue
    return total


def slope(times: Sequence[float], values: Sequence[float]) -> float:
    """Return the slope of the line through points that has the least squares."""
    mean_time, mean = sum(times) / len(times), sum(values) / len(values)
    spread = sum((time - mean_time) ** 2 for time in times)
    products = ((time - mean_time) * (value - mean) for time, value in zip(times, values, strict=True))
    return sum(products) / spread if spread else 0.0
