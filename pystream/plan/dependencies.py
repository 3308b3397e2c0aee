"""Dependencies: the files, archives and packages that functions need on the workers, checked when added."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

from pystream.errors import DependencyError, PlanTypeError
from typeinfo.notebook import in_shell

__all__ = ["Archive", "CachedFile", "Dependencies"]


@dataclass(frozen=True, slots=True)
class Archive:
    """A zip archive and the directory it is unpacked into."""

    path: Path
    target: str


@dataclass(frozen=True, slots=True)
class CachedFile:
    """A file that functions access by name."""

    path: Path
    executable: bool


@dataclass
class Dependencies:
    """The files and packages that the workers need.

    Attributes:
        files: Python files, packages, wheels and zip archives to import from.
        archives: zip archives to unpack.
        requirements: a pip requirements file, or ``None``.
        requirements_cache: a directory to install those from without a network, or ``None``.
        executable: the interpreter, or ``None`` for the driver's.
        cached_files: files by name.
    """

    files: list[Path] = field(default_factory=list)
    archives: list[Archive] = field(default_factory=list)
    requirements: Path | None = None
    requirements_cache: Path | None = None
    executable: str | None = None
    cached_files: dict[str, CachedFile] = field(default_factory=dict)

    def configure(self, options: Mapping[str, str]) -> None:
        """Set ``python.files``, ``python.archives``, ``python.requirements`` and ``python.executable``.

        Commas separate list entries; ``archive.zip#target`` and ``requirements.txt#cache`` have two parts.
        """
        for path in reversed(_listed(options.get("python.files"))):
            self.add_python_file(path)
        for archive in _listed(options.get("python.archives")):
            path, _, target = archive.partition("#")
            self.add_python_archive(path, target or None)
        if requirements := options.get("python.requirements"):
            path, _, cache = requirements.partition("#")
            self.set_python_requirements(path, cache or None)
        if executable := options.get("python.executable") or options.get("python.binary.path"):
            self.set_python_executable(executable)

    def add_python_file(self, file_path: str) -> None:
        """Add a Python file, a package directory, or an archive to import from, before those added earlier.

        Raises:
            DependencyError: the file does not exist.
        """
        self.files.insert(0, _existing(file_path, "Python file"))

    def add_python_archive(self, archive_path: str, target_dir: str | None = None) -> None:
        """Add a zip archive to unpack.

        Raises:
            DependencyError: the file is missing or not a zip archive, or the target is not a plain name.
        """
        path = _existing(archive_path, "archive")
        if not zipfile.is_zipfile(path):
            raise DependencyError(
                f"archive {str(path)!r} is not in zip format; zip, jar, whl and egg files are"
            )
        target = path.name if target_dir is None else target_dir
        if os.path.isabs(target) or ".." in Path(target).parts or not target:
            raise DependencyError(f"archive target {target!r} must be a relative path without '..'")
        self.archives.append(Archive(path, target))

    def set_python_requirements(
        self, requirements_file_path: str, requirements_cache_dir: str | None = None
    ) -> None:
        """Set the requirements file.

        Raises:
            DependencyError: the file or directory does not exist.
        """
        self.requirements = _existing(requirements_file_path, "requirements file")
        self.requirements_cache = (
            None
            if requirements_cache_dir is None
            else _existing(requirements_cache_dir, "requirements cache directory")
        )

    def set_python_executable(self, python_exec: str) -> None:
        """Set the interpreter, which may be a path inside an archive.

        Raises:
            PlanTypeError: it is not a string.
        """
        if not isinstance(python_exec, str):
            raise PlanTypeError(f"interpreter: a path must be a str, not {python_exec!r}")
        self.executable = python_exec

    def register_cached_file(self, file_path: str, name: str, executable: bool = False) -> None:
        """Add a file for ``RuntimeContext.get_cached_file``; in IPython it replaces one of that name.

        Raises:
            DependencyError: the file does not exist, or the name is taken.
        """
        if name in self.cached_files and not in_shell():
            raise DependencyError(
                f"a cached file {name!r} is registered already: {self.cached_files[name].path}"
            )
        self.cached_files[name] = CachedFile(_existing(file_path, "cached file"), executable)


def _listed(value: str | None) -> list[str]:
    return [part.strip() for part in value.split(",") if part.strip()] if value else []


def _existing(path: str, what: str) -> Path:
    if not isinstance(path, str):
        raise PlanTypeError(f"{what}: a path must be a str, not {path!r}")
    if not path:
        raise DependencyError(f"{what}: the path is empty; give that of a file or directory")
    split = urlsplit(path)
    local = Path(unquote(split.path) if split.scheme == "file" else path).absolute()
    if not local.exists():
        raise DependencyError(f"{what} {path!r} does not exist")
    return local
