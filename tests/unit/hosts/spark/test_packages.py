"""Spark packages: coordinates, resolution by Maven, and what is remembered of it."""

from __future__ import annotations

import os
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pystream.common import Configuration
from pystream.datastream import StreamExecutionEnvironment
from pystream.errors import ConfigurationError, DependencyError
from pystream.hosts.spark.packages import add_packages, coordinates_of, resolved, with_packages
from pystream.hosts.spark.session_options import spark_home

VERSION = metadata.version("pyspark")
MAVEN = """#!/bin/sh
echo "$@" >> {calls}
for argument do
  case $argument in -Dmdep.outputFile=*) output=${{argument#*=}} ;; *.xml) pom=$argument ;; esac
done
if grep -q '{refused}' "$pom"; then echo '{message}'; exit 1; fi
printf '{paths}' > "$output"
"""
FAILED = "\x1b[0m[ERROR] Failed to execute goal on project packages: "
MIRROR = "mine (https://ada:se@cret@host/maven)"


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory without Maven for the cache and the programs of the test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "bin").mkdir()
    monkeypatch.setattr("pystream.hosts.spark.packages._maven", lambda: None)
    return tmp_path


def install_maven(
    directory: Path,
    monkeypatch: pytest.MonkeyPatch,
    refused: str = "nothing",
    jars: tuple[str, ...] = (),
    message: str = f"{FAILED}Could not find artifact x:y:jar:1 in {MIRROR} -> [Help 1]",
) -> list[Path]:
    """Install a Maven that refuses some versions, and return the jars that it finds."""
    paths = [directory / name for name in jars or ("a_2.13-1.0.jar", "b-2.jar")]
    for path in paths:
        path.touch()
    program = directory / "bin" / "mvn"
    joined = ":".join(map(str, paths))
    program.write_text(
        MAVEN.format(calls=directory / "calls", refused=refused, paths=joined, message=message)
    )
    program.chmod(0o755)
    monkeypatch.setattr("pystream.hosts.spark.packages._maven", lambda: str(program))
    return paths


def test_a_known_package_has_the_version_of_spark_and_then_that_of_minor_versions_before() -> None:
    first, *others = coordinates_of("kafka")
    assert first == f"org.apache.spark:spark-sql-kafka-0-10_2.13:{VERSION}"
    major, minor = VERSION.split(".")[:2]
    assert others[-1].endswith(f":{major}.0.0")
    assert f"org.apache.spark:spark-sql-kafka-0-10_2.13:{major}.{int(minor) - 1}.0" in others
    assert coordinates_of("a.b:c_2.13:1.0") == ["a.b:c_2.13:1.0"]
    with pytest.raises(
        ConfigurationError, match=r"'iceberg' is neither a known package \(kafka\) nor a Maven"
    ):
        coordinates_of("iceberg")


def test_maven_is_asked_once_and_again_only_if_a_jar_is_gone(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = install_maven(directory, monkeypatch)
    wanted = {"spark.jars": f"/own.jar,{first},{second}"}
    assert resolved("x:y:1") is None
    for _ in range(2):
        assert with_packages({"spark.jars": "/own.jar"}, ["x:y:1"]) == wanted
    assert len((directory / "calls").read_text().splitlines()) == 1
    assert resolved("x:y:1") == ("x:y:1", [str(first), str(second)])
    second.unlink()
    assert resolved("x:y:1") is None


def test_what_spark_has_itself_is_left_out(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = next(jar.name for jar in spark_home().glob("jars/hadoop-client-api-*.jar"))
    other = own.replace(".jar", ".1.jar")  # another version
    _, second = install_maven(directory, monkeypatch, jars=(other, "c-1.jar"))
    assert with_packages({}, ["x:y:1"]) == {"spark.jars": str(second)}


def test_a_release_that_does_not_exist_is_replaced_by_the_one_before(
    directory: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    install_maven(directory, monkeypatch, refused=VERSION)
    with_packages({}, ["kafka"])
    _, second = coordinates_of("kafka")[:2]
    found = resolved("kafka")
    assert found is not None
    assert found[0] == second
    assert f":{VERSION} is not released, {second} is used" in caplog.text


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (f"{FAILED}Could not find artifact x:y:jar:1 in {MIRROR}", "no repository of Maven has x:y:jar:1"),
        (f"{FAILED}from/to {MIRROR}: Connection refused", "Maven cannot reach its repository"),
        (
            f"{FAILED}{MIRROR}: authentication failed, status: 401 Unauthorized",
            r"the repository of Maven refuses access \(status 401\)",
        ),
        (
            f"{FAILED}{MIRROR}: status: 500 Error\n[ERROR] more",
            r"Maven says: Failed to execute .* packages: mine \(https://host/maven\): status: 500 Error",
        ),
    ],
)
def test_a_package_that_cannot_be_resolved_is_named_before_the_job_starts(
    directory: Path, monkeypatch: pytest.MonkeyPatch, message: str, reason: str
) -> None:
    install_maven(directory, monkeypatch, refused="<version>", message=message)
    expected = (
        rf"x:y:1 cannot be resolved: {reason} \(all that Maven says: mvn dependency:get -Dartifact=x:y:1\); "
        r"set pystream\.spark-packages .* pipeline\.jars"
    )
    with pytest.raises(DependencyError, match=expected) as error:
        with_packages({}, ["x:y:1"])
    assert "cret" not in str(error.value)


def test_another_job_never_sees_a_part_of_what_was_resolved(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_maven(directory, monkeypatch)
    replace, seen = os.replace, []

    def looking(source: str, target: str) -> None:
        seen.append(resolved("x:y:1"))
        replace(source, target)

    monkeypatch.setattr("os.replace", looking)
    with_packages({}, ["x:y:1"])
    assert seen == [None]
    assert resolved("x:y:1") is not None
    assert [path.name for path in (directory / "cache" / "pystream" / "packages").iterdir()] == ["x+y+1"]


def test_spark_resolves_packages_without_maven(directory: Path) -> None:
    given = {"spark.jars.packages": "a:b:1"}
    assert with_packages(given, ["x:y:1"]) == {"spark.jars.packages": "a:b:1,x:y:1"}


class Session:
    """A session that runs, and has some jars."""

    def __init__(self, *jars: str) -> None:
        self.jars = list(jars)

    def sql(self, statement: str) -> Any:
        if statement.startswith("ADD JAR '"):
            self.jars.append(statement.removeprefix("ADD JAR '").removesuffix("'"))
        return SimpleNamespace(collect=lambda: [(jar,) for jar in self.jars])


def test_a_running_session_gets_what_it_lacks(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session: Any = Session("spark://127.0.0.1:1/jars/y-1.0.jar")
    with pytest.raises(DependencyError, match=r"a:b:1 cannot be added to a running session without Maven"):
        add_packages(session, ["a:b:1"])
    found = install_maven(directory, monkeypatch)
    add_packages(session, ["a:b:1", "x:y:1"])
    assert session.jars[1:] == list(map(str, found))


def test_a_jar_of_the_program_replaces_the_download(directory: Path) -> None:
    options = {"spark.jars": f"/jars/spark-sql-kafka-0-10_2.13-{VERSION}.jar"}
    assert with_packages(options, ["kafka"]) == options


def test_the_setting_reaches_the_session() -> None:
    configuration = Configuration()
    configuration.set_string("pystream.spark-packages", "kafka;x:y:1")
    env = StreamExecutionEnvironment.get_execution_environment(configuration)
    assert env._spark_conf()["pystream.spark-packages"] == "kafka,x:y:1"
