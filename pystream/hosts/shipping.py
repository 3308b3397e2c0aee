"""Shipping: stage a program's dependencies where the workers find them.

They are staged once per process, in a private directory below the temporary directory of this machine, which
workers on other machines must share; it is removed when the process ends.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from pystream import compat
from pystream.engine.worker.environment import WorkerEnvironment
from pystream.errors import DependencyError
from pystream.hosts.process import new_directory
from pystream.plan.dependencies import Dependencies

__all__ = ["Shipped", "ship"]

_IMPORTABLE = (".zip", ".whl", ".egg")


@dataclass(frozen=True, slots=True)
class Shipped:
    """The locations of dependencies on the workers.

    Attributes:
        environment: the environment of workers.
        cached_files: path of each cached file by its name.
        executable: the workers' interpreter, or ``None`` for the session's.
    """

    environment: WorkerEnvironment
    cached_files: dict[str, str] = field(default_factory=dict)
    executable: str | None = None


def ship(dependencies: Dependencies) -> Shipped:
    """Stage dependencies and return their locations.

    Raises:
        DependencyError: packages cannot be installed, or the interpreter does not exist.
    """
    bare = WorkerEnvironment(
        driver_path=tuple(os.path.abspath(entry) for entry in sys.path), import_names=compat.installed()
    )
    if dependencies == Dependencies():
        return Shipped(bare)
    root = _staged(dependencies)
    working = root / "work"
    environment = replace(
        bare,
        python_path=tuple(map(str, _python_path(dependencies, root))),
        working_directory=str(working) if dependencies.archives else None,
    )
    cached = {name: str(path) for name, path in _cached_paths(dependencies, root).items()}
    return Shipped(environment, cached, _interpreter(dependencies.executable, working))


def _cached_paths(dependencies: Dependencies, root: Path) -> dict[str, Path]:
    """Return the path of each cached file by its name, which may be any text and is no part of the path."""
    numbered = enumerate(dependencies.cached_files.items())
    return {name: root / "cached" / str(number) / cached.path.name for number, (name, cached) in numbered}


def _python_path(dependencies: Dependencies, root: Path) -> Iterator[Path]:
    for number, path in enumerate(dependencies.files):
        holder = root / "files" / str(number)
        if path.is_dir() or path.suffix in _IMPORTABLE:
            yield holder / path.name
        yield holder
    if dependencies.requirements is not None:
        yield root / "packages"


@dataclass(frozen=True, slots=True)
class _Staged:
    """A directory of staged files, with the sizes of the files."""

    root: Path
    sizes: dict[Path, int]

    def is_whole(self) -> bool:
        """Return whether no staged file is missing or changed, as others may clean temporary directories."""
        try:
            return all(path.stat().st_size == size for path, size in self.sizes.items())
        except OSError:
            return False


_staging = threading.Lock()
_by_content: dict[str, _Staged] = {}
_made: list[tuple[int, Path]] = []  # by process


@atexit.register  # before any job starts, so that jobs end before their files are removed
def _remove_all() -> None:
    for process, root in _made:
        if process == os.getpid():
            shutil.rmtree(root, ignore_errors=True)


def _staged(dependencies: Dependencies) -> Path:
    content = _fingerprint(dependencies)
    with _staging:
        known = _by_content.get(content)
        if known is not None and known.is_whole():
            return known.root
        root = new_directory()
        _made.append((os.getpid(), root))
        _fill(root, dependencies)
        sizes = {path: path.stat().st_size for path in root.rglob("*") if path.is_file()}
        _by_content[content] = _Staged(root, sizes)
        return root


def _fill(root: Path, dependencies: Dependencies) -> None:
    for number, path in enumerate(dependencies.files):
        _copy(path, root / "files" / str(number) / path.name)
    for archive in dependencies.archives:
        with zipfile.ZipFile(archive.path) as zipped:
            for member in zipped.infolist():
                extracted = zipped.extract(member, root / "work" / archive.target)
                if mode := member.external_attr >> 16 & 0o777:
                    os.chmod(extracted, mode)
    for name, target in _cached_paths(dependencies, root).items():
        cached = dependencies.cached_files[name]
        _copy(cached.path, target)
        if cached.executable and cached.path.is_file():
            target.chmod(0o755)
    if dependencies.requirements is not None:
        _install(dependencies.requirements, dependencies.requirements_cache, root / "packages")


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy2(source, target)


def _install(requirements: Path, cache: Path | None, target: Path) -> None:
    offline = [] if cache is None else ["--no-index", "--find-links", str(cache)]
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run(
        [*command, *offline, "--target", str(target), "-r", str(requirements)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        output = done.stderr.strip() or done.stdout.strip()
        raise DependencyError(f"the packages of {str(requirements)!r} cannot be installed:\n{output}")


def _interpreter(executable: str | None, working: Path) -> str | None:
    if executable is None:
        return None
    inside = working / executable
    found = str(inside) if inside.exists() else shutil.which(executable)
    if found is None:
        raise DependencyError(
            f"the interpreter {executable!r} does not exist, neither on this machine nor inside an archive"
        )
    return found


def _fingerprint(dependencies: Dependencies) -> str:
    digest = hashlib.sha256()
    named = [("file", path) for path in dependencies.files]
    named += [(f"archive {archive.target}", archive.path) for archive in dependencies.archives]
    named += [(f"cached {name} {c.executable}", c.path) for name, c in dependencies.cached_files.items()]
    if dependencies.requirements is not None:
        named.append((f"requirements {dependencies.requirements_cache}", dependencies.requirements))
    for role, path in named:
        for file in [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file()):
            digest.update(f"{role}\0{file.relative_to(path.parent)}\0".encode())
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:32]
