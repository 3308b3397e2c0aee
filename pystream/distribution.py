"""The distribution that installs the packages `pystream` and `typeinfo`, and its extras."""

from __future__ import annotations

__all__ = ["DISTRIBUTION", "install_command"]

DISTRIBUTION = "pystream-spark"
"""Its name on the package index, where `pystream` and `typeinfo` are other projects."""


def install_command(extra: str) -> str:
    """Return the shell command that installs an extra."""
    return f"pip install '{DISTRIBUTION}[{extra}]'"
