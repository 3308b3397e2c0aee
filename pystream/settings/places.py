"""Checks of local paths in settings: whether a file or a directory can be there."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

__all__ = ["require_directory_place", "require_file_place"]


def require_directory_place(location: str) -> None:
    """Check that a location is, or can become, a directory; of those elsewhere, only the text is checked.

    Raises:
        ValueError: it, or what it is in, is a file, or its name is impossible.
    """
    path = _local(location)
    if path is not None and path.exists() and not path.is_dir():
        raise ValueError(f"{path} is a file")


def require_file_place(location: str) -> None:
    """Check that a location is, or can become, a file.

    Raises:
        ValueError: it is a directory, what it is in is a file, or its name is impossible.
    """
    path = _local(location)
    if path is not None and path.is_dir():
        raise ValueError(f"{path} is a directory")


def _local(location: str) -> Path | None:
    if "\0" in location:
        raise ValueError("a path has no null characters")
    uri = urlsplit(location)
    if uri.scheme not in ("", "file"):
        return None
    path = Path(unquote(uri.path) if uri.scheme else location)
    above = next((parent for parent in path.parents if parent.exists()), None)
    if above is not None and not above.is_dir():
        raise ValueError(f"{above} is a file")
    return path
