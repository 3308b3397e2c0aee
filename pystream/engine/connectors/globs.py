"""Paths with wildcards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyarrow.fs import FileInfo, FileSystem

__all__ = ["divided", "has_wildcards", "matching"]

_WILDCARDS = re.compile(r"[*?\[]")
_HIDDEN = (".", "_")


def has_wildcards(location: str) -> bool:
    """Return whether a location is a pattern, with ``*``, ``?`` or ``[…]`` in it."""
    return _WILDCARDS.search(location) is not None


def divided(pattern: str) -> tuple[str, str]:
    """Split a pattern into the directory above its first wildcard, and the rest."""
    wildcard = _WILDCARDS.search(pattern)
    cut = pattern.rfind("/", 0, wildcard.start() if wildcard else None)
    return pattern[:cut] or "/", pattern[cut + 1 :]


def matching(filesystem: FileSystem, directory: str, pattern: str) -> list[FileInfo]:
    """Return the files and directories below a directory that match a pattern, in the order of their paths.

    ``*`` and ``?`` match within a name, ``**`` any number of directories. A name that begins with ``.`` or
    ``_`` matches only where the pattern has that character, too.
    """
    found = {info.path: info for info in _matches(filesystem, directory, pattern.split("/"))}
    return [found[path] for path in sorted(found)]


def _matches(filesystem: FileSystem, directory: str, parts: list[str]) -> Iterator[FileInfo]:
    from pyarrow.fs import FileSelector, FileType

    part, *rest = parts
    if part == "**":
        yield from _matches(filesystem, directory, rest or ["*"])
    for info in filesystem.get_file_info(FileSelector(directory, allow_not_found=True)):
        name, is_directory = info.base_name, info.type == FileType.Directory
        if name.startswith(_HIDDEN) and not part.startswith(name[0]):
            continue
        if part == "**":
            if is_directory:
                yield from _matches(filesystem, info.path, parts)
        elif fnmatchcase(name, part):
            if not rest:
                yield info
            elif is_directory:
                yield from _matches(filesystem, info.path, rest)
