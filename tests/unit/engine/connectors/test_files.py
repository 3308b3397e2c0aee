"""The meaning of paths, and the files found below them."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from pystream.engine.connectors.files import absolute_location, list_files, local_path, resolve
from pystream.errors import ConnectorError, SourceError


@pytest.mark.parametrize(
    ("location", "path"),
    [
        ("/data/a b", "/data/a b"),
        ("data/x", "data/x"),
        ("file:///data/a b", "/data/a b"),
        ("file:///data/a%20b", "/data/a%20b"),
        ("file:/data/x", "/data/x"),
        ("FILE:///data/x", "/data/x"),
        ("file://localhost/data/x", "/data/x"),
        ("2020-01-01T00:00/x", "2020-01-01T00:00/x"),
    ],
)
def test_paths_and_file_uris_are_local(location: str, path: str) -> None:
    assert local_path(location) == path


@pytest.mark.parametrize("location", ["s3://bucket/key", "hdfs://host:9000/x", "gs://b/k"])
def test_other_schemes_are_not_local_and_kept_as_they_are(location: str) -> None:
    assert local_path(location) is None
    assert absolute_location(location) == location


def test_a_host_in_a_file_uri_is_refused() -> None:
    with pytest.raises(ConnectorError, match="write file:///data/x"):
        local_path("file://data/x")


def test_relative_paths_become_absolute_where_the_program_runs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert absolute_location("a/../b") == f"{os.getcwd()}/b"
    assert absolute_location(Path("b")) == f"{os.getcwd()}/b"


@pytest.mark.parametrize("location", ["", "  ", None, 5, b"/x"])
def test_a_value_that_is_not_a_path_is_refused(location: str) -> None:
    with pytest.raises(ConnectorError, match="a path must be a str"):
        absolute_location(location)


def test_an_unknown_scheme_is_refused_with_the_uri() -> None:
    with pytest.raises(ConnectorError, match="file system of gopher://host/x"):
        resolve("gopher://host/x")


def test_other_file_systems_are_pyarrows(tmp_path: Path) -> None:
    filesystem, path = resolve("mock:///some/where")
    assert filesystem.type_name == "mock"
    assert path == "some/where"


def test_a_directory_lists_the_files_below_in_order_of_names(tmp_path: Path) -> None:
    for name in ("b", "a/2", "a/1", "c/d/x", "_h", ".h", "c/_h/x", "c/.h/x"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
    found = [(os.path.relpath(file.path, tmp_path), file.size) for file in list_files(str(tmp_path))]
    assert found == [("a/1", 3), ("a/2", 3), ("b", 1), ("c/d/x", 5)]


def test_a_file_the_program_names_is_found_whatever_it_is_called(tmp_path: Path) -> None:
    hidden = tmp_path / "_data"
    hidden.write_text("x")
    assert [file.path for file in list_files(f"file://{hidden}")] == [str(hidden)]


def test_a_missing_path_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=f"input path {tmp_path}/none does not exist"):
        list_files(f"{tmp_path}/none")


def test_a_path_to_neither_file_nor_directory_is_an_error(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SourceError, match="neither a file nor a directory"):
        list_files(f"{tmp_path}/pipe")


VISIBLE = ["a.csv", "a1.txt", "b.csv", "sub/a.csv", "sub/deep/c.csv", "sub2/a.csv"]
TREE = [*VISIBLE, "_h.csv", ".h.csv", "_t/a.csv"]


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("*.csv", ["a.csv", "b.csv"]),
        ("a*", ["a.csv", "a1.txt"]),
        ("?.csv", ["a.csv", "b.csv"]),
        ("[!a].csv", ["b.csv"]),
        ("sub*", ["sub/a.csv", "sub/deep/c.csv", "sub2/a.csv"]),
        ("sub*/a.csv", ["sub/a.csv", "sub2/a.csv"]),
        ("*/deep/*", ["sub/deep/c.csv"]),
        ("**/a.csv", ["a.csv", "sub/a.csv", "sub2/a.csv"]),
        ("sub/**", ["sub/a.csv", "sub/deep/c.csv"]),
        ("**/deep/**", ["sub/deep/c.csv"]),
        ("**/*", VISIBLE),
        ("_*", ["_h.csv", "_t/a.csv"]),
    ],
)
@pytest.mark.parametrize("scheme", ["", "file://"])
def test_a_pattern_lists_the_files_it_matches(
    tmp_path: Path, scheme: str, pattern: str, found: list[str]
) -> None:
    for name in TREE:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    files = list_files(f"{scheme}{tmp_path}/{pattern}")
    assert [os.path.relpath(file.path, tmp_path) for file in files] == found
    for file in files:
        filesystem, _ = resolve(file.root)
        with filesystem.open_input_file(file.path) as stream:
            assert stream.read().decode() == os.path.relpath(file.path, tmp_path)


def test_a_pattern_works_on_other_file_systems(tmp_path: Path) -> None:
    filesystem, path = resolve(f"mock://{tmp_path}")
    filesystem.create_dir(path)
    for name in ("a.csv", "b.txt"):
        filesystem.open_output_stream(f"{path}/{name}").close()
    found = list_files(f"mock://{tmp_path}/*.csv")
    assert [Path(file.path).name for file in found] == ["a.csv"]


def test_a_file_whose_name_has_a_wildcard_is_itself(tmp_path: Path) -> None:
    for name in ("a*", "ab"):
        (tmp_path / name).touch()
    assert [file.path for file in list_files(f"{tmp_path}/a*")] == [f"{tmp_path}/a*"]


def test_a_pattern_that_matches_no_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"no file matches input path .*/\*\.csv"):
        list_files(f"{tmp_path}/*.csv")


def test_hdfs_without_its_libraries_is_refused_in_one_line() -> None:
    with pytest.raises(ConnectorError) as caught:
        resolve("hdfs://localhost:1/data")
    message = str(caught.value)
    assert re.search(
        r"(libjvm was not found; set JAVA_HOME|libhdfs was not found; set ARROW_LIBHDFS)", message
    )
    assert "spark.read" in message
    assert "\n" not in message
    assert caught.value.__suppress_context__
