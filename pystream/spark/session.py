"""The Spark session jobs run in: the one there is, else a local one that starts quickly and quietly."""

from __future__ import annotations

import os
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pystream.errors import PyStreamError
from pystream.spark import class_archive
from pystream.spark.java import find_java, launcher_home
from pystream.spark.site import site_defaults, site_directory

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["QUICK_START", "SparkStartError", "get_session"]

QUICK_START = "pystream.quick-start"
_JAVA_OPTIONS = "spark.driver.defaultJavaOptions"
_LOOPBACK = "127.0.0.1"

# Java's optimising compiler waits until code has run ten times as often as usual: at the start it would be
# busy with code that never runs again. Loops over data reach these counts within milliseconds.
_PATIENT_COMPILER = (
    "-XX:Tier4InvocationThreshold=50000",
    "-XX:Tier4MinInvocationThreshold=6000",
    "-XX:Tier4CompileThreshold=150000",
    "-XX:Tier4BackEdgeThreshold=400000",
)

_ANYWHERE = {
    "spark.app.name": "pystream",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.timeType.enabled": "true",
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
}
_LOCAL = {
    **_ANYWHERE,
    "spark.ui.enabled": "false",
    "spark.driver.host": _LOOPBACK,
    "spark.driver.bindAddress": _LOOPBACK,
    "spark.python.daemon.module": "pystream.spark.worker_daemon",
}
_WHICH_SESSION = frozenset({"spark.remote", "spark.api.mode"})
_starting = threading.Lock()


class SparkStartError(PyStreamError):
    """Report that Spark's Java process did not start."""


def get_session(conf: Mapping[str, str]) -> SparkSession:
    """Return the Spark session that is there, else start one.

    A session that is active, that ``spark-submit`` prepared, or that ``spark.remote`` names is used as it is,
    except for the options that can change while it runs. One whose Java process died is forgotten. Else one
    is started on ``spark.master``,
    ``SPARK_MASTER``, the master of ``spark-defaults.conf``, or all cores of this machine. A local one prints
    nothing but errors, has no web interface, listens on the loopback address only, and runs functions with
    this interpreter unless ``PYSPARK_PYTHON`` names another.

    Args:
        conf: Spark options. Those that do not begin with ``spark.`` have no effect here, except
            ``pystream.quick-start``: unless it is ``false``, Java is told to optimise late and to use an
            archive of Spark's classes, which is recorded when the first program ends (some 190 MB in the
            user's cache directory). Neither changes results or slows down long jobs.

    Raises:
        JavaNotFoundError: a session must be started and there is no Java for it.
        SparkStartError: Java did not start.
    """
    from pyspark.sql import SparkSession

    from pystream.spark.java_process import forget_if_dead

    options = {key: value for key, value in conf.items() if key.startswith("spark.")}
    with _starting:
        forget_if_dead()
        session = _existing()
        if session is None and not _prepared(options):
            return _start(options, quick=conf.get(QUICK_START, "true").lower() != "false")
        if session is None:
            which = {key: options[key] for key in _WHICH_SESSION if key in options}
            session = SparkSession.builder.config(map={**which}).getOrCreate()
        _change(session, options)
        return session


def _existing() -> SparkSession | None:
    from pyspark.errors import PySparkRuntimeError
    from pyspark.sql import SparkSession

    try:
        return SparkSession.active()
    except PySparkRuntimeError:
        return None


def _prepared(options: Mapping[str, str]) -> bool:
    connected = "spark.remote" in options or options.get("spark.api.mode") == "connect"
    variables = ("SPARK_REMOTE", "SPARK_CONNECT_MODE_ENABLED", "PYSPARK_GATEWAY_PORT")
    return connected or any(name in os.environ for name in variables)


def _change(session: SparkSession, options: Mapping[str, str]) -> None:
    fixed = []
    for key, value in options.items():
        if key in _WHICH_SESSION or session.conf.get(key, None) == value:
            continue
        if session.conf.isModifiable(key):
            session.conf.set(key, value)
        else:
            fixed.append(key)
    if fixed:
        warnings.warn(
            f"the running Spark session keeps its {', '.join(fixed)}, which are fixed when it starts: "
            "stop it first, or set them for the first job",
            stacklevel=3,
        )


def _start(options: Mapping[str, str], *, quick: bool) -> SparkSession:
    from pyspark.errors import PySparkRuntimeError
    from pyspark.sql import SparkSession

    java = find_java()
    site = site_defaults()
    master = options.get("spark.master") or os.environ.get("SPARK_MASTER") or os.environ.get("MASTER")
    chosen = {"spark.master": master or site.get("spark.master", "local[*]")}
    local = chosen["spark.master"].startswith("local")
    chosen |= {key: value for key, value in (_LOCAL if local else _ANYWHERE).items() if key not in site}
    chosen |= options
    java_options = [*_logging(), *(_PATIENT_COMPILER if quick else ())]
    if quick:
        java_options += class_archive.options_for(java)
    given = options.get(_JAVA_OPTIONS, site.get(_JAVA_OPTIONS, ""))
    chosen[_JAVA_OPTIONS] = " ".join([*map(_quoted, java_options), given]).strip()
    variables = {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": _LOOPBACK} if local else {}
    unset = {name: value for name, value in variables.items() if name not in os.environ}
    try:
        with _environment(unset | {"JAVA_HOME": str(launcher_home(java))}):
            session = SparkSession.builder.config(map={**chosen}).getOrCreate()
    except PySparkRuntimeError as error:
        if error.getCondition() != "JAVA_GATEWAY_EXITED":
            raise
        class_archive.archive_for(java).unlink(missing_ok=True)  # in case it is what Java stumbled over
        raise SparkStartError(
            f"Java {java.version} of {java.home} did not start Spark; what it said stands above"
        ) from error
    if quick and local:
        class_archive.record_at_exit(java)
    return session


def _logging() -> list[str]:
    if any(site_directory().glob("log4j2.*")):
        return []
    return [f"-Dlog4j2.configurationFile={Path(__file__).with_name('log4j2.properties').as_uri()}"]


def _quoted(option: str) -> str:
    return f'"{option}"' if " " in option else option


@contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Set variables that a new Java process and its session take over."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
