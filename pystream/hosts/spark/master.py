"""The master URL of a session, and properties that follow from it."""

from __future__ import annotations

import re

__all__ = ["is_local", "is_master", "repeats_tasks"]

# Spark's own patterns, which allow for blanks in some places only.
_MASTER = re.compile(
    r"local(\[([0-9]+|\*)(\s*,\s*[0-9]+)?\])?"
    r"|local-cluster\[\s*[0-9]+\s*,\s*[0-9]+\s*,\s*[0-9]+\s*\]"
    r"|spark://.+|k8s://.+|yarn",
    re.ASCII,
)


def is_master(url: str) -> bool:
    """Tell whether a text is the URL of a master."""
    return _MASTER.fullmatch(url) is not None


def is_local(master: str) -> bool:
    """Tell whether the workers of a master are certain to run on this machine."""
    return master.startswith("local")


def repeats_tasks(master: str) -> bool:
    """Tell whether Spark itself runs a subtask again that failed."""
    return re.fullmatch(r"local(\[[^,]*\])?", master) is None
