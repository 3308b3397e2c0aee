"""Fixtures and hooks of all tests: hosts, the Spark session, the Hypothesis profile, the parity table."""

from __future__ import annotations

import gc
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import cloudpickle
import hypothesis
import pytest

import pystream.compat
from tests.parity.table import PARITY
from tests.short_lived_java import SHORT_LIVED_JAVA

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from pystream.datastream import StreamExecutionEnvironment

os.environ.update(SHORT_LIVED_JAVA)
gc.disable()  # until all tests are collected

_CLEAN_UP_SECONDS = 60  # from an interrupt of a test to one of its clean-up, which may also wait

# A shell lets what it starts in the background ignore Ctrl-C, and so would the programs that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)

hypothesis.settings.register_profile("ci", derandomize=True, deadline=None, database=None)
hypothesis.settings.register_profile("explore", max_examples=2_000, deadline=None, database=None)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests that use the Spark session, and leave out those on Spark that are marked ``local_only``.

    ``-m 'not spark'`` deselects tests with the mark.
    """
    for item in items:
        if "spark" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.spark)
    left_out = {item for item in items if item.get_closest_marker("local_only") and _is_on_spark(item)}
    config.hook.pytest_deselected(items=list(left_out))
    items[:] = [item for item in items if item not in left_out]


def pytest_collection_finish() -> None:
    """Let the garbage collector ignore modules and tests, in which it would search a fifth of the time."""
    gc.freeze()
    gc.enable()


def _is_on_spark(item: pytest.Item) -> bool:
    parameters = getattr(item, "callspec", None)
    return parameters is not None and parameters.params.get("host") == "spark"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests with a host on both hosts, unless they use the Spark session or are marked ``spark_only``."""
    if "host" in metafunc.fixturenames and "spark" not in metafunc.fixturenames:
        hosts = [pytest.param("spark", marks=pytest.mark.spark)]
        if metafunc.definition.get_closest_marker("spark_only") is None:
            hosts.insert(0, pytest.param("local"))
        metafunc.parametrize("host", hosts, indirect=True)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the parity table if the run computed it."""
    table = config.stash.get(PARITY, None)
    if table is not None:
        terminalreporter.section("promises of tests/parity/api.tsv")
        terminalreporter.write_line(table)


@pytest.fixture(scope="session", autouse=True)
def temporary_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep all temporary files of the run, including those of workers and the JVM, in pytest's directory."""
    place = str(tmp_path_factory.mktemp("tmp"))
    before = tempfile.tempdir, os.environ.get("TMPDIR")
    tempfile.tempdir = os.environ["TMPDIR"] = place
    yield
    tempfile.tempdir = before[0]
    if before[1] is None:
        del os.environ["TMPDIR"]
    else:
        os.environ["TMPDIR"] = before[1]


@pytest.fixture(scope="session")
def spark(temporary_files: None) -> Iterator[SparkSession]:
    """The Spark session that all programs of the run share.

    It interprets its plans, as compiling them takes longer than running them on data of tests.
    """
    from pystream.hosts.spark.session import get_session

    session = get_session({})
    session.conf.set("spark.sql.codegen.wholeStage", "false")
    session.conf.set("spark.sql.codegen.factoryMode", "NO_CODEGEN")
    yield session
    session.stop()


@pytest.fixture
def host(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The host of the jobs of a test, "local" or "spark", set in the configuration file."""
    name = getattr(request, "param", "spark")
    if name == "spark":
        request.getfixturevalue("spark")
    configuration = tmp_path_factory.mktemp("conf")
    (configuration / "flink-conf.yaml").write_text(f"pystream.runner: {name}\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FLINK_CONF_DIR", str(configuration))
        yield name


@pytest.fixture(scope="module")
def by_value(request: pytest.FixtureRequest) -> Iterator[None]:
    """Pickle the functions of a test module by value, because workers cannot import the module."""
    cloudpickle.register_pickle_by_value(request.module)
    yield
    cloudpickle.unregister_pickle_by_value(request.module)


@pytest.fixture
def pyflink_names() -> Iterator[None]:
    """Let ``import pyflink`` import pystream during a test."""
    before = dict(sys.modules), list(sys.meta_path)
    pystream.compat.install()
    yield
    sys.meta_path[:] = before[1]
    for name in set(sys.modules) - set(before[0]):
        if name.partition(".")[0] in ("pyflink", "flink", "org"):
            del sys.modules[name]


@pytest.fixture
def env(host: str, by_value: None) -> StreamExecutionEnvironment:
    """A new environment of parallelism 1, in which the order of elements is defined."""
    from pystream.datastream import StreamExecutionEnvironment

    return StreamExecutionEnvironment.get_execution_environment().set_parallelism(1)


@pytest.fixture
def local_env() -> StreamExecutionEnvironment:
    """A new environment of parallelism 1 on the local host only."""
    from pystream.common import Configuration
    from pystream.datastream import StreamExecutionEnvironment

    configuration = Configuration.from_dict({"pystream.runner": "local"})
    return StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(1)


@pytest.fixture
def env2(env: StreamExecutionEnvironment) -> StreamExecutionEnvironment:
    """A new environment of parallelism 2."""
    return env.set_parallelism(2)


@pytest.fixture(autouse=True)
def time_limit(request: pytest.FixtureRequest) -> Iterator[None]:
    """Interrupt a test, and a process that it waits for, when its time limit has passed."""
    marker = request.node.get_closest_marker("time_limit")
    seconds = 240 if marker is None else marker.args[0]

    def interrupt(signum: int, frame: object) -> None:
        _close_connection_to_java()
        # Not an Exception: Spark's client takes a TimeoutError for that of a connection, and tries again.
        pytest.fail(f"the test has taken longer than {seconds} seconds")

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds, _CLEAN_UP_SECONDS)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(autouse=True)
def no_job_left(time_limit: None) -> Iterator[None]:
    """Fail a test that leaves a job running, and cancel the job; jobs have 30 seconds to end."""
    yield
    jobs = [thread for thread in threading.enumerate() if thread.name.startswith("pystream-")]
    until = time.monotonic() + 30
    for thread in jobs:
        thread.join(timeout=max(0.0, until - time.monotonic()))
    left = [thread.name for thread in jobs if thread.is_alive()]
    if left:
        _cancel_jobs_on_spark()
        pytest.fail(f"still running: {left}")


def _close_connection_to_java() -> None:
    """Close the connection of this thread: if its call is interrupted, the next one would get the answer."""
    pyspark = sys.modules.get("pyspark")
    gateway = pyspark and pyspark.SparkContext._gateway
    connection = gateway and gateway._gateway_client.get_thread_connection()
    if connection:
        connection.close()


def _cancel_jobs_on_spark() -> None:
    from pyspark.sql import SparkSession

    session = SparkSession._instantiatedSession
    if session is not None:
        for query in session.streams.active:
            query.stop()
        session.sparkContext.cancelAllJobs()
