"""What all tests share: the hosts, one Spark session a run, one Hypothesis profile, the parity table."""

from __future__ import annotations

import os
import signal
import tempfile
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

import cloudpickle
import hypothesis
import pytest

from tests.parity.report import PARITY

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from pystream.datastream import StreamExecutionEnvironment

# Most plans of the tests run once: compiling them well, and collecting garbage in parallel, costs a third more.
SHORT_LIVED_JAVA = {"spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}

hypothesis.settings.register_profile("ci", derandomize=True, deadline=None, database=None)
hypothesis.settings.register_profile("explore", max_examples=2_000, deadline=None, database=None)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test that uses the session, so that ``-m 'not spark'`` leaves all of them out."""
    for item in items:
        if "spark" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.spark)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run what takes a host on both, unless it uses the session or is marked as only for Spark."""
    if "host" in metafunc.fixturenames and "spark" not in metafunc.fixturenames:
        hosts = [pytest.param("spark", marks=pytest.mark.spark)]
        if metafunc.definition.get_closest_marker("spark_only") is None:
            hosts.insert(0, pytest.param("local"))
        metafunc.parametrize("host", hosts, indirect=True)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Show how the promises stand, where the run judged them."""
    table = config.stash.get(PARITY, None)
    if table is not None:
        terminalreporter.section("promises of tests/parity/api.tsv")
        terminalreporter.write_line(table)


@pytest.fixture(scope="session", autouse=True)
def temporary_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep everything the run writes, the workers and the JVM included, below pytest's own directory."""
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
    """The one Spark session of the run, which all programs share."""
    from pystream.hosts.spark.session import get_session

    session = get_session(SHORT_LIVED_JAVA)
    yield session
    session.stop()


@pytest.fixture
def host(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the jobs of a test run, "local" or "spark"; programs find it in their configuration."""
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
    """Send a test module's functions to the workers as a script's are, since workers cannot import it."""
    cloudpickle.register_pickle_by_value(request.module)
    yield
    cloudpickle.unregister_pickle_by_value(request.module)


@pytest.fixture
def env(host: str, by_value: None, no_job_left: None) -> StreamExecutionEnvironment:
    """A new environment of parallelism 1, where order is defined."""
    from pystream.datastream import StreamExecutionEnvironment

    return StreamExecutionEnvironment.get_execution_environment().set_parallelism(1)


@pytest.fixture
def env2(env: StreamExecutionEnvironment) -> StreamExecutionEnvironment:
    """A new environment of parallelism 2."""
    return env.set_parallelism(2)


@pytest.fixture(autouse=True)
def time_limit(request: pytest.FixtureRequest) -> Iterator[None]:
    """Interrupt a test that takes longer than it may, and with it the process that it waits for."""
    marker = request.node.get_closest_marker("time_limit")
    seconds = 240 if marker is None else marker.args[0]

    def interrupt(signum: int, frame: object) -> None:
        raise TimeoutError(f"the test has taken longer than {seconds} seconds")

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.alarm(seconds)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def no_job_left() -> Iterator[None]:
    """Fail a test that leaves a job running; one that was told to stop has half a minute."""
    yield
    jobs = [thread for thread in threading.enumerate() if thread.name.startswith("pystream-")]
    for thread in jobs:
        thread.join(timeout=30)
    left = [thread.name for thread in jobs if thread.is_alive()]
    assert not left, f"still running: {left}"
