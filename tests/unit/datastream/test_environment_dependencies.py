"""Dependencies of an environment that are checked before a job starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from pystream.common import Configuration
from pystream.datastream import StreamExecutionEnvironment
from pystream.errors import ConfigurationError, DependencyError
from pystream.plan.dependencies import CachedFile


def configured(key: str, value: str) -> StreamExecutionEnvironment:
    return StreamExecutionEnvironment(Configuration.from_dict({key: value}))


def files_of(path: Path, entries: str) -> dict[str, CachedFile]:
    return configured("pipeline.cached-files", entries.format(path=path))._dependencies.cached_files


def test_cached_files_can_be_configured(tmp_path: Path) -> None:
    one, two = tmp_path / "one.txt", tmp_path / "two;txt"
    one.touch()
    two.touch()
    entries = "name:first,path:'file://{path}/one.txt';name:second,executable:true,path:{path}/one.txt"
    assert files_of(tmp_path, entries) == {
        "first": CachedFile(one, executable=False),
        "second": CachedFile(one, executable=True),
    }
    assert files_of(tmp_path, '[{{name: third, path: "{path}/two;txt"}}]') == {
        "third": CachedFile(two, executable=False)
    }


def test_configured_cached_files_replace_those_before(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    environment = StreamExecutionEnvironment()
    environment.register_cached_file(str(file), "before")
    environment.configure(Configuration.from_dict({"pipeline.cached-files": f"name:now,path:{file}"}))
    assert environment.get_cached_files() == [("now", str(file))]
    environment.configure(Configuration.from_dict({"pipeline.name": "other"}))
    assert environment.get_cached_files() == [("now", str(file))]


@pytest.mark.parametrize(
    "entry", ["name:a", "path:a", "a", "name:a,path:file://b", "name:a,path:b,executable:c"]
)
def test_a_malformed_cached_file_is_refused(tmp_path: Path, entry: str) -> None:
    with pytest.raises(ConfigurationError, match=r"pipeline\.cached-files: .*name:NAME,path:'PATH'"):
        files_of(tmp_path, entry)


def test_a_missing_cached_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DependencyError, match=r"missing\.txt"):
        files_of(tmp_path, "name:a,path:{path}/missing.txt")


@pytest.mark.parametrize(
    ("key", "value", "passed_on"),
    [("pipeline.name", "x", "true"), ("pystream.quick-start", "FALSE", "false")],
)
def test_the_quick_start_can_be_configured(key: str, value: str, passed_on: str) -> None:
    assert configured(key, value)._spark_conf()["pystream.quick-start"] == passed_on


@pytest.mark.parametrize("text", ["a.jar;b.jar", "[a.jar, b.jar]"])
def test_configured_and_added_jars_reach_spark(text: str) -> None:
    environment = configured("pipeline.jars", text)
    assert environment._spark_conf()["spark.jars"] == "a.jar,b.jar"
    environment.add_jars("c.jar")
    assert environment._spark_conf()["spark.jars"] == "a.jar,b.jar,c.jar"
