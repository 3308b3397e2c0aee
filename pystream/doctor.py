"""The command ``pystream doctor``: checks of the installation, with remedies."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from pystream.distribution import DISTRIBUTION, install_command
from pystream.hosts.spark import class_archive, java, packages
from pystream.hosts.spark.java import JavaNotFoundError

__all__ = ["PACKAGES", "CheckFailedError", "Package", "examine"]


@dataclass(frozen=True, slots=True)
class Package:
    """A required package and its supported versions.

    Attributes:
        name: its name in the package index.
        minimum: its lowest supported version.
        below: the first version that is not supported, or ``None``.
        extra: the extra that is required with it, in brackets.
    """

    name: str
    minimum: str
    below: str | None = None
    extra: str = ""

    @property
    def requirement(self) -> str:
        """Return the requirement in pip's syntax."""
        return f"{self.name}{self.extra}>={self.minimum}" + (f",<{self.below}" if self.below else "")


PACKAGES = (
    Package("pyspark", "4.3", "4.4"),
    Package("pyarrow", "18"),
    Package("pandas", "2.2", "3"),
    Package("protobuf", "5"),
    Package("cloudpickle", "3"),
    Package("fastavro", "1.9", extra="[codecs]"),
    Package("orjson", "3.10"),
    Package("pyyaml", "6"),
    Package("regex", "2024.4.16"),
    Package("rich", "13.7"),
    Package("sqlglot", "30", "31"),
    Package("tqdm", "4.66"),
    Package("typing-extensions", "4.15"),
)


_EXTRA = re.compile(r"extra == ['\"](?P<name>[^'\"]+)")
_OTHER_EXTRAS = frozenset({"testing", "mypy", "jdk", "connect", "bench", "demo", "dev"})


class CheckFailedError(Exception):
    """A check has failed; the message names the remedy."""


def examine(*, run_job: bool = False) -> bool:
    """Print a line for each check and return whether all have passed.

    Args:
        run_job: whether to start Spark and run a job of two elements, too.
    """
    checks: list[Callable[[], str]] = [_python, *(_package_check(package) for package in PACKAGES)]
    checks += [_temporary_directory, _local_host, _java, _spark_home, _class_archive, _worker_interpreter]
    checks += [_client_libraries, *(_spark_package_check(name) for name in packages.KNOWN)]
    if run_job:
        checks.append(_job)
    results = [_report(check) for check in checks]
    return all(results)


def _report(check: Callable[[], str]) -> bool:
    try:
        if line := check():
            print(f"ok     {line}", flush=True)
    except CheckFailedError as failure:
        print(f"WRONG  {failure}", flush=True)
        return False
    return True


def _python() -> str:
    return f"Python {'.'.join(map(str, sys.version_info[:3]))} ({sys.executable})"


def _local_host() -> str:
    return "programs run without Java on the local host: pystream run --local SCRIPT"


def _java() -> str:
    try:
        found = java.find_java()
    except JavaNotFoundError as error:
        raise CheckFailedError(str(error)) from None
    return f"Java {found.version} ({found.home}, found by {found.origin})"


def _package_check(package: Package) -> Callable[[], str]:
    def check() -> str:
        remedy = f'pip install "{package.requirement}"'
        try:
            version = metadata.version(package.name)
        except metadata.PackageNotFoundError:
            raise CheckFailedError(f"{package.name} is not installed: {remedy}") from None
        too_new = package.below is not None and _numbers(version) >= _numbers(package.below)
        if too_new or _numbers(version) < _numbers(package.minimum):
            raise CheckFailedError(
                f"{package.name} {version} is not supported, {package.requirement} is: {remedy}"
            )
        return f"{package.name} {version}"

    return check


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)[:3]))


def _spark_home() -> str:
    home = os.environ.get("SPARK_HOME")
    if home is None:
        return "Spark is the one that the package pyspark contains"
    found = [re.fullmatch(r"spark-core_[\d.]+-(.+)\.jar", jar.name) for jar in Path(home).glob("jars/*.jar")]
    versions = [match[1] for match in found if match]
    try:
        expected = metadata.version("pyspark")
    except metadata.PackageNotFoundError:
        expected = ""
    if versions != [expected]:
        installed = f"Spark {versions[0]}" if versions else "no Spark"
        raise CheckFailedError(
            f"SPARK_HOME={home} contains {installed}, but pyspark is {expected or 'missing'}: unset it"
        )
    return f"Spark {expected} ({home}, found by SPARK_HOME)"


def _class_archive() -> str:
    try:
        found = java.find_java()
        archive = class_archive.archive_for(found)
    except (JavaNotFoundError, ImportError):
        return ""  # reported by the checks of Java and of pyspark
    if archive.exists():
        return f"Spark starts from its class archive ({archive})"
    if reason := class_archive.obstacle(found):
        return f"Spark starts without a class archive: {reason}"
    return "Spark starts in half the time after: pystream warm-up"


def _worker_interpreter() -> str:
    configured = os.environ.get("PYSPARK_PYTHON")
    if configured is None:
        return "functions run with this Python"
    if shutil.which(configured) is None:
        raise CheckFailedError(f"PYSPARK_PYTHON={configured} does not exist: unset it")
    return f"functions run with {configured} (PYSPARK_PYTHON)"


def _client_libraries() -> str:
    """Return which client libraries of connectors are installed, by the extras that install them."""
    try:
        requirements = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return ""  # a source tree that is not installed
    libraries: dict[str, list[str]] = {}
    for requirement in requirements:
        name, extra = re.split(r"[^\w.-]", requirement, maxsplit=1)[0], _EXTRA.search(requirement)
        if extra is not None and extra["name"] not in _OTHER_EXTRAS and name != DISTRIBUTION:
            libraries.setdefault(extra["name"], []).append(name)
    installed = {extra: all(map(_is_installed, names)) for extra, names in libraries.items()}
    there = [extra for extra, is_there in installed.items() if is_there]
    missing = [extra for extra, is_there in installed.items() if not is_there]
    line = f"client libraries of connectors: {', '.join(there) or 'none'}"
    return line + (f"; not {', '.join(missing)}: {install_command(missing[0])}" if missing else "")


def _is_installed(package: str) -> bool:
    try:
        metadata.version(package)
    except metadata.PackageNotFoundError:
        return False
    return True


def _spark_package_check(name: str) -> Callable[[], str]:
    def check() -> str:
        try:
            found = packages.resolved(name)
            first = packages.coordinates_of(name)[0]
        except metadata.PackageNotFoundError:
            return ""  # reported by the check of pyspark
        if found is not None:
            return f"Spark package {name}: {found[0]}, resolved"
        return f"Spark package {name}: {first} or the release before, resolved on first use"

    return check


def _temporary_directory() -> str:
    try:
        with tempfile.TemporaryFile() as file:
            file.write(b"pystream")
    except OSError as error:
        raise CheckFailedError(
            f"the temporary directory is not writable ({error}): set TMPDIR to one that is"
        ) from None
    return f"temporary directory {tempfile.gettempdir()} is writable"


def _job() -> str:
    from pystream.datastream import StreamExecutionEnvironment

    started = time.monotonic()
    try:
        environment = StreamExecutionEnvironment.get_execution_environment()
        with environment.from_collection([1, 2]).map(_next).execute_and_collect() as elements:
            result = sorted(elements)
    except Exception as error:
        raise CheckFailedError(f"a job of two elements failed: {error}") from error
    if result != [2, 3]:
        raise CheckFailedError(f"a job of two elements returned {result} instead of [2, 3]")
    return f"a job of two elements ran in {time.monotonic() - started:.1f} s"


def _next(value: int) -> int:
    return value + 1
