"""Spark packages: connectors of Spark by their Maven coordinates, resolved when first needed."""

from __future__ import annotations

import logging
import re
import shutil
import subprocess
import uuid
from collections.abc import Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

from pystream.engine.connectors.storage import LocalStorage
from pystream.errors import ConfigurationError, DependencyError
from pystream.hosts.spark.launchers import user_cache
from pystream.hosts.spark.session_options import spark_home

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = [
    "KNOWN",
    "SPARK_PACKAGES",
    "add_packages",
    "coordinates_of",
    "has_from_start",
    "resolved",
    "with_packages",
]

SPARK_PACKAGES: Final = "pystream.spark-packages"

KNOWN: Final = {"kafka": "org.apache.spark:spark-sql-kafka-0-10_2.13"}
"""Packages that are released with Spark, by name, without a version."""

_LOG = logging.getLogger(__name__)
_COORDINATE = re.compile(r"[\w.-]+:[\w.-]+:[\w.-]+")
_JAR = re.compile(r"(?P<artifact>.+?)-\d+\.\d[^/]*\.jar")
_SECONDS = 600.0  # for a download
_CAUSES = {
    r"Could not find artifact (?P<what>\S+)": "no repository of Maven has {what}",
    r"offline mode|Connection refused|timed out|Name or service not known|Network is unreachable": (
        "Maven cannot reach its repository"
    ),
    r"status: (?P<what>40[137])": "the repository of Maven refuses access (status {what})",
}
_NOT_SHOWN = re.compile(r"\x1b\[[\d;]*m|\[ERROR\] |(?<=://)\S*@")  # colours, and the user in URLs
_POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion><groupId>pystream</groupId><artifactId>packages</artifactId><version>1</version>
<dependencies><dependency>
<groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version>
</dependency></dependencies></project>"""


def coordinates_of(package: str) -> list[str]:
    """Return the coordinates of a package, those to prefer first.

    A known package has the version of the installed Spark. Where it is not released, as in a mirror that lags
    behind, the first release of the minor version before works with it.

    Args:
        package: a name of `KNOWN`, or a coordinate.

    Raises:
        ConfigurationError: it is neither.
    """
    if package in KNOWN:
        version = metadata.version("pyspark")
        major, minor = map(int, version.split(".")[:2])
        versions = [version, *(f"{major}.{earlier}.0" for earlier in range(minor, -1, -1))]
        return [f"{KNOWN[package]}:{each}" for each in dict.fromkeys(versions)]
    if _COORDINATE.fullmatch(package):
        return [package]
    raise ConfigurationError(
        f"{SPARK_PACKAGES}: {package!r} is neither a known package ({', '.join(KNOWN)}) nor a Maven "
        "coordinate such as org.example:package_2.13:1.0.0"
    )


def resolved(package: str) -> tuple[str, list[str]] | None:
    """Return the coordinate and the jars of a package that was resolved before, ``None`` if it was not."""
    for coordinate in coordinates_of(package):
        file = _record(coordinate)
        jars = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
        if jars and all(Path(jar).is_file() for jar in jars):
            return coordinate, jars
    return None


def with_packages(options: Mapping[str, str], packages: Sequence[str]) -> dict[str, str]:
    """Return the options of a new session with packages.

    Maven resolves them if it is installed, otherwise Spark does when it starts.

    Args:
        options: those of the session.
        packages: names and coordinates; one is left out if ``spark.jars`` or Spark's own directory has its
            jar.

    Raises:
        DependencyError: a package cannot be resolved.
    """
    jars = [jar for jar in options.get("spark.jars", "").split(",") if jar]
    missing = [package for package in packages if not _is_present(package, jars)]
    if not missing:
        return dict(options)
    if _maven() is None and not all(map(resolved, missing)):
        coordinates = [coordinates_of(package)[0] for package in missing]
        given = options.get("spark.jars.packages")
        return {**options, "spark.jars.packages": ",".join([*([given] if given else []), *coordinates])}
    found = [jar for package in missing for jar in _jars(package)]
    return {**options, "spark.jars": ",".join(dict.fromkeys([*jars, *found]))}


def add_packages(session: SparkSession, packages: Sequence[str]) -> None:
    """Add packages to a session that runs.

    Args:
        session: the session.
        packages: names and coordinates; one that the session has is left out.

    Raises:
        DependencyError: a package cannot be resolved.
    """
    present = [row[0] for row in session.sql("LIST JARS").collect()] if packages else []
    for package in packages:
        if not _is_present(package, present):
            for jar in _jars(package):
                session.sql(f"ADD JAR '{jar}'")


def has_from_start(session: SparkSession, package: str) -> bool:
    """Return whether a session was started with a package, so that all threads of Java know its classes.

    Args:
        session: the session, not one of Spark Connect.
        package: a name or coordinate.
    """
    conf = session.sparkContext.getConf()
    jars = conf.get("spark.jars", "").split(",")
    artifact = coordinates_of(package)[0].split(":")[1]
    return _is_present(package, jars) or f":{artifact}:" in conf.get("spark.jars.packages", "")


def _jars(package: str) -> list[str]:
    """Return the jars of a package, without those of artifacts that Spark has itself.

    Raises:
        DependencyError: it cannot be resolved.
    """
    known = resolved(package)
    if known is not None:
        return known[1]
    maven = _maven()
    coordinates = coordinates_of(package)
    if maven is None:
        raise DependencyError(
            f"the Spark package {coordinates[0]} cannot be added to a running session without Maven: "
            f"{_remedy(coordinates[0])}, or stop the session, so that Spark resolves it when it starts"
        )
    reasons = []
    for coordinate in coordinates:
        found = _resolve(maven, coordinate)
        if not isinstance(found, str):
            if coordinate != coordinates[0]:
                _LOG.warning("the Spark package %s is not released, %s is used", coordinates[0], coordinate)
            return found
        reasons.append(found)
    raise DependencyError(
        f"the Spark package {coordinates[0]} cannot be resolved: {reasons[0]} (all that Maven says: mvn "
        f"dependency:get -Dartifact={coordinates[0]}); {_remedy(coordinates[0])}"
    )


def _resolve(maven: str, coordinate: str) -> list[str] | str:
    """Return the jars of a package, after downloading them; or why they cannot be had."""
    with TemporaryDirectory() as directory:
        pom, found = Path(directory, "pom.xml"), Path(directory, "classpath")
        pom.write_text(_POM.format(*map(escape, coordinate.split(":"))), encoding="utf-8")
        goal = ["dependency:build-classpath", f"-Dmdep.outputFile={found}", "-DincludeScope=runtime"]
        command = [maven, "-q", "-B", "-f", str(pom), *goal]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return f"Maven has not answered within {_SECONDS:.0f} seconds"
        if done.returncode:
            return _reason(done.stdout)
        own = set(_artifacts(spark_home().glob("jars/*.jar")))
        paths = found.read_text(encoding="utf-8").strip().split(":")
    jars = [path for path in paths if own.isdisjoint(_artifacts([Path(path)]))]
    record = _record(coordinate)
    record.parent.mkdir(parents=True, exist_ok=True)
    LocalStorage().replace(str(record), "\n".join(jars).encode(), f"{record}.{uuid.uuid4().hex}")
    return jars


def _reason(output: str) -> str:
    """Return why Maven failed; URLs of repositories may have credentials, which are left out."""
    for pattern, words in _CAUSES.items():
        if found := re.search(pattern, output):
            return words.format(**found.groupdict())
    first_line = output.strip().partition("\n")[0]
    return f"Maven says: {_NOT_SHOWN.sub('', first_line)}"


def _is_present(package: str, jars: Sequence[str]) -> bool:
    """Return whether the jar of a package is among some, or in Spark's own directory."""
    artifact = coordinates_of(package)[0].split(":")[1]
    own = spark_home().glob(f"jars/{artifact}-*.jar")
    return artifact in {*_artifacts(map(Path, jars)), *_artifacts(own)}


def _artifacts(jars: Iterator[Path] | Sequence[Path]) -> Iterator[str]:
    names = (_JAR.fullmatch(jar.name) for jar in jars)
    return (name["artifact"] for name in names if name is not None)


def _remedy(coordinate: str) -> str:
    artifact = coordinate.split(":")[1]
    return (
        f"set {SPARK_PACKAGES} to the coordinate of a release that your repository has, install Maven, or "
        f"download {artifact} with what it depends on, and name the jars in pipeline.jars"
    )


def _maven() -> str | None:
    return shutil.which("mvn")


def _record(coordinate: str) -> Path:
    """Return the file with the jars of a package, which exists once it has been resolved."""
    return user_cache() / "packages" / coordinate.replace(":", "+")
