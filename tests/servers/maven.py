"""Jars of servers, from Maven Central."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.servers.process import MissingProgramError

__all__ = ["class_path", "unpack"]

_POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion><groupId>pystream</groupId><artifactId>server</artifactId><version>1</version>
<dependencies>{dependencies}</dependencies></project>"""
_DEPENDENCY = "<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version></dependency>"
_TIME_LIMIT = 600  # seconds for a download


@cache
def class_path(coordinates: Sequence[str]) -> str:
    """Return the class path of artifacts with all their dependencies; Maven downloads what is missing.

    Args:
        coordinates: ``group:artifact:version`` of each, as a tuple.

    Raises:
        MissingProgramError: Maven is not installed.
        RuntimeError: an artifact cannot be resolved.
    """
    dependencies = "".join(_DEPENDENCY.format(*one.split(":")) for one in coordinates)
    with TemporaryDirectory() as directory:
        pom = Path(directory, "pom.xml")
        pom.write_text(_POM.format(dependencies=dependencies))
        found = Path(directory, "classpath")
        goal = ["dependency:build-classpath", f"-Dmdep.outputFile={found}"]
        _run(", ".join(coordinates), Path(directory), "-f", str(pom), *goal)
        return found.read_text().strip()


def unpack(artifact: str, directory: Path) -> None:
    """Unpack an artifact that is an archive; Maven downloads it if it is missing.

    Args:
        artifact: ``group:artifact:version:packaging:classifier``.
        directory: where to.

    Raises:
        MissingProgramError: Maven is not installed.
        RuntimeError: the artifact cannot be resolved.
    """
    goal = ["dependency:unpack", f"-Dartifact={artifact}", f"-DoutputDirectory={directory}"]
    _run(artifact, directory, *goal)  # Maven marks in the working directory what it has unpacked


def _run(wanted: str, directory: Path, *arguments: str) -> None:
    maven = shutil.which("mvn")
    if maven is None:
        raise MissingProgramError("the server is started from Maven Central, and mvn is not installed")
    done = subprocess.run(
        [maven, "-q", "-B", *arguments],
        capture_output=True,
        text=True,
        timeout=_TIME_LIMIT,
        check=False,
        cwd=directory,
        env={**os.environ, "MAVEN_OPTS": os.environ.get("MAVEN_OPTS", "")},
    )
    if done.returncode:
        raise RuntimeError(f"Maven cannot resolve {wanted}:\n{done.stdout[-2000:]}")
