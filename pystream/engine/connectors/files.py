"""Paths and URIs of files, and listing of directories."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING

from pystream.engine.connectors.packages import client_library
from pystream.errors import ConnectorError, SourceError

if TYPE_CHECKING:
    from pyarrow.fs import FileInfo, FileSystem

__all__ = [
    "HIDDEN",
    "InputFile",
    "absolute_location",
    "is_web_hdfs",
    "java_location",
    "list_files",
    "local_path",
    "resolve",
]

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(?=/)")

_S3A = re.compile(r"s3a:(?=/)", re.IGNORECASE)  # Hadoop's scheme for S3

# The native libraries that HDFS needs; Arrow's errors list each place it looked for them.
_MISSING = {
    "Unable to load libjvm": "Java's library libjvm was not found; set JAVA_HOME to a Java installation",
    "Unable to load libhdfs": "Hadoop's library libhdfs was not found; set ARROW_LIBHDFS_DIR",
}
_WILDCARDS = re.compile(r"[*?\[]")
HIDDEN = (".", "_")
"""First characters of the names of files that readers of directories skip."""


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file found under a location of a source.

    Attributes:
        root: the location it was found under, which determines the file system.
        path: its path in that file system.
        size: its length in bytes, as stored.
        modified: the time of its last modification in ns since the Unix epoch, 0 if unknown.
    """

    root: str
    path: str
    size: int
    modified: int = 0


def local_path(location: str) -> str | None:
    """Return the local path of a plain path or a ``file:`` URI; ``None`` for any other scheme.

    As in Flink, the path inside a URI is taken literally: ``%20`` is not a blank.

    Raises:
        ConnectorError: a ``file:`` URI that names a host.
    """
    match = _SCHEME.match(location)
    if match is None:
        return location
    if match[1].lower() != "file":
        return None
    path = location[match.end() :]
    if not path.startswith("//"):
        return path
    host, slash, rest = path[2:].partition("/")
    if host not in ("", "localhost"):
        raise ConnectorError(
            f"{location} names the host {host!r}; write file:///{host}{slash}{rest} for a path"
        )
    return f"/{rest}"


def is_web_hdfs(location: str) -> bool:
    """Return whether a location is in HDFS, accessed over HTTP."""
    match = _SCHEME.match(location)
    return match is not None and match[1].lower() in ("webhdfs", "swebhdfs")


def java_location(location: str) -> str:
    """Return a location as Spark takes it, whose Hadoop client lacks a part that HTTP needs.

    Raises:
        ConnectorError: its address is not known.
    """
    if not is_web_hdfs(location):
        return location
    client_library("fsspec.implementations.webhdfs", "hdfs")
    from pystream.engine.connectors.webhdfs import rpc_location

    return rpc_location(location)


def absolute_location(location: str | os.PathLike[str]) -> str:
    """Return a location that is valid in every process: local paths become absolute.

    Raises:
        ConnectorError: the location is empty or not a path.
    """
    try:
        text = os.fspath(location)
    except TypeError:
        raise ConnectorError(f"a path must be a str or a Path, not {location!r}") from None
    if not isinstance(text, str) or not text.strip():
        raise ConnectorError(f"a path must be a str that is not empty, not {location!r}")
    path = local_path(text)
    return text if path is None else os.path.abspath(path)


@lru_cache(maxsize=64)
def resolve(location: str) -> tuple[FileSystem, str]:
    """Return the file system of a location, and the path in it.

    Raises:
        ConnectorError: no file system is known for the scheme, or it cannot be reached.
    """
    from pyarrow import ArrowException
    from pyarrow.fs import FileSystem, LocalFileSystem

    path = local_path(location)
    if path is not None:
        return LocalFileSystem(), path
    try:
        if is_web_hdfs(location):
            client_library("fsspec.implementations.webhdfs", "hdfs")
            from pystream.engine.connectors.webhdfs import web_hdfs

            return web_hdfs(location)
        return FileSystem.from_uri(_S3A.sub("s3:", location))
    except (ArrowException, OSError, ValueError) as error:
        missing = next((remedy for sign, remedy in _MISSING.items() if sign in str(error)), None)
        if missing is not None:
            raise ConnectorError(
                f"cannot reach the file system of {location}: {missing}, write "
                "webhdfs://namenode:9870/ instead of hdfs://, or let Spark read it: "
                "env.from_data_frame(spark.read.parquet(…))"
            ) from None
        raise ConnectorError(f"cannot reach the file system of {location}: {error}") from error


def list_files(
    root: str, *, may_lack_matches: bool = False, admits: Callable[[Sequence[str]], bool] | None = None
) -> list[InputFile]:
    """Return the file at a location, the files below it, or the files that match it as a pattern.

    Directories are walked recursively in the order of names. Files and directories below the location whose
    name starts with ``.`` or ``_`` are skipped. A location that does not exist may be a pattern.

    Args:
        root: the location.
        may_lack_matches: whether there may be no file that matches a pattern yet.
        admits: returns whether a directory below the location may have files that are wanted, by the names of
            those above it and its own; all may have some unless given.

    Raises:
        SourceError: nothing is there, or it cannot be listed.
    """
    from pyarrow.fs import FileType

    filesystem, path = resolve(root)
    try:
        info = filesystem.get_file_info(path)
        if info.type != FileType.NotFound:
            return list(_files(filesystem, root, info, admits))
        wildcard = _WILDCARDS.search(root)
        if wildcard is None:
            raise SourceError(f"input path {root} does not exist")
        cut = root.rfind("/", 0, wildcard.start())
        place, pattern = root[:cut] or "/", root[cut + 1 :]
        filesystem, directory = resolve(place)
        # A pattern may match a directory and files in it.
        found = {
            file.path: file
            for match in _matching(filesystem, directory, pattern)
            for file in _files(filesystem, place, match)
        }
    except OSError as error:
        raise SourceError(f"cannot list input path {root}: {error}") from error
    if not found and not may_lack_matches:
        raise SourceError(f"no file matches input path {root}")
    return list(found.values())


def _files(
    filesystem: FileSystem, root: str, info: FileInfo, admits: Callable[[Sequence[str]], bool] | None = None
) -> Iterator[InputFile]:
    """Yield a file, or the files below a directory."""
    from pyarrow.fs import FileType

    if info.type == FileType.Directory:
        for file in _walk(filesystem, info.path, admits, ()):
            yield _input_file(root, file)
    elif info.type == FileType.File:
        yield _input_file(root, info)
    else:
        raise SourceError(f"input path {info.path} is neither a file nor a directory")


def _input_file(root: str, info: FileInfo) -> InputFile:
    return InputFile(root, info.path, info.size or 0, info.mtime_ns or 0)


def _walk(
    filesystem: FileSystem,
    directory: str,
    admits: Callable[[Sequence[str]], bool] | None,
    below: tuple[str, ...],
) -> Iterator[FileInfo]:
    from pyarrow.fs import FileSelector, FileType

    entries: list[FileInfo] = filesystem.get_file_info(FileSelector(directory))
    for entry in sorted(entries, key=lambda info: info.base_name):
        if entry.base_name.startswith(HIDDEN):
            continue
        if entry.type == FileType.Directory:
            names = (*below, entry.base_name)
            if admits is None or admits(names):
                yield from _walk(filesystem, entry.path, admits, names)
        elif entry.type == FileType.File:
            yield entry


def _matching(filesystem: FileSystem, directory: str, pattern: str) -> list[FileInfo]:
    """Return the files and directories below a directory that match a pattern, in the order of their paths.

    ``*`` and ``?`` match within a name, ``**`` any number of directories. A name that starts with ``.`` or
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
        if name.startswith(HIDDEN) and not part.startswith(name[0]):
            continue
        if part == "**":
            if is_directory:
                yield from _matches(filesystem, info.path, parts)
        elif fnmatchcase(name, part):
            if not rest:
                yield info
            elif is_directory:
                yield from _matches(filesystem, info.path, rest)
