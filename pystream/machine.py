"""Properties of this machine."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["memory"]

_CONTROL_GROUPS = Path("/sys/fs/cgroup")
_LIMITS = ("memory.max", "memory/memory.limit_in_bytes")  # for cgroup versions 2 and 1


def memory(control_groups: Path = _CONTROL_GROUPS) -> int:
    """Return the memory in bytes of this machine, or of the container if it has less.

    Args:
        control_groups: the directory where Linux shows the limits of a container.
    """
    size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for name in _LIMITS:
        file = control_groups / name
        limit = file.read_text().strip() if file.is_file() else ""
        if limit.isdigit():
            size = min(size, int(limit))
    return size
