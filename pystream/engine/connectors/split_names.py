"""Names of splits of sources that are read one after the other."""

from __future__ import annotations

__all__ = ["source_of", "split_name"]

_SEPARATOR = "|"  # no name of a topic has one


def split_name(number: int, name: str = "") -> str:
    """Return the name of a split among those of several sources.

    Args:
        number: the index of its source.
        name: its name within the source; empty if the source has no splits.
    """
    return f"{number}{_SEPARATOR}{name}"


def source_of(name: str) -> str:
    """Return what the names of all splits of a source have in common, empty if there is only one source."""
    return name.rpartition(_SEPARATOR)[0]
