"""The Spark session that runs jobs: the active one, or else a local one that starts fast and quietly."""

from __future__ import annotations

import logging
import os
import socket
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import getproxies

from pystream.distribution import install_command
from pystream.errors import DependencyError, PyStreamError
from pystream.hosts.spark import class_archive
from pystream.hosts.spark.java import find_java, launcher_home
from pystream.hosts.spark.packages import SPARK_PACKAGES, add_packages, with_packages
from pystream.hosts.spark.session_options import (
    LEAST_HEAP,
    default_heap,
    is_heap,
    is_local,
    is_master,
    knows_hadoop,
    site_defaults,
    site_directory,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["QUICK_START", "SparkStartError", "get_session"]

QUICK_START = "pystream.quick-start"
_JAVA_OPTIONS = "spark.driver.defaultJavaOptions"
_HEAP = "spark.driver.memory"
_LOCAL_DIRECTORIES = "spark.local.dir"
_LOOPBACK = "127.0.0.1"
_MASTER_PORTS = {"spark": 7077, "k8s": 443}
_CONNECT_PORT = 15002
_SECONDS_TO_CONNECT = 10.0
_CONNECT_PACKAGES = {
    "grpcio": "grpc",
    "grpcio-status": "grpc_status",
    "googleapis-common-protos": "google.rpc",
    "zstandard": "zstandard",
}

# Java's optimising compiler waits until code has run ten times as often as usual: at the start it would be
# busy with code that never runs again. Loops over data reach these counts within milliseconds.
_PATIENT_COMPILER = (
    "-XX:Tier4InvocationThreshold=50000",
    "-XX:Tier4MinInvocationThreshold=6000",
    "-XX:Tier4CompileThreshold=150000",
    "-XX:Tier4BackEdgeThreshold=400000",
)

# Spark plans by recursion, and a stack overflow ends the thread. Threads take memory only for the part of
# the stack that they have used.
_DEEP_STACK = "-Xss16m"

_ANYWHERE = {
    "spark.app.name": "pystream",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.timeType.enabled": "true",
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    "spark.python.authenticate.socketTimeout": "2m",  # a busy machine takes longer than 15 s
}
_LOCAL = {
    **_ANYWHERE,
    "spark.ui.enabled": "false",
    "spark.driver.host": _LOOPBACK,
    "spark.driver.bindAddress": _LOOPBACK,
    "spark.python.daemon.module": "pystream.hosts.spark.worker_daemon",
}
_UNBOUNDED = {
    "spark.ui.retainedJobs": "100",
    "spark.ui.retainedStages": "200",
    "spark.ui.retainedTasks": "10000",
    "spark.sql.ui.retainedExecutions": "100",
}
"""Bounds on what Spark remembers of earlier epochs, even without a web UI: 100 kB of each."""

_WHICH_SESSION = frozenset({"spark.remote", "spark.api.mode"})
_starting = threading.Lock()


class SparkStartError(PyStreamError):
    """Spark did not start, or cannot be reached."""


def get_session(conf: Mapping[str, str], *, is_unbounded: bool = False) -> SparkSession:
    """Return the active Spark session, or else start one.

    A session that is active, prepared by ``spark-submit`` or named by ``spark.remote`` is used as it is;
    only its runtime options are set. A session whose JVM died is forgotten. A new session runs on
    ``spark.master``, ``SPARK_MASTER``, the master of ``spark-defaults.conf``, or all cores of this machine. A
    local one logs errors only, has no web UI, listens on the loopback address only, and runs functions with
    this interpreter unless ``PYSPARK_PYTHON`` names another. Its heap is a quarter of the memory, at least 1
    and at most 8 GiB, unless ``spark.driver.memory`` or ``SPARK_DRIVER_MEMORY`` is set.

    Args:
        conf: Spark options. Those that do not start with ``spark.`` have no effect here, except
            ``pystream.quick-start``: unless it is ``false``, Java uses the class archive of
            ``pystream warm-up``, and compiles late if the session starts for a bounded job, neither of which
            changes results; and ``pystream.spark-packages``, which the session gets in any case.
        is_unbounded: whether the session is for an unbounded job, in which all code that runs runs often.

    Raises:
        DependencyError: packages of the Spark Connect client are missing, or a Spark package is.
        ForkedProcessError: this process was forked from one whose session it could only share.
        JavaNotFoundError: a session must be started and no suitable Java is installed.
        SparkStartError: Spark did not start, or the master or Connect server cannot be reached.
    """
    from pyspark.sql import SparkSession

    from pystream.hosts.spark.jvm import (
        forget_if_dead,
        prepare_for_forks,
        refuse_shared_session,
        use_added_jars,
    )

    options = {key: value for key, value in conf.items() if key.startswith("spark.")}
    packages = [package for package in conf.get(SPARK_PACKAGES, "").split(",") if package]
    _quieten_py4j()
    prepare_for_forks()
    refuse_shared_session()
    with _starting:
        forget_if_dead()
        session = _existing()
        if session is None and not _prepared(options):
            quick = conf.get(QUICK_START, "true").lower() != "false"
            return _start(with_packages(options, packages), quick=quick, is_unbounded=is_unbounded)
        if session is None:
            _require_connect_client(options)
            which = {key: options[key] for key in _WHICH_SESSION if key in options}
            session = SparkSession.builder.config(map={**which}).getOrCreate()
        _change(session, options)
        add_packages(session, packages)
        if packages:
            use_added_jars(session)
        return session


def _quieten_py4j() -> None:
    """Set the level of Py4J's logger, which logs every request at DEBUG, unless the program set it."""
    logger = logging.getLogger("py4j")
    if logger.level == logging.NOTSET:
        logger.setLevel(logging.WARNING)


def _unlock() -> None:
    global _starting
    _starting = threading.Lock()


os.register_at_fork(after_in_child=_unlock)  # may be held by a thread that does not exist in the child


def _existing() -> SparkSession | None:
    from pyspark.errors import PySparkRuntimeError
    from pyspark.sql import SparkSession

    try:
        return SparkSession.active()
    except PySparkRuntimeError:
        return None


def _prepared(options: Mapping[str, str]) -> bool:
    if _remote(options):
        return not is_local(_remote(options))
    variables = ("SPARK_CONNECT_MODE_ENABLED", "PYSPARK_GATEWAY_PORT")
    return options.get("spark.api.mode") == "connect" or any(name in os.environ for name in variables)


def _remote(options: Mapping[str, str]) -> str:
    """Return the URL of a Spark Connect server, or the local master to start one; else an empty string."""
    return options.get("spark.remote") or os.environ.get("SPARK_REMOTE", "")


def _require_connect_client(options: Mapping[str, str]) -> None:
    """Check that the packages of the Spark Connect client are installed and the server is reachable.

    Raises:
        DependencyError: packages are missing.
        SparkStartError: the server cannot be reached.
    """
    missing = [name for name, module in _CONNECT_PACKAGES.items() if not find_spec(module)]
    if missing:
        raise DependencyError(
            f"Spark Connect needs the package{'s' * (len(missing) > 1)} {', '.join(missing)}: "
            f"{install_command('connect')}"
        )
    if _remote(options).startswith("sc://"):
        _require_reachable(_remote(options), _CONNECT_PORT)


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


def _start(options: Mapping[str, str], *, quick: bool, is_unbounded: bool) -> SparkSession:
    from pyspark.errors import PySparkRuntimeError
    from pyspark.sql import SparkSession

    from pystream.hosts.spark.errors import gist
    from pystream.hosts.spark.jvm import Py4JError, Py4JJavaError, ignore_lost_accumulators

    java = find_java()
    site = site_defaults()
    master = options.get("spark.master") or os.environ.get("SPARK_MASTER") or os.environ.get("MASTER")
    chosen = {"spark.master": master or site.get("spark.master", "local[*]")}
    if _remote(options):
        _require_connect_client(options)
        chosen = {"spark.remote": _remote(options)}
    ((option, where),) = chosen.items()
    local = is_local(where)
    _require_master(option, where)
    chosen |= {key: value for key, value in (_LOCAL if local else _ANYWHERE).items() if key not in site}
    if is_unbounded:
        chosen |= {key: value for key, value in _UNBOUNDED.items() if key not in site}
    if local and "SPARK_DRIVER_MEMORY" not in os.environ and _HEAP not in site:
        chosen[_HEAP] = default_heap()
    chosen |= options
    if "SPARK_LOCAL_DIRS" not in os.environ and where != "yarn":
        _require_local_directory(chosen.get(_LOCAL_DIRECTORIES) or site.get(_LOCAL_DIRECTORIES, ""))
    _require_heap(chosen.get(_HEAP) or site.get(_HEAP) or os.environ.get("SPARK_DRIVER_MEMORY"))
    from_archive = class_archive.options_for(java) if quick else []
    java_options = [*_logging(), _DEEP_STACK, *from_archive]
    if quick and not is_unbounded:
        java_options += _PATIENT_COMPILER
    given = options.get(_JAVA_OPTIONS, site.get(_JAVA_OPTIONS, ""))
    chosen[_JAVA_OPTIONS] = " ".join([*map(_quoted, java_options), given]).strip()
    variables = {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": _LOOPBACK} if local else {}
    unset = {name: value for name, value in variables.items() if name not in os.environ}
    try:
        with _environment(unset | {"JAVA_HOME": str(launcher_home(java))}), warnings.catch_warnings():
            # The server has all options when its client tries to set the static ones again.
            warnings.filterwarnings("ignore", "Failed to set spark", UserWarning)
            session = SparkSession.builder.config(map={**chosen}).getOrCreate()
    except Py4JJavaError as error:
        raise SparkStartError(f"Spark did not start: {gist(str(error))}") from None
    except (PySparkRuntimeError, Py4JError, ConnectionError) as error:
        if isinstance(error, PySparkRuntimeError) and error.getCondition() != "JAVA_GATEWAY_EXITED":
            raise
        if from_archive:
            class_archive.archive_for(java).unlink(missing_ok=True)  # Java may have failed because of it
        raise SparkStartError(
            f"Java {java.version} of {java.home} did not start Spark; its output is above"
            + _of_packages(chosen)
        ) from None
    except OSError as error:
        raise SparkStartError(f"Spark did not start: {error}") from None
    ignore_lost_accumulators()
    return session


def _of_packages(options: Mapping[str, str]) -> str:
    """Return what to do if Spark did not start because it could not resolve packages."""
    packages = options.get("spark.jars.packages")
    if not packages:
        return ""
    return (
        f". If it could not resolve {packages}: set {SPARK_PACKAGES} to a coordinate that your repository "
        "has, install Maven, or name the jars in pipeline.jars"
    )


def _require_master(option: str, url: str) -> None:
    """Reject a master URL for which Spark would fail with a stack trace.

    Raises:
        SparkStartError: it is not a master URL, its requirements are not met, or it cannot be reached.
    """
    if not is_master(url):
        raise SparkStartError(
            f"{option} is {url!r}, which is not a master URL; write local[2], local[*], "
            "spark://HOST:PORT, k8s://URL or yarn"
        )
    if url == "yarn" and not knows_hadoop():
        raise SparkStartError(
            "spark.master is 'yarn', but the configuration of Hadoop is not known; set HADOOP_CONF_DIR or "
            "YARN_CONF_DIR to its directory, or use another master, such as local[*]"
        )
    kind = url.partition("://")[0]
    if kind == "spark" or (kind == "k8s" and not getproxies()):
        _require_reachable(url, _MASTER_PORTS[kind])


def _require_local_directory(directories: str) -> None:
    """Reject a setting of temporary directories if Spark can create none of them.

    Raises:
        SparkStartError: none of them is writable.
    """
    if directories and not any(map(_can_be_created, directories.split(","))):
        raise SparkStartError(
            f"{_LOCAL_DIRECTORIES} is {directories!r}, which has no writable directory; set it to one"
        )


def _can_be_created(directory: str) -> bool:
    path = Path(directory).absolute()
    existing = next(parent for parent in (path, *path.parents) if parent.exists())
    return existing.is_dir() and os.access(existing, os.W_OK | os.X_OK)


def _require_heap(size: str | None) -> None:
    """Reject a heap size with which Java or Spark would not start.

    Raises:
        SparkStartError: it is not a memory size, or it is too small.
    """
    if size is not None and not is_heap(size):
        raise SparkStartError(
            f"{_HEAP} is {size!r}, which is not a size from {LEAST_HEAP} up; write a whole number and one of "
            "k, m, g and t, such as 4g"
        )


def _require_reachable(url: str, default_port: int) -> None:
    """Reject an unreachable address, which Spark would retry for more than a minute.

    Raises:
        SparkStartError: no host of the URL can be connected to.
    """
    failures = []
    for place in url.rpartition("://")[2].partition("/")[0].partition(";")[0].split(","):
        host, _, port = place.rpartition(":") if place.rpartition(":")[2].isdigit() else (place, "", "")
        try:
            socket.create_connection(
                (host.strip("[]"), int(port or default_port)), _SECONDS_TO_CONNECT
            ).close()
        except OSError as error:
            failures.append(f"{place}: {error.strerror or error}")
        else:
            return
    raise SparkStartError(
        f"{url} cannot be reached ({'; '.join(failures)}); start it, or set another address"
    )


def _logging() -> list[str]:
    if any(site_directory().glob("log4j2.*")):
        return []
    return [f"-Dlog4j2.configurationFile={Path(__file__).with_name('log4j2.properties').as_uri()}"]


def _quoted(option: str) -> str:
    return f'"{option}"' if " " in option else option


@contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Set environment variables for a new JVM and its session, within the block."""
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
