"""The heap that the Java process of a local session gets, unless somebody chose one."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["default_heap"]

_GIB = 1 << 30
_SHARE = 4
_LEAST, _MOST = 1 * _GIB, 8 * _GIB
_CONTROL_GROUPS = Path("/sys/fs/cgroup")
_LIMITS = ("memory.max", "memory/memory.limit_in_bytes")  # of versions 2 and 1


def default_heap(control_groups: Path = _CONTROL_GROUPS) -> str:
    """Return a quarter of the memory of this machine or container, at least 1 and at most 8 GiB.

    Args:
        control_groups: where Linux tells the limits of a container.

    Returns:
        A size as ``spark.driver.memory`` takes it.
    """
    memory = _of_machine()
    for name in _LIMITS:
        file = control_groups / name
        limit = file.read_text().strip() if file.is_file() else ""
        if limit.isdigit():
            memory = min(memory, int(limit))
    return f"{max(_LEAST, min(_MOST, memory // _SHARE)) >> 20}m"


def _of_machine() -> int:
    if not hasattr(os, "sysconf"):
        return 0
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
