"""The archive of Spark's classes (application class-data sharing), which halves session start-up time.

``pystream warm-up`` records one for a pair of Java and Spark in the user's cache directory.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pystream
from pystream.errors import PyStreamError
from pystream.hosts.spark.java import Java
from pystream.hosts.spark.launchers import user_cache
from pystream.hosts.spark.session_options import site_directory, spark_home

__all__ = ["archive_for", "obstacle", "options_for", "record"]

_WORKLOAD = "pystream.hosts.spark.class_workload"
_TARGET = "PYSTREAM_RECORD_CLASSES"  # environment variable: the archive to record
_CHOOSES_SESSION = {"MASTER", "SPARK_MASTER", "PYSPARK_SUBMIT_ARGS"}  # environment variables
_SILENT = "-Xlog:cds*=off"
_KEPT = 2  # archives, of some 190 MB each


def archive_for(java: Java) -> Path:
    """Return the path of the archive for a Java and the installed Spark, even if it does not exist."""
    spark = spark_home()
    release = java.home / "release"
    version = release.read_bytes() if release.is_file() else str(java.version).encode()
    jars = sorted((jar.name, jar.stat().st_size, jar.stat().st_mtime_ns) for jar in spark.glob("jars/*.jar"))
    place = (str(java.home.resolve()), str(spark), str(site_directory()), jars)
    name = hashlib.sha256(version + repr(place).encode()).hexdigest()[:24]
    return user_cache() / "classes" / f"{name}.jsa"


def options_for(java: Java) -> list[str]:
    """Return the Java options that use the archive; empty without an archive."""
    if target := os.environ.get(_TARGET):
        return [f"-XX:ArchiveClassesAtExit={target}", _SILENT]
    archive = archive_for(java)
    if not archive.exists() or obstacle(java):
        return []
    os.utime(archive)
    return [f"-XX:SharedArchiveFile={archive}", "-Xshare:auto", _SILENT]


def record(java: Java) -> Path:
    """Record the archive unless it exists, and return its path.

    It takes some 30 seconds of processor time.

    Raises:
        PyStreamError: Java cannot use an archive here, or a recorded query failed.
    """
    archive = archive_for(java)
    if reason := obstacle(java):
        raise PyStreamError(f"Java cannot archive Spark's classes here: {reason}")
    archive.parent.mkdir(parents=True, exist_ok=True)
    if not archive.exists():
        with tempfile.TemporaryDirectory(dir=archive.parent) as unfinished:
            _run_workload(Path(unfinished, archive.name))
            Path(unfinished, archive.name).replace(archive)
    by_use = sorted(archive.parent.glob("*.jsa"), key=lambda path: path.stat().st_mtime)
    for unused in by_use[:-_KEPT]:
        unused.unlink(missing_ok=True)
    return archive


def obstacle(java: Java) -> str:
    """Return the reason why Java cannot use an archive here; empty if it can."""
    # The site's directory is first on the class path, where Java rejects non-empty directories.
    site = site_directory()
    if site.is_dir() and any(site.iterdir()):
        return f"{site} is not empty"
    if not (java.home / "lib" / "server" / "classes.jsa").exists():
        return f"the Java of {java.home} has no default class archive, which ours would extend"
    return ""


def _run_workload(target: Path) -> None:
    """Run the workload in a process that imports this pystream, and starts Spark on a local master."""
    variables = {k: v for k, v in os.environ.items() if k not in _CHOOSES_SESSION} | {_TARGET: str(target)}
    path = [str(Path(pystream.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    # Java writes the archive when it exits, after the Python that started it. Both hold the pipe read here.
    done = subprocess.run(
        [sys.executable, "-P", "-m", _WORKLOAD],
        env=variables | {"PYTHONPATH": os.pathsep.join(filter(None, path))},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode or not target.exists():
        raise PyStreamError(f"no archive of Spark's classes could be recorded:\n{done.stdout.strip()}")
