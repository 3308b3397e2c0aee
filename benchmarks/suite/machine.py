"""The machine that results were measured on."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path


def describe() -> dict[str, str]:
    """Return the properties of the machine, its load, the commit and the time."""
    return {
        "made": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "processor": _first_line("/proc/cpuinfo", "model name") or platform.processor(),
        "cores": str(os.cpu_count()),
        "memory": _memory(),
        "system": f"{platform.system()} {platform.release()}",
        "Java": _java(),
        "load before": f"{os.getloadavg()[0]:.2f}",
        "commit": _commit(),
    }


def _first_line(path: str, name: str) -> str:
    file = Path(path)
    lines = file.read_text().splitlines() if file.exists() else []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(name)), "")


def _memory() -> str:
    kilobytes = _first_line("/proc/meminfo", "MemTotal").split()
    return f"{int(kilobytes[0]) / 2**20:.0f} GiB" if kilobytes else ""


def _java() -> str:
    from pystream.hosts.spark.java import find_java

    return str(find_java().version)


def _commit() -> str:
    command = ["git", "describe", "--always", "--dirty"]
    done = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    return done.stdout.strip()
